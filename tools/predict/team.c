#include "predict/team.h"

#include "base/grow.h"
#include "base/numbers.h"
#include "cli/options/place.h"
#include "model/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int describe(struct bine_team *t) {
    static const struct bine_place_words none;
    struct bine_reason why;
    if (bine_allocation_part(&t->allocation, t->job->allocation, t->rank, t->p, &why) != 0)
        return -1;
    t->nodes = bine_allocation_nodes(&t->allocation, &t->per_node);
    t->groups = bine_allocation_levels(&t->allocation);
    if (t->nodes < 0 || t->groups == NULL ||
        bine_place_dims(&none, &t->allocation, &t->dims) != 0 ||
        bine_links_make(&t->links, &t->allocation, t->job->machine) != 0)
        return -1;
    if (t->job->busy > 0)
        bine_links_set_busy(&t->links, t->job->busy);
    t->predictions = calloc(1, sizeof *t->predictions);
    int torus = t->dims.dims > 0;
    return t->predictions == NULL ||
                   bine_picker_open(&t->picker, &t->links, torus ? NULL : t->groups,
                                    torus ? &t->dims : NULL) != 0
               ? -1
               : 0;
}

struct bine_team *bine_team_open(const struct bine_team_job *job, int32_t *rank, int p) {
    struct bine_team *t = calloc(1, sizeof *t);
    if (t == NULL || rank == NULL) {
        free(t);
        free(rank);
        return NULL;
    }
    *t = (struct bine_team){.job = job, .p = p, .rank = rank};
    if (describe(t) == 0)
        return t;
    bine_team_close(t);
    return NULL;
}

void bine_team_close(struct bine_team *t) {
    if (t == NULL)
        return;
    for (int i = 0; i < BINE_USUAL_RANKS; i++)
        bine_team_close(t->some[i]);
    if (t->predictions != NULL)
        bine_predictions_free(t->predictions);
    free(t->predictions);
    bine_picker_close(&t->picker);
    bine_links_free(&t->links);
    bine_groups_free(t->groups);
    bine_allocation_free(&t->allocation);
    free(t->rank);
    free(t->time);
    free(t);
}

/* --- Some of the ranks */

/* Each rank's place on its node, in rank order, and how many are on each node. */
static int count_nodes(const struct bine_team *t, int *place, int *on) {
    for (int i = 0; i < t->p; i++)
        place[i] = on[t->links.node[i]]++;
    int fullest = 0;
    for (int n = 1; n < t->links.nodes; n++)
        fullest = on[n] > on[fullest] ? n : fullest;
    return fullest;
}

/* Whether rank i is one of them. Folding leaves the second of each pair, as many pairs as ranks
 * beyond the power of two. */
static int takes_part(const struct bine_team *t, enum bine_usual_ranks which, int i,
                      const int *place, int fullest) {
    int beyond = t->p - (1 << bine_log_floor(t->p, 2));
    switch (which) {
    case BINE_USUAL_LEADERS:
        return place[i] == 0;
    case BINE_USUAL_NODE:
        return t->links.node[i] == fullest;
    case BINE_USUAL_FOLDED:
        return i >= 2 * beyond || i % 2 == 1;
    case BINE_USUAL_PAIR:
        return i < 2;
    default:
        return 1;
    }
}

static struct bine_team *open_some(const struct bine_team *t, enum bine_usual_ranks which) {
    int *place = calloc((size_t)t->p, sizeof *place),
        *on = calloc((size_t)t->links.nodes, sizeof *on), n = 0;
    int32_t *rank = malloc((size_t)t->p * sizeof *rank);
    int good = place != NULL && on != NULL && rank != NULL;
    int fullest = good ? count_nodes(t, place, on) : 0;
    for (int i = 0; i < t->p && good; i++)
        if (takes_part(t, which, i, place, fullest))
            rank[n++] = t->rank[i];
    free(place);
    free(on);
    if (good)
        return bine_team_open(t->job, rank, n);
    free(rank);
    return NULL;
}

struct bine_team *bine_team_some(struct bine_team *t, enum bine_usual_ranks which) {
    if (which == BINE_USUAL_ALL)
        return t;
    if (t->some[which] == NULL)
        t->some[which] = open_some(t, which);
    return t->some[which];
}

/* --- Times */

static int same_way(const struct bine_team_way *x, const struct bine_team_way *y) {
    return x->algorithm == y->algorithm && x->layout == y->layout && x->segments == y->segments &&
           x->root == y->root && x->bytes == y->bytes && x->at_once == y->at_once;
}

/* One algorithm of a collective. */
static int serves(void *self, const struct bine_algorithm *a) {
    return a == self;
}

/* What has too many messages for events, in waves or by the quick form. */
static int estimate(struct bine_team *t, const struct bine_team_way *way, double *seconds) {
    static struct bine_pick pick[BINE_PICKS_MOST];
    void *self = (void *)(uintptr_t)way->algorithm;
    int n = bine_picker_pick(&t->picker, way->algorithm->collective, way->root, way->bytes, serves,
                             self, pick);
    for (int i = n - 1; i >= 0; i--)
        if (i == 0 || pick[i].layout == way->layout)
            *seconds = pick[i].seconds;
    return n < 0 ? -1 : 0;
}

static int execute(struct bine_team *t, const struct bine_team_way *way, struct bine_until *until) {
    char why[200];
    struct bine_time time;
    struct bine_spec spec =
        bine_picker_spec(&t->picker, way->algorithm, way->layout, way->root, way->bytes);
    spec.segments = way->segments;
    *until = (struct bine_until){NAN, NAN};
    if (bine_algorithm_needs(way->algorithm) == BINE_NEEDS_BOARDS ||
        bine_spec_error(&spec, why, sizeof why) != NULL)
        return 0;
    struct bine_time_bound bound = {BINE_TEAM_MESSAGES, t->job->idle, way->at_once};
    int rc = bine_time_bounded(&spec, way->bytes, &t->links, &bound, &time);
    if (rc == 0)
        *until = (struct bine_until){time.mean, time.seconds};
    if (rc > 0)
        rc = estimate(t, way, &until->mean);
    if (isnan(until->last))
        until->last = until->mean;
    return rc;
}

static int time_of(struct bine_team *t, const struct bine_team_way *way, struct bine_until *until) {
    for (size_t i = 0; i < t->times; i++)
        if (same_way(&t->time[i].way, way)) {
            *until = t->time[i].until;
            return 0;
        }
    if (bine_grow(&t->time, &t->room, t->times + 1, sizeof *t->time) != 0 ||
        execute(t, way, until) != 0)
        return -1;
    t->time[t->times++] = (struct bine_team_time){*way, *until};
    return 0;
}

int bine_team_seconds(struct bine_team *t, const struct bine_team_way *way, double *seconds) {
    struct bine_until until;
    int rc = time_of(t, way, &until);
    if (rc == 0)
        *seconds = until.mean;
    return rc;
}

static int usual_time(struct bine_team *t, const struct bine_usual_query *query, int root,
                      struct bine_usual *u, struct bine_until *until);

/* A part of it, by some of the ranks; what the library decides for these is asked again. */
static int part_time(struct bine_team *t, const struct bine_usual_query *q,
                     const struct bine_usual_part *part, int root, struct bine_until *until) {
    struct bine_team *some = bine_team_some(t, part->ranks);
    struct bine_usual decided;
    *until = (struct bine_until){0, 0};
    if (some == NULL || some->p == 1)
        return some == NULL ? -1 : 0;
    root = some == t && bine_collective_is_rooted(q->collective) ? root : 0;
    if (part->algorithm == NULL) {
        struct bine_usual_query again = *q;
        again.collective = part->collective;
        return usual_time(some, &again, root, &decided, until);
    }
    struct bine_team_way way = {part->algorithm, part->layout, part->algorithm->trees > 0, root,
                                q->bytes,        part->at_once};
    way.root = bine_collective_is_rooted(part->collective) ? root : 0;
    return time_of(some, &way, until);
}

/* Data that comes from one rank: each other one can hand it on as soon as it has it. */
static int comes_from_one(const struct bine_usual_part *part) {
    return part->collective == BINE_BCAST || part->collective == BINE_SCATTER;
}

/* The next part begins when the last rank is done with this one, as a broadcast behind a reduction
 * does; but a broadcast behind a broadcast on each rank when it has the data. */
static double before_next(const struct bine_usual_part *part, const struct bine_until *until) {
    return comes_from_one(&part[0]) && comes_from_one(&part[1]) ? until->mean : until->last;
}

static int usual_time(struct bine_team *t, const struct bine_usual_query *query, int root,
                      struct bine_usual *u, struct bine_until *until) {
    struct bine_usual_query q = *query;
    q.p = t->p;
    q.several = t->nodes > 1 && t->per_node > 1;
    *until = (struct bine_until){NAN, NAN};
    if (bine_usual_find(&q, u) != 0)
        return 0;
    *until = (struct bine_until){0, 0};
    for (int i = 0; i < u->parts; i++) {
        struct bine_until part;
        if (part_time(t, &q, &u->part[i], root, &part) != 0)
            return -1;
        until->mean += i + 1 < u->parts ? before_next(&u->part[i], &part) : part.mean;
        until->last += part.last;
    }
    return 0;
}

int bine_team_usual(struct bine_team *t, const struct bine_usual_query *query, int root,
                    struct bine_usual *u, double *seconds) {
    struct bine_until until;
    int rc = usual_time(t, query, root, u, &until);
    if (rc == 0)
        *seconds = until.mean;
    return rc;
}

int bine_team_least(struct bine_team *t, enum bine_collective c, int root, int64_t bytes,
                    struct bine_team_way *way, double *seconds) {
    static struct bine_pick pick[BINE_PICKS_MOST];
    int n = bine_picker_pick(&t->picker, c, root, bytes, NULL, NULL, pick);
    *seconds = NAN;
    for (int i = 0; i < n && i < BINE_PICKS_FIRST; i++) {
        double s;
        struct bine_team_way x = {pick[i].algorithm,
                                  pick[i].layout,
                                  bine_segments_for(pick[i].algorithm, t->p, bytes),
                                  root,
                                  bytes,
                                  0};
        if (bine_team_seconds(t, &x, &s) != 0)
            return -1;
        if (!(s >= *seconds)) {
            *way = x;
            *seconds = s;
        }
    }
    return n < 0 ? -1 : 0;
}
