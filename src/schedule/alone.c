#include "schedule/alone.h"

int bine_space_memory(const struct bine_schedule *s, int space) {
    int same = s->in_place && (s->collective == BINE_ALLREDUCE || s->collective == BINE_REDUCE);
    return same && space == BINE_IN ? BINE_OUT : space;
}

/* Whether two lists of runs, in any order, have a place in common. */
static int runs_meet(const struct bine_schedule *s, const struct bine_op *a,
                     const struct bine_op *b) {
    for (uint32_t i = a->runs; i < a->runs + a->nruns; i++)
        for (uint32_t j = b->runs; j < b->runs + b->nruns; j++) {
            const struct bine_run *x = &s->run[i], *y = &s->run[j];
            if (bine_space_memory(s, (int)x->space) == bine_space_memory(s, (int)y->space) &&
                x->first < y->first + y->count && y->first < x->first + x->count)
                return 1;
        }
    return 0;
}

/* In a step of very many messages it is not worth looking. */
#define FEW_MESSAGES 8

int bine_op_is_alone(const struct bine_schedule *s, const struct bine_step *step,
                     const struct bine_op *op) {
    if (step->nops > FEW_MESSAGES)
        return 0;
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (&s->op[j] != op && s->op[j].kind <= BINE_OP_RECV_REDUCE && runs_meet(s, op, &s->op[j]))
            return 0;
    return 1;
}
