/* Flows of the group-aware algorithms, without schedules.
 *
 * Between the sets of a level every block has a tree of its own, over few sets; inside the smallest
 * sets, all blocks that enter by one rank go the same way from there. So p blocks need O(p G) and
 * the insides O(p g), for G groups of g ranks. */
#include "traffic/flows_trees.h"

#include <stdlib.h>

struct group_flows {
    struct bine_spread spread;
    int directions;
    const struct bine_flow_sink *sink;
    int64_t *enters; /* bytes that enter the smallest sets by each rank */
};

/* One block over the sets inside one set, and on into these. */
static void between_sets(struct group_flows *x, int block, int64_t bytes, int level, int set,
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
static void inside_set(const struct group_flows *x, int set) {
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
static void turn_path(const struct group_flows *x, int block, int64_t bytes) {
    struct bine_spread_edge from;
    for (int r = x->spread.root; bine_spread_arrival(&x->spread, block, r, &from); r = from.peer) {
        bine_flow_take(x->sink, x->directions, from.peer, r, -bytes);
        bine_flow_take(x->sink, x->directions, r, from.peer, bytes);
    }
}

/* All blocks of one segment. */
static int spread_segment(struct group_flows *x, const struct bine_block_bytes *cut) {
    const struct bine_groups *g = x->spread.groups;
    int p = g->p, parts = x->spread.kind != BINE_SPREAD_RANKS;
    int turn = x->spread.turn, turns = x->spread.turns;
    x->enters = calloc((size_t)p, sizeof *x->enters);
    if (x->enters == NULL)
        return -1;
    for (int b = 0; b < p; b++) {
        int64_t size = bine_bytes_of_block(cut, parts ? turn * p + b : b * turns + turn);
        if (size == 0)
            continue;
        between_sets(x, b, size, 0, 0, bine_spread_source(&x->spread, b));
        if (x->spread.kind == BINE_SPREAD_HUNG)
            turn_path(x, b, size);
    }
    for (int i = 0; i < g->level[g->levels - 2].sets; i++)
        inside_set(x, i);
    free(x->enters);
    return 0;
}

static int spread_all(const struct bine_spec *spec, int64_t bytes, enum bine_spread_kind kind,
                      int directions, const struct bine_flow_sink *sink) {
    struct group_flows x = {
        {.groups = spec->groups, .kind = kind, .root = spec->root}, directions, sink, NULL};
    int segments = bine_spec_segments(spec), whole = kind == BINE_SPREAD_RANKS ? 1 : segments;
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, spec->p * whole);
    int rc = 0;
    cut.parts = segments / whole;
    x.spread.turns = segments;
    for (; x.spread.turn < segments && spec->p > 1 && rc == 0; x.spread.turn++)
        rc = spread_segment(&x, &cut);
    return rc;
}

/* One block along all edges, or the block of each rank along the way to it. */
static int from_root(const struct bine_spec *spec, int64_t bytes, int direct, int directions,
                     const struct bine_flow_sink *sink) {
    struct bine_spread x = {
        .groups = spec->groups, .kind = BINE_SPREAD_ROOT, .root = spec->root, .direct = direct};
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, direct ? spec->p : 1);
    struct bine_spread_edge from;
    for (int b = 0; b < spec->p; b++) {
        int64_t size = bine_bytes_of_block(&cut, direct ? b : 0);
        int r = b;
        while (size > 0 && bine_spread_arrival(&x, 0, r, &from)) {
            bine_flow_take(sink, directions, from.peer, r, size);
            r = direct ? from.peer : spec->root;
        }
    }
    return 0;
}

/* From every rank to the one that collects, and together from there. */
static int collect(const struct bine_spec *spec, int64_t bytes, const struct bine_flow_sink *sink) {
    const struct bine_groups *g = spec->groups;
    int level = g->levels > 2 ? g->levels - 2 : g->levels - 1;
    const struct bine_level *l = &g->level[level];
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, spec->p);
    for (int j = 0; j < spec->p; j++)
        for (int set = 0; set < l->sets; set++) {
            int64_t size = bine_bytes_of_block(&cut, j), count = bine_groups_size(g, level, set);
            int away = l->set_of[j] != set, to = away ? bine_groups_entry(g, level, set, j) : j;
            for (int i = l->begin[set]; i < l->begin[set + 1] && size > 0; i++)
                if (g->member[i] != to)
                    sink->take(sink->self, g->member[i], to, size);
            if (away && size > 0)
                sink->take(sink->self, to, j, size * count);
        }
    return 0;
}

int bine_flows_groups(const struct bine_spec *spec, int64_t bytes, int directions,
                      const struct bine_flow_sink *sink) {
    switch (bine_compositions[spec->algorithm->composition].flow) {
    case BINE_FLOW_GROUP_ROOT:
        return from_root(spec, bytes, 0, directions, sink);
    case BINE_FLOW_GROUP_BLOCKS:
        return from_root(spec, bytes, 1, directions, sink);
    case BINE_FLOW_GROUP_HUNG:
        return spread_all(spec, bytes, BINE_SPREAD_HUNG, directions, sink);
    case BINE_FLOW_GROUP_EVERY:
        return spread_all(spec, bytes, BINE_SPREAD_RANKS, directions, sink);
    case BINE_FLOW_GROUP_COLLECT:
        return collect(spec, bytes, sink);
    default:
        return spread_all(spec, bytes, BINE_SPREAD_PARTS, directions, sink);
    }
}
