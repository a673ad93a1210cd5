/* Flows by symmetry.
 *
 * In the tree of root b the edge from node u to its child c joins the ranks x = at(b, u) and
 * at(b, c). What it carries are the blocks of some nodes w: of the root alone (w = 0) where block b
 * spreads from rank b; of all nodes below c where blocks travel to one rank each. The block of node
 * w is one byte longer than the others if y = at(b, w) is below `rest`. As a function of y, with
 * the tree's action,
 *
 *     shift              x = y + (u - w),                        all y
 *     mirror, even b     x = y + (u - w),                        y of the parity of w
 *     mirror, odd b      x = y - (u - w),                        y of the other parity
 *     xor                x = y xor u xor w,                      all y
 *
 * so the extra bytes of an edge are a circular range of x (of every second x; for xor, an aligned
 * range for every bit of `rest`), and all edges of one displacement c - u (c xor u) join x to
 * x + d (x - d for odd b; x xor d): one row of p flows. Ranges are added up as differences. */
#include "network/flows.h"

#include <stdlib.h>
#include <string.h>

/* Edges run from the root outwards, or backwards, or first one and then the other. */
enum { OUTWARDS = 1, BACKWARDS = 2 };

struct counting {
    const struct bine_tree *tree;
    struct bine_cut cut;
    const struct bine_flow_sink *sink;
    int directions;
    int below;      /* an edge carries the blocks of all nodes below it */
    int32_t *order; /* nodes, depth-first */
    int64_t *row;   /* p + 2 differences */
    int64_t all[2]; /* what every x of a parity gets */
};

int bine_flows_are_symmetric(const struct bine_request *rq) {
    static const unsigned char known[BINE_COMPOSITIONS] = {
        [BINE_MAKE_BCAST] = 1,     [BINE_MAKE_REDUCE] = 1,     [BINE_MAKE_SCATTER] = 1,
        [BINE_MAKE_GATHER] = 1,    [BINE_MAKE_ALLGATHER] = 1,  [BINE_MAKE_REDUCE_SCATTER] = 1,
        [BINE_MAKE_ALLREDUCE] = 1, [BINE_MAKE_BCAST_HUNG] = 1, [BINE_MAKE_REDUCE_HUNG] = 1,
        [BINE_MAKE_ALLTOALL] = 1,
    };
    return rq->tree != NULL && rq->tree->action <= BINE_XOR && known[rq->algorithm->composition];
}

static void take(const struct counting *n, int from, int to, int64_t bytes) {
    if (n->directions & OUTWARDS)
        n->sink->take(n->sink->self, from, to, bytes);
    if (n->directions & BACKWARDS)
        n->sink->take(n->sink->self, to, from, bytes);
}

/* One more byte for x = first, first + step, ...: so many of them, going round the circle. */
static void add_circle(struct counting *n, int first, int step, int count) {
    int p = n->tree->p;
    if (count == 0)
        return;
    n->row[first]++;
    int64_t end = first + (int64_t)step * count;
    if (end >= p + step) { /* round the corner: it goes on at the beginning of its parity */
        n->row[first & (step - 1)]++;
        end -= p;
    }
    n->row[end]--;
}

/* y in 0..rest-1 is an aligned range for each bit of `rest`; xor carries it to another one. */
static void add_xor(struct counting *n, int with) {
    for (int bit = 1; bit <= n->cut.rest; bit <<= 1) {
        if (!(n->cut.rest & bit))
            continue;
        int first = (n->cut.rest & ~(2 * bit - 1)) ^ (with & ~(bit - 1));
        n->row[first]++;
        n->row[first + bit]--;
    }
}

/* The extra bytes of node w's blocks on the edge below u. */
static void add_rest(struct counting *n, int u, int w, int odd) {
    const struct bine_tree *t = n->tree;
    int rest = n->cut.rest, shift = bine_mod_sub(u, w, t->p);
    if (t->action == BINE_XOR) {
        add_xor(n, u ^ w);
    } else if (t->action == BINE_SHIFT) {
        add_circle(n, shift, 1, rest);
    } else {
        int y = (w + odd) & 1;
        int x = odd ? bine_mod_sub(y, shift, t->p) : bine_mod_add(y, shift, t->p);
        add_circle(n, x, 2, rest > y ? (rest - y + 1) / 2 : 0);
    }
}

/* All that the edge to c carries, for even or odd roots (odd is 0 where that makes no
 * difference). */
static void add_edge(struct counting *n, int c, int odd) {
    const struct bine_tree *t = n->tree;
    int u = t->parent[c], blocks = n->below ? t->leave[c] - t->enter[c] : 1;
    /* Mirrored, x has the parity of u for even b, and b - u the other one for odd b. */
    n->all[t->action == BINE_MIRROR ? (u + odd) & 1 : 0] += n->cut.size * blocks;
    if (n->cut.rest == 0)
        return;
    if (!n->below)
        add_rest(n, u, 0, odd);
    for (int i = t->enter[c]; n->below && i < t->leave[c]; i++)
        add_rest(n, u, n->order[i], odd);
}

/* The row is complete: sum up the differences and hand the flows over. */
static void take_row(struct counting *n, int d, int odd) {
    const struct bine_tree *t = n->tree;
    int p = t->p, mirror = t->action == BINE_MIRROR;
    for (int x = 0; x < p; x++) {
        if (x > mirror)
            n->row[x] += n->row[x - 1 - mirror];
        int64_t bytes = n->row[x] + n->all[mirror ? x & 1 : 0];
        if (bytes == 0)
            continue;
        int to = t->action == BINE_XOR ? x ^ d
                 : odd                 ? bine_mod_sub(x, d, p)
                                       : bine_mod_add(x, d, p);
        take(n, x, to, bytes);
    }
    memset(n->row, 0, ((size_t)p + 2) * sizeof *n->row);
    n->all[0] = n->all[1] = 0;
}

static int displacement(const struct bine_tree *t, int c) {
    int u = t->parent[c];
    return t->action == BINE_XOR ? c ^ u : bine_mod_sub(c, u, t->p);
}

/* Children by the displacement of their edge, by counting: those of d are at[d] .. at[d + 1] - 1 of
 * `child`. */
static void sort_edges(const struct bine_tree *t, int32_t *child, int32_t *at) {
    memset(at, 0, ((size_t)t->p + 2) * sizeof *at);
    for (int c = 1; c < t->p; c++)
        at[displacement(t, c) + 2]++;
    for (int d = 2; d <= t->p + 1; d++)
        at[d] += at[d - 1];
    for (int c = 1; c < t->p; c++)
        child[at[displacement(t, c) + 1]++] = c;
}

static int count_rows(struct counting *n) {
    const struct bine_tree *t = n->tree;
    size_t p = (size_t)t->p;
    int32_t *child = malloc(p * sizeof *child), *at = malloc((p + 2) * sizeof *at);
    n->order = malloc(p * sizeof *n->order);
    n->row = calloc(p + 2, sizeof *n->row);
    int good = child != NULL && at != NULL && n->order != NULL && n->row != NULL;
    if (good) {
        for (int v = 0; v < t->p; v++)
            n->order[t->enter[v]] = v;
        sort_edges(t, child, at);
    }
    for (int d = 1; good && d < t->p; d++)
        for (int odd = 0; odd <= (t->action == BINE_MIRROR) && at[d] < at[d + 1]; odd++) {
            for (int i = at[d]; i < at[d + 1]; i++)
                add_edge(n, child[i], odd);
            take_row(n, d, odd);
        }
    free(child);
    free(at);
    free(n->order);
    free(n->row);
    return good ? 0 : -1;
}

/* Hung from the root: on the path between each block's owner and the root the edges are
 * reversed. */
static void turn_paths(struct counting *n, int root) {
    const struct bine_tree *t = n->tree;
    for (int b = 0; b < t->p; b++) {
        int64_t bytes = bine_cut_block(&n->cut, b);
        for (int v = bine_tree_node(t, b, root); v != 0 && bytes > 0; v = t->parent[v]) {
            int lower = bine_tree_rank(t, b, v), upper = bine_tree_rank(t, b, t->parent[v]);
            take(n, upper, lower, -bytes);
            take(n, lower, upper, bytes);
        }
    }
}

/* The tree of one root. */
static int count_root(struct counting *n, int root, int64_t bytes) {
    const struct bine_tree *t = n->tree;
    int32_t *longer =
        calloc((size_t)t->p + 1, sizeof *longer); /* blocks, depth-first prefix sums */
    if (longer == NULL)
        return -1;
    for (int v = 0; v < t->p; v++)
        longer[t->enter[v] + 1] = bine_tree_rank(t, root, v) < n->cut.rest;
    for (int i = 0; i < t->p; i++)
        longer[i + 1] += longer[i];
    for (int v = 1; v < t->p; v++) {
        int64_t below =
            n->cut.size * (t->leave[v] - t->enter[v]) + longer[t->leave[v]] - longer[t->enter[v]];
        take(n, bine_tree_rank(t, root, t->parent[v]), bine_tree_rank(t, root, v),
             n->below ? below : bytes);
    }
    free(longer);
    return 0;
}

enum bine_flow_result bine_flows_symmetry(const struct bine_request *rq, int64_t bytes,
                                          const struct bine_flow_sink *sink) {
    struct counting n = {.tree = rq->tree, .cut = bine_cut_of(bytes, rq->p), .sink = sink};
    enum bine_composition c = rq->algorithm->composition;
    int back = c == BINE_MAKE_REDUCE || c == BINE_MAKE_GATHER || c == BINE_MAKE_REDUCE_SCATTER ||
               c == BINE_MAKE_REDUCE_HUNG;
    int rooted = c == BINE_MAKE_BCAST || c == BINE_MAKE_REDUCE || c == BINE_MAKE_SCATTER ||
                 c == BINE_MAKE_GATHER;
    n.directions = c == BINE_MAKE_ALLREDUCE ? OUTWARDS | BACKWARDS : back ? BACKWARDS : OUTWARDS;
    n.below = c == BINE_MAKE_SCATTER || c == BINE_MAKE_GATHER || c == BINE_MAKE_ALLTOALL;
    int rc = rooted ? count_root(&n, rq->root, bytes) : count_rows(&n);
    if (rc == 0 && (c == BINE_MAKE_BCAST_HUNG || c == BINE_MAKE_REDUCE_HUNG))
        turn_paths(&n, rq->root);
    return rc == 0 ? BINE_FLOWS_GOOD : BINE_FLOWS_NO_MEMORY;
}
