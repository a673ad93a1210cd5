/* Allreduce of few bytes, for any operator: everyone gets all contributions, along the trees of an
 * allgather, and adds them up by itself in rank order. As few steps as the trees have, where a sum
 * in rank order otherwise goes up one tree and down another; equal bits everywhere. The example
 * of docs/architecture.md for a new composition; no algorithm of the catalogue is made of it. */
#include "schedule/build/compose/compose.h"

int bine_compose_allreduce_gathered(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    int p = spec->p;
    bine_schedule_space(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    /* Block b of the moves is the whole vector of rank b, in slot b of tmp. */
    bine_schedule_space(s, BINE_TMP, p, BINE_SLOTS, 0);
    bine_emit_copy(s, BINE_TMP, spec->rank, BINE_IN, 0);
    bine_emit_forward(s, &m, 0, (struct bine_store){BINE_TMP, 0});
    bine_emit_slots_sum(s, p);
    bine_moves_free(&m);
    return 0;
}
