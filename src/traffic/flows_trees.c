/* Flows of the compositions that need no schedules to be counted, and the flows of a single
 * root. */
#include "traffic/flows_trees.h"

#include <stdlib.h>

static enum bine_flow flow_of(const struct bine_spec *spec) {
    return spec->algorithm->exchanges_sizes ? BINE_FLOW_SCHEDULES
                                            : bine_compositions[spec->algorithm->composition].flow;
}

/* Reductions run the edges backwards, towards the root. */
static int directions_of(const struct bine_spec *spec) {
    enum bine_collective c = bine_collective_kind(spec->algorithm->collective);
    if (c == BINE_ALLREDUCE)
        return BINE_OUTWARDS | BINE_BACKWARDS;
    return c == BINE_REDUCE || c == BINE_REDUCE_SCATTER || c == BINE_GATHER ? BINE_BACKWARDS
                                                                            : BINE_OUTWARDS;
}

int bine_flows_are_symmetric(const struct bine_spec *spec, int64_t bytes) {
    int has_tree = spec->tree != NULL && spec->ports <= 1;
    switch (flow_of(spec)) {
    case BINE_FLOW_SCHEDULES:
        return 0;
    case BINE_FLOW_ROOT:
    case BINE_FLOW_BLOCKS:
        return has_tree;
    case BINE_FLOW_EVERY:
    case BINE_FLOW_PAIRS:
    case BINE_FLOW_HUNG:
        return has_tree && (spec->tree->mirrors == 0 || bytes % spec->p == 0);
    default: /* these need no tree, or make their own */
        return 1;
    }
}

static struct bine_rank_bytes sizes_of(const struct bine_block_bytes *cut) {
    return (struct bine_rank_bytes){cut->size, {{cut->rest, 1}, {0, 0}}};
}

/* Reverse the edges on the path between each block's owner and the root. */
static void turn_paths(const struct bine_tree *t, const struct bine_block_bytes *cut, int root,
                       int directions, const struct bine_flow_sink *sink) {
    for (int b = 0; b < t->p; b++) {
        int64_t bytes = bine_bytes_of_block(cut, b);
        for (int v = bine_tree_node(t, b, root); v != 0 && bytes > 0; v = t->parent[v]) {
            int lower = bine_tree_rank(t, b, v), upper = bine_tree_rank(t, b, t->parent[v]);
            bine_flow_take(sink, directions, upper, lower, -bytes);
            bine_flow_take(sink, directions, lower, upper, bytes);
        }
    }
}

/* The whole of something along every edge. */
static void along_edges(const struct bine_tree *t, int root, int64_t bytes, int directions,
                        const struct bine_flow_sink *sink) {
    for (int v = 1; v < t->p && bytes > 0; v++)
        bine_flow_take(sink, directions, bine_tree_rank(t, root, t->parent[v]),
                       bine_tree_rank(t, root, v), bytes);
}

/* Along every edge the blocks of the ranks below it. */
static int along_parts(const struct bine_tree *t, const struct bine_block_bytes *cut, int root,
                       int directions, const struct bine_flow_sink *sink) {
    int32_t *longer = calloc((size_t)t->p + 1, sizeof *longer); /* depth-first prefix sums */
    if (longer == NULL)
        return -1;
    for (int v = 0; v < t->p; v++)
        longer[t->enter[v] + 1] = bine_tree_rank(t, root, v) < cut->rest;
    for (int i = 0; i < t->p; i++)
        longer[i + 1] += longer[i];
    for (int v = 1; v < t->p; v++) {
        int64_t bytes =
            cut->size * (t->leave[v] - t->enter[v]) + longer[t->leave[v]] - longer[t->enter[v]];
        if (bytes > 0)
            bine_flow_take(sink, directions, bine_tree_rank(t, root, t->parent[v]),
                           bine_tree_rank(t, root, v), bytes);
    }
    free(longer);
    return 0;
}

/* Segments take turns on the trees; or the first half is for one and the second for the other. */
static int tree_of_segment(const struct bine_spec *spec, int segments, int j) {
    if (flow_of(spec) == BINE_FLOW_HALVES)
        return j >= (segments + 1) / 2;
    return j % spec->algorithm->trees;
}

static int along_segments(const struct bine_spec *spec, int64_t bytes, int directions,
                          const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = spec->algorithm;
    int segments = bine_spec_segments(spec);
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, segments);
    for (int k = 0; k < a->trees; k++) {
        struct bine_tree *t = bine_algorithm_turn_tree(a, spec->p, k);
        int64_t share = 0;
        if (t == NULL)
            return -1;
        for (int j = 0; j < segments; j++)
            if (tree_of_segment(spec, segments, j) == k)
                share += bine_bytes_of_block(&cut, j);
        along_edges(t, spec->root, share, directions, sink);
        bine_tree_free(t);
    }
    return 0;
}

/* Rank b's block is the segments b s .. b s + s - 1 of p s: blocks below `whole` have s bytes more,
 * the next one the rest. */
static int along_rings(const struct bine_spec *spec, int64_t bytes,
                       const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = spec->algorithm;
    int segments = bine_spec_segments(spec);
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, spec->p * segments);
    int whole = cut.rest / segments, some = cut.rest % segments;
    struct bine_rank_bytes sizes = {cut.size * segments,
                                    {{whole, segments - some}, {some > 0 ? whole + 1 : 0, some}}};
    struct bine_tree *back = bine_algorithm_turn_tree(a, spec->p, 0);
    struct bine_tree *on = bine_family_tree(BINE_FAMILY_RING, spec->p, a->order, a->radix);
    int rc = back == NULL || on == NULL ? -1 : 0;
    if (rc == 0)
        rc = bine_flows_every_root(back, &sizes, 0, BINE_BACKWARDS, sink);
    if (rc == 0)
        rc = bine_flows_every_root(on, &sizes, 0, BINE_OUTWARDS, sink);
    bine_tree_free(back);
    bine_tree_free(on);
    return rc;
}

static int up_and_down(const struct bine_spec *spec, int64_t bytes,
                       const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = spec->algorithm;
    struct bine_tree *up = bine_algorithm_turn_tree(a, spec->p, 0);
    struct bine_tree *down = bine_family_tree(a->tree, spec->p, BINE_NEAR_FIRST, a->radix);
    int rc = up == NULL || down == NULL ? -1 : 0;
    if (rc == 0) {
        along_edges(up, 0, bytes, BINE_BACKWARDS, sink);
        along_edges(down, 0, bytes, BINE_OUTWARDS, sink);
    }
    bine_tree_free(up);
    bine_tree_free(down);
    return rc;
}

/* Ranks counted from the root. */
struct turned {
    const struct bine_flow_sink *sink;
    int root, p;
};

static void take_turned(void *self, int from, int to, int64_t bytes) {
    const struct turned *t = self;
    t->sink->take(t->sink->self, bine_mod_add(from, t->root, t->p), bine_mod_add(to, t->root, t->p),
                  bytes);
}

static int along_around(const struct bine_spec *spec, const struct bine_block_bytes *cut,
                        const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = spec->algorithm;
    struct turned turned = {sink, spec->root, spec->p};
    struct bine_flow_sink from_root = {take_turned, &turned};
    struct bine_rank_bytes sizes = sizes_of(cut);
    struct bine_tree *down = bine_family_tree(BINE_FAMILY_BINOMIAL, spec->p, BINE_FAR_FIRST, 0);
    struct bine_tree *around = bine_algorithm_turn_tree(a, spec->p, 0);
    int rc = down == NULL || around == NULL ? -1 : 0;
    if (rc == 0)
        rc = along_parts(down, cut, 0, BINE_OUTWARDS, &from_root);
    if (rc == 0)
        rc = bine_flows_every_root(around, &sizes, 0, BINE_OUTWARDS, &from_root);
    bine_tree_free(down);
    bine_tree_free(around);
    return rc;
}

static int direct(int p, const struct bine_block_bytes *cut, const struct bine_flow_sink *sink) {
    for (int from = 0; from < p; from++)
        for (int to = 0; to < p; to++)
            if (from != to)
                sink->take(sink->self, from, to, bine_bytes_of_block(cut, to));
    return 0;
}

static int along(const struct bine_spec *spec, int64_t bytes, const struct bine_flow_sink *sink) {
    int directions = directions_of(spec);
    struct bine_block_bytes cut = bine_block_bytes_of(bytes, spec->p);
    struct bine_rank_bytes sizes = sizes_of(&cut);
    switch (flow_of(spec)) {
    case BINE_FLOW_ROOT:
        along_edges(spec->tree, spec->root, bytes, directions, sink);
        return 0;
    case BINE_FLOW_BLOCKS:
        return along_parts(spec->tree, &cut, spec->root, directions, sink);
    case BINE_FLOW_SEGMENTS:
    case BINE_FLOW_HALVES:
        return along_segments(spec, bytes, directions, sink);
    case BINE_FLOW_UP_DOWN:
        return up_and_down(spec, bytes, sink);
    case BINE_FLOW_RINGS:
        return along_rings(spec, bytes, sink);
    case BINE_FLOW_AROUND:
        return along_around(spec, &cut, sink);
    case BINE_FLOW_DIRECT:
        return direct(spec->p, &cut, sink);
    case BINE_FLOW_PAIRS:
        return bine_flows_every_root(spec->tree, &sizes, 1, directions, sink);
    case BINE_FLOW_HUNG:
        turn_paths(spec->tree, &cut, spec->root, directions, sink);
        return bine_flows_every_root(spec->tree, &sizes, 0, directions, sink);
    case BINE_FLOW_EVERY:
        return bine_flows_every_root(spec->tree, &sizes, 0, directions, sink);
    default:
        return bine_flows_groups(spec, bytes, directions, sink);
    }
}

enum bine_flow_result bine_flows_symmetry(const struct bine_spec *spec, int64_t bytes,
                                          const struct bine_flow_sink *sink) {
    return along(spec, bytes, sink) == 0 ? BINE_FLOWS_GOOD : BINE_FLOWS_NO_MEMORY;
}
