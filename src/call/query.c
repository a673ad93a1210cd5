#include "call/query.h"

#include "engine/transport/mpi_library.h"

int bine_may_use_boards(const struct bine_context *c, const struct bine_arguments *a) {
    if (a->persistent)
        return !a->without_boards && bine_context_can_make_own(c);
    return !a->nonblocking || (c->pending.one_at_a_time && c->channel.node != NULL);
}

struct bine_selector bine_selector_make(const struct bine_context *c, enum bine_collective k) {
    const char *forward_reason = c->id.forward_reason;
    if (forward_reason == NULL && bine_collective_reduces(k))
        forward_reason = c->id.no_reduce;
    int by_program = c->choosing.set[k].algorithm != BINE_SELECTION_NONE;
    return (struct bine_selector){
        .forward_reason = forward_reason,
        .program = c->choosing.set[k],
        .setting = by_program ? bine_selection_none() : c->choosing.policy.settings.forced[k],
        .rules = c->choosing.policy.rules,
        .reproducible = (enum bine_reproducible)c->choosing.policy.settings.reproducible,
        .tuning = c->choosing.policy.settings.learn ? &c->choosing.tuning : NULL,
        .predictions = bine_predictor_answers(c->choosing.predictor)};
}

struct bine_query bine_query_make(const struct bine_context *c, const struct bine_arguments *a,
                                  int64_t bytes, int commutative) {
    int exposes, boards = bine_may_use_boards(c, a) && bine_context_has_boards(c, 1, &exposes);
    return (struct bine_query){.collective = a->collective,
                               .p = c->id.p,
                               .bytes = bytes,
                               .commutative = commutative,
                               .uneven = bine_arguments_are_uneven(a, c->id.p),
                               .root = a->root,
                               .drop_in = a->drop_in,
                               .handed_back = !c->choosing.policy.settings.nonblocking,
                               .nonblocking = a->nonblocking,
                               .always = c->choosing.policy.settings.always != 0,
                               .patient = c->choosing.policy.settings.effort == BINE_EFFORT_PATIENT,
                               .library = (int)bine_mpi_library(),
                               .nodes = c->place.nodes,
                               .per_node = c->place.per_node,
                               .crowded = c->place.crowded,
                               .leaves_crowded = !c->choosing.policy.settings.crowded,
                               .groups = c->place.groups,
                               .dims = c->place.dims,
                               .wired = c->place.wired,
                               .seats = c->place.seats != NULL,
                               .ports = c->choosing.policy.settings.ports,
                               .levels = c->place.levels != NULL,
                               .boards = boards,
                               .exposes = boards && exposes,
                               .reorders = c->place.order != NULL};
}
