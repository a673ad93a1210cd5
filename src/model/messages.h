/* All messages of a collective: the schedules of all ranks, every send with its receive. */
#ifndef BINE_MODEL_MESSAGES_H
#define BINE_MODEL_MESSAGES_H

#include "network/rates.h"
#include "schedule/build/build.h"
#include "schedule/piece_bytes.h"

enum { BINE_SENDER, BINE_RECEIVER, BINE_ENDS };

struct bine_message {
    int32_t rank[BINE_ENDS];
    uint32_t strand; /* the same at both ends */
    int64_t bytes;
    uint32_t transfers; /* that it consists of */
};

struct bine_messages {
    int p;
    struct bine_schedule **schedule; /* of each rank */
    uint32_t **of_op;                /* of each rank: the number of each operation's message */
    struct bine_message *message;
    size_t count;
};

/* 0, or -1 when out of memory. Transfers of no bytes are none: their messages have no bytes. */
int bine_messages_collect(struct bine_messages *m, const struct bine_request *rq, int64_t bytes);
void bine_messages_free(struct bine_messages *m);

static inline int bine_op_sends(const struct bine_op *op) {
    return op->kind == BINE_OP_SEND;
}
static inline int bine_op_receives(const struct bine_op *op) {
    return op->kind == BINE_OP_RECV || op->kind == BINE_OP_RECV_REDUCE;
}
/* In how many transfers an operation's message goes: a barrier's has no pieces, and goes in one. */
static inline uint32_t bine_op_transfers(const struct bine_schedule *s, const struct bine_op *op) {
    return s->layout == BINE_PACK || op->nruns == 0 ? 1 : op->nruns;
}
/* The bytes of an operation's pieces; -1 when out of memory. */
int64_t bine_op_bytes(const struct bine_schedule *s, const struct bine_op *op, int64_t bytes,
                      struct bine_longer_blocks *places);
/* How fast a processor adds up or copies the bytes of an operation, in bytes a second. 0: it does
 * neither. */
double bine_op_rate(const struct bine_schedule *s, const struct bine_op *op,
                    const struct bine_rates *r);

#endif
