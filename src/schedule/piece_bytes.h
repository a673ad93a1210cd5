/* How many bytes the pieces of a schedule have.
 *
 * The vector of n bytes is cut into equal blocks; the first n % blocks of them are one byte longer.
 * Broadcast, reduce and allreduce cut it into as many blocks as their schedule says. The others
 * have a block for each rank: the block of rank b in allgather, gather, scatter and reduce-scatter,
 * and in an alltoall the block that goes to rank b, at every sender. Where these come in parts,
 * each is cut again likewise; but where sizes are exchanged, a block is in one part. */
#ifndef BINE_SCHEDULE_PIECE_BYTES_H
#define BINE_SCHEDULE_PIECE_BYTES_H

#include "schedule/schedule.h"

struct bine_block_bytes {
    int64_t size;        /* of a block */
    int rest;            /* blocks that are one byte longer: the first ones */
    int parts;           /* of each block, numbered block by block; 0 or 1: it is whole */
    int exchanges_sizes; /* see bine_schedule: both runs together */
};

/* Where sizes are exchanged: the bytes of the word that says one, and from how many bytes on a
 * block goes directly to or from the root, because the way along a tree would take it through
 * several ranks. */
enum { BINE_WORD_BYTES = 8, BINE_DIRECT_BYTES = 4096 };

static inline struct bine_block_bytes bine_block_bytes_of(int64_t bytes, int blocks) {
    return (struct bine_block_bytes){bytes / blocks, (int)(bytes % blocks), 1, 0};
}

static inline struct bine_block_bytes bine_block_bytes_for(int64_t bytes,
                                                           const struct bine_schedule *s) {
    struct bine_block_bytes c = bine_block_bytes_of(bytes, s->blocks / s->parts);
    c.parts = s->parts;
    c.exchanges_sizes = s->exchanges_sizes;
    return c;
}

static inline int64_t bine_bytes_of_block(const struct bine_block_bytes *c, int block) {
    if (c->parts <= 1)
        return c->size + (block < c->rest);
    int64_t whole = c->size + (block / c->parts < c->rest);
    int part = block % c->parts;
    if (c->exchanges_sizes)
        return ((whole >= BINE_DIRECT_BYTES) == part ? whole : 0) +
               (part == 0 ? BINE_WORD_BYTES : 0);
    return whole / c->parts + (part < whole % c->parts);
}

/* For permuted spaces: how many of the blocks at the first k places are one byte longer. It is made
 * when it is needed and serves all ranks. All zero: not made yet. */
struct bine_longer_blocks {
    int32_t *longer;
    int pieces;
};
void bine_longer_blocks_free(struct bine_longer_blocks *x);

/* The bytes of a run of places; -1 when out of memory. Not for the slots of an alltoall unless all
 * blocks are equal. */
int64_t bine_bytes_of_run(const struct bine_block_bytes *c, const struct bine_schedule *s,
                          const struct bine_run *run, struct bine_longer_blocks *places);
/* The bytes of the pieces that an operation sends or writes; -1 when out of memory. */
int64_t bine_bytes_of_op(const struct bine_schedule *s, const struct bine_op *op, int64_t bytes,
                         struct bine_longer_blocks *places);

#endif
