/* Shared by the files of hold: one execution of all schedules. */
#ifndef BINE_TOOLS_EXPLORER_HOLD_RUN_H
#define BINE_TOOLS_EXPLORER_HOLD_RUN_H

#include "schedule/walk/walk.h"

struct bine_hold;

/* An operation's pieces at the moment when it needs them: what was received and is to be added up,
 * or what was published. */
struct bine_hold_lot {
    uint32_t *value;
    uint32_t count;
};

struct bine_hold_run {
    struct bine_hold *hold;
    uint32_t *piece;            /* as the execution stands */
    struct bine_hold_lot **lot; /* of each rank and operation */
    int64_t bytes;
};

const struct bine_schedule *bine_hold_schedule(const struct bine_hold_run *x, int rank);

/* The number of a place among the pieces of its rank. */
uint32_t bine_hold_piece(const struct bine_schedule *s, int space, int place);
/* Pieces of a list of runs. */
uint32_t bine_hold_count(const struct bine_schedule *s, uint32_t runs, uint32_t nruns);

/* The data of operations, as the walk shows them. */
int bine_hold_deliver(void *run, uint32_t message, int time);
int bine_hold_publish(void *run, int rank, uint32_t op);
int bine_hold_finish(void *run, int rank, uint32_t op, int time);

#endif
