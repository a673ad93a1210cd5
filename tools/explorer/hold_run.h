/* Shared by the files of hold: one execution of all schedules. */
#ifndef BINE_TOOLS_EXPLORER_HOLD_RUN_H
#define BINE_TOOLS_EXPLORER_HOLD_RUN_H

#include "model/messages.h"

struct bine_hold;

/* A strand of a rank. */
struct bine_hold_strand {
    uint32_t step, open; /* messages of the step that have not met their other end */
    int entered;
    int time; /* of the last step with one: local work has none of its own */
};

/* An operation's pieces at the moment when it needs them: what was received and is to be added up,
 * or what was published. */
struct bine_hold_lot {
    uint32_t *value;
    uint32_t count;
};

struct bine_hold_run {
    struct bine_hold *hold;
    uint32_t *piece;                  /* as the execution stands */
    struct bine_hold_lot **lot;       /* of each rank and operation */
    uint32_t *send_op, *recv_op;      /* of each message */
    uint8_t *posted;                  /* of each message: a bit for each end */
    struct bine_hold_strand **strand; /* of each rank */
    int64_t bytes;
};

const struct bine_schedule *bine_hold_schedule(const struct bine_hold_run *x, int rank);

/* The number of a place among the pieces of its rank. */
uint32_t bine_hold_piece(const struct bine_schedule *s, int space, int place);
/* Pieces of a list of runs. */
uint32_t bine_hold_count(const struct bine_schedule *s, uint32_t runs, uint32_t nruns);

/* The data of an operation: a message that has both ends, a publication, a read whose publication
 * is there, and local work. */
void bine_hold_deliver(struct bine_hold_run *x, size_t message, int time);
void bine_hold_publish(struct bine_hold_run *x, int rank, uint32_t op);
int bine_hold_read(struct bine_hold_run *x, int rank, uint32_t strand, uint32_t op, int time,
                   int looks_only);
void bine_hold_local(struct bine_hold_run *x, int rank, uint32_t op, int time);

#endif
