/* Which compositions are flows along trees, and the flows of a single root. */
#include "traffic/flows_trees.h"

#include "schedule/build/compose.h"

#include <stdlib.h>

/* How a composition uses its tree. */
enum shape {
    UNKNOWN,  /* read the schedules */
    ROOT,     /* the tree of the root, the whole vector */
    PARTS,    /* the tree of the root, the block of each rank to or from it */
    EVERY,    /* every rank is a root, its block goes everywhere */
    PAIRS,    /* every rank is a root, a block for each other rank */
    HUNG,     /* as EVERY, but the path between each owner and the root is reversed */
    SEGMENTS, /* the trees of the root in turn, a segment each */
    UP_DOWN,  /* the whole vector backwards on a tree of rank 0, then down a near-first one */
    RINGS,    /* a ring backwards, then one outwards, and blocks are cut into segments */
    AROUND,   /* as PARTS on a binomial tree, then as EVERY; block k is of the rank root + k */
    DIRECT,   /* every rank sends every other one its block */
};

static const struct {
    unsigned char shape, directions;
} known[BINE_COMPOSITIONS] = {
    [BINE_MAKE_BCAST] = {ROOT, BINE_OUTWARDS},
    [BINE_MAKE_REDUCE] = {ROOT, BINE_BACKWARDS},
    [BINE_MAKE_SCATTER] = {PARTS, BINE_OUTWARDS},
    [BINE_MAKE_GATHER] = {PARTS, BINE_BACKWARDS},
    [BINE_MAKE_ALLGATHER] = {EVERY, BINE_OUTWARDS},
    [BINE_MAKE_REDUCE_SCATTER] = {EVERY, BINE_BACKWARDS},
    [BINE_MAKE_ALLREDUCE] = {EVERY, BINE_OUTWARDS | BINE_BACKWARDS},
    [BINE_MAKE_BCAST_HUNG] = {HUNG, BINE_OUTWARDS},
    [BINE_MAKE_REDUCE_HUNG] = {HUNG, BINE_BACKWARDS},
    [BINE_MAKE_ALLTOALL] = {PAIRS, BINE_OUTWARDS},
    [BINE_MAKE_PIPELINE] = {SEGMENTS, BINE_OUTWARDS},
    [BINE_MAKE_SPLIT_BINARY] = {SEGMENTS, BINE_OUTWARDS},
    [BINE_MAKE_PIPELINE_REDUCE] = {SEGMENTS, BINE_BACKWARDS},
    [BINE_MAKE_REDUCE_BCAST] = {SEGMENTS, BINE_OUTWARDS | BINE_BACKWARDS},
    [BINE_MAKE_REDUCE_THEN_BCAST] = {UP_DOWN, BINE_OUTWARDS | BINE_BACKWARDS},
    [BINE_MAKE_RINGS] = {RINGS, BINE_OUTWARDS | BINE_BACKWARDS},
    [BINE_MAKE_SCATTER_ALLGATHER] = {AROUND, BINE_OUTWARDS},
    [BINE_MAKE_REDUCE_SCATTER_ORDERED] = {DIRECT, BINE_OUTWARDS},
};

int bine_flows_are_symmetric(const struct bine_request *rq, int64_t bytes) {
    int shape = known[rq->algorithm->composition].shape;
    if (bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_GROUPS)
        return 1;
    if (shape >= SEGMENTS) /* these need no tree, or make their own */
        return 1;
    if (shape == UNKNOWN || rq->tree == NULL || rq->ports > 1)
        return 0;
    return rq->tree->mirrors == 0 || bytes % rq->p == 0 || shape == ROOT || shape == PARTS;
}

static struct bine_sizes sizes_of(const struct bine_cut *cut) {
    return (struct bine_sizes){cut->size, {{cut->rest, 1}, {0, 0}}};
}

/* Reverse the edges on the path between each block's owner and the root. */
static void turn_paths(const struct bine_tree *t, const struct bine_cut *cut, int root,
                       int directions, const struct bine_flow_sink *sink) {
    for (int b = 0; b < t->p; b++) {
        int64_t bytes = bine_cut_block(cut, b);
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
static int along_parts(const struct bine_tree *t, const struct bine_cut *cut, int root,
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

/* Segments take turns on the trees of a family and the ones after it; or, split binary, the first
 * half is for one and the second for the other. */
static int tree_of_segment(const struct bine_algorithm *a, int segments, int j) {
    if (a->composition == BINE_MAKE_SPLIT_BINARY)
        return j >= (segments + 1) / 2;
    return a->trees > 1 ? j % a->trees : 0;
}

static int along_segments(const struct bine_request *rq, int64_t bytes, int directions,
                          const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = rq->algorithm;
    int segments = bine_request_segments(rq), trees = a->trees > 0 ? a->trees : 1;
    struct bine_cut cut = bine_cut_of(bytes, segments);
    for (int k = 0; k < trees; k++) {
        struct bine_tree *t =
            bine_family_tree((enum bine_family)((int)a->tree + k), rq->p, a->order, a->radix);
        int64_t share = 0;
        if (t == NULL)
            return -1;
        for (int j = 0; j < segments; j++)
            if (tree_of_segment(a, segments, j) == k)
                share += bine_cut_block(&cut, j);
        along_edges(t, rq->root, share, directions, sink);
        bine_tree_free(t);
    }
    return 0;
}

/* Rank b's block is the segments b s .. b s + s - 1 of p s: blocks below `whole` have s bytes more,
 * the next one the rest. */
static int along_rings(const struct bine_request *rq, int64_t bytes,
                       const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = rq->algorithm;
    int segments = bine_request_segments(rq);
    struct bine_cut cut = bine_cut_of(bytes, rq->p * segments);
    int whole = cut.rest / segments, some = cut.rest % segments;
    struct bine_sizes sizes = {cut.size * segments,
                               {{whole, segments - some}, {some > 0 ? whole + 1 : 0, some}}};
    struct bine_tree *back = bine_family_tree(a->tree, rq->p, a->order, a->radix);
    struct bine_tree *on = bine_family_tree(BINE_FAMILY_RING, rq->p, a->order, a->radix);
    int rc = back == NULL || on == NULL ? -1 : 0;
    if (rc == 0)
        rc = bine_flows_every_root(back, &sizes, 0, BINE_BACKWARDS, sink);
    if (rc == 0)
        rc = bine_flows_every_root(on, &sizes, 0, BINE_OUTWARDS, sink);
    bine_tree_free(back);
    bine_tree_free(on);
    return rc;
}

static int up_and_down(const struct bine_request *rq, int64_t bytes,
                       const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = rq->algorithm;
    struct bine_tree *up = bine_family_tree(a->tree, rq->p, a->order, a->radix);
    struct bine_tree *down = bine_family_tree(a->tree, rq->p, BINE_NEAR_FIRST, a->radix);
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

static int along_around(const struct bine_request *rq, const struct bine_cut *cut,
                        const struct bine_flow_sink *sink) {
    const struct bine_algorithm *a = rq->algorithm;
    struct turned turned = {sink, rq->root, rq->p};
    struct bine_flow_sink from_root = {take_turned, &turned};
    struct bine_sizes sizes = sizes_of(cut);
    struct bine_tree *down = bine_family_tree(BINE_FAMILY_BINOMIAL, rq->p, BINE_FAR_FIRST, 0);
    struct bine_tree *around = bine_family_tree(a->tree, rq->p, a->order, a->radix);
    int rc = down == NULL || around == NULL ? -1 : 0;
    if (rc == 0)
        rc = along_parts(down, cut, 0, BINE_OUTWARDS, &from_root);
    if (rc == 0)
        rc = bine_flows_every_root(around, &sizes, 0, BINE_OUTWARDS, &from_root);
    bine_tree_free(down);
    bine_tree_free(around);
    return rc;
}

static int direct(int p, const struct bine_cut *cut, const struct bine_flow_sink *sink) {
    for (int from = 0; from < p; from++)
        for (int to = 0; to < p; to++)
            if (from != to)
                sink->take(sink->self, from, to, bine_cut_block(cut, to));
    return 0;
}

static int along(const struct bine_request *rq, int64_t bytes, const struct bine_flow_sink *sink) {
    int directions = known[rq->algorithm->composition].directions;
    struct bine_cut cut = bine_cut_of(bytes, rq->p);
    struct bine_sizes sizes = sizes_of(&cut);
    if (bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_GROUPS)
        return bine_flows_groups(rq, bytes, sink);
    switch ((enum shape)known[rq->algorithm->composition].shape) {
    case ROOT:
        along_edges(rq->tree, rq->root, bytes, directions, sink);
        return 0;
    case PARTS:
        return along_parts(rq->tree, &cut, rq->root, directions, sink);
    case SEGMENTS:
        return along_segments(rq, bytes, directions, sink);
    case UP_DOWN:
        return up_and_down(rq, bytes, sink);
    case RINGS:
        return along_rings(rq, bytes, sink);
    case AROUND:
        return along_around(rq, &cut, sink);
    case DIRECT:
        return direct(rq->p, &cut, sink);
    case PAIRS:
        return bine_flows_every_root(rq->tree, &sizes, 1, directions, sink);
    case HUNG:
        turn_paths(rq->tree, &cut, rq->root, directions, sink);
        return bine_flows_every_root(rq->tree, &sizes, 0, directions, sink);
    default:
        return bine_flows_every_root(rq->tree, &sizes, 0, directions, sink);
    }
}

enum bine_flow_result bine_flows_symmetry(const struct bine_request *rq, int64_t bytes,
                                          const struct bine_flow_sink *sink) {
    return along(rq, bytes, sink) == 0 ? BINE_FLOWS_GOOD : BINE_FLOWS_NO_MEMORY;
}
