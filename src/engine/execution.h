/* An execution: a plan bound to buffers, counts, a datatype and an operator, and how far it has
 * come: one cursor for each strand and the pending messages. Its executor takes it further. */
#ifndef BINE_ENGINE_EXECUTION_H
#define BINE_ENGINE_EXECUTION_H

#include "engine/boards.h"
#include "engine/memory/on_device.h"
#include "engine/plan.h"
#include "engine/transport/elements.h"
#include "timeline/tape.h"

/* Where the pieces of a space lie. Offsets are in elements. */
struct bine_map {
    char *base;           /* of element 0 */
    int64_t block, extra; /* every piece has `block` elements, the first `extra` pieces one more */
    const int64_t *table; /* instead: the offset of every place, and of the end */
    const int64_t *at; /* or NULL: pieces lie apart, where the caller says: bytes from the base */
    ptrdiff_t
        stride; /* bytes from place to place where pieces lie apart, and runs are of one; or 0 */
};

static inline int64_t bine_map_offset(const struct bine_map *m, int place) {
    if (m->table != NULL)
        return m->table[place];
    return m->block * place + (place < m->extra ? place : m->extra);
}

/* Bytes from the base to an element of a place. */
static inline ptrdiff_t bine_map_at(const struct bine_map *m, int place, int64_t skip,
                                    ptrdiff_t extent) {
    if (m->at != NULL)
        return (ptrdiff_t)(m->at[place] + skip * extent);
    if (m->stride != 0)
        return m->stride * place + skip * extent;
    return (bine_map_offset(m, place) + skip) * extent;
}

/* The bases of offsets: the spaces of the schedule, and two more, of each strand. */
enum { BINE_BASE_SCRATCH = BINE_SPACES, BINE_BASE_STAGING, BINE_BASES };
/* On boards there are others instead: the slot that is written, and the one that is read. */
enum { BINE_BASE_SLOT = BINE_BASE_SCRATCH, BINE_BASE_SEEN = BINE_BASE_STAGING };

/* A place in memory: a base and bytes from there. */
struct bine_location {
    int base;
    ptrdiff_t offset;
};

/* A part of an operation's elements. */
struct bine_op_part {
    uint32_t run, with;          /* where it begins in the operation's two lists, */
    int64_t run_done, with_done; /* and the elements to skip there */
    int64_t count;               /* elements */
};

/* A pending message: the part of an operation's data that one MPI request stands for. */
struct bine_slot {
    uint32_t lane;
    int open;        /* it has not been dealt with */
    uint64_t posted; /* ticks, on a tape */
    struct bine_op_part part;
    struct bine_location data; /* where it is received, if that is not its place */
};

/* A message operation of the step in hand. */
struct bine_lane {
    const struct bine_op *op;
    uint8_t flags;
    uint8_t opened, posted; /* begun; all of it posted */
    uint8_t is_aside;       /* its data is sent from or received at `aside` */
    uint32_t open;          /* pending slots */
    struct bine_location aside;
    int64_t total, at;        /* elements; how many are posted */
    struct bine_op_part next; /* where posting goes on */
};

/* How far a strand has come. */
struct bine_strand_state {
    uint32_t step; /* of the strand */
    int in_step;
    uint64_t entered; /* ticks, on a tape */
    uint32_t nlanes;
    struct bine_lane *lane;
    struct bine_slot *slot;
    bine_request_handle *request; /* one for each slot, in the execution's array */
    uint32_t nslots, free_slots;
    uint32_t *free_slot;
    int in_parts;           /* some message of the step comes in several parts, or begins later */
    int waiting;            /* some receives wait for scratch */
    size_t held, held_used; /* bytes of scratch for held lanes, which come first */
    size_t scratch_used, send_used; /* bytes */
    char *scratch, *send_staging;
    struct bine_board_cursor board;
};

struct bine_code;
struct bine_execution;

/* A way to run an execution. There are three: by steps (messages, boards, rounds), by the code of
 * short calls with messages, and by that of short calls on boards. A blocking call starts,
 * progresses with `wait`, and finishes; a nonblocking one progresses without it until it is at its
 * end. Errors are noted in the execution. */
struct bine_executor {
    void (*start)(struct bine_execution *x);
    /* As far as it goes; with `wait`, to its end. Returns whether it is there. */
    int (*progress)(struct bine_execution *x, int wait);
    void (*finish)(struct bine_execution *x);
};

/* After an error an execution goes on to its end, with whatever data it has: other ranks wait for
 * this one's messages, and its own would otherwise stay unmatched. Only where the transport can no
 * longer wait for a message it stops; `given_up` says so, and the memory must stay. */
extern const struct bine_executor bine_by_steps, bine_by_code, bine_by_board_code;

struct bine_execution {
    const struct bine_plan *plan;
    const struct bine_executor *executor;
    bine_comm_handle comm; /* private */
    int tag;               /* of the first strand; the others follow */
    struct bine_type type;
    bine_op_handle op;
    struct bine_map map[BINE_SPACES];
    int64_t segment;                   /* elements of the largest message part */
    size_t scratch_room;               /* bytes, of each strand */
    struct bine_code *code;            /* the execution written out (code.h), or NULL; */
    uint32_t written;                  /* and which writing of it; */
    const struct bine_code *next_code; /* for a pending call: where it goes on, */
    int posted;                        /* after this number of messages, which it waits for */
    uint32_t slot_room;                /* slots of each strand */
    uint32_t nstrands, running;
    int begun;    /* the strands have been set to their first steps */
    int starting; /* it is only started: messages are posted, and MPI is not made to look for any */
    int rc;       /* the first error */
    int given_up; /* some requests could not be waited for */
    struct bine_tape *tape; /* where its steps are recorded, or NULL */
    struct bine_strand_state *strand;
    bine_request_handle *request;
    bine_request_handle *pending; /* to wait for some: the pending ones, */
    uint32_t *place;              /* where each of them is in `request`, */
    int *index;                   /* and which of them are done */
    struct bine_board_use board;
    struct bine_on_device on_device; /* where its data is, if that is not the host's memory; */
    struct bine_copy_in copy_in;     /* and the data that is copied in from there while it runs */
};

/* Bytes of memory that the lanes, slots and requests of a plan take; and lay them out in such
 * memory. */
size_t bine_execution_bytes(const struct bine_plan *plan);
void bine_execution_place(struct bine_execution *x, char *memory);

/* Begin again from the first step. The maps, type, operator and scratch have been set. `rc`: an
 * error that this rank has met already. */
static inline void bine_execution_start(struct bine_execution *x, int tag, int rc) {
    x->tag = tag;
    x->begun = 0;
    x->rc = rc;
    x->given_up = 0;
}

/* Remember the first error. */
static inline void bine_execution_note(struct bine_execution *x, int rc) {
    if (rc != BINE_OK && x->rc == BINE_OK)
        x->rc = rc;
}

/* The step that a strand is in. */
static inline const struct bine_step *bine_step_of(const struct bine_execution *x,
                                                   const struct bine_strand_state *st) {
    const struct bine_schedule *s = x->plan->schedule;
    return &s->step[s->strand[st - x->strand].steps + st->step];
}

/* The execution stops here, with pending requests. */
void bine_execution_give_up(struct bine_execution *x);

/* Elements of an operation, and of a run. */
int64_t bine_elements_of_op(const struct bine_execution *x, const struct bine_op *op);

/* The bytes that it copies in one run, as in schedule/copies.h. */
int64_t bine_execution_copied(const struct bine_execution *x);

static inline int64_t bine_elements_of_run(const struct bine_execution *x,
                                           const struct bine_run *r) {
    const struct bine_map *m = &x->map[r->space];
    return bine_map_offset(m, r->first + r->count) - bine_map_offset(m, r->first);
}

static inline char *bine_address_of_run(const struct bine_execution *x, const struct bine_run *r,
                                        int64_t skip) {
    const struct bine_map *m = &x->map[r->space];
    return bine_at(m->base, bine_map_at(m, r->first, skip, x->type.extent));
}

/* --- On a tape (timeline/tape.h; taped.c)
 *
 * An execution is bound to the tape of this process, where the job records a timeline, or to none:
 * then each of these is a test of a pointer, and short calls, which are written out as code, have
 * none of them. With a tape every call goes by steps. */

static inline uint64_t bine_taped_now(const struct bine_execution *x) {
    return x->tape != NULL ? bine_ticks() : 0;
}

/* A blocking call begins: only its events are taken, not those of pending calls that go on
 * meanwhile. */
static inline void bine_taped_run(const struct bine_execution *x) {
    if (x->tape != NULL)
        x->tape->running = x;
}

/* With a tape only: an operation's message is complete; the local work of a step; the step. */
void bine_taped_message(const struct bine_execution *x, const struct bine_strand_state *st,
                        const struct bine_op *op, const struct bine_slot *slot);
void bine_taped_local(const struct bine_execution *x, const struct bine_strand_state *st,
                      const struct bine_step *step, uint64_t begin);
void bine_taped_step(const struct bine_execution *x, const struct bine_strand_state *st);

void bine_taped_put(const struct bine_execution *x, const struct bine_strand_state *st,
                    enum bine_tape_kind kind, int64_t elements, uint64_t begin);
void bine_taped_put_use(const struct bine_execution *x, const struct bine_strand_state *st,
                        const struct bine_lane *l, int64_t elements, uint64_t begin);
void bine_taped_put_board(const struct bine_execution *x, const struct bine_strand_state *st,
                          const struct bine_op *op, uint32_t length, uint64_t begin);

/* Something was waited for; elements were packed; received ones were used. */
static inline void bine_taped_wait(const struct bine_execution *x, uint64_t begin) {
    if (x->tape != NULL)
        bine_taped_put(x, NULL, BINE_TAPE_WAIT, 0, begin);
}
static inline void bine_taped_copy(const struct bine_execution *x,
                                   const struct bine_strand_state *st, int64_t elements,
                                   uint64_t begin) {
    if (x->tape != NULL)
        bine_taped_put(x, st, BINE_TAPE_COPY, elements, begin);
}
static inline void bine_taped_use(const struct bine_execution *x,
                                  const struct bine_strand_state *st, const struct bine_lane *l,
                                  int64_t elements, uint64_t begin) {
    if (x->tape != NULL)
        bine_taped_put_use(x, st, l, elements, begin);
}

/* The caller's data was brought to where the call works, or back. */
static inline void bine_taped_whole(const struct bine_execution *x, uint64_t begin) {
    if (x->tape != NULL)
        bine_taped_put(x, NULL, BINE_TAPE_COPY, 0, begin);
}

/* A publication on a board, or a chain of reads of boards. */
static inline void bine_taped_board(const struct bine_execution *x,
                                    const struct bine_strand_state *st, const struct bine_op *op,
                                    uint32_t length, uint64_t begin) {
    if (x->tape != NULL)
        bine_taped_put_board(x, st, op, length, begin);
}

#endif
