/* Reading measurements: CSV with a head line that names the columns, in any order. */
#include "report/report.h"

#include "base/grow.h"
#include "cli/command.h"
#include "cli/input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COLLECTIVE, ALGORITHM, RANKS, BYTES, SECONDS, MPI, NODES, SAMPLES, LOW, HIGH, COLUMNS };
enum { NEEDED = SECONDS + 1, FIELDS_MOST = 64 };
static const char *const names[COLUMNS] = {"collective", "algorithm", "ranks",   "bytes", "seconds",
                                           "mpi",        "nodes",     "samples", "low",   "high"};

/* Columns that tell what is compared with what; rows that differ in them are of different cells. */
static const char *const condition_names[] = {
    "setup",    "shape", "dims",       "ports",   "groups",         "leaves",  "machine",
    "host",     "hosts", "allocation", "job",     "cluster",        "network", "uplink",
    "rate",     "level", "reorder",    "root",    "ranks_per_node", "ppn",     "threads",
    "datatype", "type",  "op",         "operator"};
/* Columns that bine's own tools write and that tell nothing apart. */
static const char *const ignored_names[] = {"iteration", "family",      "computed",
                                            "with",      "overlap",     "global_bytes",
                                            "predicted", "copied_bytes"};

enum role { ROLE_NONE, ROLE_CONDITION, ROLE_UNKNOWN };

struct reading {
    struct bine_report *r;
    const char *path;
    int line;
    int headed;
    int at[COLUMNS];                /* which field is a column, or -1 */
    int width;                      /* fields of the head line */
    const char *title[FIELDS_MOST]; /* of the fields, in the text of the file */
    enum role role[FIELDS_MOST];
};

static const char own_mark[] = "# bine-bench ";

/* The section that is being read: a file, or a part of one that was put together from several. */
static struct bine_report_file *section_of(const struct reading *in) {
    return &in->r->file[in->r->files - 1];
}

static int complain(const struct reading *in, const char *what, const char *word,
                    const char *expected) {
    return bine_complain("%s:%d: %s '%.60s': expected %s", in->path, in->line, what, word,
                         expected);
}

/* Cut a line into fields, in its own memory; "" stands for a quote inside quotes. Returns how many
 * there are, or -1 if a quote is not closed. */
static int cut(char *line, char **field, int most) {
    int n = 0;
    for (char *at = line;; at++) {
        char *to = at;
        if (n == most)
            return n;
        field[n++] = at;
        if (*at == '"') {
            for (at++; *at != '\0' && (*at != '"' || at[1] == '"'); at++) {
                at += *at == '"';
                *to++ = *at;
            }
            if (*at != '"')
                return -1;
            at++;
            at += strcspn(at, ",");
        } else {
            at += strcspn(at, ",");
            to = at;
        }
        int last = *at == '\0';
        *to = '\0';
        if (last)
            return n;
    }
}

static int is_one_of(const char *word, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return 1;
    return 0;
}
#define IS_ONE_OF(WORD, LIST) is_one_of(WORD, LIST, sizeof LIST / sizeof *LIST)

static enum role role_of(const char *title) {
    if (IS_ONE_OF(title, condition_names))
        return ROLE_CONDITION;
    return IS_ONE_OF(title, names) || IS_ONE_OF(title, ignored_names) ? ROLE_NONE : ROLE_UNKNOWN;
}

static int read_head(struct reading *in, char **field, int n) {
    for (int c = 0; c < COLUMNS; c++) {
        in->at[c] = -1;
        for (int i = 0; i < n; i++)
            if (strcmp(field[i], names[c]) == 0)
                in->at[c] = i;
        if (c < NEEDED && in->at[c] < 0)
            return bine_complain("%s:%d: no column '%s': expected at least "
                                 "collective,algorithm,ranks,bytes,seconds",
                                 in->path, in->line, names[c]);
    }
    for (int i = 0; i < n; i++) {
        in->title[i] = field[i];
        in->role[i] = role_of(field[i]);
    }
    in->width = n;
    in->headed = 1;
    return 0;
}

static int read_whole(const struct reading *in, const char *what, const char *word, int64_t low,
                      int64_t *value) {
    char *end;
    errno = 0;
    *value = strtoll(word, &end, 10);
    if (end == word || *end != '\0' || errno != 0 || *value < low)
        return complain(in, what, word, low > 0 ? "a whole number above 0" : "a whole number");
    return 0;
}

static int read_time(const struct reading *in, const char *what, const char *word, double *value) {
    char *end;
    *value = strtod(word, &end);
    if (end == word || *end != '\0' || !(*value > 0 && *value < 1e9))
        return complain(in, what, word, "a time in seconds above 0");
    return 0;
}

static int append(struct reading *in, struct bine_sample *s) {
    struct bine_report *r = in->r;
    s->file = (int)r->files - 1;
    s->line = in->line;
    if (bine_grow(&r->sample, &r->room, r->samples + 1, sizeof *r->sample) != 0)
        return bine_complain("out of memory");
    r->sample[r->samples++] = *s;
    return 0;
}

/* Names and numbers of a cell. */
static int read_key(struct reading *in, struct bine_sample *s, const char *collective,
                    const char *algorithm, const char *mpi, const char *ranks, const char *nodes,
                    const char *bytes) {
    int64_t p, n = 0;
    s->collective = bine_report_collective_find(collective, strlen(collective));
    if (s->collective < 0)
        return complain(in, "collective", collective, "one that 'bine list' knows");
    if (algorithm[0] == '\0')
        return complain(in, "algorithm", algorithm, "a name");
    if (read_whole(in, "ranks", ranks, 1, &p) != 0 ||
        (nodes != NULL && read_whole(in, "nodes", nodes, 0, &n) != 0) ||
        read_whole(in, "bytes", bytes, 0, &s->bytes) != 0)
        return BINE_EXIT_USAGE;
    if (p > BINE_RANKS_MOST || n > BINE_RANKS_MOST)
        return complain(in, "ranks", ranks, "fewer");
    s->ranks = (int)p;
    s->nodes = (int)n;
    const char *name = bine_mapping_name(&in->r->mapping, algorithm);
    s->algorithm = bine_names_add(&in->r->algorithms, name, strlen(name));
    s->system = bine_names_add(&in->r->systems, mpi, strlen(mpi));
    return s->algorithm < 0 || s->system < 0 ? bine_complain("out of memory") : 0;
}

static int is_number(const char *word) {
    char *end;
    strtod(word, &end);
    return end != word && *end == '\0';
}

/* What the columns of a role say: "dims 2x2, host n1". Numbers in unknown columns are results, of
 * which no two rows have the same. Returns the number of the text, or -1 when out of memory. */
static int read_columns(const struct reading *in, char **field, enum role role,
                        struct bine_names *texts) {
    char text[512] = "";
    size_t n = 0;
    for (int i = 0; i < in->width && n < sizeof text; i++) {
        if (in->role[i] != role || field[i][0] == '\0' ||
            (role == ROLE_UNKNOWN && is_number(field[i])))
            continue;
        const char *title = strcmp(in->title[i], "setup") == 0 ? "" : in->title[i];
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s%s%s", n == 0 ? "" : ", ", title,
                              title[0] == '\0' ? "" : " ", field[i]);
    }
    return bine_names_add(texts, text, strlen(text));
}

static int read_row(struct reading *in, char **field, int n) {
    struct bine_sample s = {0};
    const char *word[COLUMNS];
    int64_t samples = 1;
    if (n != in->width)
        return bine_complain("%s:%d: %d fields: expected %d, as in the head line", in->path,
                             in->line, n, in->width);
    for (int c = 0; c < COLUMNS; c++)
        word[c] = in->at[c] < 0 ? NULL : field[in->at[c]];
    if (read_key(in, &s, word[COLLECTIVE], word[ALGORITHM], word[MPI] == NULL ? "" : word[MPI],
                 word[RANKS], word[NODES], word[BYTES]) != 0 ||
        read_time(in, "seconds", word[SECONDS], &s.seconds) != 0)
        return BINE_EXIT_USAGE;
    if (word[LOW] != NULL && word[HIGH] != NULL) {
        if (read_time(in, "low", word[LOW], &s.low) != 0 ||
            read_time(in, "high", word[HIGH], &s.high) != 0 ||
            (word[SAMPLES] != NULL && read_whole(in, "samples", word[SAMPLES], 1, &samples) != 0))
            return BINE_EXIT_USAGE;
        if (s.low > s.seconds || s.high < s.seconds)
            return complain(in, "low", word[LOW], "low <= seconds <= high");
    }
    s.samples = (long)samples;
    s.columns = read_columns(in, field, ROLE_CONDITION, &in->r->columns);
    s.remarks = read_columns(in, field, ROLE_UNKNOWN, &in->r->remarks);
    return s.columns < 0 || s.remarks < 0 ? bine_complain("out of memory") : append(in, &s);
}

/* "# wrong: collective,algorithm,mpi,ranks,nodes,bytes[,setup]" */
static int read_wrong(struct reading *in, char *text) {
    char *field[8];
    struct bine_sample s = {.wrong = 1};
    int n = cut(text, field, 8);
    if (n != 6 && n != 7)
        return complain(in, "wrong", text, "collective,algorithm,mpi,ranks,nodes,bytes");
    if (read_key(in, &s, field[0], field[1], field[2], field[3], field[4], field[5]) != 0)
        return BINE_EXIT_USAGE;
    const char *setup = n == 7 ? field[6] : "";
    s.columns = bine_names_add(&in->r->columns, setup, strlen(setup));
    return s.columns < 0 ? bine_complain("out of memory") : append(in, &s);
}

/* Facts by how their comment lines begin; a fact ends before the character. */
static const struct {
    const char *begin;
    char end;
    enum bine_fact fact;
} fact_lines[] = {{"hosts: ", '\0', BINE_FACT_HOSTS},
                  {"groups: ", '\0', BINE_FACT_GROUPS},
                  {"setting: BINE_DIMS=", '\0', BINE_FACT_DIMS},
                  {"setting: BINE_PORTS=", '\0', BINE_FACT_PORTS},
                  {"call: ", ';', BINE_FACT_CALL}};

/* 0, or BINE_EXIT_USAGE after complaining. */
static int begin_section(struct reading *in) {
    struct bine_report *r = in->r;
    struct bine_report_file *more = realloc(r->file, (r->files + 1) * sizeof *more);
    if (more == NULL)
        return bine_complain("out of memory");
    r->file = more;
    r->file[r->files++] = (struct bine_report_file){.path = in->path};
    in->headed = 0;
    return 0;
}

/* A comment of the section, kept for the page. */
static int keep_comment(struct bine_report_file *f, const char *text) {
    size_t before = f->head == NULL ? 0 : strlen(f->head), length = strlen(text);
    char *more = realloc(f->head, before + length + 2);
    if (more == NULL)
        return bine_complain("out of memory");
    f->head = more;
    memcpy(f->head + before, text, length);
    memcpy(f->head + before + length, "\n", 2);
    return 0;
}

/* Take the facts that a comment states. */
static int read_comment(struct reading *in, char *text) {
    char *root;
    if (strncmp(text, own_mark, strlen(own_mark)) == 0 && in->headed && begin_section(in) != 0)
        return BINE_EXIT_USAGE;
    struct bine_report_file *f = section_of(in);
    f->own = f->own || strncmp(text, own_mark, strlen(own_mark)) == 0;
    text += strspn(text, "# ");
    if (strncmp(text, "wrong: ", 7) == 0)
        return read_wrong(in, text + 7);
    f->incomplete = f->incomplete || strncmp(text, "incomplete: ", 12) == 0;
    if (strncmp(text, "call: ", 6) == 0 && (root = strstr(text, "root ")) != NULL)
        f->root = atoi(root + 5);
    for (size_t i = 0; i < sizeof fact_lines / sizeof *fact_lines; i++) {
        size_t n = strlen(fact_lines[i].begin);
        if (strncmp(text, fact_lines[i].begin, n) != 0 || f->fact[fact_lines[i].fact] != NULL)
            continue;
        const char *end = strchr(text + n, fact_lines[i].end);
        f->fact[fact_lines[i].fact] =
            strndup(text + n, end == NULL ? strlen(text + n) : (size_t)(end - text) - n);
        if (f->fact[fact_lines[i].fact] == NULL)
            return bine_complain("out of memory");
    }
    return keep_comment(f, text);
}

static int read_line(struct reading *in, char *line) {
    char *field[FIELDS_MOST];
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = '\0';
    if (line[0] == '#')
        return read_comment(in, line);
    if (line[0] == '\0')
        return 0;
    int fields = cut(line, field, FIELDS_MOST);
    if (fields < 0)
        return bine_complain("%s:%d: a quote is not closed", in->path, in->line);
    int is_head = 0; /* merged files repeat the head line */
    for (int i = 0; i < fields; i++)
        is_head = is_head || strcmp(field[i], "seconds") == 0;
    return !in->headed || is_head ? read_head(in, field, fields) : read_row(in, field, fields);
}

/* Lines until the end. Of bine-bench's own files, a last one that is not whole is what a killed
 * program may leave; others may do without a newline at the end. */
static int read_text(struct reading *in, char *text, size_t size) {
    int rc = 0;
    for (char *at = text; rc == 0 && at < text + size;) {
        char *end = memchr(at, '\n', (size_t)(text + size - at));
        in->line++;
        if (end == NULL && strncmp(text, own_mark, strlen(own_mark)) == 0) {
            section_of(in)->cut = 1;
            break;
        }
        if (end != NULL)
            *end = '\0';
        rc = read_line(in, at);
        at = end == NULL ? text + size : end + 1;
    }
    if (rc == 0 && !in->headed)
        return bine_complain("%s: no measurements: expected a CSV with the columns "
                             "collective,algorithm,ranks,bytes,seconds",
                             in->path);
    return rc;
}

/* Refuse a file that is named twice: its samples would count twice. */
static int is_new(const struct bine_report *r, const char *path) {
    struct stat mine, other;
    for (size_t i = 0; i < r->files; i++)
        if (stat(path, &mine) == 0 && S_ISREG(mine.st_mode) && stat(r->file[i].path, &other) == 0 &&
            mine.st_dev == other.st_dev && mine.st_ino == other.st_ino)
            return 0;
    return 1;
}

int bine_report_read(struct bine_report *r, const char *path) {
    size_t size, before = r->samples;
    struct reading in = {.r = r, .path = path};
    if (!is_new(r, path))
        return bine_complain("%s: the file is given twice", path);
    char *text = bine_file_read(path, &size);
    int rc = text == NULL ? BINE_EXIT_USAGE : begin_section(&in);
    rc = rc != 0 ? rc : bine_report_translate(path, r->foreign_ranks, &text, &size);
    rc = rc != 0 ? rc : read_text(&in, text, size);
    if (rc == 0 && r->samples == before)
        rc = bine_complain("%s: it has a head line, but no measurements", path);
    free(text);
    return rc;
}
