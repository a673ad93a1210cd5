/* Reading measurements: CSV with a head line that names the columns, in any order. */
#include "report/report.h"

#include "cli/command.h"
#include "cli/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTIVE, ALGORITHM, RANKS, BYTES, SECONDS, MPI, NODES, SAMPLES, LOW, HIGH, COLUMNS };
enum { NEEDED = SECONDS + 1, FIELDS_MOST = 64 };
static const char *const names[COLUMNS] = {"collective", "algorithm", "ranks",   "bytes", "seconds",
                                           "mpi",        "nodes",     "samples", "low",   "high"};

struct reading {
    struct bine_report *r;
    struct bine_report_file *file;
    int line;
    int headed;
    int at[COLUMNS]; /* which field is a column, or -1 */
    int width;       /* fields of the head line */
};

static const char own_mark[] = "# bine-bench ";

static int complain(const struct reading *in, const char *what, const char *word,
                    const char *expected) {
    return bine_complain("%s:%d: %s '%.60s': expected %s", in->file->path, in->line, what, word,
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

static int read_head(struct reading *in, char **field, int n) {
    for (int c = 0; c < COLUMNS; c++) {
        in->at[c] = -1;
        for (int i = 0; i < n; i++)
            if (strcmp(field[i], names[c]) == 0)
                in->at[c] = i;
        if (c < NEEDED && in->at[c] < 0)
            return bine_complain("%s:%d: no column '%s': expected at least "
                                 "collective,algorithm,ranks,bytes,seconds",
                                 in->file->path, in->line, names[c]);
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

static int append(struct bine_report *r, const struct bine_sample *s) {
    if (r->samples == r->room) {
        size_t room = r->room == 0 ? 4096 : 2 * r->room;
        struct bine_sample *more = realloc(r->sample, room * sizeof *more);
        if (more == NULL)
            return bine_complain("out of memory");
        r->sample = more;
        r->room = room;
    }
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

static int read_row(struct reading *in, char **field, int n) {
    struct bine_sample s = {0};
    const char *word[COLUMNS];
    int64_t samples = 1;
    if (n != in->width)
        return bine_complain("%s:%d: %d fields: expected %d, as in the head line", in->file->path,
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
    return append(in->r, &s);
}

/* "# wrong: collective,algorithm,mpi,ranks,nodes,bytes" */
static int read_wrong(struct reading *in, char *text) {
    char *field[8];
    struct bine_sample s = {.wrong = 1};
    int n = cut(text, field, 8);
    if (n != 6)
        return complain(in, "wrong", text, "collective,algorithm,mpi,ranks,nodes,bytes");
    if (read_key(in, &s, field[0], field[1], field[2], field[3], field[4], field[5]) != 0)
        return BINE_EXIT_USAGE;
    return append(in->r, &s);
}

/* What a comment is worth knowing for. */
static int read_comment(struct reading *in, char *text, FILE *head) {
    struct bine_report_file *f = in->file;
    char *root;
    text += strspn(text, "# ");
    if (strncmp(text, "wrong: ", 7) == 0)
        return read_wrong(in, text + 7);
    f->incomplete = f->incomplete || strncmp(text, "incomplete: ", 12) == 0;
    if (strncmp(text, "hosts: ", 7) == 0)
        snprintf(f->hosts, sizeof f->hosts, "%s", text + 7);
    if (strncmp(text, "groups: ", 8) == 0)
        snprintf(f->groups, sizeof f->groups, "%s", text + 8);
    if (strncmp(text, "call: ", 6) == 0 && (root = strstr(text, "root ")) != NULL)
        f->root = atoi(root + 5);
    fprintf(head, "%s\n", text);
    return 0;
}

static int read_line(struct reading *in, char *line, FILE *head) {
    char *field[FIELDS_MOST];
    size_t n = strlen(line);
    if (n > 0 && line[n - 1] == '\r')
        line[n - 1] = '\0';
    if (line[0] == '#')
        return read_comment(in, line, head);
    if (line[0] == '\0')
        return 0;
    int fields = cut(line, field, FIELDS_MOST);
    if (fields < 0)
        return bine_complain("%s:%d: a quote is not closed", in->file->path, in->line);
    int is_head = 0; /* merged files repeat the head line */
    for (int i = 0; i < fields; i++)
        is_head = is_head || strcmp(field[i], "seconds") == 0;
    return !in->headed || is_head ? read_head(in, field, fields) : read_row(in, field, fields);
}

/* Lines until the end. Of bine-bench's own files, a last one that is not whole is what a killed
 * program may leave; others may do without a newline at the end. */
static int read_text(struct reading *in, char *text, size_t size, FILE *head) {
    int rc = 0;
    for (char *at = text; rc == 0 && at < text + size;) {
        char *end = memchr(at, '\n', (size_t)(text + size - at));
        in->line++;
        if (end == NULL && strncmp(text, own_mark, strlen(own_mark)) == 0) {
            in->file->cut = 1;
            break;
        }
        if (end != NULL)
            *end = '\0';
        rc = read_line(in, at, head);
        at = end == NULL ? text + size : end + 1;
    }
    if (rc == 0 && !in->headed)
        return bine_complain("%s: no measurements: expected a CSV with the columns "
                             "collective,algorithm,ranks,bytes,seconds",
                             in->file->path);
    return rc;
}

int bine_report_read(struct bine_report *r, const char *path) {
    struct bine_report_file *more = realloc(r->file, (r->files + 1) * sizeof *more);
    size_t size, before = r->samples, length;
    if (more == NULL)
        return bine_complain("out of memory");
    r->file = more;
    r->file[r->files] = (struct bine_report_file){.path = path};
    struct reading in = {.r = r, .file = &r->file[r->files++]};
    char *text = bine_file_read(path, &size), *words = NULL;
    FILE *head = text == NULL ? NULL : open_memstream(&words, &length);
    if (text != NULL && head == NULL)
        bine_complain("out of memory");
    int rc = head == NULL ? BINE_EXIT_USAGE : read_text(&in, text, size, head);
    if (head != NULL)
        fclose(head);
    in.file->head = words;
    if (rc == 0 && r->samples == before)
        rc = bine_complain("%s: it has a head line, but no measurements", path);
    free(text);
    return rc;
}
