/* The operations of a schedule in order: strand by strand, step by step.
 *
 *   for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++)
 *       use(v.strand, v.step->time, &s->op[v.op]); */
#ifndef BINE_SCHEDULE_WALK_VISIT_H
#define BINE_SCHEDULE_WALK_VISIT_H

#include "schedule/schedule.h"

struct bine_visit {
    const struct bine_schedule *s;
    uint32_t strand, number;      /* the strand, and the number of the step in it */
    uint32_t op, end;             /* the operation, and the end of the step's */
    const struct bine_step *step; /* NULL before the first step */
};

static inline struct bine_visit bine_visit_begin(const struct bine_schedule *s) {
    return (struct bine_visit){.s = s};
}

/* Whether there is an operation at v->op, or after it: then v stands at it. */
static inline int bine_visit_on(struct bine_visit *v) {
    while (v->op == v->end) {
        while (v->strand < v->s->nstrands && v->number == v->s->strand[v->strand].nsteps) {
            v->strand++;
            v->number = 0;
        }
        if (v->strand == v->s->nstrands)
            return 0;
        v->step = &v->s->step[v->s->strand[v->strand].steps + v->number++];
        v->op = v->step->ops;
        v->end = v->op + v->step->nops;
    }
    return 1;
}

/* Kinds of operations, by their part in a transfer. */
static inline int bine_op_sends(const struct bine_op *op) {
    return op->kind == BINE_OP_SEND;
}
static inline int bine_op_receives(const struct bine_op *op) {
    return op->kind == BINE_OP_RECV || op->kind == BINE_OP_RECV_REDUCE;
}
static inline int bine_op_publishes(const struct bine_op *op) {
    return op->kind == BINE_OP_PUBLISH || op->kind == BINE_OP_EXPOSE;
}
static inline int bine_op_reads(const struct bine_op *op) {
    return op->kind == BINE_OP_READ || op->kind == BINE_OP_READ_REDUCE;
}
/* The transfers of an operation's message: that of a barrier has no pieces, and is one transfer. */
static inline uint32_t bine_op_transfers(const struct bine_schedule *s, const struct bine_op *op) {
    return s->layout == BINE_PACK || op->nruns == 0 ? 1 : op->nruns;
}

#endif
