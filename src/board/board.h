/* Boards: shared memory between the ranks of a node that is written by one and read by many.
 *
 * Every rank has a board: a few slots, and two numbers. What a rank publishes has a number, and the
 * slot follows from the number alone. All ranks of a node count alike: a call takes as many numbers
 * as its schedule can publish under, on every rank, whether or not the rank has something to say
 * under each of them.
 *
 * `read` is the least number that a rank has not finished with, over all its calls under way. A
 * slot is written again when every rank has passed what is in it. So nobody waits for a rank that
 * is ahead, and a rank that is behind finds everything that it has still to read.
 *
 * `failed` is the number below which a rank publishes nothing more. A rank that gives up a call
 * sets it to the call's end and passes the call; whoever waits for something below gets an error,
 * gives up in the same way, and the next call finds all boards in order. A rank that has met an
 * error and goes on publishes nothing that could be taken for a result: it spoils the slot, and its
 * readers get an error, too.
 *
 * A rank that publishes little (up to BINE_BOARD_INLINE bytes) writes it into the cache line that
 * holds its number, so that a reader fetches one line.
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
    BINE_BOARD_HOLDS = 4096, /* a slot never holds less */
    BINE_BOARD_SLOTS_MOST = 64
};

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "numbers are shared between processes");

struct bine_board_slot {
    _Atomic uint64_t number; /* of what is published here, and 1; 0: nothing yet */
    uint32_t bytes;          /* or BINE_BOARD_EXPOSED, or BINE_BOARD_SPOILT */
    uint32_t behind;         /* of the number, the publisher's `read` then */
};
_Static_assert(sizeof(struct bine_board_slot) + BINE_BOARD_INLINE == BINE_BOARD_LINE,
               "a small publication is one cache line");

#define BINE_BOARD_EXPOSED UINT32_MAX
#define BINE_BOARD_SPOILT (UINT32_MAX - 1)

/* What is in a slot with BINE_BOARD_EXPOSED. */
struct bine_board_exposed {
    uint64_t address, bytes;
};

/* The two numbers are written at different times and read by different ranks. */
struct bine_board {
    alignas(BINE_BOARD_LINE) _Atomic uint64_t read;
    alignas(BINE_BOARD_LINE) _Atomic uint64_t failed;
    alignas(BINE_BOARD_LINE) char slots[];
};

/* The same on all boards of a node. */
struct bine_board_shape {
    uint32_t slots; /* a power of two, at most BINE_BOARD_SLOTS_MOST */
    uint32_t holds; /* bytes of a slot: a multiple of BINE_BOARD_LINE, at least BINE_BOARD_HOLDS */
};

/* The bytes of a board, and its beginning state, set by its owner before anybody else knows of it.
 * The memory begins at a cache line. */
size_t bine_board_bytes(const struct bine_board_shape *shape);
void bine_board_init(void *memory, const struct bine_board_shape *shape);

/* A call under way on the boards of its rank, in the order in which calls began. */
struct bine_board_call {
    uint64_t base, end;              /* its numbers: from base, below end */
    uint64_t at;                     /* below this, it is finished */
    uint64_t publishes;              /* below this it publishes; base: nothing (more) */
    struct bine_board_call *younger; /* the next one */
};

/* The boards of a node as one of its ranks sees them. */
struct bine_boards {
    int n, me; /* ranks of the node; which of them this is */
    struct bine_board_shape shape;
    uint64_t mask;       /* slots - 1 */
    size_t stride;       /* bytes from slot to slot */
    uint64_t next;       /* the first number of the next call */
    uint64_t given_up;   /* calls below this were given up, or ended */
    uint64_t free_below; /* what has a lower number may be published without another look */
    struct bine_board_call *oldest, *youngest;
    uint64_t *passed;          /* by rank: `read` as far as this rank knows; it may be more */
    struct bine_board **board; /* by rank */
};

/* memory[k] is the board of rank k of n. NULL when out of memory. */
struct bine_boards *bine_boards_new(int n, int me, void *const *memory,
                                    const struct bine_board_shape *shape);
void bine_boards_free(struct bine_boards *b);

/* Begin a call that takes so many numbers; it publishes only under those below base + publishes. */
void bine_boards_begin(struct bine_boards *b, struct bine_board_call *call, uint64_t numbers,
                       uint64_t publishes);
/* The call has finished with all numbers below this one: it reads nothing of them any more. */
void bine_boards_pass(struct bine_boards *b, struct bine_board_call *call, uint64_t number);
/* It has finished with all of them. */
void bine_boards_end(struct bine_boards *b, struct bine_board_call *call);
/* Give it up: tell those who wait for it, and finish with all of it. What it exposed may be read
 * until all have passed its last number (bine_boards_is_passed). */
void bine_boards_fail(struct bine_boards *b, struct bine_board_call *call);

enum bine_board_state { BINE_BOARD_FAILED = -1, BINE_BOARD_NOT_YET, BINE_BOARD_READY };

/* Whether the slot of a number of a call may be written. Not while an older call of this rank has
 * something left to publish: ranks publish in the order of numbers. */
enum bine_board_state bine_boards_can_publish(struct bine_boards *b,
                                              const struct bine_board_call *call, uint64_t number);
/* Whether all ranks have passed a number. */
int bine_boards_is_passed(struct bine_boards *b, uint64_t number);

static inline struct bine_board_slot *bine_boards_slot(const struct bine_boards *b, int rank,
                                                       uint64_t number) {
    return (struct bine_board_slot *)(void *)(b->board[rank]->slots +
                                              (number & b->mask) * b->stride);
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
                         uint32_t bytes);
/* The same for data that lies in this process, which may not be written until all have passed the
 * number. */
void bine_boards_expose(struct bine_boards *b, struct bine_board_call *call, uint64_t number,
                        const void *data, uint64_t bytes);

/* Instead of data: there is none to be had. */
void bine_boards_spoil(struct bine_boards *b, struct bine_board_call *call, uint64_t number);

/* What a rank has published under a number: *slot, which stays as it is until this rank passes the
 * number. */
enum bine_board_state bine_boards_look_again(struct bine_boards *b, int rank, uint64_t number,
                                             struct bine_board_slot **slot);

static inline enum bine_board_state
bine_boards_look(struct bine_boards *b, int rank, uint64_t number, struct bine_board_slot **slot) {
    struct bine_board_slot *x = bine_boards_slot(b, rank, number);
    *slot = x;
    /* Acquire: what was written into the slot before its number is seen. */
    if (atomic_load_explicit(&x->number, memory_order_acquire) != number + 1)
        return bine_boards_look_again(b, rank, number, slot);
    uint64_t read = number - x->behind;
    /* The rank had finished with these before it published: no need to ask its board. */
    if (read > b->passed[rank])
        b->passed[rank] = read;
    return x->bytes != BINE_BOARD_SPOILT ? BINE_BOARD_READY : BINE_BOARD_FAILED;
}

#endif
