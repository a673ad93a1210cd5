/* Boards: shared memory between the ranks of a node that is written by one and read by many.
 *
 * Every rank has a board: a few slots, and two numbers. A publication has a number, and the
 * slot follows from the number alone. All ranks of a node count alike: every call takes
 * BINE_BOARD_STRIDE numbers, on every rank, whether or not the rank has something to say under each
 * of them, and however long the rank takes the call to be. So a call in which ranks differ does not
 * shift the calls behind it. (A call that needs more takes a multiple.)
 *
 * `read` is the least number that a rank has not finished with, over all its pending calls. A
 * slot is written again when every rank has passed its contents. So no rank waits for one that
 * is ahead, and a rank that is behind finds everything that it has still to read.
 *
 * A slot also says how many bytes its publisher takes the call to be of. A reader to whom the call
 * is shorter learns that the publication is too long for it (BINE_BOARD_LONGER). A reader that
 * waits for a number that the publisher has passed in silence learns that it does not come.
 *
 * `failed` is the number below which a rank publishes nothing more. A rank that gives up a call
 * sets it to the call's end and passes the call; a rank that waits for something below gets an
 * error, gives up likewise, and the next call finds all boards in order. A rank that has met an
 * error and goes on publishes nothing that could be taken for a result: it spoils the slot, and its
 * readers get an error, too.
 *
 * A rank that publishes little (up to BINE_BOARD_INLINE bytes) writes it into the cache line that
 * holds its number, so that a reader fetches one line.
 *
 * On a crowded node ranks sleep at each other's boards (bine_boards_let_sleep). A rank that wakes
 * others does so when it comes to wait itself, leaves its call for a while or ends it, so that most
 * publications and passed numbers cost no look for sleepers.
 *
 * A call may also expose its memory: the slot then says where in the owner's process the data lies,
 * and readers fetch it from there (expose.h). The owner waits until all have passed the number.
 *
 * Nothing here knows MPI, schedules or datatypes. One thread at a time uses a rank's boards. */
#ifndef BINE_BOARD_BOARD_H
#define BINE_BOARD_BOARD_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BINE_BOARD_LINE = 64,    /* bytes of a cache line */
    BINE_BOARD_INLINE = 48,  /* bytes that fit a slot's first line */
    BINE_BOARD_HOLDS = 4096, /* a slot never holds less, but on boards for one call alone */
    BINE_BOARD_HOLDS_MOST = 32768,
    BINE_BOARD_SLOTS_MOST = 64,
    /* From call to call. A multiple of all slots, and 3: publications of calls that follow each
     * other go to different slots, also where each has two; one call's go through all. */
    BINE_BOARD_STRIDE = (1 << 21) + 3
};

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "numbers are shared between processes");

struct bine_board_slot {
    _Atomic uint64_t number; /* of the publication here, and 1; 0: nothing yet */
    uint32_t size;           /* of the call (bine_board_size), or BINE_BOARD_SPOILT */
    uint16_t behind; /* of the number, the publisher's `read` then: in strides, rounded up */
    uint16_t bytes;  /* or BINE_BOARD_EXPOSED */
};
_Static_assert(sizeof(struct bine_board_slot) + BINE_BOARD_INLINE == BINE_BOARD_LINE,
               "a small publication is one cache line");

#define BINE_BOARD_EXPOSED UINT16_MAX
#define BINE_BOARD_SPOILT UINT32_MAX

/* The size of a call of `bytes`, as it is compared: from 4 GiB on, all are one. */
static inline uint32_t bine_board_size(uint64_t bytes) {
    return bytes < BINE_BOARD_SPOILT ? (uint32_t)bytes : BINE_BOARD_SPOILT - 1;
}

/* The contents of a slot with BINE_BOARD_EXPOSED. */
struct bine_board_exposed {
    uint64_t address, bytes;
};

/* The two numbers are written at different times and read by different ranks. */
struct bine_board {
    alignas(BINE_BOARD_LINE) _Atomic uint64_t read;
    alignas(BINE_BOARD_LINE) _Atomic uint64_t failed;
    _Atomic uint32_t bell;     /* a futex: it changes when its rank wakes the others */
    _Atomic uint32_t sleepers; /* some rank sleeps at the bell, or is about to */
    alignas(BINE_BOARD_LINE) char slots[];
};

/* The shape of all boards of a node. */
struct bine_board_shape {
    uint32_t slots; /* a power of two, at most BINE_BOARD_SLOTS_MOST */
    uint32_t holds; /* bytes of a slot: a multiple of BINE_BOARD_LINE, at most
                       BINE_BOARD_HOLDS_MOST */
};

/* The bytes of a board, and its beginning state, set by its owner before anybody else knows of it.
 * The memory begins at a cache line. */
size_t bine_board_bytes(const struct bine_board_shape *shape);
void bine_board_init(void *memory, const struct bine_board_shape *shape);

/* A pending call on the boards of its rank, in the order in which calls began. */
struct bine_board_call {
    uint64_t base, end;              /* its numbers: from base, below end */
    uint64_t at;                     /* below this, it is finished */
    uint64_t publishes;              /* below this it publishes; base: nothing (more) */
    struct bine_board_call *younger; /* the next one */
};

/* How a rank sleeps (sleep.c). */
struct bine_board_sleep {
    int may;          /* ranks sleep at these boards */
    int awaited;      /* the rank that was last looked for in vain; -1: more than one */
    int armed;        /* the rank that this one is about to sleep for, or -1; */
    uint32_t bell;    /* and its bell, before a look in vain */
    unsigned yields;  /* up to this look of the wait, it yields */
    long nanoseconds; /* that it sleeps the next time */
};

/* The boards of a node as one of its ranks sees them. */
struct bine_boards {
    int n, me; /* ranks of the node; which of them this is */
    struct bine_board_shape shape;
    uint64_t mask;        /* slots - 1 */
    size_t stride;        /* bytes from slot to slot */
    uint64_t next;        /* the first number of the next call */
    uint64_t given_up;    /* calls below this were given up, or ended */
    uint64_t all_passed;  /* all ranks have `read` at least so far */
    unsigned vain_looks;  /* for publications that were not there, */
    uint64_t vain_number; /* since the first look for this number, the latest of them */
    int ends_slowly;      /* the end of a call is more than passing its numbers */
    struct bine_board_sleep sleep;
    struct bine_board_call *oldest, *youngest;
    uint64_t *passed;          /* by rank: `read` as it was at some time; it may be more */
    struct bine_board **board; /* by rank */
};

/* memory[k] is the board of rank k of n. NULL when out of memory. */
struct bine_boards *bine_boards_new(int n, int me, void *const *memory,
                                    const struct bine_board_shape *shape);
void bine_boards_free(struct bine_boards *b);

/* Let ranks sleep: before the first call, on all ranks of the node or none. */
void bine_boards_let_sleep(struct bine_boards *b);
/* Wake the ranks that sleep at this rank's board: they look again. For code that publishes by
 * bine_boards_publish_in, or passes numbers, and then does something else than wait or end the
 * call. */
void bine_boards_ring(struct bine_boards *b);
static inline void bine_boards_wake(struct bine_boards *b) {
    if (b->sleep.may)
        bine_boards_ring(b);
}
/* Sleep until the awaited rank wakes others, at most so long. The first time it only says so: look
 * once more, and come back. Returns whether the time is over. */
int bine_boards_sleep(struct bine_boards *b, long nanoseconds);

/* The numbers that a call takes which uses `used` of them. */
static inline uint64_t bine_board_numbers(uint64_t used) {
    if (used <= BINE_BOARD_STRIDE)
        return BINE_BOARD_STRIDE;
    return (used + BINE_BOARD_STRIDE - 1) / BINE_BOARD_STRIDE * BINE_BOARD_STRIDE;
}

/* Begin a call that takes `numbers`; it publishes only under numbers below base + publishes. */
void bine_boards_begin(struct bine_boards *b, struct bine_board_call *call, uint64_t numbers,
                       uint64_t publishes);
/* Numbers below this one are taken by no call to come: those of calls that this rank does not make.
 */
void bine_boards_skip(struct bine_boards *b, uint64_t number);
/* The call has finished with all numbers below this one: it reads nothing of them any more. */
void bine_boards_pass(struct bine_boards *b, struct bine_board_call *call, uint64_t number);
/* It has finished with all of them. */
void bine_boards_end(struct bine_boards *b, struct bine_board_call *call);
/* Give it up: tell the ranks that wait for it, and finish with all of it. What it exposed may be
 * read until all have passed its last number (bine_boards_is_passed). */
void bine_boards_fail(struct bine_boards *b, struct bine_board_call *call);

/* This rank uses the boards no more, while others may: they wait for it no more, and what it has
 * not published is an error to them. No call is pending here. */
void bine_boards_leave(struct bine_boards *b);

enum bine_board_state {
    BINE_BOARD_LONGER = -2, /* published, by a rank to which the call is longer */
    BINE_BOARD_FAILED,
    BINE_BOARD_NOT_YET,
    BINE_BOARD_READY
};

/* Whether the slot of a number of a call may be written. Not while an older call of this rank has
 * something left to publish: ranks publish in the order of numbers. */
enum bine_board_state bine_boards_can_publish(struct bine_boards *b,
                                              const struct bine_board_call *call, uint64_t number);
/* Whether all ranks have passed a number; whether one has. */
int bine_boards_is_passed(struct bine_boards *b, uint64_t number);
int bine_boards_has_passed(struct bine_boards *b, int rank, uint64_t number);

/* Where on every board the slot of a number begins. */
static inline size_t bine_boards_offset(const struct bine_boards *b, uint64_t number) {
    return (number & b->mask) * b->stride;
}

static inline struct bine_board_slot *bine_boards_slot(const struct bine_boards *b, int rank,
                                                       uint64_t number) {
    return (struct bine_board_slot *)(void *)(b->board[rank]->slots +
                                              bine_boards_offset(b, number));
}

/* Where in a slot its data lies: behind the number if it fits there, else in a line of its own. */
static inline char *bine_board_data(struct bine_board_slot *slot, uint32_t bytes) {
    size_t head = bytes <= BINE_BOARD_INLINE ? sizeof *slot : (size_t)BINE_BOARD_LINE;
    return (char *)slot + head;
}

/* Once bine_boards_can_publish: where to write the data, which must fit a slot; and let all see it.
 */
static inline char *bine_boards_place(const struct bine_boards *b, uint64_t number,
                                      uint32_t bytes) {
    return bine_board_data(bine_boards_slot(b, b->me, number), bytes);
}
void bine_boards_publish(struct bine_boards *b, struct bine_board_call *call, uint64_t number,
                         uint32_t bytes, uint32_t size);
/* As above, for data that lies in this process, which may not be written until all have passed the
 * number. */
void bine_boards_expose(struct bine_boards *b, struct bine_board_call *call, uint64_t number,
                        const void *data, uint64_t bytes, uint32_t size);

/* Instead of data: there is none to be had. */
void bine_boards_spoil(struct bine_boards *b, struct bine_board_call *call, uint64_t number);

/* For callers that have the slot of a number: whether it is plain, without a look at other boards
 * or calls, that it may be written; and publishing there. */
static inline int bine_boards_is_free(const struct bine_boards *b,
                                      const struct bine_board_call *call, uint64_t number,
                                      struct bine_board_slot *slot) {
    return call == b->oldest && number - call->base <= b->mask &&
           atomic_load_explicit(&slot->number, memory_order_relaxed) <= b->all_passed;
}

/* Strides from this rank's `read` to a number, rounded up. */
static inline uint64_t bine_boards_behind(const struct bine_boards *b, uint64_t number) {
    return (number - b->passed[b->me] + BINE_BOARD_STRIDE - 1) / BINE_BOARD_STRIDE;
}

static inline void bine_boards_publish_in(const struct bine_boards *b, struct bine_board_call *call,
                                          uint64_t number, struct bine_board_slot *slot,
                                          uint32_t bytes, uint32_t size) {
    slot->size = size;
    slot->bytes = (uint16_t)bytes;
    slot->behind = number == b->passed[b->me] ? 0 : (uint16_t)bine_boards_behind(b, number);
    /* Release: a rank that sees the number sees the data, and knows that this rank's reads of
     * passed slots are over. */
    atomic_store_explicit(&slot->number, number + 1, memory_order_release);
    if (number + 1 >= call->publishes)
        call->publishes = call->base; /* that was the last one */
}

/* The state of a number that is not in its slot: perhaps the rank publishes nothing there any more;
 * and of a slot that has the number and not the call's size. */
enum bine_board_state bine_boards_look_again(struct bine_boards *b, int rank, uint64_t number,
                                             uint32_t size);
enum bine_board_state bine_board_differs(const struct bine_board_slot *slot, uint32_t size);
/* How far a rank was that has published while it was behind. */
void bine_boards_note_behind(struct bine_boards *b, int rank, uint64_t number, uint64_t strides);

/* The publication of a rank under a number, in a call of a size: *slot, which stays as it is until
 * this rank passes the number. `offset` is the slot's. Where the call is shorter to the publisher,
 * the slot is ready, and the bytes behind the publication are undefined. */
static inline enum bine_board_state bine_boards_look_at(struct bine_boards *b, int rank,
                                                        uint64_t number, size_t offset,
                                                        uint32_t size,
                                                        struct bine_board_slot **slot) {
    struct bine_board_slot *x = (struct bine_board_slot *)(void *)(b->board[rank]->slots + offset);
    *slot = x;
    /* Acquire: data written into the slot before its number is seen. */
    if (atomic_load_explicit(&x->number, memory_order_acquire) != number + 1)
        return bine_boards_look_again(b, rank, number, size);
    /* The rank had finished with these before it published: no need to ask its board. */
    if (x->behind == 0)
        b->passed[rank] = number;
    else
        bine_boards_note_behind(b, rank, number, x->behind);
    return x->size == size ? BINE_BOARD_READY : bine_board_differs(x, size);
}

static inline enum bine_board_state bine_boards_look(struct bine_boards *b, int rank,
                                                     uint64_t number, uint32_t size,
                                                     struct bine_board_slot **slot) {
    return bine_boards_look_at(b, rank, number, bine_boards_offset(b, number), size, slot);
}

#endif
