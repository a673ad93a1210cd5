/* Outputs of the runs with Bine beside those without: text line by line, numbers as numbers. What
 * differs from run to run without Bine (times, dates) is left out. */
#include "try/try.h"

#include "cli/command.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of a line that vary without Bine, a bit each; the last bit: the line as a whole. */
enum { WHOLE = 63 };

struct lines {
    char *text;
    size_t size, lines;
    char **line;
};

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int split(struct lines *x) {
    size_t n = 0;
    for (size_t i = 0; i < x->size; i++)
        n += x->text[i] == '\n';
    x->line = calloc(n + 2, sizeof *x->line);
    if (x->line == NULL)
        return -1;
    x->lines = 0;
    for (char *at = x->text; at < x->text + x->size; at += strlen(at) + 1) {
        char *end = strchr(at, '\n');
        if (end != NULL)
            *end = '\0';
        x->line[x->lines++] = at;
    }
    return 0;
}

static int starts_number(const char *at, const char *begin) {
    int behind_word = at > begin && (isalnum((unsigned char)at[-1]) || at[-1] == '_' ||
                                     (at[-1] == '.' && isdigit((unsigned char)*at)));
    const char *digit = at + (*at == '-' || *at == '+');
    digit += *digit == '.';
    return !behind_word && isdigit((unsigned char)*digit);
}

static int skip_blanks(const char **at) {
    const char *from = *at;
    while (isspace((unsigned char)**at))
        (*at)++;
    return *at != from;
}

/* The difference of two numbers over the larger one. */
static double apart(double a, double b) {
    double most = fmax(fabs(a), fabs(b));
    return a == b || most == 0 ? 0 : fabs(a - b) / most;
}

/* What two lines have different. */
struct contrast {
    uint64_t numbers; /* that differ: a bit each */
    size_t close;
    double largest; /* of those within the tolerance */
    int wrong;
};

static void compare_numbers(double a, double b, int number, uint64_t varies, double tolerance,
                            struct contrast *c) {
    double d = apart(a, b);
    uint64_t bit = (uint64_t)1 << (number < WHOLE ? number : WHOLE - 1);
    if (d <= 0)
        return;
    c->numbers |= bit;
    if ((varies & bit) != 0)
        return;
    if (d > tolerance)
        c->wrong = 1;
    else {
        c->close++;
        c->largest = fmax(c->largest, d);
    }
}

static void compare_lines(const char *a, const char *b, uint64_t varies, double tolerance,
                          struct contrast *c) {
    const char *a0 = a, *b0 = b;
    int number = 0;
    *c = (struct contrast){0};
    while (*a != '\0' || *b != '\0') {
        int blank_a = skip_blanks(&a), blank_b = skip_blanks(&b);
        int at_end = *a == '\0' && *b == '\0', is_number = starts_number(a, a0);
        if (is_number && starts_number(b, b0)) { /* blanks in front of numbers fill columns */
            char *end_a, *end_b;
            double x = strtod(a, &end_a), y = strtod(b, &end_b);
            compare_numbers(x, y, number++, varies, tolerance, c);
            a = end_a;
            b = end_b;
        } else if (!at_end && (*a != *b || blank_a != blank_b)) {
            c->numbers |= (uint64_t)1 << WHOLE;
            c->wrong = (varies >> WHOLE & 1) == 0;
            return;
        } else if (!at_end) {
            a++;
            b++;
        }
    }
}

static int read_lines(const struct bine_try *t, size_t i, int which, struct lines *x) {
    char path[BINE_PATH_ROOM + 64];
    *x = (struct lines){0};
    bine_try_path(t, i, which < 0 ? BINE_TRY_OUT : BINE_TRY_COPY, which < 0 ? 0 : which, path);
    x->text = bine_file_text(path, &x->size);
    return x->text == NULL ? -1 : 0;
}

static void free_lines(struct lines *x) {
    free(x->text);
    free(x->line);
    *x = (struct lines){0};
}

/* The work of comparing all runs with the first one without Bine. */
struct work {
    const struct bine_try *t;
    int which;
    struct bine_try_output *o;
    struct lines first;
    uint64_t *varies; /* for each line of the first */
    int lines_vary;   /* their number differs without Bine, too */
};

static int open_text(struct work *w, size_t i, struct lines *x) {
    if (read_lines(w->t, i, w->which, x) != 0 || split(x) != 0)
        return -1;
    if (w->o->sorted)
        qsort(x->line, x->lines, sizeof *x->line, by_text);
    return 0;
}

/* A run without Bine: what varies. Returns how many lines do. */
static size_t note_varying(struct work *w, const struct lines *x) {
    size_t varying = 0;
    w->lines_vary |= x->lines != w->first.lines;
    for (size_t l = 0; l < x->lines && l < w->first.lines; l++) {
        struct contrast c;
        compare_lines(w->first.line[l], x->line[l], 0, 0, &c);
        w->varies[l] |= c.numbers;
        varying += c.numbers != 0;
    }
    return varying + (x->lines != w->first.lines);
}

static void note_wrong(struct work *w, size_t line) {
    w->o->wrong++;
    if (w->o->line == 0 || line < w->o->line)
        w->o->line = line;
}

static void judge(struct work *w, const struct lines *x) {
    size_t before = w->o->wrong, most = x->lines > w->first.lines ? x->lines : w->first.lines;
    for (size_t l = 0; l < most; l++) {
        struct contrast c;
        if (l >= x->lines || l >= w->first.lines) {
            if (!w->lines_vary)
                note_wrong(w, l + 1);
            continue;
        }
        compare_lines(w->first.line[l], x->line[l], w->varies[l], w->t->wish.tolerance, &c);
        w->o->close += c.close;
        w->o->largest = fmax(w->o->largest, c.largest);
        if (c.wrong)
            note_wrong(w, l + 1);
    }
    w->o->runs += w->o->wrong > before;
}

/* All runs of a side. Returns how many lines vary without Bine, over all runs. */
static int64_t each(struct work *w, enum bine_try_side side) {
    int64_t sum = 0;
    for (size_t i = 1; i < w->t->runs; i++) {
        struct lines x;
        if (w->t->run[i].side != side || w->t->run[i].status != 0)
            continue;
        if (open_text(w, i, &x) != 0)
            w->o->missing = 1;
        else if (side == BINE_TRY_WITHOUT)
            sum += (int64_t)note_varying(w, &x);
        else
            judge(w, &x);
        w->o->texts += side == BINE_TRY_WITH;
        free_lines(&x);
    }
    return sum;
}

static int64_t begin(struct work *w) {
    free_lines(&w->first);
    free(w->varies);
    w->varies = NULL;
    w->lines_vary = 0;
    if (open_text(w, 0, &w->first) != 0)
        return -1;
    w->varies = calloc(w->first.lines + 1, sizeof *w->varies);
    return w->varies == NULL ? -1 : each(w, BINE_TRY_WITHOUT);
}

/* Ranks print in any order: lines are compared sorted where that is the more alike. */
static int compare_text(struct work *w) {
    int64_t natural = begin(w);
    if (natural > 0) {
        w->o->sorted = 1;
        int64_t sorted = begin(w);
        if (sorted >= natural) {
            w->o->sorted = 0;
            natural = begin(w);
        }
    }
    if (natural < 0)
        return -1;
    each(w, BINE_TRY_WITH);
    for (size_t l = 0; l < w->first.lines; l++)
        w->o->varies += w->varies[l] != 0;
    w->o->varies += (size_t)w->lines_vary;
    return 0;
}

static void compare_bytes(struct work *w) {
    for (size_t i = 1; i < w->t->runs; i++) {
        struct lines x;
        size_t differ = 0;
        if (w->t->run[i].status != 0)
            continue;
        if (read_lines(w->t, i, w->which, &x) != 0) {
            w->o->missing = 1;
            continue;
        }
        size_t most = x.size > w->first.size ? x.size : w->first.size;
        for (size_t k = 0; k < most; k++)
            differ += k >= x.size || k >= w->first.size || x.text[k] != w->first.text[k];
        if (w->t->run[i].side == BINE_TRY_WITHOUT)
            w->o->varies += differ;
        else
            w->o->wrong += differ;
        w->o->texts += w->t->run[i].side == BINE_TRY_WITH;
        free_lines(&x);
    }
    if (w->o->varies > 0)
        w->o->wrong = 0; /* it cannot be told */
}

/* Standard output (which: -1), or a chosen file. 0 or an exit code. */
int bine_try_compare(const struct bine_try *t, int which, struct bine_try_output *o) {
    struct work w = {.t = t, .which = which, .o = o};
    *o = (struct bine_try_output){.name = which < 0 ? "stdout" : t->wish.file[which]};
    if (t->runs == 0 || read_lines(t, 0, which, &w.first) != 0) {
        o->missing = 1;
        return 0;
    }
    o->binary = memchr(w.first.text, '\0', w.first.size) != NULL;
    int rc = 0;
    if (o->binary)
        compare_bytes(&w);
    else
        rc = compare_text(&w);
    free_lines(&w.first);
    free(w.varies);
    return rc != 0 ? bine_complain("out of memory") : 0;
}
