/* All messages of a collective: the schedules of all ranks, every send with its receive. */
#ifndef BINE_MODEL_MESSAGES_H
#define BINE_MODEL_MESSAGES_H

#include "network/rates.h"
#include "schedule/build/build.h"
#include "schedule/piece_bytes.h"

enum { BINE_SENDER, BINE_RECEIVER, BINE_ENDS };

struct bine_message {
    int32_t rank[BINE_ENDS];
    uint32_t strand; /* equal at both ends */
    int64_t bytes;
    uint32_t transfers; /* that it consists of */
};

struct bine_messages {
    int p;
    struct bine_schedule **schedule; /* of each rank */
    uint32_t **of_op;                /* of each rank: the number of each operation's message */
    int64_t **op_bytes;              /* of each rank: the bytes of each operation's pieces */
    struct bine_message *message;
    size_t count;
};

/* 0, or -1 when out of memory. Transfers of no bytes are none: their messages have no bytes. */
int bine_messages_collect(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes);
/* The same without the runs of the schedules, which are most of them; 1 if there are more than
 * `most` messages. */
int bine_messages_collect_lean(struct bine_messages *m, const struct bine_spec *spec, int64_t bytes,
                               size_t most);
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
/* How long a processor adds up or copies so many bytes of an operation; 0 where it does neither. */
enum bine_local_work { BINE_NO_WORK, BINE_WORK_COPIES, BINE_WORK_ADDS };
enum bine_local_work bine_op_work(const struct bine_schedule *s, const struct bine_op *op);
double bine_work_takes(enum bine_local_work work, const struct bine_rates *r, double bytes);

#endif
