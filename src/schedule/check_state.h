/* Shared between the files of the proof. */
#ifndef BINE_SCHEDULE_CHECK_STATE_H
#define BINE_SCHEDULE_CHECK_STATE_H

#include "schedule/check.h"
#include "schedule/values.h"

/* Messages that wait for their other end, first come first served for each (from, to, strand,
 * waiting end). */
struct bine_waiting {
    int32_t from, to;
    uint32_t strand;
    int32_t owner; /* the end that waits */
    uint32_t op;
    uint32_t next; /* the next one of the same key; 0: none */
    uint32_t used; /* taken: the place is kept for the next one of this key */
};

struct bine_queue {
    struct bine_waiting *waiting;
    uint32_t count, room;
    uint32_t *table; /* the first of each key */
    uint32_t table_size, keys;
};

int bine_queue_push(struct bine_queue *q, struct bine_waiting w);
/* Take the first of a key; 0 if there is none. */
int bine_queue_pop(struct bine_queue *q, int from, int to, uint32_t strand, int owner,
                   uint32_t *op);

/* One strand of one rank. */
struct bine_cursor {
    uint32_t step; /* in the strand */
    uint32_t open; /* messages of the step that have not met their other end */
    int entered;
    bine_value *inbox; /* what the step's recv_reduces have received, in the order listed */
    size_t inbox_room;
};

struct bine_check_state {
    struct bine_schedule *const *rank;
    const struct bine_algorithm *algorithm;
    struct bine_verdict *verdict;
    struct bine_values values;
    int p;
    uint32_t strands;  /* of every rank */
    size_t *base;      /* of each rank's pieces in `piece` */
    bine_value *piece; /* in, out, tmp of every rank */
    char *in_lost;     /* reduce-scatter in place: out was written over in */
    struct bine_cursor *cursor;
    struct bine_queue queue;
    uint32_t *mark; /* scratch: the pieces of one rank */
    uint32_t stamp;
    uint32_t *work; /* strands that can go on */
    size_t nwork;
    uint64_t *sent, *received; /* pieces, per rank */
    int last_time;
};

/* Walking over the pieces of a list of runs. */
struct bine_walk {
    const struct bine_run *run;
    uint32_t left; /* runs */
    int done;      /* pieces of the run in hand */
};

static inline struct bine_walk bine_walk_runs(const struct bine_schedule *s, uint32_t first,
                                              uint32_t count) {
    return (struct bine_walk){s->run + first, count, 0};
}

static inline int bine_walk_next(struct bine_walk *w, int *space, int *place) {
    while (w->left > 0 && w->done == w->run->count) {
        w->run++;
        w->left--;
        w->done = 0;
    }
    if (w->left == 0)
        return 0;
    *space = w->run->space;
    *place = w->run->first + w->done++;
    return 1;
}

int64_t bine_count_pieces(const struct bine_schedule *s, uint32_t first, uint32_t count);
size_t bine_piece_count(const struct bine_schedule *s);
/* The number of a piece among those of its rank; in place, `in` and `out` share theirs. */
size_t bine_piece_number(const struct bine_schedule *s, int space, int place);
const char *bine_space_word(int space);

static inline int bine_is_message(const struct bine_op *op) {
    return op->kind <= BINE_OP_RECV_REDUCE;
}

int bine_check_fail(struct bine_check_state *st, int rank, int time, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Before anything is executed: all numbers in range, operands of equal size, strands apart. */
int bine_check_form(struct bine_check_state *st, const struct bine_schedule *s);

static inline bine_value *bine_piece_at(struct bine_check_state *st, int rank, int space,
                                        int place) {
    return &st->piece[st->base[rank] + bine_piece_number(st->rank[rank], space, place)];
}

/* The caller's data, in the places of `in`. */
void bine_check_inputs(struct bine_check_state *st);
/* After the execution: what a rank has in `out`; steps and volume. 0, or 1 after saying what is
 * wrong. */
int bine_check_result(struct bine_check_state *st, int rank);
int bine_check_promises(struct bine_check_state *st);

#endif
