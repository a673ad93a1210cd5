#include "pattern/family.h"

#include "pattern/bine.h"
#include "pattern/binomial.h"
#include "pattern/ring.h"

static struct bine_tree *make_bine(int p, enum bine_order order) {
    return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_SCALED) : bine_split_tree(p);
}

static struct bine_tree *make_paper(int p, enum bine_order order) {
    return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_PAPER) : bine_split_tree(p);
}

static struct bine_tree *make_split(int p, enum bine_order order) {
    (void)order;
    return bine_split_tree(p);
}

static struct bine_tree *make_ring(int p, enum bine_order order) {
    (void)order;
    return bine_ring_tree(p);
}

static struct bine_tree *make_star(int p, enum bine_order order) {
    (void)order;
    return bine_star_tree(p);
}

static struct bine_tree *(*const makers[])(int p, enum bine_order order) = {
    [BINE_FAMILY_BINE] = make_bine,
    [BINE_FAMILY_BINE_PAPER] = make_paper,
    [BINE_FAMILY_SPLIT] = make_split,
    [BINE_FAMILY_BINOMIAL] = bine_binomial_tree,
    [BINE_FAMILY_HYPERCUBE] = bine_hypercube_tree,
    [BINE_FAMILY_RING] = make_ring,
    [BINE_FAMILY_STAR] = make_star,
};

struct bine_tree *bine_family_tree(enum bine_family family, int p, enum bine_order order) {
    return makers[family](p, order);
}
