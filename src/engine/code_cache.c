#include "engine/code_cache.h"

/* Larger schedules go step by step: their code would cost more memory than it saves time. */
#define MOST_RUNS 1024

static int fits_boards(const struct bine_schedule *s) {
    if (s->times > UINT8_MAX)
        return 0;
    if (s->board_blocks == 0 && s->collective != BINE_BARRIER) /* the peers expose the data */
        return 0;
    for (uint32_t j = 0; j < s->nops; j++) {
        const struct bine_op *op = &s->op[j];
        if (bine_kind_is_message(op->kind) || op->kind == BINE_OP_EXPOSE)
            return 0;
        if (op->kind == BINE_OP_READ_REDUCE && (op->nruns != 1 || op->nwith != 1))
            return 0;
    }
    return 1;
}

size_t bine_code_room(const struct bine_schedule *s) {
    /* Where every block has a size of its own, no two calls have equal code. */
    if (s->nstrands != 1 || s->nruns > MOST_RUNS || s->uneven || (s->boards && !fits_boards(s)))
        return 0;
    /* A run may be packed or received, then copied and added up; a step waits once. On boards, a
     * step publishes and passes; an operand may be the last of a sum and the first of the next. */
    return 3 * (size_t)s->nruns + (s->boards ? 3 : 1) * (size_t)s->nops +
           (s->boards ? 4 : 1) * (size_t)s->nsteps + 1;
}
