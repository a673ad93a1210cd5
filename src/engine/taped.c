/* What an execution puts on a tape. */
#include "engine/execution.h"

/* An event that ends now; of no strand where `st` is NULL. */
static struct bine_tape_event make(const struct bine_execution *x,
                                   const struct bine_strand_state *st, enum bine_tape_kind kind,
                                   uint64_t begin) {
    int time = st != NULL ? bine_step_of(x, st)->time : -1;
    return (struct bine_tape_event){
        .begin = begin,
        .end = bine_ticks(),
        .peer = BINE_TAPE_NO_PEER,
        .time = (int16_t)(time < INT16_MAX ? time : INT16_MAX),
        .strand = st != NULL ? (uint8_t)(st - x->strand) : BINE_TAPE_NO_STRAND,
        .kind = (uint8_t)kind,
    };
}

void bine_taped_put(const struct bine_execution *x, const struct bine_strand_state *st,
                    enum bine_tape_kind kind, int64_t elements, uint64_t begin) {
    struct bine_tape_event e = make(x, st, kind, begin);
    e.bytes = elements * x->type.size;
    bine_tape_add(x->tape, x, &e);
}

void bine_taped_step(const struct bine_execution *x, const struct bine_strand_state *st) {
    bine_taped_put(x, st, BINE_TAPE_STEP, 0, st->entered);
}

void bine_taped_message(const struct bine_execution *x, const struct bine_strand_state *st,
                        const struct bine_op *op, const struct bine_slot *slot) {
    struct bine_tape_event e =
        make(x, st, op->kind == BINE_OP_SEND ? BINE_TAPE_SEND : BINE_TAPE_RECEIVE, slot->posted);
    e.peer = op->peer;
    e.bytes = slot->part.count * x->type.size;
    bine_tape_add(x->tape, x, &e);
}

/* Data that was received in its place is not copied. */
void bine_taped_put_use(const struct bine_execution *x, const struct bine_strand_state *st,
                        const struct bine_lane *l, int64_t elements, uint64_t begin) {
    if (l->op->kind == BINE_OP_RECV_REDUCE)
        bine_taped_put(x, st, BINE_TAPE_ADD, elements, begin);
    else if (l->is_aside)
        bine_taped_put(x, st, BINE_TAPE_COPY, elements, begin);
}

void bine_taped_local(const struct bine_execution *x, const struct bine_strand_state *st,
                      const struct bine_step *step, uint64_t begin) {
    int64_t copied = 0, added = 0;
    int some = 0;
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
        const struct bine_op *op = &x->plan->schedule->op[k];
        if (op->kind != BINE_OP_COPY && op->kind != BINE_OP_PERMUTE && op->kind != BINE_OP_REDUCE)
            continue;
        some = 1;
        *(op->kind == BINE_OP_REDUCE ? &added : &copied) += bine_elements_of_op(x, op);
    }
    if (some)
        bine_taped_put(x, st, added > copied ? BINE_TAPE_ADD : BINE_TAPE_COPY, added + copied,
                       begin);
}

void bine_taped_put_board(const struct bine_execution *x, const struct bine_strand_state *st,
                          const struct bine_op *op, uint32_t length, uint64_t begin) {
    int publishes = op->kind == BINE_OP_PUBLISH || op->kind == BINE_OP_EXPOSE;
    struct bine_tape_event e = make(x, st, publishes ? BINE_TAPE_PUBLISH : BINE_TAPE_READ, begin);
    if (!publishes && length == 1)
        e.peer = op->peer;
    e.bytes = bine_elements_of_op(x, op) * x->type.size * length;
    bine_tape_add(x->tape, x, &e);
}
