/* Moves by enumeration: walk over the blocks, look up where the rank stands in the tree of each,
 * and note what it receives and sends. Every function adds blocks in ascending order, as the
 * collector demands. */
#include "schedule/build/moves/moves_collector.h"

#include "base/numbers.h"

int bine_moves_bcast(struct bine_moves *m, const struct bine_tree *t, int rank, int root) {
    int v = bine_tree_node(t, root, rank);
    int begin = t->kids_at[v], end = t->kids_at[v + 1];
    bine_moves_open(m, t->steps);
    if (v != 0) {
        bine_moves_add(m, t->step[v], BINE_FROM, bine_tree_rank(t, root, t->parent[v]));
        bine_moves_span(m, 0, 1, begin == end);
    }
    for (int k = begin; k < end; k++) {
        int last_time = t->step[t->kids[k]] == t->step[t->kids[end - 1]];
        bine_moves_add(m, t->step[t->kids[k]], BINE_TO, bine_tree_rank(t, root, t->kids[k]));
        /* Backwards, of several messages at one time the first listed meets the untouched vector.
         */
        bine_moves_span(
            m, 0, 1, last_time && (k == begin || t->step[t->kids[k - 1]] != t->step[t->kids[k]]));
    }
    return bine_moves_close(m);
}

/* The child of v above w; w is below v. */
static int kid_towards(const struct bine_tree *t, int v, int w) {
    int lo = t->kids_at[v], hi = t->kids_at[v + 1];
    while (hi - lo > 1) { /* children are numbered depth-first in the order in which they stand */
        int mid = (lo + hi) / 2;
        if (t->enter[t->kids[mid]] <= t->enter[w])
            lo = mid;
        else
            hi = mid;
    }
    return t->kids[lo];
}

int bine_moves_scatter(struct bine_moves *m, const struct bine_tree *t, int rank, int root) {
    struct bine_collector collector;
    int v = bine_tree_node(t, root, rank);
    if (bine_collector_open(&collector, t->steps, 2 * (size_t)(t->leave[v] - t->enter[v])) != 0)
        return -1;
    /* At one time children are served in the order of the tree, not in that of their blocks. */
    for (int k = t->kids_at[v]; k < t->kids_at[v + 1]; k++) {
        int c = t->kids[k], peer = bine_tree_rank(t, root, c);
        bine_collector_find(&collector, bine_collector_key(t->step[c], BINE_TO, peer));
    }
    for (int b = 0; b < t->p; b++) {
        int w = bine_tree_node(t, root, b);
        if (!bine_tree_is_above(t, v, w))
            continue;
        if (v != 0)
            bine_collector_add(&collector, t->step[v], BINE_FROM,
                               bine_tree_rank(t, root, t->parent[v]), b, 0);
        if (v != w) {
            int c = kid_towards(t, v, w);
            bine_collector_add(&collector, t->step[c], BINE_TO, bine_tree_rank(t, root, c), b, 0);
        }
    }
    return bine_collector_close(&collector, m);
}

/* Backwards, a rank's own data first meets another's in the send that is last in time. Where a
 * block goes to several children then, it is the first one listed of their messages: which one that
 * is depends on all other blocks too, so they stay contested until everything is collected. */
struct last_send {
    int step, freshness;
};

/* The children kids[begin] .. kids[end - 1], one at least, are in the order of time. */
static inline struct last_send last_of(struct bine_collector *collector, const struct bine_tree *t,
                                       int begin, int end) {
    int step = t->step[t->kids[end - 1]];
    if (end - begin == 1 || t->step[t->kids[end - 2]] != step)
        return (struct last_send){step, BINE_FRESH};
    collector->contested = 1;
    return (struct last_send){step, BINE_CONTESTED};
}

/* A block that goes from node v of the tree of `root` to its children, `delay` later than the tree
 * says. */
static inline void add_kids(struct bine_collector *collector, const struct bine_tree *t, int root,
                            int v, int block, int delay) {
    int begin = t->kids_at[v], end = t->kids_at[v + 1];
    if (begin == end)
        return;
    struct last_send last = last_of(collector, t, begin, end);
    for (int k = begin; k < end; k++) {
        int c = t->kids[k];
        bine_collector_add(collector, delay + t->step[c], BINE_TO, bine_tree_rank(t, root, c),
                           block, t->step[c] == last.step ? last.freshness : BINE_TOUCHED);
    }
}

static int is_leaf(const struct bine_tree *t, int v) {
    return t->kids_at[v] == t->kids_at[v + 1];
}

int bine_moves_allgather(struct bine_moves *m, const struct bine_tree *t, int rank) {
    struct bine_collector collector;
    if (bine_collector_open(&collector, t->steps, 2 * (size_t)t->p) != 0)
        return -1;
    for (int b = 0; b < t->p; b++) {
        int v = bine_tree_node(t, b, rank);
        if (v != 0)
            bine_collector_add(&collector, t->step[v], BINE_FROM,
                               bine_tree_rank(t, b, t->parent[v]), b, is_leaf(t, v));
        add_kids(&collector, t, b, v, b, 0);
    }
    return bine_collector_close(&collector, m);
}

/* One block of the hung broadcast at a rank on the path between the block's owner and the root:
 * node v, the root's node w at or below v. The path edges have been reversed: the block comes from
 * below and goes up, in the first half. */
static void hung_on_path(struct bine_collector *collector, const struct bine_tree *t, int b, int v,
                         int w) {
    int below = v == w ? -1 : kid_towards(t, v, w), first_half = t->steps - 1, last = -1,
        served = 0;
    int begin = t->kids_at[v], end = t->kids_at[v + 1];
    for (int k = begin; k < end; k++)
        if (t->kids[k] != below) { /* how many children are served at the last of their steps */
            served = t->step[t->kids[k]] == last ? served + 1 : 1;
            last = t->step[t->kids[k]];
        }
    collector->contested |= served > 1;
    if (below >= 0)
        bine_collector_add(collector, first_half - t->step[below], BINE_FROM,
                           bine_tree_rank(t, b, below), b, v == 0 && served == 0);
    if (v != 0)
        bine_collector_add(collector, first_half - t->step[v], BINE_TO,
                           bine_tree_rank(t, b, t->parent[v]), b, served == 0);
    for (int k = begin; k < end; k++) {
        int c = t->kids[k], freshness = served == 1 ? BINE_FRESH : BINE_CONTESTED;
        if (c != below)
            bine_collector_add(collector, t->steps + t->step[c], BINE_TO, bine_tree_rank(t, b, c),
                               b, t->step[c] == last ? freshness : BINE_TOUCHED);
    }
}

int bine_moves_hung(struct bine_moves *m, const struct bine_tree *t, int rank, int root) {
    struct bine_collector collector;
    if (bine_collector_open(&collector, 2 * t->steps, 2 * (size_t)t->p) != 0)
        return -1;
    for (int b = 0; b < t->p; b++) {
        int v = bine_tree_node(t, b, rank), w = bine_tree_node(t, b, root);
        if (bine_tree_is_above(t, v, w)) {
            hung_on_path(&collector, t, b, v, w);
            continue;
        }
        bine_collector_add(&collector, t->steps + t->step[v], BINE_FROM,
                           bine_tree_rank(t, b, t->parent[v]), b, is_leaf(t, v));
        add_kids(&collector, t, b, v, b, t->steps);
    }
    return bine_collector_close(&collector, m);
}

/* Block j of a pipeline, `delay` later than its tree says. `late`: the time of the last step of the
 * tree instead, or -1. */
static void pipeline_block(struct bine_collector *collector, const struct bine_tree *t, int j,
                           int delay, int late, int rank, int root) {
    int v = bine_tree_node(t, root, rank), begin = t->kids_at[v], end = t->kids_at[v + 1];
    struct last_send last = {-1, BINE_TOUCHED};
    if (begin < end)
        last = last_of(collector, t, begin, end);
    if (v != 0)
        bine_collector_add(collector,
                           late >= 0 && t->step[v] == t->steps - 1 ? late : delay + t->step[v],
                           BINE_FROM, bine_tree_rank(t, root, t->parent[v]), j, begin == end);
    for (int k = begin; k < end; k++) {
        int c = t->kids[k];
        bine_collector_add(
            collector, late >= 0 && t->step[c] == t->steps - 1 ? late : delay + t->step[c], BINE_TO,
            bine_tree_rank(t, root, c), j, t->step[c] == last.step ? last.freshness : BINE_TOUCHED);
    }
}

int bine_moves_pipeline(struct bine_moves *m, const struct bine_tree *const *trees, int ntrees,
                        int stride, int segments, int rank, int root) {
    struct bine_collector collector;
    int times = 0;
    for (int j = 0; j < segments; j++) {
        int end = trees[j % ntrees]->steps + stride * (j / ntrees);
        times = bine_max(end, times);
    }
    if (bine_collector_open(&collector, times, 4 * (size_t)segments) != 0)
        return -1;
    for (int j = 0; j < segments; j++)
        pipeline_block(&collector, trees[j % ntrees], j, stride * (j / ntrees), -1, rank, root);
    return bine_collector_close(&collector, m);
}

int bine_moves_split_binary(struct bine_moves *m, const struct bine_tree *const *trees, int stride,
                            int segments, int rank, int root) {
    struct bine_collector collector;
    int p = trees[0]->p, half = (segments + 1) / 2, late = 0;
    int exchanged[2] = {p > 2, 1}; /* of two ranks, the second has no partner */
    for (int j = 0; j < segments; j++) {
        int k = j >= half, end = trees[k]->steps - exchanged[k] + stride * (j - k * half);
        late = bine_max(end, late);
    }
    int times = late + (p > 2 || segments > 1);
    if (bine_collector_open(&collector, times, 4 * (size_t)segments) != 0)
        return -1;
    for (int j = 0; j < segments; j++) {
        int k = j >= half;
        pipeline_block(&collector, trees[k], j, stride * (j - k * half), exchanged[k] ? late : -1,
                       rank, root);
    }
    return bine_collector_close(&collector, m);
}
