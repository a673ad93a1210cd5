/* Shared between the files of the proof. */
#ifndef BINE_SCHEDULE_CHECK_CHECK_STATE_H
#define BINE_SCHEDULE_CHECK_CHECK_STATE_H

#include "base/set.h"
#include "schedule/catalogue.h"
#include "schedule/check/values.h"

struct bine_verdict;

/* Messages that wait for their other end, first come first served for each (from, to, strand,
 * waiting end). */
struct bine_waiting {
    int32_t from, to;
    uint32_t strand;
    int32_t owner; /* the end that waits */
    uint32_t op;
    uint32_t next; /* the next one of this key; 0: none */
    uint32_t used; /* taken: the place is kept for the next one of this key */
};

struct bine_queue {
    struct bine_waiting *waiting;
    uint32_t count;
    size_t room;
    struct bine_set first; /* of each key */
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
    int phase;         /* of a step on boards: see check_board.c */
    uint32_t next_op;  /* the first operation that has not read yet */
    bine_value *inbox; /* received by the step's recv_reduces, in the order listed */
    size_t inbox_room;
};

/* The contents of a slot of a board. */
struct bine_post {
    int64_t number; /* of the publication, from 1; 0: nothing yet */
    int first, count;
    bine_value *value;
    size_t room;
};

/* Slots of a board in the proof: as few as the engine may have, so that every wait is seen. */
enum { BINE_CHECK_SLOTS = 2 };

/* A space of one rank, if the numbers of its pieces and their blocks follow from their places
 * throughout. */
struct bine_view {
    int plain;     /* whether they follow from their places */
    int next;      /* see bine_stretch */
    int block;     /* of place 0 */
    size_t number; /* of place 0 */
};

struct bine_check_state {
    struct bine_schedule *const *rank;
    const struct bine_algorithm *algorithm;
    struct bine_verdict *verdict;
    struct bine_values values;
    int p;
    uint32_t strands;       /* of every rank */
    uint32_t bits;          /* of a value that a piece's own block must have: see bine_check_open */
    int shift;              /* alltoall: bits of a part */
    struct bine_view *view; /* of each rank and space */
    size_t *base;           /* of each rank's pieces in `piece` */
    bine_value *piece;      /* in, out, tmp of every rank */
    uint32_t *heard;        /* barrier: see check_barrier.c; else NULL */
    char *in_lost;          /* reduce-scatter in place: out was written over in */
    struct bine_cursor *cursor;
    struct bine_queue queue;
    struct bine_post *post; /* the slots of every rank's board */
    uint64_t
        board_work; /* publications, readings, and steps that ended: others may wait for these */
    uint32_t *mark; /* scratch: the pieces of one rank */
    uint32_t stamp;
    uint32_t *work; /* strands that can go on */
    size_t nwork;
    uint64_t *sent, *received;             /* pieces, per rank */
    uint64_t *sent_early, *received_early; /* in the first half of the steps */
    char *met;                             /* whether there is a message at a time */
    int last_time;
};

/* In place, the whole of a reduce-scatter's `in` lies under its `out`. */
static inline int bine_out_covers_in(const struct bine_schedule *s) {
    return s->collective == BINE_REDUCE_SCATTER && s->in_place && s->p > 1;
}

/* The step that a strand of a rank is at. */
static inline const struct bine_step *bine_step_of(const struct bine_check_state *st, int rank,
                                                   uint32_t strand) {
    const struct bine_schedule *s = st->rank[rank];
    return &s->step[s->strand[strand].steps + st->cursor[(size_t)rank * st->strands + strand].step];
}

/* Pieces of one rank that follow each other in their space, in memory, and in their blocks. */
struct bine_stretch {
    size_t number; /* of the first among the pieces of its rank */
    int count;
    int space, place; /* of the first */
    int block;        /* of the first; in an alltoall, its part */
    int next;         /* the increment for each after it: 1, or 0 where all are of one block */
};

void bine_check_views(struct bine_check_state *st);
/* As below, in a space that is not plain. */
struct bine_stretch bine_stretch_cut(const struct bine_schedule *s, int space, int place, int count,
                                     struct bine_seek *at);

/* The stretch that begins at a place of a rank's space and has at most `count` pieces. */
static inline struct bine_stretch bine_stretch_at(const struct bine_check_state *st,
                                                  const struct bine_schedule *s, int space,
                                                  int place, int count, struct bine_seek *at) {
    const struct bine_view *v = &st->view[s->rank * BINE_SPACES + space];
    if (!v->plain)
        return bine_stretch_cut(s, space, place, count, at);
    return (struct bine_stretch){v->number + (size_t)place,  count,  space, place,
                                 v->block + place * v->next, v->next};
}

/* Walking over the pieces of a list of runs. */
struct bine_walk {
    const struct bine_check_state *st;
    const struct bine_schedule *s;
    const struct bine_run *run, *end;
    int done; /* pieces of the run in hand */
    struct bine_seek at;
    struct bine_stretch x; /* the one in hand; no pieces: the next one is yet to be found */
};

static inline struct bine_walk bine_walk_runs(const struct bine_check_state *st,
                                              const struct bine_schedule *s, uint32_t first,
                                              uint32_t count) {
    return (struct bine_walk){
        .st = st, .s = s, .run = s->run + first, .end = s->run + first + count};
}

/* Whether there is more: then at least one piece is in hand. */
static inline int bine_walk_more(struct bine_walk *w) {
    if (w->x.count > 0)
        return 1;
    if (w->run == w->end)
        return 0;
    w->x = bine_stretch_at(w->st, w->s, w->run->space, w->run->first + w->done,
                           (int)w->run->count - w->done, &w->at);
    w->done += w->x.count;
    if (w->done == w->run->count) {
        w->run++;
        w->done = 0;
    }
    return 1;
}

/* Step over n of the pieces in hand. */
static inline void bine_walk_take(struct bine_walk *w, int n) {
    w->x.number += (size_t)n;
    w->x.count -= n;
    w->x.place += n;
    w->x.block += w->x.next * n;
}

int64_t bine_count_pieces(const struct bine_schedule *s, uint32_t first, uint32_t count);
size_t bine_piece_count(const struct bine_schedule *s);

static inline int bine_is_message(const struct bine_op *op) {
    return bine_kind_is_message(op->kind);
}

static inline int bine_reads_board(const struct bine_op *op) {
    return op->kind == BINE_OP_READ || op->kind == BINE_OP_READ_REDUCE;
}

static inline int bine_publishes(const struct bine_op *op) {
    return op->kind == BINE_OP_PUBLISH || op->kind == BINE_OP_EXPOSE;
}

/* The operation of a step that publishes something; NULL: none does. */
static inline const struct bine_op *bine_publication(const struct bine_schedule *s,
                                                     const struct bine_step *step) {
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (bine_publishes(&s->op[j]))
            return &s->op[j];
    return NULL;
}

/* Whether an operation writes its runs. */
static inline int bine_writes_runs(const struct bine_op *op) {
    return op->kind != BINE_OP_SEND && !bine_publishes(op);
}

/* Whether it works on boards: then it has no messages. */
static inline int bine_is_board_step(const struct bine_schedule *s, const struct bine_step *step) {
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (bine_kind_is_board(s->op[j].kind))
            return 1;
    return 0;
}

int bine_check_fail(struct bine_check_state *st, int rank, int time, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Before execution: numbers are in range, operands have equal sizes, strands share no pieces. */
int bine_check_form(struct bine_check_state *st, int rank);

/* The values of the pieces of a stretch. */
static inline bine_value *bine_pieces_of(const struct bine_check_state *st, int rank,
                                         const struct bine_stretch *x) {
    return &st->piece[st->base[rank] + x->number];
}

/* How values are numbered. Pieces have the sizes of their blocks, so that each may hold its own
 * only: all bits of a block count. In an alltoall blocks have one size, but not their parts: a
 * block's number ends with the bits of its part, and these count. 0, or -1 when out of memory. */
int bine_check_open(struct bine_check_state *st);
/* The caller's data, in the places of `in`. */
void bine_check_inputs(struct bine_check_state *st);
/* Room for the values that the recv_reduces of the step receive. 0, or -1 when out of memory. */
int bine_check_inbox(struct bine_check_state *st, int rank, uint32_t strand);
/* Within a step, no received piece may land on a sent one or on another received one. */
int bine_check_hazards(struct bine_check_state *st, int rank, uint32_t strand);
/* A message has both its ends: move the data. The operand of a recv_reduce waits in the inbox for
 * the local part of the step. */
int bine_check_deliver(struct bine_check_state *st, uint32_t strand, int from,
                       const struct bine_op *send, int to, const struct bine_op *recv, int time);
/* read and read_reduce, with the data that they take from a board. 0, 1 after naming the fault,
 * or -1 when out of memory. */
int bine_check_take(struct bine_check_state *st, const struct bine_schedule *s,
                    const struct bine_op *op, int time, const bine_value *value);
/* The values that publish and expose put there. */
int bine_check_put(struct bine_check_state *st, const struct bine_schedule *s,
                   const struct bine_op *op, int time, bine_value *value);
/* Boards, in check_board.c. The form of a step's operations on them; the step as far as it goes
 * (*ended: to its local part); why a strand waits in vain; what all ranks of a node must have
 * alike.
 */
int bine_check_board_form(struct bine_check_state *st, const struct bine_schedule *s,
                          const struct bine_step *step);
int bine_check_board_step(struct bine_check_state *st, int rank, uint32_t strand, int *ended);
int bine_check_board_stuck(struct bine_check_state *st, int rank, uint32_t strand);
int bine_check_nodes(struct bine_check_state *st);
/* Uneven blocks, in check_sizes.c: both ends of a message, and both operands of a copy, have the
 * same bytes. 0, or 1 after naming the fault. */
int bine_check_sizes(struct bine_check_state *st, const struct bine_schedule *a,
                     const struct bine_op *send, const struct bine_schedule *b,
                     const struct bine_op *recv, int time);
int bine_check_copied_sizes(struct bine_check_state *st, const struct bine_schedule *s,
                            const struct bine_op *op, int time);
/* After the execution, where sizes are exchanged: their words go the way of the first parts, so a
 * rank must have got the first part of every block that it has a place for, or know its size by
 * itself. 0, or 1 after naming the fault. */
int bine_check_size_exchange(struct bine_check_state *st, int rank);
/* Barriers, in check_barrier.c: of whose coming the ranks have heard. Nothing is done for other
 * collectives. Functions that allocate return 0, or -1 when out of memory. */
int bine_check_hearing_open(struct bine_check_state *st);
void bine_check_hearing_enter(struct bine_check_state *st, int rank);
void bine_check_hear_message(struct bine_check_state *st, int from, int to);
int bine_check_hear_publish(struct bine_check_state *st, int rank, struct bine_post *post);
void bine_check_hear_post(struct bine_check_state *st, int rank, const struct bine_post *post);
/* After the execution: 0, or 1 after saying of whom a rank has not heard. */
int bine_check_hearing(struct bine_check_state *st, int rank);
/* The local part of the step. 0, 1 after naming the fault, or -1 when out of memory. */
int bine_check_local(struct bine_check_state *st, int rank, uint32_t strand);
/* After the execution: the data of a rank in `out`; steps and volume. 0, or 1 after saying what is
 * wrong. */
int bine_check_result(struct bine_check_state *st, int rank);
int bine_check_promises(struct bine_check_state *st);

#endif
