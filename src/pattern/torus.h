/* Trees on a torus: a family applied dimension by dimension (paper, section 5.4.1 and appendix D).
 *
 * Ranks are coordinates x = (x_0, .., x_{D-1}), row-major. Near-first, the steps go round the
 * dimensions 0, 1, .., D-1 in turn, each time the dimension's next distance; a dimension whose
 * distances are exhausted is skipped. Far-first: these steps backwards in time.
 *
 * A step along dimension k looks at x_k alone, so the ranks reached form a product, and so does the
 * tree:
 * with step_k and parent_k of the tree over d_k ranks, and its steps at their times on the
 * torus,
 *
 *     step(x) = max over k of step_k(x_k),   the parent of x: x_k replaced by parent_k(x_k) for the
 *                                            k whose step that is.
 *
 * Any trees can be multiplied: Bine butterflies for even d_k (all trimmed by first arrival where
 * d_k is no power of two), rotated split trees for odd d_k. The tree of another root is made in
 * each dimension by itself: mirrored where d_k is even and the root's x_k odd, shifted otherwise.
 * Steps: the sum of ceil(log2 d_k). Bucket multiplies rings, one dimension after the other.
 *
 * Several ports: part i of 2D parts of the vector starts with dimension i mod D instead of 0, and
 * goes the other way round (x_k becomes -x_k) in the dimensions before that one; from i = D on, in
 * all others instead. So the parts go through one cycle of directions, each from another one on,
 * as in the paper; and while no dimension is exhausted, the parts of a step leave in all 2D
 * directions.
 *
 * Worked example, 4 x 4, far-first, rank 0 = (0, 0), which meets
 *
 *     part 0    (0, 3) = 3, (3, 0) = 12, (0, 1) = 1, (1, 0) = 4: distances -1, -1, 1, 1
 *     part 1    (1, 0), (0, 3), (3, 0), (0, 1)
 *     part 2    (0, 1), (1, 0), (0, 3), (3, 0)
 *
 * Places, powers of two. The depth-first post-order of the near-first tree, children in the order
 * of time, puts the blocks of every message of the far-first allgather in one aligned run. Its bits
 * are those of nu (negabinary.h) of all coordinates: the bit of far-first step s is 0 if the rank
 * is on the child's side of that step, 1 if it is on the root's.
 *
 * Correctness condition: the trees over d_k ranks reach all of them. */
#ifndef BINE_PATTERN_TORUS_H
#define BINE_PATTERN_TORUS_H

#include "pattern/bine_family.h"

/* The pattern of each dimension. */
enum bine_torus_kind {
    BINE_TORUS_BINE,      /* near-first: even dimensions only */
    BINE_TORUS_PAPER,     /* the paper's distances, as in Swing; even dimensions */
    BINE_TORUS_HYPERCUBE, /* powers of two */
    BINE_TORUS_BUCKET,    /* rings, one dimension after the other; the order makes no difference */
};

/* The parts that can travel at once: 2D, dimensions of one rank not counted. */
int bine_torus_ports(const struct bine_shape *shape);

/* The tree of rank 0; NULL when out of memory. */
struct bine_tree *bine_torus_tree(enum bine_torus_kind kind, const struct bine_shape *shape,
                                  enum bine_order order, int port);

/* The steps of one part, near-first. */
struct bine_torus {
    struct bine_shape shape;
    unsigned mirrors;         /* bit k if dimension k goes the other way round */
    int unit[BINE_DIMS_MOST]; /* from one rank to the next in a dimension */
    int steps;
    struct bine_torus_step {
        int dim, round; /* the dimension's own steps before it */
        int distance;   /* as bine_partner takes it */
    } near[BINE_MAX_STEPS];
};

static inline int bine_torus_mirrors(const struct bine_torus *t, int dim) {
    return (int)(t->mirrors >> dim & 1);
}

/* Bine, or the paper's distances; in odd dimensions distances mean nothing. */
struct bine_torus bine_torus_make(enum bine_torus_kind kind, const struct bine_shape *shape,
                                  int port);

static inline int bine_torus_coordinate(const struct bine_torus *t, int rank, int dim) {
    return rank / t->unit[dim] % t->shape.size[dim];
}
/* The rank with another coordinate. */
int bine_torus_move(const struct bine_torus *t, int rank, int dim, int coordinate);
/* The partner at a near-first step; even dimensions. */
int bine_torus_partner(const struct bine_torus *t, int rank, int step);
/* Powers of two. */
int bine_torus_place(const struct bine_torus *t, int rank);
int bine_torus_rank_at(const struct bine_torus *t, int place);

#endif
