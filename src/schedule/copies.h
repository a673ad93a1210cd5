/* Copies: data that a rank moves in its own memory because of how its messages are made: packing,
 * unpacking, permuting. The copy of the caller's data (`in`) to where the result goes is not
 * among them: that comes with every algorithm that does not work in place. */
#ifndef BINE_SCHEDULE_COPIES_H
#define BINE_SCHEDULE_COPIES_H

#include "schedule/piece_bytes.h"

/* Whether a message is packed before it is sent, or unpacked when it has come. Operands of sums
 * are taken from where they have come. */
static inline int bine_op_is_packed(const struct bine_schedule *s, const struct bine_op *op) {
    return s->layout == BINE_PACK && op->nruns > 1 &&
           (op->kind == BINE_OP_SEND || op->kind == BINE_OP_RECV);
}

static inline int bine_op_copies(const struct bine_schedule *s, const struct bine_op *op) {
    return bine_op_is_packed(s, op) || op->kind == BINE_OP_PERMUTE ||
           (op->kind == BINE_OP_COPY && op->nwith > 0 && s->run[op->with].space != BINE_IN);
}

/* The bytes of a rank's copies in a collective of `bytes`; -1 when out of memory. */
int64_t bine_schedule_copied(const struct bine_schedule *s, int64_t bytes,
                             struct bine_longer_blocks *places);

#endif
