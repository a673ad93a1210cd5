#include "schedule/alone.h"

int bine_space_memory(const struct bine_schedule *s, int space) {
    int same = s->in_place && (s->collective == BINE_ALLREDUCE || s->collective == BINE_REDUCE);
    return same && space == BINE_IN ? BINE_OUT : space;
}

/* Whether two lists of runs have a place in common. Runs are ascending within a list, as a rule;
 * where they are not, say yes. */
static int runs_meet(const struct bine_schedule *s, const struct bine_op *a,
                     const struct bine_op *b) {
    uint32_t i = 0, j = 0;
    while (i < a->nruns && j < b->nruns) {
        const struct bine_run *x = &s->run[a->runs + i], *y = &s->run[b->runs + j];
        if ((i > 0 && x->first < x[-1].first) || (j > 0 && y->first < y[-1].first))
            return 1;
        if (bine_space_memory(s, (int)x->space) !=
            bine_space_memory(
                s, (int)y->space)) /* all runs of a message of a reduction are in one space */
            return 0;
        if (x->first < y->first + y->count && y->first < x->first + x->count)
            return 1;
        if (x->first < y->first)
            i++;
        else
            j++;
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
