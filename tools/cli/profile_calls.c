#include "cli/profile_calls.h"

#include "base/grow.h"
#include "cli/command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_like(const struct bine_profile_call *x, const struct bine_profile_call *y) {
    return x->kind == y->kind && x->collective == y->collective && x->form == y->form &&
           x->ranks == y->ranks && x->from == y->from && x->below == y->below;
}

const struct bine_profile_call *bine_profile_calls_find(const struct bine_profile_calls *c,
                                                        const struct bine_profile_call *like) {
    for (size_t i = 0; i < c->used; i++)
        if (is_like(&c->call[i], like))
            return &c->call[i];
    return NULL;
}

static struct bine_profile_call *add(struct bine_profile_calls *c,
                                     const struct bine_profile_call *x) {
    size_t i = 0;
    while (i < c->used && !is_like(&c->call[i], x))
        i++;
    if (i < c->used)
        return &c->call[i];
    if (bine_grow(&c->call, &c->room, c->used + 1, sizeof *c->call) != 0)
        return NULL;
    c->call[c->used] = *x;
    return &c->call[c->used++];
}

/* Several rows of one communicator (other algorithms) have the ranks in common: seconds add up. */
static void add_slowest(struct bine_profile_call *x, const struct bine_profile_row *r) {
    int again = x->calls > 0 && x->comm == r->communicator;
    x->of_comm = (again ? x->of_comm : 0) + r->seconds_slowest;
    x->slowest = x->of_comm > x->slowest ? x->of_comm : x->slowest;
    x->ranks_with += again ? 0 : (double)r->recorded;
    x->comm = r->communicator;
}

static int add_row(const struct bine_profile *p, const struct bine_profile_row *r,
                   struct bine_profile_calls *c) {
    const struct bine_profile_communicator *comm = &p->communicator[r->communicator];
    struct bine_profile_call like = {.kind = comm->kind,
                                     .collective = r->collective,
                                     .form = r->form,
                                     .ranks = comm->ranks,
                                     .from = r->bytes_from,
                                     .below = r->bytes_below};
    struct bine_profile_call *x = add(c, &like);
    if (x == NULL)
        return bine_complain("out of memory");
    double share = p->recorded > 0 ? (double)r->recorded / (double)p->recorded : 0;
    double seconds = share * r->seconds_mean;
    add_slowest(x, r);
    x->calls += share * (double)r->calls;
    x->bytes += share * (double)r->calls * r->bytes_mean;
    x->seconds += seconds;
    x->sum += (double)r->recorded * r->seconds_mean;
    x->longest = r->longest > x->longest ? r->longest : x->longest;
    x->samples += r->samples;
    if (!isnan(r->wait_mean)) {
        x->waited += share * r->wait_mean;
        x->of += seconds;
    }
    if (x->algorithm == NULL || seconds > x->most) {
        x->most = seconds;
        x->algorithm = r->by == BINE_PROFILE_BY_MPI ? "mpi"
                       : r->algorithm != NULL       ? r->algorithm
                                                    : "device";
        x->site = r->site;
    }
    return 0;
}

double bine_profile_imbalance(const struct bine_profile_call *x) {
    return x->sum > 0 ? x->slowest * x->ranks_with / x->sum : 1;
}

static int by_seconds(const void *a, const void *b) {
    const struct bine_profile_call *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

int bine_profile_calls(const struct bine_profile *p, struct bine_profile_calls *c) {
    int rc = 0;
    *c = (struct bine_profile_calls){0};
    for (size_t i = 0; i < p->rows && rc == 0; i++)
        rc = add_row(p, &p->row[i], c);
    if (c->used > 0)
        qsort(c->call, c->used, sizeof *c->call, by_seconds);
    if (rc != 0)
        bine_profile_calls_free(c);
    return rc;
}

/* Calls that differ in their sizes alone. */
static int differ_in_size(const struct bine_profile_call *x, const struct bine_profile_call *y) {
    return x->kind == y->kind && x->collective == y->collective && x->form == y->form &&
           x->ranks == y->ranks;
}

static int has_joined(const struct bine_profile_calls *c, const struct bine_profile_call *like) {
    for (size_t i = 0; i < c->used; i++)
        if (c->call[i].from < 0 && differ_in_size(&c->call[i], like))
            return 1;
    return 0;
}

/* Seconds of the slowest rank and the longest call are at least those of each. */
static void add_call(struct bine_profile_call *x, const struct bine_profile_call *y) {
    x->calls += y->calls;
    x->bytes += y->bytes;
    x->seconds += y->seconds;
    x->sum += y->sum;
    x->waited += y->waited;
    x->of += y->of;
    x->samples += y->samples;
    x->slowest = fmax(x->slowest, y->slowest);
    x->longest = fmax(x->longest, y->longest);
    x->ranks_with = fmax(x->ranks_with, y->ranks_with);
    if (y->most > x->most) {
        x->most = y->most;
        x->algorithm = y->algorithm;
        x->site = y->site;
    }
}

/* All sizes of what is joined here or there become one row, that of unknown sizes. */
static void join(struct bine_profile_calls *c, const struct bine_profile_calls *other) {
    size_t kept = 0;
    for (size_t i = 0; i < c->used; i++) {
        struct bine_profile_call x = c->call[i];
        size_t k = 0;
        if (x.from < 0 || has_joined(c, &x) || has_joined(other, &x)) {
            x.from = x.below = -1;
            while (k < kept && !is_like(&c->call[k], &x))
                k++;
        } else {
            k = kept;
        }
        if (k < kept)
            add_call(&c->call[k], &x);
        else
            c->call[kept++] = x;
    }
    c->used = kept;
}

void bine_profile_calls_join(struct bine_profile_calls *a, struct bine_profile_calls *b) {
    join(a, b);
    join(b, a);
}

void bine_profile_calls_free(struct bine_profile_calls *c) {
    free(c->call);
    *c = (struct bine_profile_calls){0};
}

const char *bine_profile_sizes(int64_t from, int64_t below, char text[BINE_PROFILE_SIZES]) {
    static const char units[] = " KMGTPE";
    int64_t end[2] = {from, below};
    char part[2][12];
    if (from < 0) {
        snprintf(text, BINE_PROFILE_SIZES, "differ");
        return text;
    }
    for (int i = 0; i < 2; i++) {
        int u = 0;
        while (end[i] >= 1024 && end[i] % 1024 == 0 && u < 6) {
            end[i] /= 1024;
            u++;
        }
        snprintf(part[i], sizeof part[i], "%d%.*s", (int)end[i], u > 0, &units[u]);
    }
    snprintf(text, BINE_PROFILE_SIZES, from == 0 ? "0" : "%s-%s", part[0], part[1]);
    return text;
}
