/* The profile that the library wrote in a counted run of each side (BINE_PROFILE): of several runs
 * that of median length, since a first run may be cold, and another program may disturb one. */
#include "try/try.h"

#include "base/grow.h"
#include "cli/command.h"
#include "cli/profile_calls.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct bine_try_call *find(struct bine_try_calls *c, const struct bine_try_call *x) {
    for (size_t i = 0; i < c->used; i++)
        if (c->call[i].ranks == x->ranks && c->call[i].from == x->from &&
            strcmp(c->call[i].collective, x->collective) == 0)
            return &c->call[i];
    if (bine_grow(&c->call, &c->room, c->used + 1, sizeof *c->call) != 0)
        return NULL;
    c->call[c->used] = *x;
    return &c->call[c->used++];
}

static int add_call(struct bine_try_calls *c, const struct bine_profile_call *row,
                    enum bine_try_side side) {
    struct bine_try_call x = {.ranks = (int)row->ranks, .from = row->from, .below = row->below};
    snprintf(x.collective, sizeof x.collective, "%s",
             bine_collective_name((enum bine_collective)row->collective));
    struct bine_try_call *call = find(c, &x);
    if (call == NULL)
        return bine_complain("out of memory");
    call->calls[side] += row->calls; /* of several forms and kinds of communicators */
    call->seconds[side] += row->seconds;
    if (side == BINE_TRY_WITH && row->calls > call->most) {
        call->most = row->calls;
        snprintf(call->algorithm, sizeof call->algorithm, "%s", row->algorithm);
    }
    c->inside[side] += row->seconds;
    return 0;
}

/* Of a call that is started, the profile has the time of the start alone. */
static int add_calls(struct bine_try_calls *c, const struct bine_profile_calls *calls,
                     enum bine_try_side side) {
    int rc = 0;
    for (size_t i = 0; i < calls->used && rc == 0; i++)
        if (calls->call[i].form == BINE_PROFILE_BLOCKING)
            rc = add_call(c, &calls->call[i], side);
    return rc;
}

static void add_facts(struct bine_try_calls *c, const struct bine_profile *p,
                      enum bine_try_side side) {
    c->ranks = (int)p->ranks;
    snprintf(c->mpi, sizeof c->mpi, "%s", p->mpi != NULL ? p->mpi : "");
    c->run[side] = p->seconds;
    for (size_t i = 0; i < p->rows; i++)
        c->by_bine |= side == BINE_TRY_WITH && p->row[i].by == BINE_PROFILE_BY_BINE;
}

/* The difference in seconds is what a row is worth. */
static double worth(const struct bine_try_call *c) {
    return fabs(c->seconds[BINE_TRY_WITHOUT] - c->seconds[BINE_TRY_WITH]);
}

static int by_worth(const void *a, const void *b) {
    double x = worth(a), y = worth(b);
    return (x < y) - (x > y);
}

/* The seconds of a report; below 0 where a run has left none, which is nothing to complain of. */
static int length_of(const char *path, double *seconds) {
    struct bine_profile p;
    *seconds = -1;
    if (!bine_profile_is_there(path))
        return 0;
    int rc = bine_profile_read(path, &p);
    *seconds = rc == 0 ? p.seconds : -1;
    bine_profile_free(&p);
    return rc;
}

struct report {
    size_t run;
    double seconds;
};

static int by_length(const void *a, const void *b) {
    const struct report *x = a, *y = b;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* All reports of a side, the shortest first. */
static int list_reports(const struct bine_try *t, struct bine_try_calls *c, enum bine_try_side side,
                        struct report *list) {
    char path[BINE_PATH_ROOM + 64];
    int rc = 0;
    for (size_t i = 0; i < t->runs && rc == 0; i++) {
        if (!t->run[i].counted || t->run[i].status != 0 || t->run[i].side != side)
            continue;
        struct report *r = &list[c->reports[side]];
        c->counted[side]++;
        bine_try_path(t, i, BINE_TRY_REPORT, 0, path);
        rc = length_of(path, &r->seconds);
        r->run = i;
        c->reports[side] += r->seconds >= 0;
    }
    qsort(list, (size_t)c->reports[side], sizeof *list, by_length);
    return rc;
}

/* The profile that stands for a side, if a run has left one. */
static int read_side(const struct bine_try *t, struct bine_try_calls *c, enum bine_try_side side,
                     struct bine_profile *p, struct bine_profile_calls *calls) {
    char path[BINE_PATH_ROOM + 64];
    struct report *list = calloc(t->runs + 1, sizeof *list);
    int rc = list == NULL ? bine_complain("out of memory") : list_reports(t, c, side, list);
    if (rc == 0 && c->reports[side] > 0) {
        bine_try_path(t, list[(c->reports[side] - 1) / 2].run, BINE_TRY_REPORT, 0, path);
        rc = bine_profile_read(path, p);
        rc = rc != 0 ? rc : bine_profile_calls(p, calls);
        if (rc == 0)
            add_facts(c, p, side);
    }
    free(list);
    return rc;
}

int bine_try_calls(const struct bine_try *t, struct bine_try_calls *c) {
    struct bine_profile p[BINE_TRY_SIDES] = {0};
    struct bine_profile_calls calls[BINE_TRY_SIDES] = {0};
    int rc = 0;
    *c = (struct bine_try_calls){0};
    for (int side = 0; side < BINE_TRY_SIDES && rc == 0; side++)
        rc = read_side(t, c, side, &p[side], &calls[side]);
    bine_profile_calls_join(&calls[BINE_TRY_WITHOUT], &calls[BINE_TRY_WITH]);
    for (int side = 0; side < BINE_TRY_SIDES; side++) {
        rc = rc != 0 ? rc : add_calls(c, &calls[side], side);
        bine_profile_calls_free(&calls[side]);
        bine_profile_free(&p[side]);
    }
    if (c->used > 0)
        qsort(c->call, c->used, sizeof *c->call, by_worth);
    return rc;
}

int bine_try_is_unseen(const struct bine_try *t) {
    char path[BINE_PATH_ROOM + 64];
    int counted = 0;
    for (size_t i = 0; i < t->runs; i++) {
        if (!t->run[i].counted || t->run[i].side != BINE_TRY_WITH)
            continue;
        counted++;
        bine_try_path(t, i, BINE_TRY_REPORT, 0, path);
        if (bine_profile_is_there(path))
            return 0;
    }
    return counted > 0 && !t->wish.null;
}

void bine_try_calls_free(struct bine_try_calls *c) {
    free(c->call);
    c->call = NULL;
    c->used = c->room = 0;
}
