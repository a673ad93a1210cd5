/* A run: a plan bound to buffers, counts, a datatype and an operator, and how far it has come.
 *
 * The state of a run is one cursor for each strand and the messages under way; bine_run_progress
 * takes it as far as it goes, waiting or not. Blocking calls wait; nonblocking and persistent ones
 * need nothing else. */
#ifndef BINE_ENGINE_RUN_H
#define BINE_ENGINE_RUN_H

#include "engine/boards.h"
#include "engine/plan.h"
#include "engine/types.h"

/* Where the pieces of a space lie. Offsets are in elements. */
struct bine_map {
    char *base;           /* of element 0 */
    int64_t block, extra; /* every piece has `block` elements, the first `extra` pieces one more */
    const int64_t *table; /* instead: the offset of every place, and of the end */
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
                                    MPI_Aint extent) {
    if (m->stride != 0)
        return m->stride * place + skip * extent;
    return (bine_map_offset(m, place) + skip) * extent;
}

/* A message under way: the part of an operation's data that one MPI request stands for. */
struct bine_slot {
    uint32_t lane;
    uint32_t run, with;          /* where it begins in the operation's two lists, */
    int64_t run_done, with_done; /* and the elements to skip there */
    int64_t count;               /* elements */
    char *data;                  /* where it is received, if that is not its place */
};

/* A message operation of the step in hand. */
struct bine_lane {
    const struct bine_op *op;
    uint8_t flags;
    uint8_t opened, posted; /* begun; all of it posted */
    uint32_t open;          /* slots under way */
    char *staged;           /* packed data to send, or where to receive, or NULL */
    int64_t total, at;      /* elements; how many are posted */
    struct bine_slot next;  /* where posting goes on */
};

struct bine_strand_run {
    uint32_t step; /* of the strand */
    int in_step;
    uint32_t nlanes;
    struct bine_lane *lane;
    struct bine_slot *slot;
    MPI_Request *request; /* one for each slot, in the run's array */
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

struct bine_run_state {
    const struct bine_plan *plan;
    MPI_Comm comm; /* private */
    struct bine_type type;
    MPI_Op op;
    struct bine_map map[BINE_SPACES];
    int64_t segment;        /* elements of the largest message part */
    size_t scratch_room;    /* bytes, of each strand */
    struct bine_code *code; /* the run written out (code.h), or NULL */
    uint32_t slot_room;     /* slots of each strand */
    uint32_t nstrands, running;
    int begun; /* step by step: not to be taken up by the code */
    struct bine_strand_run *strand;
    MPI_Request *request;
    MPI_Request *under_way; /* for MPI_Waitsome: those that are, */
    uint32_t *place;        /* where each of them is in `request`, */
    int *index;             /* and which of them are done */
    struct bine_board_run board;
};

enum { BINE_RUN_DONE = 0, BINE_RUN_PENDING = 1 };

/* Bytes of memory that the lanes, slots and requests of a plan's run take; and lay them out in such
 * memory. */
size_t bine_run_bytes(const struct bine_plan *plan);
void bine_run_place(struct bine_run_state *run, char *memory);

/* Begin again from the first step. The maps, type, operator and scratch have been set. */
void bine_run_start(struct bine_run_state *run);
/* *state becomes BINE_RUN_DONE or BINE_RUN_PENDING; with `wait`, it is done on return. Returns an
 * MPI error code; after an error the run is over and nothing is under way. */
int bine_run_progress(struct bine_run_state *run, int wait, int *state);

/* Local operations (local.c). */
int bine_run_local(struct bine_run_state *run, const struct bine_op *op);
/* Add up `count` elements at `data` into the operation's pieces, from where the slot says. */
int bine_run_reduce(struct bine_run_state *run, const struct bine_op *op,
                    const struct bine_slot *at);
/* The same for all of the operation's elements; data is NULL where they were received in place. */
int bine_run_reduce_all(struct bine_run_state *run, const struct bine_op *op, char *data,
                        int64_t count);
int bine_run_unpack(struct bine_run_state *run, const struct bine_op *op,
                    const struct bine_slot *at);
int bine_run_pack(struct bine_run_state *run, const struct bine_op *op, char *to);

/* Elements of an operation. */
int64_t bine_run_elements(const struct bine_run_state *run, const struct bine_op *op);

static inline int64_t bine_run_run_elements(const struct bine_run_state *run,
                                            const struct bine_run *r) {
    const struct bine_map *m = &run->map[r->space];
    return bine_map_offset(m, r->first + r->count) - bine_map_offset(m, r->first);
}

static inline char *bine_run_address(const struct bine_run_state *run, const struct bine_run *r,
                                     int64_t skip) {
    const struct bine_map *m = &run->map[r->space];
    return bine_at(m->base, bine_map_at(m, r->first, skip, run->type.extent));
}

#endif
