/* The families, by name: one row says how to make the tree of p ranks. */
#ifndef BINE_PATTERN_FAMILY_H
#define BINE_PATTERN_FAMILY_H

#include "pattern/tree.h"

enum bine_family {
    BINE_FAMILY_BINE, /* butterfly for even p, rotated split tree for odd p (far-first only) */
    BINE_FAMILY_BINE_PAPER, /* butterfly with the paper's distances, even p */
    BINE_FAMILY_SPLIT,      /* the split tree, every p, far-first */
    BINE_FAMILY_BINOMIAL,
    BINE_FAMILY_KNOMIAL,
    BINE_FAMILY_KNOMIAL_BACK, /* the other way round the circle */
    BINE_FAMILY_HYPERCUBE,
    BINE_FAMILY_RING,
    BINE_FAMILY_RING_BACK, /* the other way round the circle */
    BINE_FAMILY_NEIGHBOUR,
    BINE_FAMILY_BUCKET,
    BINE_FAMILY_STAR,
    BINE_FAMILY_PAIRWISE,
    BINE_FAMILY_CIRCULANT,
    BINE_FAMILY_BINARY,
    BINE_FAMILY_DOUBLE, /* the first of two; the second follows */
    BINE_FAMILY_DOUBLE_SECOND,
    BINE_FAMILY_SPLIT_BINARY, /* the first of two; the second follows */
    BINE_FAMILY_SPLIT_BINARY_SECOND,
    BINE_FAMILIES, /* those above need to know p alone; those below the dimensions of a torus, see
                      pattern/torus.h */
    BINE_FAMILY_TORUS = BINE_FAMILIES,
    BINE_FAMILY_TORUS_PAPER,
    BINE_FAMILY_TORUS_HYPERCUBE,
    BINE_FAMILY_TORUS_BUCKET
};

/* NULL when out of memory. The caller has checked that the family serves p. The radix counts for
 * k-nomial trees only. */
struct bine_tree *bine_family_tree(enum bine_family family, int p, enum bine_order order,
                                   int radix);

#endif
