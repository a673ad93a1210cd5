/* A selection: whether it can serve a call, and the choice that it comes to. */
#include "select/selection.h"
#include "schedule/build/build.h"

/* NULL, or the need that the ranks do not meet. */
static const char *cannot_serve(const struct bine_algorithm *a, const struct bine_query *q) {
    if (!bine_algorithm_takes(a, q->p))
        return "does not take this number of ranks";
    if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS && !q->levels)
        return "needs groups, and none are known";
    if (bine_algorithm_needs(a) == BINE_NEEDS_BOARDS && !q->boards)
        return "needs boards: all ranks on one node, which share memory";
    if (a->composition == BINE_MAKE_BOARD_DIRECT && !q->exposes)
        return "needs ranks that can read each other's memory";
    if (bine_algorithm_needs(a) != BINE_NEEDS_DIMS)
        return NULL;
    if (q->dims.dims == 0)
        return "needs a torus: BINE_DIMS, a Cartesian communicator or BINE_MACHINE";
    return bine_algorithm_takes_dims(a, &q->dims) ? NULL : "does not take this torus";
}

const char *bine_selection_fails(const struct bine_selection *f, const struct bine_query *q) {
    if (f->algorithm == BINE_SELECTION_MPI)
        return NULL;
    if (f->algorithm < 0)
        return "is no algorithm of this collective";
    const struct bine_algorithm *a = &bine_catalogue[f->algorithm];
    const char *fails = cannot_serve(a, q);
    if (fails != NULL)
        return fails;
    if (a->commutative && !q->commutative)
        return "needs a commutative operator";
    if (f->layout >= 0 && !bine_algorithm_has_layout(a, (enum bine_layout)f->layout, q->p))
        return "has no such layout for this number of ranks";
    return NULL;
}

struct bine_selection bine_selection_nonblocking(struct bine_selection f) {
    int boards =
        f.algorithm >= 0 && bine_algorithm_needs(&bine_catalogue[f.algorithm]) == BINE_NEEDS_BOARDS;
    return boards ? bine_selection_none() : f;
}

/* In another order of the ranks, the blocks of ranks cannot be permuted to be one run. */
static enum bine_layout reordered(const struct bine_algorithm *a, enum bine_layout l,
                                  const struct bine_query *q) {
    int reorders = bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? q->seats : q->reorders;
    if ((l != BINE_PERMUTE && l != BINE_SEND) || bine_cuts_a_vector(a->collective) || !reorders ||
        !bine_algorithm_reorders(a))
        return l;
    return bine_algorithm_has_layout(a, BINE_PACK, q->p) ? BINE_PACK : BINE_BLOCKS;
}

struct bine_choice bine_selection_choice(const struct bine_selection *f,
                                         const struct bine_query *q) {
    if (f->algorithm == BINE_SELECTION_MPI)
        return (struct bine_choice){.layout = BINE_BLOCKS};
    const struct bine_algorithm *a = &bine_catalogue[f->algorithm];
    enum bine_layout layout =
        f->layout >= 0 ? (enum bine_layout)f->layout : bine_algorithm_layout_at(a, q->p, q->bytes);
    return (struct bine_choice){.algorithm = a,
                                .layout = reordered(a, layout, q),
                                .segments = bine_segments_for(a, q->p, q->bytes)};
}

const char *bine_selection_reason(enum bine_collective c) {
    static const char *const reasons[BINE_COLLECTIVES] = {
#define COLLECTIVE(NAME, ...) "forced by BINE_" #NAME,
#include "schedule/collectives.def"
#undef COLLECTIVE
    };
    return reasons[c];
}

int bine_rules_match(const struct bine_rules *rules, const struct bine_query *q) {
    for (size_t i = 0; i < rules->count; i++)
        if (bine_rule_misses(&rules->rule[i], q) == NULL &&
            bine_selection_fails(&rules->found[i * BINE_COLLECTIVES + q->collective], q) == NULL)
            return (int)i;
    return -1;
}
