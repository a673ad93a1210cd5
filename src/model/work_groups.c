/* Work items of group-aware gather and scatter, without schedules: the block of every rank along
 * its way from the root. All blocks into one rank are one message. */
#include "model/work.h"
#include "schedule/build/moves/moves.h"

#include <stdlib.h>

/* The cost of finding an edge among others, and of adding an item, in the units of model/work.h. */
static const double edge_cost = 0.5, item_cost = 2;
enum { FEW = 10 }; /* edges of a way from the root */

/* The message into a rank: its blocks, and its runs of consecutive ones. */
struct edge {
    int32_t from, time, blocks, runs, last;
};

static int is_backwards(const struct bine_spec *spec) {
    return bine_collective_kind(spec->algorithm->collective) == BINE_GATHER;
}

int bine_work_list_by_groups(const struct bine_spec *spec) {
    return spec->groups != NULL && spec->groups->levels > 1 && spec->p > 1 && spec->node == NULL &&
           spec->order == NULL && bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_GROUPS &&
           bine_collective_is_plain(spec->algorithm->collective) &&
           bine_compositions[spec->algorithm->composition].flow == BINE_FLOW_GROUP_BLOCKS;
}

double bine_work_list_groups_cost(const struct bine_spec *spec, double look) {
    return bine_spec_segments(spec) * (double)spec->p * (edge_cost * FEW + (item_cost + look) * 2);
}

/* The block of each rank along the way to it; returns the edges that were met. */
static size_t find_edges(const struct bine_spread *x, struct edge *edge) {
    struct bine_spread_clock clock = bine_spread_clock_of(x);
    struct bine_spread_edge from;
    size_t met = 0;
    for (int b = 0; b < x->groups->p; b++)
        for (int r = b; bine_spread_arrival(x, r, &from); r = from.peer, met++) {
            struct edge *e = &edge[r];
            e->from = from.peer;
            e->time = clock.begin[from.level] + from.step;
            e->runs += e->blocks == 0 || e->last + 1 != b;
            e->blocks++;
            e->last = b;
        }
    return met;
}

/* Both ends of the message between a rank and the one nearer to the root. */
static int add_ends(struct bine_work_list *d, const struct bine_spec *spec, const struct edge *e,
                    int rank, int time, int strand, double block, const struct bine_rates *rates) {
    double share = e->blocks * block;
    int packs = spec->layout == BINE_PACK, backwards = is_backwards(spec);
    float copies = packs && e->runs > 1 && rates->copy > 0 ? (float)(share / rates->copy) : 0;
    struct bine_work_item x = {.rank = backwards ? rank : e->from,
                               .peer = backwards ? e->from : rank,
                               .time = time,
                               .strand = (uint16_t)strand,
                               .transfers = packs ? 1 : (uint32_t)e->runs,
                               .share = (float)share,
                               .work = copies,
                               .copies = copies > 0};
    int rc = bine_work_list_add(d, x);
    x.rank = x.peer;
    x.peer = backwards ? rank : e->from;
    x.receives = 1;
    return rc | bine_work_list_add(d, x);
}

int bine_work_list_add_groups(struct bine_work_list *d, const struct bine_spec *spec,
                              const struct bine_rates *rates) {
    struct bine_spread x = {.groups = spec->groups, .root = spec->root, .direct = 1};
    int segments = bine_spec_segments(spec), end = bine_spread_clock_of(&x).end, rc = 0;
    struct edge *edge = calloc((size_t)spec->p, sizeof *edge);
    if (edge == NULL)
        return -1;
    double met = (double)find_edges(&x, edge);
    d->strands = segments;
    d->staggered = segments > 1;
    for (int k = 0; k < segments && rc == 0; k++) {
        for (int r = 0; r < spec->p && rc == 0; r++)
            if (edge[r].blocks > 0)
                rc = add_ends(d, spec, &edge[r], r,
                              is_backwards(spec) ? end - 1 - edge[r].time : edge[r].time, k,
                              1.0 / spec->p / segments, rates);
        d->cost += edge_cost * met + item_cost * 2 * (spec->p - 1);
    }
    free(edge);
    return rc;
}
