#include "schedule/build/compose_moves.h"

#include "base/numbers.h"
#include "pattern/knomial.h"

#include <stddef.h>

static int always(const struct bine_request *rq) {
    (void)rq;
    return 1;
}

static int never(const struct bine_request *rq) {
    (void)rq;
    return 0;
}

/* Layouts in which blocks are places. */
static int is_placed(const struct bine_request *rq) {
    return rq->layout == BINE_PERMUTE || rq->layout == BINE_SEND;
}

static int is_on_torus(const struct bine_request *rq) {
    return bine_algorithm_needs(rq->algorithm) == BINE_NEEDS_DIMS;
}

static struct bine_torus torus_of(const struct bine_request *rq) {
    return bine_torus_make(bine_family_torus_kind(rq->algorithm->tree), rq->dims, rq->port);
}

static int is_ring(const struct bine_algorithm *a) {
    return a->tree == BINE_FAMILY_RING || a->tree == BINE_FAMILY_RING_BACK;
}

static int is_near(const struct bine_algorithm *a, enum bine_family tree) {
    return a->order == BINE_NEAR_FIRST && a->tree == tree;
}

/* From the root: at powers of two, the far-first Bine tree is the split tree, and all lists of
 * distances are the same. */
static int root_is_closed(const struct bine_request *rq) {
    enum bine_family tree = rq->algorithm->tree;
    return tree == BINE_FAMILY_SPLIT ||
           ((tree == BINE_FAMILY_BINE || tree == BINE_FAMILY_BINE_PAPER) && bine_is_pow2(rq->p));
}

static int root_closed(struct bine_moves *m, const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    if (a->tree != BINE_FAMILY_SPLIT && a->order == BINE_NEAR_FIRST)
        return bine_moves_near_bcast(m, rq->p, rq->rank, rq->root);
    return bine_moves_split_bcast(m, rq->p, rq->p % 2 == 0 ? BINE_MIRROR : BINE_SHIFT, rq->rank,
                                  rq->root);
}

static int root_listed(struct bine_moves *m, const struct bine_request *rq,
                       const struct bine_tree *t) {
    return bine_moves_bcast(m, t, rq->rank, rq->root);
}

static int parts_are_closed(const struct bine_request *rq) {
    return rq->algorithm->tree == BINE_FAMILY_SPLIT;
}

static int parts_closed(struct bine_moves *m, const struct bine_request *rq) {
    return bine_moves_split_scatter(m, rq->p, rq->rank, rq->root);
}

static int parts_listed(struct bine_moves *m, const struct bine_request *rq,
                        const struct bine_tree *t) {
    return bine_moves_scatter(m, t, rq->rank, rq->root);
}

static int every_is_closed(const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    return is_ring(a) || is_near(a, BINE_FAMILY_BINE) || is_near(a, BINE_FAMILY_HYPERCUBE) ||
           is_placed(rq);
}

static int ring_closed(struct bine_moves *m, const struct bine_request *rq) {
    return bine_moves_ring(m, rq->p, rq->rank, rq->algorithm->tree == BINE_FAMILY_RING_BACK);
}

static int every_closed(struct bine_moves *m, const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    if (is_on_torus(rq)) {
        struct bine_torus t = torus_of(rq);
        return bine_moves_torus(m, &t, rq->rank);
    }
    if (is_near(a, BINE_FAMILY_BINE))
        return bine_moves_arcs(m, rq->p, rq->rank);
    return is_ring(a) ? ring_closed(m, rq) : bine_moves_aligned(m, a->places, rq->p, rq->rank);
}

static int every_listed(struct bine_moves *m, const struct bine_request *rq,
                        const struct bine_tree *t) {
    return bine_moves_allgather(m, t, rq->rank);
}

static int hung_is_closed(const struct bine_request *rq) {
    return is_near(rq->algorithm, BINE_FAMILY_BINE) || is_placed(rq);
}

static int hung_closed(struct bine_moves *m, const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    if (is_on_torus(rq)) {
        struct bine_torus t = torus_of(rq);
        return bine_moves_torus_hung(m, &t, rq->rank, rq->root);
    }
    if (a->order == BINE_NEAR_FIRST)
        return bine_moves_arcs_hung(m, rq->p, rq->rank, rq->root);
    return bine_moves_aligned_hung(m, a->places, rq->p, rq->rank, rq->root);
}

static int hung_listed(struct bine_moves *m, const struct bine_request *rq,
                       const struct bine_tree *t) {
    return bine_moves_hung(m, t, rq->rank, rq->root);
}

static struct bine_tree *planted_turn(const struct bine_request *rq, int k) {
    const struct bine_algorithm *a = rq->algorithm;
    return k < a->trees ? bine_algorithm_turn_tree(a, rq->p, k) : NULL;
}

static struct bine_tree *planted_far(const struct bine_request *rq, int k) {
    return k == 0 ? bine_binomial_tree(rq->p, BINE_FAR_FIRST) : NULL;
}

static struct bine_tree *planted_near(const struct bine_request *rq, int k) {
    return k == 0 ? bine_binomial_tree(rq->p, BINE_NEAR_FIRST) : NULL;
}

const struct bine_tree *bine_request_planted(const struct bine_request *rq, int k,
                                             struct bine_tree **own) {
    *own = NULL;
    if (rq->planted[k] != NULL)
        return rq->planted[k];
    return *own = bine_compositions[rq->algorithm->composition].moves->planted(rq, k);
}

/* Along one or two trees. */
typedef int bine_along(struct bine_moves *m, const struct bine_tree *const *t,
                       const struct bine_request *rq);

static int along_trees(struct bine_moves *m, const struct bine_request *rq, bine_along *along) {
    const struct bine_tree *t[2];
    struct bine_tree *own[2];
    int rc = 0;
    for (int k = 0; k < 2; k++) {
        t[k] = bine_request_planted(rq, k, &own[k]);
        rc = k < rq->algorithm->trees && t[k] == NULL ? -1 : rc;
    }
    if (rc == 0)
        rc = along(m, t, rq);
    bine_tree_free(own[0]);
    bine_tree_free(own[1]);
    return rc;
}

static int along_pipeline(struct bine_moves *m, const struct bine_tree *const *t,
                          const struct bine_request *rq) {
    const struct bine_algorithm *a = rq->algorithm;
    return bine_moves_pipeline(m, t, a->trees, a->stride, bine_request_segments(rq), rq->rank,
                               rq->root);
}

static int along_halves(struct bine_moves *m, const struct bine_tree *const *t,
                        const struct bine_request *rq) {
    return bine_moves_split_binary(m, t, rq->algorithm->stride, bine_request_segments(rq), rq->rank,
                                   rq->root);
}

static int pipeline_closed(struct bine_moves *m, const struct bine_request *rq) {
    return along_trees(m, rq, along_pipeline);
}

static int split_binary_closed(struct bine_moves *m, const struct bine_request *rq) {
    return along_trees(m, rq, along_halves);
}

static int circulant_closed(struct bine_moves *m, const struct bine_request *rq) {
    return bine_moves_circulant(m, rq->p, bine_request_segments(rq), rq->rank, rq->root);
}

/* Inside a node whose boards are used, one step does. */
static struct bine_spread spread_of(const struct bine_request *rq, enum bine_spread_kind kind) {
    return (struct bine_spread){
        .groups = rq->groups, .kind = kind, .root = rq->root, .flat = bine_request_uses_boards(rq)};
}

static int group_root(struct bine_moves *m, const struct bine_request *rq) {
    struct bine_spread x = spread_of(rq, BINE_SPREAD_ROOT);
    return bine_moves_group_bcast(m, &x, rq->rank);
}

static int group_parts(struct bine_moves *m, const struct bine_request *rq) {
    struct bine_spread x = spread_of(rq, BINE_SPREAD_ROOT);
    x.direct = 1;
    return bine_moves_group_scatter(m, &x, rq->rank);
}

static int group_spread(struct bine_moves *m, const struct bine_request *rq,
                        enum bine_spread_kind kind) {
    struct bine_spread x = spread_of(rq, kind);
    if (rq->segment > 0) {
        x.turn = rq->segment - 1;
        x.turns = bine_request_segments(rq);
    }
    return bine_moves_group(m, &x, rq->rank);
}

static int group_hung(struct bine_moves *m, const struct bine_request *rq) {
    return group_spread(m, rq, BINE_SPREAD_HUNG);
}

static int group_every(struct bine_moves *m, const struct bine_request *rq) {
    return group_spread(m, rq, BINE_SPREAD_RANKS);
}

static int group_all(struct bine_moves *m, const struct bine_request *rq) {
    return group_spread(m, rq, BINE_SPREAD_PARTS);
}

const struct bine_moves_maker bine_moves_of_root = {root_is_closed, root_closed, root_listed, NULL};
const struct bine_moves_maker bine_moves_of_listed_root = {never, NULL, root_listed, NULL};
const struct bine_moves_maker bine_moves_of_parts = {parts_are_closed, parts_closed, parts_listed,
                                                     NULL};
const struct bine_moves_maker bine_moves_of_every = {every_is_closed, every_closed, every_listed,
                                                     NULL};
const struct bine_moves_maker bine_moves_of_hung = {hung_is_closed, hung_closed, hung_listed, NULL};
const struct bine_moves_maker bine_moves_of_pipeline = {always, pipeline_closed, NULL,
                                                        planted_turn};
const struct bine_moves_maker bine_moves_of_split_binary = {always, split_binary_closed, NULL,
                                                            planted_turn};
const struct bine_moves_maker bine_moves_of_circulant = {always, circulant_closed, NULL, NULL};
const struct bine_moves_maker bine_moves_of_ring = {always, ring_closed, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_root = {always, group_root, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_parts = {always, group_parts, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_hung = {always, group_hung, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_every = {always, group_every, NULL, NULL};
const struct bine_moves_maker bine_moves_of_group_all = {always, group_all, NULL, NULL};
const struct bine_moves_maker bine_moves_of_up_down = {never, NULL, root_listed, planted_near};
const struct bine_moves_maker bine_moves_of_around = {always, NULL, NULL, planted_far};
const struct bine_moves_maker bine_moves_of_slots = {never, NULL, NULL, NULL};
const struct bine_moves_maker bine_moves_of_its_own = {always, NULL, NULL, NULL};

int bine_request_moves(struct bine_moves *m, const struct bine_request *rq) {
    const struct bine_moves_maker *maker = bine_compositions[rq->algorithm->composition].moves;
    if (maker->is_closed(rq))
        return maker->closed(m, rq);
    struct bine_tree *own = rq->tree == NULL ? bine_request_tree(rq) : NULL;
    const struct bine_tree *t = rq->tree != NULL ? rq->tree : own;
    int rc = t == NULL ? -1 : maker->listed(m, rq, t);
    bine_tree_free(own);
    return rc;
}
