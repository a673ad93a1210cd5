/* What every rank holds after each step: the schedules of all ranks are executed together with sets
 * of contributions in the place of data.
 *
 * A value is a block and the ranks whose data is in it. What is written is logged with the time of
 * its step; what a rank holds after a time is what the log says up to there. Nothing is judged
 * here: the proof does that. */
#ifndef BINE_TOOLS_EXPLORER_HOLD_H
#define BINE_TOOLS_EXPLORER_HOLD_H

#include "schedule/walk/walk.h"

/* The most ranks whose sets are kept. */
enum { BINE_HOLD_RANKS = 128, BINE_HOLD_WORDS = BINE_HOLD_RANKS / 32 };

struct bine_hold_value {
    int32_t block;
    uint32_t from[BINE_HOLD_WORDS]; /* a bit for each rank */
};

struct bine_hold_write {
    int32_t time, rank;
    uint32_t piece; /* among those of its rank */
    uint32_t value;
};

struct bine_hold {
    const struct bine_messages *messages;
    int p, cells; /* cells of a rank: its blocks, or in an alltoall those that are for it */
    struct bine_hold_value *value; /* [0] is nothing */
    size_t values, values_room;
    struct bine_hold_write *log; /* sorted by time */
    size_t writes, log_room;
    size_t pieces;
    uint32_t *start;   /* of each rank: its in, out and tmp at the beginning */
    uint32_t *piece;   /* the same as the replay stands */
    size_t *base;      /* of each rank in `piece` */
    uint16_t *count;   /* of each rank and cell: the ranks whose data is in it */
    uint32_t *best;    /* the value of that */
    int64_t *carried;  /* of each message: its bytes in an alltoall; else NULL */
    int stuck, failed; /* not all steps could be executed; out of memory */
};

/* 0, or -1 when out of memory; in either case to be freed. The messages must outlive it. */
int bine_hold_make(struct bine_hold *h, const struct bine_messages *m, int64_t bytes);
void bine_hold_free(struct bine_hold *h);

/* Set `count` and `best` to what is held after the steps of a time, -1: before the first message.
 */
void bine_hold_at(struct bine_hold *h, int time);

#endif
