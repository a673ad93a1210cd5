/* Which runs there are, in which order, and when it is enough. */
#include "try/try.h"

#include "cli/command.h"
#include "cli/output/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer pairs say little of the noise; half the width of the interval that is enough. */
enum { LEAST_PAIRS = BINE_TRY_LEAST_PAIRS, FIRST_LINES = 10, LAST_LINES = 20 };
static const double enough = 0.02;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void summarize(const struct bine_try *t, enum bine_try_side side, struct bine_try_time *x) {
    double *s = calloc(t->runs + 1, sizeof *s);
    *x = (struct bine_try_time){0};
    for (size_t i = 0; i < t->runs && s != NULL; i++)
        if (t->run[i].timed && t->run[i].side == side)
            s[x->runs++] = t->run[i].seconds;
    if (x->runs > 0) {
        size_t n = x->runs;
        qsort(s, n, sizeof *s, by_value);
        x->median = bine_quantile(s, n, 0.5);
        x->least = s[0];
        x->greatest = s[n - 1];
    }
    free(s);
}

/* Runs are timed in pairs, one of each side: each pair gives a ratio. What is slow for a while is
 * slow for both, and the order within pairs alternates. */
static size_t ratios(const struct bine_try *t, double *log_ratio) {
    const struct bine_try_run *first = NULL;
    size_t n = 0;
    for (size_t i = 0; i < t->runs; i++) {
        const struct bine_try_run *r = &t->run[i];
        if (!r->timed)
            continue;
        if (first == NULL) {
            first = r;
            continue;
        }
        double ratio = log(first->seconds / r->seconds);
        log_ratio[n++] = first->side == BINE_TRY_WITHOUT ? ratio : -ratio;
        first = NULL;
    }
    return n;
}

void bine_try_times(const struct bine_try *t, struct bine_try_times *x) {
    double *s = calloc(t->runs + 1, sizeof *s);
    *x = (struct bine_try_times){0};
    for (int side = 0; side < BINE_TRY_SIDES; side++)
        summarize(t, side, &x->side[side]);
    x->pairs = s != NULL ? ratios(t, s) : 0;
    if (x->pairs > 0) {
        struct bine_mean m = bine_mean_of(s, x->pairs);
        x->ratio = exp(m.mean);
        x->low = m.samples > 1 ? exp(m.mean - m.half) : 0;
        x->high = m.samples > 1 ? exp(m.mean + m.half) : 0;
    }
    free(s);
}

double bine_try_noise(const struct bine_try_times *x) {
    return x->pairs > 1 ? sqrt(x->high / x->low) - 1 : -1;
}

int bine_try_differs(const struct bine_try_times *x) {
    return x->pairs > 1 && (x->low > 1 || x->high < 1);
}

/* The place behind a number of lines; the end where there are fewer. */
static const char *skip_lines(const char *text, const char *end, size_t lines) {
    for (const char *next; lines > 0 && text < end; text = next, lines--) {
        const char *line = memchr(text, '\n', (size_t)(end - text));
        next = line == NULL ? end : line + 1;
    }
    return text;
}

static size_t count_lines(const char *text, const char *end) {
    size_t n = 0;
    for (; text < end; n++)
        text = skip_lines(text, end, 1);
    return n;
}

/* What a run wrote into a file, without the middle of a long one. */
static void print_part(const struct bine_try *t, size_t i, enum bine_try_file file,
                       const char *name) {
    char path[BINE_PATH_ROOM + 64];
    size_t size = 0;
    bine_try_path(t, i, file, 0, path);
    char *text = bine_file_text(path, &size);
    if (text != NULL && size > 0) {
        const char *end = text + size, *from = text;
        size_t lines = count_lines(text, end);
        fprintf(stderr, "bine: %s of this run:\n", name);
        if (lines > FIRST_LINES + LAST_LINES) {
            from = skip_lines(text, end, FIRST_LINES);
            fprintf(stderr, "%.*sbine: (%zu lines are left out here)\n", (int)(from - text), text,
                    lines - FIRST_LINES - LAST_LINES);
            from = skip_lines(from, end, lines - FIRST_LINES - LAST_LINES);
        }
        fprintf(stderr, "%.*s%s", (int)(end - from), from, end[-1] == '\n' ? "" : "\n");
    }
    free(text);
}

static void print_end(const struct bine_try *t, size_t i) {
    print_part(t, i, BINE_TRY_OUT, "standard output");
    print_part(t, i, BINE_TRY_ERR, "standard error");
}

static size_t good_runs(const struct bine_try *t, enum bine_try_side side) {
    size_t n = 0;
    for (size_t i = 0; i < t->runs; i++)
        n += t->run[i].side == side && t->run[i].status == 0 && !t->run[i].hung;
    return n;
}

/* The run that was just made has failed: why, and the exit code. */
static int complain_of(struct bine_try *t) {
    const struct bine_try_run *r = &t->run[t->runs - 1];
    size_t without = good_runs(t, BINE_TRY_WITHOUT);
    bine_progress_end(&t->progress);
    fflush(stdout);
    print_end(t, t->runs - 1);
    if (r->side == BINE_TRY_WITHOUT || t->wish.null) {
        fprintf(stderr, "bine: the program fails without Bine (exit code %d, run %zu)\n", r->status,
                t->runs);
        return r->status;
    }
    if (r->hung)
        fprintf(stderr,
                "bine: the program fails only with Bine: not finished after %.0f s, ended "
                "(without Bine: %zu good run%s)\n",
                r->seconds, without, bine_plural((int64_t)without));
    else
        fprintf(stderr,
                "bine: the program fails only with Bine: exit code %d, run %zu (without Bine: %zu "
                "good run%s)\n",
                r->status, t->runs, without, bine_plural((int64_t)without));
    return BINE_TRY_BROKEN;
}

static int run_one(struct bine_try *t, struct bine_try_run run) {
    int rc = bine_try_once(t, run);
    if (rc != 0 || t->signal != 0)
        return rc != 0 ? rc : 128 + t->signal;
    const struct bine_try_run *r = &t->run[t->runs - 1];
    return r->status != 0 || r->hung ? complain_of(t) : 0;
}

/* Whether so many runs more fit into the time. */
static int fits(const struct bine_try *t, int more) {
    double took = bine_try_clock() - t->began;
    return took + took / (double)(t->runs > 0 ? t->runs : 1) * more <= t->wish.time;
}

static int is_enough(const struct bine_try *t) {
    struct bine_try_times x;
    bine_try_times(t, &x);
    if (t->wish.runs > 0)
        return x.pairs >= (size_t)t->wish.runs;
    if (x.pairs == 0)
        return 0;
    if (bine_try_is_unseen(t)) /* nothing is compared: do not make the user wait for that */
        return 1;
    double noise = bine_try_noise(&x);
    return !fits(t, 2) || (x.pairs >= LEAST_PAIRS && x.pairs % 2 == 0 && noise <= enough);
}

/* One run of each side that is counted and not timed. */
static int run_counted(struct bine_try *t, enum bine_try_side first) {
    struct bine_try_run run = {.side = first, .counted = 1};
    int rc = run_one(t, run);
    run.side = first == BINE_TRY_WITHOUT ? BINE_TRY_WITH : BINE_TRY_WITHOUT;
    return rc != 0 ? rc : run_one(t, run);
}

/* Long runs: how many there is time for. */
static void say_room(struct bine_try *t) {
    double took = t->run[0].seconds, rest = t->wish.time - (bine_try_clock() - t->began);
    int pairs = rest < 4 * took ? 1 : (int)(rest / (2 * took));
    struct bine_progress shown = t->progress;
    bine_progress_end(&t->progress);
    fprintf(stderr,
            "bine: a run takes %.0f s: in %d s there is room for %d pair%s of runs%s (--time)\n",
            took, t->wish.time, pairs, bine_plural(pairs),
            pairs == 1 ? ", which says nothing of the noise" : "");
    t->progress = shown;
}

/* Counting calls costs a fraction of a microsecond each and forgoes shortcuts, so that runs are
 * counted or timed; where there is no time for both, they are both. */
int bine_try_all(struct bine_try *t) {
    enum bine_try_side side = BINE_TRY_WITHOUT;
    t->began = bine_try_clock();
    int rc = run_one(t, (struct bine_try_run){.side = side, .counted = 1});
    int both = t->wish.runs == 0 && !fits(t, 7);
    if (rc == 0 && both)
        say_room(t);
    if (rc == 0 && !both)
        rc = run_one(t, (struct bine_try_run){.side = BINE_TRY_WITH, .counted = 1});
    while (rc == 0 && !is_enough(t)) { /* without, with, with, without, ... */
        for (int k = 0; k < BINE_TRY_SIDES && rc == 0; k++) {
            rc = run_one(t, (struct bine_try_run){.side = side, .timed = 1, .counted = both});
            side = k == 0 ? BINE_TRY_SIDES - 1 - side : side;
        }
    }
    if (rc == 0 && !both && !bine_try_is_unseen(t) && (t->wish.runs > 0 || fits(t, 2)))
        rc = run_counted(t, BINE_TRY_WITH);
    bine_progress_end(&t->progress);
    return rc;
}
