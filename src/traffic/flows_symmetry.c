/* Flows by symmetry: p ranks, each the root of one tree.
 *
 * In the tree of root b the edge from node u to its child c joins the ranks x = at(b, u) and
 * at(b, c). It carries the blocks of some nodes w: of the root alone (w = 0) where block b spreads
 * from rank b; of all nodes below c where each block travels to one rank. All blocks have one size,
 * and a few bytes more if y = at(b, w) is below some number. As a function of y, with the tree's
 * action,
 *
 *     shift              x = y + (u - w),                        all y
 *     mirror, even b     x = y + (u - w),                        y of the parity of w
 *     mirror, odd b      x = y - (u - w),                        y of the other parity
 *     xor                x = y xor u xor w,                      all y
 *     grid               x = y + (u - w) in each dimension,      all y
 *
 * so the extra bytes of an edge are a circular range of x (of every second x; for xor, an aligned
 * range for every bit of the number), and all edges of one displacement c - u (c xor u) join x to
 * x + d (x - d for odd b; x xor d): one row of p flows. Ranges are added up as differences; grids,
 * where there are no ranges, one by one. */
#include "base/sort.h"
#include "traffic/flows_trees.h"

#include <stdlib.h>
#include <string.h>

struct counting {
    const struct bine_tree *tree;
    const struct bine_rank_bytes *sizes;
    const struct bine_flow_sink *sink;
    int directions;
    int below;      /* an edge carries the blocks of all nodes below it */
    int32_t *order; /* nodes, depth-first */
    int64_t *row;   /* p + 2 differences */
    int64_t all[2]; /* the bytes that every x of a parity gets */
};

/* More for x = first, first + step, ...: `count` of them, going round the circle. */
static void add_circle(struct counting *n, int first, int step, int count, int64_t bytes) {
    int p = n->tree->p;
    if (count == 0)
        return;
    n->row[first] += bytes;
    int64_t end = first + (int64_t)step * count;
    if (end >= p + step) { /* round the corner: it goes on at the beginning of its parity */
        n->row[first & (step - 1)] += bytes;
        end -= p;
    }
    n->row[end] -= bytes;
}

/* y in 0..end-1 is an aligned range for each bit of `end`; xor carries it to another one. */
static void add_xor(struct counting *n, int with, int end, int64_t bytes) {
    for (int bit = 1; bit <= end; bit <<= 1) {
        if (!(end & bit))
            continue;
        int first = (end & ~(2 * bit - 1)) ^ (with & ~(bit - 1));
        n->row[first] += bytes;
        n->row[first + bit] -= bytes;
    }
}

static void add_grid(struct counting *n, int u, int w, int end, int64_t bytes) {
    int shift = bine_grid_node(n->tree, w, u);
    for (int y = 0; y < end; y++)
        n->row[bine_grid_rank(n->tree, y, shift)] += bytes;
}

/* The extra bytes of node w's blocks on the edge below u. */
static void add_extra(struct counting *n, const struct bine_extra *e, int u, int w, int odd) {
    const struct bine_tree *t = n->tree;
    int shift = bine_mod_sub(u, w, t->p);
    if (t->action == BINE_XOR) {
        add_xor(n, u ^ w, e->end, e->bytes);
    } else if (t->action == BINE_GRID) {
        add_grid(n, u, w, e->end, e->bytes);
    } else if (t->action == BINE_SHIFT) {
        add_circle(n, shift, 1, e->end, e->bytes);
    } else {
        int y = (w + odd) & 1;
        int x = odd ? bine_mod_sub(y, shift, t->p) : bine_mod_add(y, shift, t->p);
        add_circle(n, x, 2, e->end > y ? (e->end - y + 1) / 2 : 0, e->bytes);
    }
}

/* All that the edge to c carries, for even or odd roots (odd is 0 where that makes no
 * difference). */
static void add_edge(struct counting *n, int c, int odd) {
    const struct bine_tree *t = n->tree;
    int u = t->parent[c], blocks = n->below ? t->leave[c] - t->enter[c] : 1;
    /* Mirrored, x has the parity of u for even b, and b - u the other one for odd b. */
    n->all[t->action == BINE_MIRROR ? (u + odd) & 1 : 0] += n->sizes->size * blocks;
    for (int k = 0; k < BINE_EXTRAS; k++) {
        const struct bine_extra *e = &n->sizes->extra[k];
        if (e->end == 0 || e->bytes == 0)
            continue;
        if (!n->below)
            add_extra(n, e, u, 0, odd);
        for (int i = t->enter[c]; n->below && i < t->leave[c]; i++)
            add_extra(n, e, u, n->order[i], odd);
    }
}

static int target(const struct bine_tree *t, int x, int d, int odd) {
    if (t->action == BINE_XOR)
        return x ^ d;
    if (t->action == BINE_GRID)
        return bine_grid_rank(t, x, d);
    return odd ? bine_mod_sub(x, d, t->p) : bine_mod_add(x, d, t->p);
}

/* The row is complete: sum up the differences and hand the flows over. */
static void take_row(struct counting *n, int d, int odd) {
    const struct bine_tree *t = n->tree;
    int p = t->p, mirror = t->action == BINE_MIRROR, grid = t->action == BINE_GRID;
    for (int x = 0; x < p; x++) {
        if (x > mirror && !grid)
            n->row[x] += n->row[x - 1 - mirror];
        int64_t bytes = n->row[x] + n->all[mirror ? x & 1 : 0];
        if (bytes != 0)
            bine_flow_take(n->sink, n->directions, x, target(t, x, d, odd), bytes);
    }
    memset(n->row, 0, ((size_t)p + 2) * sizeof *n->row);
    n->all[0] = n->all[1] = 0;
}

static int displacement(const struct bine_tree *t, int c) {
    int u = t->parent[c];
    if (t->action == BINE_XOR)
        return c ^ u;
    return t->action == BINE_GRID ? bine_grid_node(t, u, c) : bine_mod_sub(c, u, t->p);
}

/* Children by the displacement of their edge: for d they are at[d] .. at[d + 1] - 1 of `child`. */
static void sort_edges(const struct bine_tree *t, int32_t *key, int32_t *child, int32_t *at) {
    for (int c = 1; c < t->p; c++)
        key[c] = displacement(t, c);
    bine_sort_by(key, 1, t->p, t->p, at, child);
}

static void count_rows(struct counting *n, const int32_t *child, const int32_t *at) {
    const struct bine_tree *t = n->tree;
    for (int d = 1; d < t->p; d++)
        for (int odd = 0; odd <= (t->action == BINE_MIRROR) && at[d] < at[d + 1]; odd++) {
            for (int i = at[d]; i < at[d + 1]; i++)
                add_edge(n, child[i], odd);
            take_row(n, d, odd);
        }
}

int bine_flows_every_root(const struct bine_tree *t, const struct bine_rank_bytes *sizes, int below,
                          int directions, const struct bine_flow_sink *sink) {
    if (t->mirrors != 0)
        return bine_flows_torus(t, sizes->size, below, directions, sink);
    struct counting n = {.tree = t, .sizes = sizes, .sink = sink, .directions = directions};
    size_t p = (size_t)t->p;
    int32_t *child = malloc(2 * p * sizeof *child), *at = malloc((p + 2) * sizeof *at);
    n.below = below;
    n.order = malloc(p * sizeof *n.order);
    n.row = calloc(p + 2, sizeof *n.row);
    int good = child != NULL && at != NULL && n.order != NULL && n.row != NULL;
    if (good) {
        for (int v = 0; v < t->p; v++)
            n.order[t->enter[v]] = v;
        sort_edges(t, child + p, child, at);
        count_rows(&n, child, at);
    }
    free(child);
    free(at);
    free(n.order);
    free(n.row);
    return good ? 0 : -1;
}
