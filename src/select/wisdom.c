#include "select/wisdom.h"

#include "base/files.h"
#include "base/shared_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the version that is written, and of version 1. */
static const char *const heads[] = {"{\"bine\": 1, \"wisdom\": 2,\n \"rules\": [\n",
                                    "{\"bine\": 1,\n \"rules\": [\n"};
static const char tail[] = " ]}\n";
static const char begins[] = "  {\"collective\": ", ends[] = "\"algorithm\": ";

const char *bine_wisdom_line(const struct bine_query *q, const struct bine_selection *f,
                             const struct bine_evidence *e, const char *why,
                             char text[BINE_WISDOM_TEXT]) {
    int64_t from = INT64_C(1) << bine_size_class(q->bytes);
    char groups[24] = "\"unknown\"", date[BINE_DAY_TEXT];
    if (q->groups > 0)
        snprintf(groups, sizeof groups, "%d", q->groups);
    snprintf(text, BINE_WISDOM_TEXT,
             "%s\"%s\", \"library\": \"%s\", \"ranks\": %d, \"nodes\": %d, \"ranks_per_node\": %d, "
             "\"groups\": %s, \"bytes\": {\"from\": %" PRId64 ", \"below\": %" PRId64
             "}, %s\"%s\", \"learnt\": {\"date\": \"%s\", \"tries\": %.0f, \"lead\": %.3f, "
             "\"spread\": %.3f, \"gain\": %.3f}, \"why\": \"%s\"}",
             begins, bine_collective_name(q->collective), bine_library_name(q->library), q->p,
             q->nodes, q->per_node, groups, from, 2 * from, ends, bine_selection_name(f),
             bine_day_text(e->day, date), e->tries, e->lead, e->spread, e->gain, why);
    return text;
}

/* Whether two lines are about one kind of calls. */
static int is_same(const char *a, const char *b) {
    const char *end = strstr(a, ends);
    return end != NULL && strncmp(a, b, (size_t)(end - a)) == 0;
}

/* Where the first line of a file that Bine wrote begins; NULL: it is none. */
static char *body_of(char *text) {
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        if (strncmp(text, heads[k], strlen(heads[k])) == 0)
            return text + strlen(heads[k]);
    return NULL;
}

/* The lines of a file that Bine wrote, cut at their ends; returns how many, or -1 if it is none. An
 * empty file has none. */
static int cut(char *text, const char **line, int most) {
    int n = 0;
    char *body = body_of(text);
    size_t length = body == NULL ? 0 : strlen(body);
    if (*text == '\0')
        return 0;
    if (length < sizeof tail - 1 || strcmp(body + length - (sizeof tail - 1), tail) != 0)
        return -1;
    body[length - (sizeof tail - 1)] = '\0';
    for (char *at = body, *next; *at != '\0'; at = next) {
        next = at + strcspn(at, "\n");
        if (*next != '\n' || n == most || strncmp(at, begins, sizeof begins - 1) != 0)
            return -1;
        char *last = next[-1] == ',' ? next - 1 : next;
        *last = '\0';
        line[n++] = at;
        next++;
    }
    return n;
}

/* The state of a file as it is revised. */
enum found { MADE, FOREIGN, NO_MEMORY };

/* The added lines, and the state that a file is found in. */
struct addition {
    char *const *line;
    size_t lines;
    enum found found;
    int by_date;    /* an old line stays unless the new one was learnt later */
    size_t changed; /* lines that are new or replaced */
};

/* The last of the lines from `from` on that speaks of the calls of `of`; or NULL. */
static const char *newest(const struct addition *a, const char *of, size_t from) {
    const char *found = NULL;
    for (size_t k = from; k < a->lines; k++)
        if (is_same(a->line[k], of))
            found = a->line[k];
    return found;
}

static int put(char *text, int n, const char *line) {
    return n + sprintf(text + n, "%s%s", text[n - 2] == '[' ? "" : ",\n", line);
}

/* The text behind "NAME": in a line. */
static const char *field(const char *line, const char *name) {
    const char *at = strstr(line, name);
    return at == NULL ? "" : at + strlen(name);
}

/* Whether a line was learnt later than another, or on one day from more tries. Dates are of
 * one length, the year first; lines of version 1 have none. */
static int is_later(const char *a, const char *b) {
    static const char date[] = "\"date\": \"", tries[] = "\"tries\": ";
    int order = strncmp(field(a, date), field(b, date), 10);
    return order != 0 ? order > 0 : atof(field(a, tries)) > atof(field(b, tries));
}

/* Old lines keep their places, new ones are put behind them. */
static void write_all(struct addition *a, const char **old, int olds, char *text) {
    int n = sprintf(text, "%s", heads[0]);
    for (int i = 0; i < olds; i++) {
        const char *new = newest(a, old[i], 0);
        if (new != NULL && a->by_date && !is_later(new, old[i]))
            new = NULL;
        a->changed += new != NULL;
        n = put(text, n, new != NULL ? new : old[i]);
    }
    for (size_t k = 0; k < a->lines; k++) {
        int known = newest(a, a->line[k], k + 1) != NULL;
        for (int i = 0; i < olds; i++)
            known |= is_same(a->line[k], old[i]);
        a->changed += !known;
        if (!known)
            n = put(text, n, a->line[k]);
    }
    sprintf(text + n, "\n%s", tail);
}

static int most_lines(const char *text) {
    int n = 1;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

static char *merge(void *context, const char *text) {
    struct addition *a = context;
    int most = most_lines(text);
    size_t length = strlen(text), room = length + 200;
    for (size_t k = 0; k < a->lines; k++)
        room += strlen(a->line[k]) + 2;
    char *copy = malloc(length + 1), *made = malloc(room);
    const char **old = malloc((size_t)most * sizeof *old);
    int olds = -1;
    a->found = copy == NULL || made == NULL || old == NULL ? NO_MEMORY : MADE;
    if (a->found == MADE && (olds = cut(strcpy(copy, text), old, most)) < 0)
        a->found = FOREIGN;
    if (a->found == MADE)
        write_all(a, old, olds, made);
    else {
        free(made);
        made = NULL;
    }
    free(old);
    free(copy);
    return made;
}

/* The fault behind a revision that failed; returns -1. */
static int complain(const char *path, enum found found, char *why, size_t size) {
    if (found == FOREIGN)
        snprintf(why, size, "%s: expected a file that Bine wrote, with a rule on each line", path);
    else if (found == MADE && errno == EBUSY)
        snprintf(why, size, "%s: another process holds %s.lock", path, path);
    else
        snprintf(why, size, "%s: %s", path, found == NO_MEMORY ? "out of memory" : strerror(errno));
    return -1;
}

int bine_wisdom_load(const char *path, struct bine_rules *rules, char *why, size_t size) {
    size_t length;
    char *text = bine_file_text(path, &length);
    *rules = (struct bine_rules){0};
    if (text == NULL || length == 0) {
        int absent = text != NULL || errno == ENOENT;
        snprintf(why, size, "%s: %s", path, strerror(errno));
        free(text);
        return absent ? 0 : -1;
    }
    return bine_rules_parse(path, text, rules, why, size) == 0 ? 1 : -1;
}

static int add(const char *path, struct addition *a, char *why, size_t size) {
    if (bine_file_revise(path, merge, a) == 0)
        return 0;
    return complain(path, a->found, why, size);
}

int bine_wisdom_add(const char *path, char *const *line, size_t lines, char *why, size_t size) {
    struct addition a = {.line = line, .lines = lines};
    return add(path, &a, why, size);
}

int bine_wisdom_merge(const char *into, const char *from, size_t *changed, char *why, size_t size) {
    size_t length;
    struct addition a = {.by_date = 1};
    char *text = bine_file_text(from, &length);
    const char **line = text == NULL ? NULL : malloc((size_t)most_lines(text) * sizeof *line);
    int lines = line == NULL ? 0 : cut(text, line, most_lines(text)), rc = -1;
    if (text == NULL || line == NULL)
        snprintf(why, size, "%s: %s", from, strerror(errno));
    else if (lines < 0)
        complain(from, FOREIGN, why, size);
    else {
        char **copy = malloc(((size_t)lines + 1) * sizeof *copy);
        for (int i = 0; i < lines && copy != NULL; i++)
            copy[i] = text + (line[i] - text);
        a.line = copy;
        a.lines = copy == NULL ? 0 : (size_t)lines;
        rc = copy == NULL ? complain(from, NO_MEMORY, why, size) : add(into, &a, why, size);
        free(copy);
    }
    *changed += a.changed;
    free(line);
    free(text);
    return rc;
}

struct forgetting {
    bine_wisdom_goes *goes;
    void *context;
    size_t gone, left;
    enum found found;
};

/* Whether the rule of a line is to go; a line that is no rule stays. */
static int line_goes(const struct forgetting *f, const char *line) {
    struct bine_rules rules = {0};
    char why[200], *text = malloc(strlen(line) + 100);
    if (text == NULL)
        return 0;
    sprintf(text, "%s%s\n%s", heads[0], line, tail);
    int good = bine_rules_parse("", text, &rules, why, sizeof why) == 0;
    int gone = good && rules.count == 1 && f->goes(f->context, &rules.rule[0]);
    bine_rules_free(&rules);
    return gone;
}

static char *without(void *context, const char *text) {
    struct forgetting *f = context;
    int most = most_lines(text), lines = -1, n;
    char *copy = malloc(strlen(text) + 1), *made = malloc(strlen(text) + 200);
    const char **line = malloc((size_t)most * sizeof *line);
    f->gone = f->left = 0;
    f->found = copy == NULL || made == NULL || line == NULL ? NO_MEMORY : MADE;
    if (f->found == MADE && (lines = cut(strcpy(copy, text), line, most)) < 0)
        f->found = FOREIGN;
    if (f->found == MADE) {
        n = sprintf(made, "%s", heads[0]);
        for (int i = 0; i < lines; i++) {
            int gone = line_goes(f, line[i]);
            f->gone += (size_t)gone;
            f->left += (size_t)!gone;
            n = gone ? n : put(made, n, line[i]);
        }
        sprintf(made + n, "%s%s", f->left > 0 ? "\n" : "", tail);
    }
    if (f->found != MADE || f->gone == 0) { /* the file stays as it is */
        free(made);
        made = NULL;
    }
    free(line);
    free(copy);
    return made;
}

int bine_wisdom_forget(const char *path, bine_wisdom_goes *goes, void *context, size_t *gone,
                       size_t *left, char *why, size_t size) {
    struct forgetting f = {.goes = goes, .context = context};
    int failed = bine_file_revise(path, without, &f) != 0;
    *gone = f.gone;
    *left = f.left;
    if (!failed || (f.found == MADE && f.gone == 0 && errno == 0))
        return 0;
    return complain(path, f.found, why, size);
}
