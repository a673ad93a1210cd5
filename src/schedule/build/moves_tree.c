/* Moves by enumeration: walk over the blocks, look up where the rank stands in the tree of each,
 * and note what it receives and sends. Every function adds blocks in ascending order, as the sink
 * demands. */
#include "schedule/build/moves_sink.h"

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
    struct bine_sink sink;
    int v = bine_tree_node(t, root, rank);
    if (bine_sink_open(&sink, t->steps, 2 * (size_t)(t->leave[v] - t->enter[v])) != 0)
        return -1;
    for (int b = 0; b < t->p; b++) {
        int w = bine_tree_node(t, root, b);
        if (!bine_tree_is_above(t, v, w))
            continue;
        if (v != 0)
            bine_sink_add(&sink, t->step[v], BINE_FROM, bine_tree_rank(t, root, t->parent[v]), b,
                          0);
        if (v != w) {
            int c = kid_towards(t, v, w);
            bine_sink_add(&sink, t->step[c], BINE_TO, bine_tree_rank(t, root, c), b, 0);
        }
    }
    return bine_sink_close(&sink, m);
}

/* Backwards, of the sends of one block the one listed last in time comes first; of several at one
 * time, the first listed. `last` is the time of the last send, `*seen` whether one of that time was
 * listed already. */
static int is_fresh(int time, int last, int *seen) {
    if (time != last || *seen)
        return 0;
    *seen = 1;
    return 1;
}

int bine_moves_allgather(struct bine_moves *m, const struct bine_tree *t, int rank) {
    struct bine_sink sink;
    if (bine_sink_open(&sink, t->steps, 2 * (size_t)t->p) != 0)
        return -1;
    for (int b = 0; b < t->p; b++) {
        int v = bine_tree_node(t, b, rank);
        int begin = t->kids_at[v], end = t->kids_at[v + 1], seen = 0;
        if (v != 0)
            bine_sink_add(&sink, t->step[v], BINE_FROM, bine_tree_rank(t, b, t->parent[v]), b,
                          begin == end);
        int last = begin == end ? -1 : t->step[t->kids[end - 1]];
        for (int k = begin; k < end; k++) {
            int c = t->kids[k];
            bine_sink_add(&sink, t->step[c], BINE_TO, bine_tree_rank(t, b, c), b,
                          is_fresh(t->step[c], last, &seen));
        }
    }
    return bine_sink_close(&sink, m);
}

/* One block of the hung broadcast at a rank on the path between the block's owner and the root:
 * node v, the root's node w at or below v. The path edges have been reversed: the block comes from
 * below and goes up, in the first half. */
static void hung_on_path(struct bine_sink *sink, const struct bine_tree *t, int b, int v, int w) {
    int begin = t->kids_at[v], end = t->kids_at[v + 1], seen = 0;
    int below = v == w ? -1 : kid_towards(t, v, w);
    int last = v == 0 ? -1 : t->steps - 1 - t->step[v];
    for (int k = end; k > begin; k--)
        if (t->kids[k - 1] != below) {
            last = t->steps + t->step[t->kids[k - 1]];
            break;
        }
    if (below >= 0)
        bine_sink_add(sink, t->steps - 1 - t->step[below], BINE_FROM, bine_tree_rank(t, b, below),
                      b, last < 0);
    if (v != 0)
        bine_sink_add(sink, t->steps - 1 - t->step[v], BINE_TO, bine_tree_rank(t, b, t->parent[v]),
                      b, is_fresh(t->steps - 1 - t->step[v], last, &seen));
    for (int k = begin; k < end; k++) {
        int c = t->kids[k];
        if (c != below)
            bine_sink_add(sink, t->steps + t->step[c], BINE_TO, bine_tree_rank(t, b, c), b,
                          is_fresh(t->steps + t->step[c], last, &seen));
    }
}

int bine_moves_hung(struct bine_moves *m, const struct bine_tree *t, int rank, int root) {
    struct bine_sink sink;
    if (bine_sink_open(&sink, 2 * t->steps, 2 * (size_t)t->p) != 0)
        return -1;
    for (int b = 0; b < t->p; b++) {
        int v = bine_tree_node(t, b, rank), w = bine_tree_node(t, b, root);
        int begin = t->kids_at[v], end = t->kids_at[v + 1], seen = 0;
        if (bine_tree_is_above(t, v, w)) {
            hung_on_path(&sink, t, b, v, w);
            continue;
        }
        bine_sink_add(&sink, t->steps + t->step[v], BINE_FROM, bine_tree_rank(t, b, t->parent[v]),
                      b, begin == end);
        int last = begin == end ? -1 : t->steps + t->step[t->kids[end - 1]];
        for (int k = begin; k < end; k++) {
            int c = t->kids[k];
            bine_sink_add(&sink, t->steps + t->step[c], BINE_TO, bine_tree_rank(t, b, c), b,
                          is_fresh(t->steps + t->step[c], last, &seen));
        }
    }
    return bine_sink_close(&sink, m);
}

/* Block j of a pipeline, `delay` later than its tree says. `late`: the time of the last step of the
 * tree instead, or -1. */
static void pipeline_block(struct bine_sink *sink, const struct bine_tree *t, int j, int delay,
                           int late, int rank, int root) {
    int v = bine_tree_node(t, root, rank), seen = 0;
    int begin = t->kids_at[v], end = t->kids_at[v + 1];
    int last = begin == end ? -1 : t->step[t->kids[end - 1]];
    if (v != 0)
        bine_sink_add(sink, late >= 0 && t->step[v] == t->steps - 1 ? late : delay + t->step[v],
                      BINE_FROM, bine_tree_rank(t, root, t->parent[v]), j, begin == end);
    for (int k = begin; k < end; k++) {
        int c = t->kids[k];
        bine_sink_add(sink, late >= 0 && t->step[c] == t->steps - 1 ? late : delay + t->step[c],
                      BINE_TO, bine_tree_rank(t, root, c), j, is_fresh(t->step[c], last, &seen));
    }
}

int bine_moves_pipeline(struct bine_moves *m, const struct bine_tree *const *trees, int ntrees,
                        int stride, int segments, int rank, int root) {
    struct bine_sink sink;
    int times = 0;
    for (int j = 0; j < segments; j++) {
        int end = trees[j % ntrees]->steps + stride * (j / ntrees);
        times = end > times ? end : times;
    }
    if (bine_sink_open(&sink, times, 4 * (size_t)segments) != 0)
        return -1;
    for (int j = 0; j < segments; j++)
        pipeline_block(&sink, trees[j % ntrees], j, stride * (j / ntrees), -1, rank, root);
    return bine_sink_close(&sink, m);
}

int bine_moves_split_binary(struct bine_moves *m, const struct bine_tree *const *trees, int stride,
                            int segments, int rank, int root) {
    struct bine_sink sink;
    int p = trees[0]->p, half = (segments + 1) / 2, late = 0;
    int exchanged[2] = {p > 2, 1}; /* of two ranks, the second has no partner */
    for (int j = 0; j < segments; j++) {
        int k = j >= half, end = trees[k]->steps - exchanged[k] + stride * (j - k * half);
        late = end > late ? end : late;
    }
    int times = late + (p > 2 || segments > 1);
    if (bine_sink_open(&sink, times, 4 * (size_t)segments) != 0)
        return -1;
    for (int j = 0; j < segments; j++) {
        int k = j >= half;
        pipeline_block(&sink, trees[k], j, stride * (j - k * half), exchanged[k] ? late : -1, rank,
                       root);
    }
    return bine_sink_close(&sink, m);
}
