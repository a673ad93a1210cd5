/* The families by name: how to make the tree of p ranks. The rows are in families.def. */
#ifndef BINE_PATTERN_FAMILY_H
#define BINE_PATTERN_FAMILY_H

#include "pattern/torus.h"
#include "pattern/tree.h"

enum bine_family {
    BINE_FAMILY_NONE,
#define BY_RANKS(NAME, function) BINE_FAMILY_##NAME,
#define BY_ORDER(NAME, function) BINE_FAMILY_##NAME,
#define BY_RADIX(NAME, function) BINE_FAMILY_##NAME,
#define ON_TORUS(NAME, kind) BINE_FAMILY_##NAME,
#include "pattern/families.def"
#undef BY_RANKS
#undef BY_ORDER
#undef BY_RADIX
#undef ON_TORUS
    BINE_FAMILIES
};

/* The functions of the rows. */
#define BY_RANKS(NAME, function) struct bine_tree *function(int p);
#define BY_ORDER(NAME, function) struct bine_tree *function(int p, enum bine_order order);
#define BY_RADIX(NAME, function)                                                                   \
    struct bine_tree *function(int p, enum bine_order order, int radix);
#define ON_TORUS(NAME, kind)
#include "pattern/families.def"
#undef BY_RANKS
#undef BY_ORDER
#undef BY_RADIX
#undef ON_TORUS

/* NULL when out of memory, or if the family needs to know a torus. The caller has checked that the
 * family serves p. The radix counts for BY_RADIX families only. */
struct bine_tree *bine_family_tree(enum bine_family family, int p, enum bine_order order,
                                   int radix);

/* Whether p alone is not enough: the dimensions of a torus must be known; and the family applied
 * in each of them. */
int bine_family_is_on_torus(enum bine_family family);
enum bine_torus_kind bine_family_torus_kind(enum bine_family family);

#endif
