#include "pattern/family.h"

#include "pattern/binary.h"
#include "pattern/bine.h"
#include "pattern/circulant.h"
#include "pattern/knomial.h"
#include "pattern/ring.h"

#include <stddef.h>

struct bine_tree *bine_family_tree(enum bine_family family, int p, enum bine_order order,
                                   int radix) {
    switch (family) {
    case BINE_FAMILY_BINE:
        return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_SCALED) : bine_split_tree(p);
    case BINE_FAMILY_BINE_PAPER:
        return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_PAPER) : bine_split_tree(p);
    case BINE_FAMILY_SPLIT:
        return bine_split_tree(p);
    case BINE_FAMILY_BINOMIAL:
        return bine_binomial_tree(p, order);
    case BINE_FAMILY_KNOMIAL:
        return bine_knomial_tree(p, order, radix);
    case BINE_FAMILY_KNOMIAL_BACK:
        return bine_tree_turn(bine_knomial_tree(p, order, radix));
    case BINE_FAMILY_HYPERCUBE:
        return bine_hypercube_tree(p, order);
    case BINE_FAMILY_RING:
        return bine_ring_tree(p);
    case BINE_FAMILY_RING_BACK:
        return bine_tree_turn(bine_ring_tree(p));
    case BINE_FAMILY_NEIGHBOUR:
        return bine_neighbour_tree(p);
    case BINE_FAMILY_BUCKET:
        return bine_bucket_tree(p);
    case BINE_FAMILY_STAR:
        return bine_star_tree(p);
    case BINE_FAMILY_PAIRWISE:
        return bine_pairwise_tree(p);
    case BINE_FAMILY_CIRCULANT:
        return bine_circulant_tree(p);
    case BINE_FAMILY_BINARY:
        return bine_binary_tree(p);
    case BINE_FAMILY_DOUBLE:
    case BINE_FAMILY_DOUBLE_SECOND:
        return bine_double_tree(p, family == BINE_FAMILY_DOUBLE_SECOND);
    case BINE_FAMILY_SPLIT_BINARY:
    case BINE_FAMILY_SPLIT_BINARY_SECOND:
        return bine_split_binary_tree(p, family == BINE_FAMILY_SPLIT_BINARY_SECOND);
    case BINE_FAMILY_TORUS:
    case BINE_FAMILY_TORUS_PAPER:
    case BINE_FAMILY_TORUS_HYPERCUBE:
    case BINE_FAMILY_TORUS_BUCKET:
        break;
    }
    return NULL;
}
