/* The schedule: the work of one rank in one collective, without pointers, bytes, datatypes and MPI.
 *
 * Spaces. A rank has three buffers: `in` (the caller's data; never written), `out` (what the
 * caller gets) and `tmp` (scratch). Each is a row of pieces, numbered by place 0..pieces-1; the
 * space says which block lies at which place, and the cut rule of the collective (equal parts of a
 * vector, or counts given by the caller) says how large each block is. In place, `in` and `out` are
 * one memory.
 *
 * Strands and steps. A strand is a list of steps. A step posts its messages in the order listed,
 * waits for all of them, then does its local operations in the order listed (the reduction of a
 * recv_reduce is the first of those); the next step of the strand starts after that. Strands are
 * independent of each other, each with its own tag; only the local work at their beginning (steps
 * of time -1) is done by all of them before any message is.
 *
 * Operations. send and recv move the pieces of `runs`; recv_reduce receives into scratch and then
 * sets each piece of `runs` to (piece of `with`) op (received); copy sets the pieces of `runs` to
 * those of `with`; permute is the copy of a whole space to another one, block by block; reduce sets
 * `runs` to (`with`) op (`runs`) or the other way round.
 *
 * Boards. Ranks of one node need no messages: each has a board that all of them can read. publish
 * copies the pieces of `runs` onto the own board; expose lets readers take them from where they
 * are, one run of pieces. A publication is consecutive blocks in natural order, of which the
 * operation names the first (`first`): block b lies offset(b) - offset(first) from the beginning,
 * as both ends know. (In an alltoall all blocks have one size: `first` is 0 and the blocks of a
 * publication are numbered from 0 on.) read sets the pieces of `runs` to consecutive blocks of what
 * the peer has published, beginning with `block`; read_reduce sets each piece of `runs` to (piece
 * of `with`) op (what is read) or, by `side`, the other way round. The peer may be the rank itself.
 *
 * A read takes what the peer has published in the same strand at the same time, which is once at
 * most. A step has messages or it has operations on boards, never both, and a strand's steps on
 * boards come before its messages of the same time. Such a step first publishes, then reads in the
 * order listed; then the rank is through with this time of the strand (`read` of the board passes
 * its number); then, if it has exposed something, it waits until all ranks of its node are through
 * with it too; then it does its local operations. So the ranks of a node can all expose and read at
 * one time, and the least time at which anybody is can always go on.
 *
 * Layout. In `pack`, a message is one transfer, whatever runs it gathers. In all other layouts
 * there is one transfer for each run, and both ends cut identical blocks into identical runs.
 * Both list them in one order. Transfers of no bytes are dropped at both ends;
 * messages without runs, as in barriers, which have no data, are not. */
#ifndef BINE_SCHEDULE_SCHEDULE_H
#define BINE_SCHEDULE_SCHEDULE_H

#include "pattern/shape.h"
#include "schedule/collective.h"

#include <stddef.h>
#include <stdint.h>

enum bine_layout { BINE_BLOCKS, BINE_PACK, BINE_PERMUTE, BINE_SEND, BINE_LAYOUTS };

enum bine_space_name { BINE_IN, BINE_OUT, BINE_TMP, BINE_SPACES };

/* Which block lies at place k of a space. */
enum bine_arrangement {
    BINE_NATURAL, /* block k */
    BINE_ONE,     /* block base + k; a single piece, unless the blocks of ranks come in parts */
    BINE_SUBSET, /* the k-th block of the runs `base`, `base + 1`, ... of the schedule (their places
                    are block numbers) */
    BINE_NU_PLACES, /* the block b with reverse(nu(b)) = k (pieces is a power of two) */
    BINE_SLOTS,     /* slots, each of the size of block `base`; their contents change from step to
                       step. In parts: as many slots for each, of the size of that part */
    BINE_LISTED,    /* the block at run base + k of the schedule: any order */
};

struct bine_space {
    int32_t pieces;
    enum bine_arrangement arrangement;
    int32_t base, runs; /* see bine_arrangement; `runs` counts the runs of a subset */
};

/* Pieces that follow each other. A schedule is mostly made of these: they are kept small. */
struct bine_run {
    int32_t first;                  /* place */
    uint32_t count : 30, space : 2; /* enum bine_space_name */
};

/* More pieces than this a space cannot have. */
enum { BINE_PIECES_MOST = (1 << 30) - 1 };

static inline struct bine_run bine_pieces(int space, int first, int count) {
    return (struct bine_run){first, (uint32_t)count & BINE_PIECES_MOST, (uint32_t)space & 3};
}

enum bine_op_kind {
    BINE_OP_SEND,
    BINE_OP_RECV,
    BINE_OP_RECV_REDUCE,
    BINE_OP_COPY,
    BINE_OP_PERMUTE,
    BINE_OP_REDUCE,
    BINE_OP_PUBLISH,
    BINE_OP_EXPOSE,
    BINE_OP_READ,
    BINE_OP_READ_REDUCE,
    BINE_OP_KINDS
};

/* The kinds of operations: messages with other ranks, operations on boards, and local
 * ones. */
static inline int bine_kind_is_message(int kind) {
    return kind <= BINE_OP_RECV_REDUCE;
}
static inline int bine_kind_is_board(int kind) {
    return kind >= BINE_OP_PUBLISH && kind < BINE_OP_KINDS;
}

/* On which side of the operator the other operand stands: the received or read one (recv_reduce,
 * read_reduce), `with` (reduce). */
enum bine_side { BINE_SIDE_ANY, BINE_SIDE_LEFT, BINE_SIDE_RIGHT };

struct bine_op {
    uint8_t kind;         /* enum bine_op_kind */
    uint8_t side;         /* enum bine_side */
    int32_t peer;         /* -1 for local operations and publications */
    int32_t first, block; /* boards: the first block of the publication, and the first one read; in
                             a publication both are the same */
    uint32_t runs, nruns; /* the pieces sent or written: schedule->run[runs .. runs + nruns - 1] */
    uint32_t with, nwith; /* the second list; as many pieces as the first */
};

struct bine_step {
    int32_t time; /* the step's number in the algorithm, -1 for local work before, equal at both
                     ends of a message */
    uint32_t ops, nops;
};

struct bine_strand {
    uint32_t steps, nsteps;
};

struct bine_schedule {
    enum bine_collective collective;
    enum bine_layout layout;
    int p, rank, root;
    int in_place;
    int uneven;          /* blocks have sizes of their own: see collectives.def */
    int exchanges_sizes; /* uneven, and most ranks do not know the sizes: run twice. In the first run, the
                      first part of each block is a word that says the size of the block; in the
                      second one, all of it is in the first part, which goes along a tree, or in the
                      second one, which goes directly, as the word says */
    int blocks;          /* blocks that the vector is cut into */
    int staggered;       /* no strand begins a step before the one before it is past that time */
    int whole;           /* the messages of a reduction come whole, not in parts: what they bring is
                            added up when all of a step has come, so that parts gain nothing */
    int parts; /* of each rank's block where every rank has one (gather, scatter, allgather,
                      alltoall, reduce-scatter): part q of block b has the number b * parts + q. Else 1
                    */
    struct bine_shape dims; /* of the torus that the algorithm was told of; no dims: of none */
    int times;              /* steps of the algorithm: every time is below */
    int board_blocks;       /* boards: the most blocks that any rank publishes at once; 0: none are,
                               only exposed. The same on all ranks */
    int boards;             /* whether ranks of its node have operations on boards: alike on all of
                               them, so that they count alike */
    int node;               /* ranks of one number share a node, and its boards */
    struct bine_space space[BINE_SPACES];
    uint32_t nstrands, nsteps, nops, nruns;
    struct bine_strand *strand;
    struct bine_step *step;
    struct bine_op *op;
    struct bine_run *run;
    uint32_t step_room, op_room, run_room;
    int failed; /* out of memory while building */
};

/* Whether a strand must let the one before it, which is at step `before` of its own, go first. */
static inline int bine_strand_waits(const struct bine_schedule *s, uint32_t strand, uint32_t step,
                                    uint32_t before) {
    const struct bine_strand *x = &s->strand[strand];
    return s->staggered && strand > 0 && before < x[-1].nsteps &&
           s->step[x[-1].steps + before].time <= s->step[x->steps + step].time;
}

/* An empty schedule with one strand; NULL when out of memory. */
struct bine_schedule *bine_schedule_new(void);
void bine_schedule_free(struct bine_schedule *s);
size_t bine_schedule_bytes(const struct bine_schedule *s);
/* For readers that have measured its operations: the runs go, and nothing more can be added. */
void bine_schedule_drop_runs(struct bine_schedule *s);

/* Building, in order: steps, then their operations, then their runs. Each closes the open one
 * before. Failure to allocate is remembered in `failed` and the call does nothing. */
void bine_schedule_step(struct bine_schedule *s, int time);
/* The step now open, opening one of the given time if the last one has another time. */
void bine_schedule_step_at(struct bine_schedule *s, int time);
void bine_schedule_op(struct bine_schedule *s, enum bine_op_kind kind, enum bine_side side,
                      int peer);
/* Operations on boards: publish or expose the blocks from `first` on; read, from `block` on, the
 * publication of the peer from `first` on. */
void bine_schedule_publish(struct bine_schedule *s, int first);
void bine_schedule_expose(struct bine_schedule *s, int first);
void bine_schedule_read(struct bine_schedule *s, int peer, int first, int block);
void bine_schedule_read_reduce(struct bine_schedule *s, enum bine_side side, int peer, int first,
                               int block);
/* Append places to the open operation's runs, or to its second list. All runs of an operation come
 * before its second list. With `merge`, a run that continues the one before is joined to it. */
void bine_schedule_run(struct bine_schedule *s, int space, int first, int count, int merge);
void bine_schedule_with(struct bine_schedule *s, int space, int first, int count);
/* Many runs at once: room for `count` more, to be filled in (NULL when out of memory), of which the
 * first are then appended to the open operation's runs, or to its second list. */
struct bine_run *bine_schedule_room(struct bine_schedule *s, uint32_t count);
void bine_schedule_took(struct bine_schedule *s, uint32_t count, int with);
/* Set the contents of a space. */
void bine_schedule_space(struct bine_schedule *s, int space, int pieces,
                         enum bine_arrangement arrangement, int base);
/* Begin another strand, to which the next steps belong. */
void bine_schedule_strand(struct bine_schedule *s);
/* Append blocks to the subset of a space; before the first operation. A list is made of one block
 * at a time. */
void bine_schedule_subset(struct bine_schedule *s, int space, int first, int count);

/* The block at a place of a space (not for slots). */
int bine_schedule_block(const struct bine_schedule *s, int space, int place);

/* Where the last search in a subset ended, and the next one goes on if it is for something further
 * on: all searches in ascending order take as long as one. All zero: at the beginning. Only tmp can
 * be a subset, so one does for all spaces of a schedule. */
struct bine_seek {
    int32_t run, before; /* runs that were passed, and the pieces in them */
};
int bine_schedule_seek(const struct bine_schedule *s, int space, int place, struct bine_seek *at);
/* Likewise in a subset, and how many of the blocks that follow are in its run. */
int bine_subset_block(const struct bine_schedule *s, int space, int place, struct bine_seek *at,
                      int *more);
/* The place of a block in an ascending subset that has it. */
int bine_subset_place(const struct bine_schedule *s, int space, int block, struct bine_seek *at);
/* "in", "out" or "tmp". */
const char *bine_space_word(int space);

#endif
