/* The families, by name: one row says how to make the tree of p ranks. */
#ifndef BINE_PATTERN_FAMILY_H
#define BINE_PATTERN_FAMILY_H

#include "pattern/tree.h"

enum bine_family {
    BINE_FAMILY_BINE, /* butterfly for even p, rotated split tree for odd p (far-first only) */
    BINE_FAMILY_BINE_PAPER, /* butterfly with the paper's distances, even p */
    BINE_FAMILY_SPLIT,      /* the split tree, every p, far-first */
    BINE_FAMILY_BINOMIAL,
    BINE_FAMILY_HYPERCUBE,
    BINE_FAMILY_RING,
    BINE_FAMILY_STAR,
};

/* NULL when out of memory. The caller has checked that the family serves p. */
struct bine_tree *bine_family_tree(enum bine_family family, int p, enum bine_order order);

#endif
