/* The profiles that the library wrote in counted runs (BINE_PROFILE), added up. */
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
    call->calls[side] += row->calls;
    call->seconds[side] += row->seconds;
    if (side == BINE_TRY_WITH && row->calls > call->most) {
        call->most = row->calls;
        snprintf(call->algorithm, sizeof call->algorithm, "%s", row->algorithm);
    }
    c->inside[side] += row->seconds;
    return 0;
}

/* Of a call that is started, the profile has the time of the start alone. */
static int add_profile(struct bine_try_calls *c, const struct bine_profile *p,
                       enum bine_try_side side) {
    struct bine_profile_calls calls;
    int rc = bine_profile_calls(p, &calls);
    c->reports[side]++;
    c->ranks = (int)p->ranks;
    snprintf(c->mpi, sizeof c->mpi, "%s", p->mpi != NULL ? p->mpi : "");
    c->run[side] += p->seconds;
    for (size_t i = 0; i < calls.used && rc == 0; i++)
        if (calls.call[i].form == BINE_PROFILE_BLOCKING)
            rc = add_call(c, &calls.call[i], side);
    bine_profile_calls_free(&calls);
    return rc;
}

/* The difference in seconds is what a row is worth. */
static double worth(const struct bine_try_call *c) {
    return fabs(c->seconds[BINE_TRY_WITHOUT] - c->seconds[BINE_TRY_WITH]);
}

static int by_worth(const void *a, const void *b) {
    double x = worth(a), y = worth(b);
    return (x < y) - (x > y);
}

/* Sums become means over the reports of a side. */
static void divide(struct bine_try_calls *c) {
    for (int side = 0; side < BINE_TRY_SIDES; side++) {
        double n = c->reports[side] > 0 ? c->reports[side] : 1;
        c->run[side] /= n;
        c->inside[side] /= n;
        for (size_t i = 0; i < c->used; i++) {
            c->call[i].calls[side] /= n;
            c->call[i].seconds[side] /= n;
        }
    }
    if (c->used > 0)
        qsort(c->call, c->used, sizeof *c->call, by_worth);
}

/* A run may have left none: nothing to complain of. */
static int add_file(struct bine_try_calls *c, const char *path, enum bine_try_side side) {
    struct bine_profile p;
    if (!bine_profile_is_there(path))
        return 0;
    int rc = bine_profile_read(path, &p);
    if (rc == 0)
        rc = add_profile(c, &p, side);
    bine_profile_free(&p);
    return rc;
}

int bine_try_calls(const struct bine_try *t, struct bine_try_calls *c) {
    char path[BINE_PATH_ROOM + 64];
    int rc = 0;
    *c = (struct bine_try_calls){0};
    for (size_t i = 0; i < t->runs && rc == 0; i++) {
        if (!t->run[i].counted || t->run[i].status != 0)
            continue;
        c->counted[t->run[i].side]++;
        bine_try_path(t, i, BINE_TRY_REPORT, 0, path);
        rc = add_file(c, path, t->run[i].side);
    }
    divide(c);
    return rc;
}

void bine_try_calls_free(struct bine_try_calls *c) {
    free(c->call);
    c->call = NULL;
    c->used = c->room = 0;
}
