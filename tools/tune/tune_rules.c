/* From cells to rules: for each row the cheapest sequence of choices over its sizes. A choice costs
 * the logarithm of its time over mpi's, a change of choice costs a little: few intervals. */
#include "tune/tune.h"

#include "base/numbers.h"
#include "cli/command.h"
#include "select/rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A change of choice must gain this much, over all sizes together. */
static const double change = 0.05;
/* Faster by less than this is not faster. */
static const double margin = 0.03;
/* What a tie costs an algorithm: mpi wins it, unless the sizes around it speak against. */
static const double tie = 0.005;
static const double never = 1e9;

struct point {
    int64_t bytes;       /* the least of its cells */
    size_t first, count; /* cells */
};

int bine_tune_library(const struct bine_report *r, const struct bine_cell *c) {
    const char *name = bine_names_text(&r->systems, c->system);
    for (int i = 1; i < BINE_LIBRARIES; i++)
        if (strncmp(name, bine_library_name(i), strlen(bine_library_name(i))) == 0)
            return i;
    return BINE_LIBRARY_ANY;
}

const struct bine_measure *bine_tune_measure(const struct bine_report *r, const struct bine_cell *c,
                                             int algorithm) {
    for (size_t i = c->first; i < c->first + c->count; i++) {
        const struct bine_measure *m = &r->measure[i];
        int is = algorithm >= 0 ? m->algorithm == algorithm
                                : strcmp(bine_measure_name(r, m), "mpi") == 0;
        if (is && !m->refused)
            return m;
    }
    return NULL;
}

/* Whether rules can name it: algorithms inside the MPI library are none of ours. */
static int is_ours(const struct bine_report *r, int collective, int algorithm) {
    struct bine_selection f;
    char why[200];
    const char *name = bine_names_text(&r->algorithms, algorithm);
    return bine_selection_parse(bine_report_collectives[collective].kind, name, &f, why,
                                sizeof why) == 0 &&
           f.algorithm >= 0;
}

static const struct bine_report *sorted; /* for qsort, which has no room for it */

static int order(int64_t a, int64_t b) {
    return a < b ? -1 : a > b;
}

static int compare_rows(const struct bine_report *r, const struct bine_cell *x,
                        const struct bine_cell *y) {
    int by[] = {order(x->collective, y->collective),
                order(bine_tune_library(r, x), bine_tune_library(r, y)), order(x->nodes, y->nodes),
                order(x->ranks, y->ranks)};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (by[i] != 0)
            return by[i];
    return 0;
}

static int compare(const void *a, const void *b) {
    const struct bine_cell *x = *(const struct bine_cell *const *)a,
                           *y = *(const struct bine_cell *const *)b;
    int by = compare_rows(sorted, x, y);
    by = by != 0 ? by : order(x->row, y->row);
    return by != 0 ? by : order(x->conditions, y->conditions);
}

/* What an algorithm costs at a point: less than 0 only if it is faster than mpi beyond the noise in
 * some cell; never, if it is slower in any. */
static double cost_of(const struct bine_tune *t, const struct point *p, int algorithm) {
    double sum = 0;
    for (size_t i = p->first; i < p->first + p->count; i++) {
        const struct bine_measure *own = bine_tune_measure(t->report, t->cell[i], -1),
                                  *m = bine_tune_measure(t->report, t->cell[i], algorithm);
        if (m == NULL || own == NULL)
            return never;
        double ratio = m->summary.median / own->summary.median;
        int apart = m->summary.high < own->summary.low && ratio < 1 - margin;
        if (ratio > 1 + margin)
            return never;
        sum += apart || ratio > 1 ? log(ratio) : tie;
    }
    return sum / (double)p->count;
}

size_t bine_tune_next(const struct bine_tune *t, size_t first, int *place) {
    size_t next = first;
    while (next < t->cells && compare_rows(t->report, t->cell[first], t->cell[next]) == 0 &&
           t->cell[next]->row == t->cell[first]->row)
        next++;
    int ends = next == t->cells || compare_rows(t->report, t->cell[first], t->cell[next]) != 0;
    *place = ends ? 0 : *place + 1;
    return next;
}

/* The points of a row; returns how many. Cells without mpi decide nothing. */
static int find_points(struct bine_tune *t, size_t first, size_t end, int half,
                       struct point p[BINE_TUNE_POINTS]) {
    int n = 0, place = 0;
    for (size_t i = first, next; i < end; i = next) {
        int whole = 1, left_out = half >= 0 && place % 2 != half;
        int64_t least = t->cell[i]->bytes;
        next = bine_tune_next(t, i, &place);
        for (size_t k = i; k < next; k++) {
            whole &= bine_tune_measure(t->report, t->cell[k], -1) != NULL && t->cell[k]->count > 1;
            least = bine_min(t->cell[k]->bytes, least);
        }
        if (left_out)
            continue;
        if (!whole)
            t->undecided += next - i;
        else if (n < BINE_TUNE_POINTS)
            p[n++] = (struct point){least, i, next - i};
    }
    return n;
}

/* The cheapest choice for each point; choice 0 is mpi, choice a + 1 algorithm a. `best` and `from`
 * have a row of `choices` for each point. */
static void choose(const struct bine_tune *t, const struct point *p, int n, int choices,
                   double *best, int *from, int *choice) {
    int collective = t->cell[p[0].first]->collective;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < choices; a++) {
            double here = a == 0                                  ? 0
                          : is_ours(t->report, collective, a - 1) ? cost_of(t, &p[i], a - 1)
                                                                  : never;
            int back = a;
            double before = i == 0 ? 0 : best[(i - 1) * choices + a];
            for (int b = 0; i > 0 && b < choices; b++)
                if (best[(i - 1) * choices + b] + change < before) {
                    before = best[(i - 1) * choices + b] + change;
                    back = b;
                }
            best[i * choices + a] = before + here;
            from[i * choices + a] = back;
        }
    int last = 0;
    for (int a = 1; a < choices; a++)
        if (best[(n - 1) * choices + a] < best[(n - 1) * choices + last])
            last = a;
    for (int i = n - 1; i >= 0; last = from[i * choices + last], i--)
        choice[i] = last;
}

static void add_gain(const struct bine_tune *t, const struct point *p, struct bine_tune_rule *rule,
                     double *logs, size_t *cells) {
    for (size_t i = p->first; i < p->first + p->count; i++) {
        const struct bine_measure *own = bine_tune_measure(t->report, t->cell[i], -1),
                                  *m = bine_tune_measure(t->report, t->cell[i], rule->algorithm);
        double gain = own->summary.median / m->summary.median;
        *logs += log(gain);
        rule->least = *cells == 0 || gain < rule->least ? gain : rule->least;
        ++*cells;
    }
    rule->points++;
}

/* Where one choice gives way to another: half-way between sizes that were measured. */
static int64_t between(int64_t low, int64_t high) {
    return (int64_t)sqrt((double)low * (double)high);
}

/* The rules of a row: points of one choice are one interval. What lies beyond the last size is not
 * known; twice of it still counts as it. */
static int add_rules(struct bine_tune *t, const struct point *p, int n, const int *choice) {
    const struct bine_cell *c = t->cell[p[0].first];
    for (int i = 0, end; i < n; i = end) {
        struct bine_tune_rule rule = {.collective = c->collective,
                                      .library = bine_tune_library(t->report, c),
                                      .ranks = c->ranks,
                                      .ranks_high = c->ranks,
                                      .nodes = c->nodes,
                                      .algorithm = choice[i] - 1};
        double logs = 0;
        size_t cells = 0;
        for (end = i; end < n && choice[end] == choice[i]; end++)
            add_gain(t, &p[end], &rule, &logs, &cells);
        rule.from = i == 0 ? p[0].bytes : between(p[i - 1].bytes, p[i].bytes);
        rule.below = end < n              ? between(p[end - 1].bytes, p[end].bytes)
                     : p[n - 1].bytes > 0 ? 2 * p[n - 1].bytes
                                          : 1; /* barriers have none */
        rule.gain = exp(logs / (double)cells);
        struct bine_tune_rule *more = realloc(t->rule, (t->rules + 1) * sizeof *more);
        if (more == NULL)
            return -1;
        t->rule = more;
        t->rule[t->rules++] = rule;
    }
    return 0;
}

static int tune_row(struct bine_tune *t, size_t first, size_t end, int half) {
    struct point p[BINE_TUNE_POINTS];
    int choice[BINE_TUNE_POINTS], choices = t->report->algorithms.count + 1;
    int n = find_points(t, first, end, half, p), rc = -1;
    if (n == 0)
        return 0;
    double *best = malloc((size_t)n * (size_t)choices * sizeof *best);
    int *from = malloc((size_t)n * (size_t)choices * sizeof *from);
    if (best != NULL && from != NULL) {
        choose(t, p, n, choices, best, from, choice);
        rc = add_rules(t, p, n, choice);
    }
    free(best);
    free(from);
    return rc;
}

/* The next number of ranks that was measured with so many nodes, or 0. */
static int ranks_after(const struct bine_tune *t, const struct bine_tune_rule *x) {
    int next = 0;
    for (size_t i = 0; i < t->cells; i++) {
        const struct bine_cell *c = t->cell[i];
        if (c->collective == x->collective && bine_tune_library(t->report, c) == x->library &&
            c->nodes == x->nodes && c->ranks > x->ranks_high && (next == 0 || c->ranks < next))
            next = c->ranks;
    }
    return next;
}

static int is_alike(const struct bine_tune_rule *a, const struct bine_tune_rule *b) {
    return a->collective == b->collective && a->library == b->library && a->nodes == b->nodes &&
           a->algorithm == b->algorithm && a->from == b->from && a->below == b->below;
}

/* What was found at two numbers of ranks that were measured next to each other holds between. */
static void merge_ranks(struct bine_tune *t) {
    for (size_t i = 0; i < t->rules; i++) {
        struct bine_tune_rule *x = &t->rule[i];
        int next = ranks_after(t, x);
        for (size_t k = i + 1; k < t->rules; k++) {
            const struct bine_tune_rule *y = &t->rule[k];
            if (!is_alike(x, y) || y->ranks != next)
                continue;
            x->gain = bine_tune_mean(x->gain, (size_t)x->points, y->gain, (size_t)y->points);
            x->least = bine_min(y->least, x->least);
            x->points += y->points;
            x->ranks_high = y->ranks_high;
            memmove(&t->rule[k], &t->rule[k + 1], (--t->rules - k) * sizeof *x);
            next = ranks_after(t, x);
            k = i; /* from the next one on */
        }
    }
}

int bine_tune_make(struct bine_tune *t, struct bine_report *r, int half) {
    *t = (struct bine_tune){.report = r, .cells = r->cells};
    t->cell = malloc((r->cells + 1) * sizeof *t->cell);
    int rc = t->cell == NULL ? -1 : 0;
    for (size_t i = 0; i < r->cells && rc == 0; i++)
        t->cell[i] = &r->cell[i];
    sorted = r;
    if (rc == 0)
        qsort(t->cell, t->cells, sizeof *t->cell, compare);
    for (size_t i = 0, end; i < t->cells && rc == 0; i = end) {
        for (end = i; end < t->cells && compare_rows(r, t->cell[i], t->cell[end]) == 0; end++) {
        }
        rc = tune_row(t, i, end, half);
    }
    merge_ranks(t);
    return rc == 0 ? 0 : bine_complain("out of memory");
}

void bine_tune_free(struct bine_tune *t) {
    free(t->cell);
    free(t->rule);
    *t = (struct bine_tune){0};
}
