/* A timed tree over p ranks, and how one tree serves every root.
 *
 * A family of algorithms is one tree T, the tree of root 0, and an action that carries it to any
 * other root. Nodes of T are displacements v = 0..p-1; the node v of the tree of root b is the rank
 * at(b, v):
 *
 *     shift     at(b, v) = b + v mod p                        rotated trees, rings, binomial
 *     mirror    shift for even b, b - v mod p for odd b       Bine, even p
 *     xor       at(b, v) = b xor v                            hypercube, powers of two
 *     grid      shift or mirror in each dimension by itself   tori (pattern/torus.h), bucket
 *
 * Each is a regular action: for a given rank r and node v there is exactly one root b with at(b, v)
 * = r. So p ranks broadcasting at once (an allgather) keep every rank at every node exactly once,
 * and all ranks have an equal number of blocks to send and to receive.
 *
 * Correctness condition of a tree: every v > 0 has a parent that received at an earlier step. */
#ifndef BINE_PATTERN_TREE_H
#define BINE_PATTERN_TREE_H

#include "pattern/shape.h"

#include <stdint.h>

enum bine_order {
    BINE_NEAR_FIRST = 1, /* near partners first in time (the paper's distance-doubling) */
    BINE_FAR_FIRST,      /* far partners first in time (the paper's distance-halving) */
};

enum bine_action { BINE_SHIFT, BINE_MIRROR, BINE_XOR, BINE_GRID };

struct bine_tree {
    int p;
    int steps;               /* every step is in 0..steps-1 */
    enum bine_action action; /* how the tree of another root is made */
    struct bine_shape grid;  /* of a grid */
    unsigned mirrors;        /* of a grid: bit k if dimension k mirrors */
    int32_t *step;           /* step[v]: when v receives; -1 for the root */
    int32_t *parent;         /* parent[v]; -1 for the root */
    int32_t *kids_at; /* the children of v are kids[kids_at[v]] .. kids[kids_at[v + 1] - 1], in time
                         order */
    int32_t *kids;
    int32_t *enter; /* depth-first numbers: w is in the subtree of v iff enter[v] <= enter[w] <
                       leave[v] */
    int32_t *leave;
};

/* A tree with step and parent to be filled in (root's are set); NULL when out of memory. */
struct bine_tree *bine_tree_new(int p, int steps, enum bine_action action);
/* Derive children and depth-first numbers once step and parent are filled in. */
struct bine_tree *bine_tree_finish(struct bine_tree *t);
/* The other way round the circle: node v becomes -v mod p (action shift). NULL if given NULL, or
 * when out of memory, and then the tree is freed. */
struct bine_tree *bine_tree_turn(struct bine_tree *t);
void bine_tree_free(struct bine_tree *t);

static inline int bine_mod_add(int a, int b, int p) {
    int c = a + b;
    return c >= p ? c - p : c;
}

static inline int bine_mod_sub(int a, int b, int p) {
    int c = a - b;
    return c < 0 ? c + p : c;
}

/* On one circle, where the trees of odd roots may be mirrored: the rank at node v for root b; the
 * node of rank r for root b; the root for which rank r is at node v. */
static inline int bine_ring_rank(int b, int v, int size, int mirrors) {
    return mirrors && (b & 1) ? bine_mod_sub(b, v, size) : bine_mod_add(b, v, size);
}

static inline int bine_ring_node(int b, int r, int size, int mirrors) {
    return mirrors && (b & 1) ? bine_mod_sub(b, r, size) : bine_mod_sub(r, b, size);
}

static inline int bine_ring_root(int r, int v, int size, int mirrors) {
    return mirrors && ((r + v) & 1) ? bine_mod_add(r, v, size) : bine_mod_sub(r, v, size);
}

/* The three functions below, on a grid: alike in each dimension. */
int bine_grid_rank(const struct bine_tree *t, int b, int v);
int bine_grid_node(const struct bine_tree *t, int b, int r);
int bine_grid_root(const struct bine_tree *t, int r, int v);

/* The rank at node v of the tree of root b. */
static inline int bine_tree_rank(const struct bine_tree *t, int b, int v) {
    if (t->action == BINE_XOR)
        return b ^ v;
    if (t->action == BINE_GRID)
        return bine_grid_rank(t, b, v);
    return bine_ring_rank(b, v, t->p, t->action == BINE_MIRROR);
}

/* The node at which rank r stands in the tree of root b. */
static inline int bine_tree_node(const struct bine_tree *t, int b, int r) {
    if (t->action == BINE_XOR)
        return b ^ r;
    if (t->action == BINE_GRID)
        return bine_grid_node(t, b, r);
    return bine_ring_node(b, r, t->p, t->action == BINE_MIRROR);
}

/* The root in whose tree rank r stands at node v. */
static inline int bine_tree_root(const struct bine_tree *t, int r, int v) {
    if (t->action == BINE_XOR)
        return r ^ v;
    if (t->action == BINE_GRID)
        return bine_grid_root(t, r, v);
    return bine_ring_root(r, v, t->p, t->action == BINE_MIRROR);
}

static inline int bine_tree_is_above(const struct bine_tree *t, int v, int w) {
    return t->enter[v] <= t->enter[w] && t->enter[w] < t->leave[v];
}

/* Distance along the circle of p ranks. */
static inline int bine_mod_distance(int a, int b, int p) {
    int d = bine_mod_sub(a, b, p);
    return d < p - d ? d : p - d;
}

#endif
