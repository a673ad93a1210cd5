/* A plan: the schedule of one rank and all facts that do not depend on buffers. It serves every
 * count, datatype and operator, and any number of calls. */
#ifndef BINE_ENGINE_PLAN_H
#define BINE_ENGINE_PLAN_H

#include "schedule/build/build.h"

#include <stdatomic.h>

/* Flags of an operation. */
enum {
    BINE_OP_EARLY = 1, /* recv_reduce: no other message of the step touches its pieces, so that each
                          part may be added up as it comes */
    BINE_OP_DIRECT = 2, /* recv_reduce: also, its own operand lies elsewhere, so that it may be
                           received in place and added to there */
    BINE_OP_HELD = 4,   /* recv_reduce: not early, and the step sends something. It must have been
                             received before the sends are known to be through, because at the other
                             end these may wait for such a message too. */
    BINE_OP_CHAINED = 8 /* read_reduce: adds to the data of the read before it */
};

static inline int bine_op_is_message(const struct bine_op *op) {
    return bine_kind_is_message(op->kind);
}

/* A message without data, which is sent nevertheless. */
static inline int bine_op_is_signal(const struct bine_op *op) {
    return bine_op_is_message(op) && op->nruns == 0;
}

struct bine_plan {
    atomic_int holds; /* references besides its maker's */
    const struct bine_algorithm *algorithm;
    struct bine_schedule *schedule;
    uint8_t *flags;                /* one for each operation */
    struct bine_code_cache *cache; /* see code_cache.h; NULL where the plan is never written out */
    int32_t *permuted;  /* the block at each place of the space that is not in natural order; NULL
                           where nothing is permuted */
    uint64_t publishes; /* of the numbers of a round, the ones below this have publications */
    uint8_t as_it_lies[BINE_SPACES]; /* nothing but publish, read and copy touches the space */
    uint32_t max_messages;           /* message operations in a step */
    uint32_t max_transfers;          /* their transfers, not counting segments */
    int32_t max_send_staged;         /* pieces that the packed sends of a step need staged */
    int32_t
        max_recv_staged; /* pieces of the largest message that may need scratch to be received */
    uint32_t max_held;   /* messages of a step whose scratch is in use until the step's sends are
                            through (BINE_OP_HELD) */
};

/* Of the two spaces of a permutation, the one that is not in natural order. */
static inline int bine_plan_permuted_space(const struct bine_schedule *s,
                                           const struct bine_op *op) {
    int to = s->run[op->runs].space;
    return s->space[to].arrangement == BINE_NATURAL ? s->run[op->with].space : to;
}

/* NULL when out of memory. The request has been found valid. */
struct bine_plan *bine_plan_new(const struct bine_spec *request);
/* A pending call retains the plan: it is freed at the last release. */
void bine_plan_retain(struct bine_plan *plan);
void bine_plan_free(struct bine_plan *plan);

#endif
