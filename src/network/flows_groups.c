/* Flows of the group-aware algorithms, without schedules.
 *
 * Between the sets of a level every block has a tree of its own, over few sets; inside the smallest
 * sets, all blocks that enter by one rank go the same way from there. So p blocks need O(p G) and
 * the insides O(p g), for G groups of g ranks. */
#include "network/flows_trees.h"

#include "schedule/compose.h"

#include <stdlib.h>

struct spreading {
    struct bine_spread spread;
    int directions;
    const struct bine_flow_sink *sink;
    int64_t *enters; /* bytes that enter the smallest sets by each rank */
};

/* One block over the sets inside one set, and on into those. */
static void between_sets(struct spreading *x, int block, int64_t bytes, int level, int set,
                         int entry) {
    const struct bine_groups *g = x->spread.groups;
    const struct bine_level *l = &g->level[level];
    if (level + 2 == g->levels) {
        x->enters[entry] += bytes;
        return;
    }
    for (int i = l->inside[set]; i < l->inside[set + 1]; i++) {
        struct bine_spread_edge from;
        int into = bine_spread_entry(&x->spread, block, entry, level + 1, i);
        if (into != entry && bine_spread_arrival(&x->spread, block, into, &from))
            bine_flow_take(x->sink, x->directions, from.peer, into, bytes);
        between_sets(x, block, bytes, level + 1, i, into);
    }
}

/* Inside one of the smallest sets, from each of its ranks to the others. */
static void inside_set(const struct spreading *x, int set) {
    const struct bine_groups *g = x->spread.groups;
    int level = g->levels - 2, step;
    const int32_t *member = g->member + g->level[level].begin[set];
    for (int e = 0; e < bine_groups_size(g, level, set); e++) {
        struct bine_branch b = bine_spread_branch(&x->spread, level, set, member[e]);
        for (int v = 0; v < b.sets && x->enters[member[e]] > 0; v++)
            if (v != b.root)
                bine_flow_take(x->sink, x->directions, member[bine_branch_upper(&b, v, &step)],
                               member[v], x->enters[member[e]]);
    }
}

/* The way between a block's source and the root is taken the other way round. */
static void turn_path(const struct spreading *x, int block, int64_t bytes) {
    struct bine_spread_edge from;
    for (int r = x->spread.root; bine_spread_arrival(&x->spread, block, r, &from); r = from.peer) {
        bine_flow_take(x->sink, x->directions, from.peer, r, -bytes);
        bine_flow_take(x->sink, x->directions, r, from.peer, bytes);
    }
}

/* The bytes of part b, of all segments. */
static int64_t part_bytes(const struct bine_cut *cut, int p, int segments, int b) {
    int64_t bytes = 0;
    for (int s = 0; s < segments; s++)
        bytes += bine_cut_block(cut, s * p + b);
    return bytes;
}

static int spread_all(const struct bine_request *rq, int64_t bytes, enum bine_spread_kind kind,
                      int directions, const struct bine_flow_sink *sink) {
    struct spreading x = {{rq->groups, kind, rq->root, 0}, directions, sink, NULL};
    int parts = kind != BINE_SPREAD_RANKS, segments = parts ? bine_request_segments(rq) : 1;
    struct bine_cut cut = bine_cut_of(bytes, rq->p * segments);
    const struct bine_level *smallest = &rq->groups->level[rq->groups->levels - 2];
    if (rq->p == 1)
        return 0;
    x.enters = calloc((size_t)rq->p, sizeof *x.enters);
    if (x.enters == NULL)
        return -1;
    for (int b = 0; b < rq->p; b++) {
        int64_t size = part_bytes(&cut, rq->p, segments, b);
        if (size == 0)
            continue;
        between_sets(&x, b, size, 0, 0, bine_spread_source(&x.spread, b));
        if (kind == BINE_SPREAD_HUNG)
            turn_path(&x, b, size);
    }
    for (int i = 0; i < smallest->sets; i++)
        inside_set(&x, i);
    free(x.enters);
    return 0;
}

/* One block along all edges, or the block of each rank along the way to it. */
static int from_root(const struct bine_request *rq, int64_t bytes, int direct, int directions,
                     const struct bine_flow_sink *sink) {
    struct bine_spread x = {rq->groups, BINE_SPREAD_ROOT, rq->root, direct};
    struct bine_cut cut = bine_cut_of(bytes, direct ? rq->p : 1);
    struct bine_spread_edge from;
    for (int b = 0; b < rq->p; b++) {
        int64_t size = bine_cut_block(&cut, direct ? b : 0);
        int r = b;
        while (size > 0 && bine_spread_arrival(&x, 0, r, &from)) {
            bine_flow_take(sink, directions, from.peer, r, size);
            r = direct ? from.peer : rq->root;
        }
    }
    return 0;
}

/* From every rank to the one that collects, and together from there. */
static int collect(const struct bine_request *rq, int64_t bytes,
                   const struct bine_flow_sink *sink) {
    const struct bine_groups *g = rq->groups;
    int level = g->levels > 2 ? g->levels - 2 : g->levels - 1;
    const struct bine_level *l = &g->level[level];
    struct bine_cut cut = bine_cut_of(bytes, rq->p);
    for (int j = 0; j < rq->p; j++)
        for (int set = 0; set < l->sets; set++) {
            int64_t size = bine_cut_block(&cut, j), count = bine_groups_size(g, level, set);
            int away = l->set_of[j] != set, to = away ? bine_groups_entry(g, level, set, j) : j;
            for (int i = l->begin[set]; i < l->begin[set + 1] && size > 0; i++)
                if (g->member[i] != to)
                    sink->take(sink->self, g->member[i], to, size);
            if (away && size > 0)
                sink->take(sink->self, to, j, size * count);
        }
    return 0;
}

int bine_flows_groups(const struct bine_request *rq, int64_t bytes,
                      const struct bine_flow_sink *sink) {
    switch (rq->algorithm->composition) {
    case BINE_MAKE_GROUP_BCAST:
        return from_root(rq, bytes, 0, BINE_OUTWARDS, sink);
    case BINE_MAKE_GROUP_REDUCE:
        return from_root(rq, bytes, 0, BINE_BACKWARDS, sink);
    case BINE_MAKE_GROUP_SCATTER:
        return from_root(rq, bytes, 1, BINE_OUTWARDS, sink);
    case BINE_MAKE_GROUP_GATHER:
        return from_root(rq, bytes, 1, BINE_BACKWARDS, sink);
    case BINE_MAKE_GROUP_BCAST_HUNG:
        return spread_all(rq, bytes, BINE_SPREAD_HUNG, BINE_OUTWARDS, sink);
    case BINE_MAKE_GROUP_REDUCE_HUNG:
        return spread_all(rq, bytes, BINE_SPREAD_HUNG, BINE_BACKWARDS, sink);
    case BINE_MAKE_GROUP_ALLGATHER:
        return spread_all(rq, bytes, BINE_SPREAD_RANKS, BINE_OUTWARDS, sink);
    case BINE_MAKE_GROUP_REDUCE_SCATTER:
        return spread_all(rq, bytes, BINE_SPREAD_RANKS, BINE_BACKWARDS, sink);
    case BINE_MAKE_GROUP_ALLTOALL:
        return collect(rq, bytes, sink);
    default:
        return spread_all(rq, bytes, BINE_SPREAD_PARTS, BINE_OUTWARDS | BINE_BACKWARDS, sink);
    }
}
