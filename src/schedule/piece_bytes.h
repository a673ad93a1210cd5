/* How many bytes the pieces of a schedule are.
 *
 * The vector of n bytes is cut into equal blocks; the first n % blocks of them are one byte longer.
 * Broadcast, reduce and allreduce cut it into as many blocks as their schedule says. The others
 * have a block for each rank: the block of rank b in allgather, gather, scatter and reduce-scatter,
 * and in an alltoall the block that goes to rank b, at every sender. Where these come in parts,
 * each is cut again in the same way. */
#ifndef BINE_SCHEDULE_PIECE_BYTES_H
#define BINE_SCHEDULE_PIECE_BYTES_H

#include "schedule/schedule.h"

struct bine_cut {
    int64_t size; /* of a block */
    int rest;     /* blocks that are one byte longer: the first ones */
    int parts;    /* of each block, numbered block by block; 0 or 1: it is whole */
};

static inline struct bine_cut bine_cut_of(int64_t bytes, int blocks) {
    return (struct bine_cut){bytes / blocks, (int)(bytes % blocks), 1};
}

static inline struct bine_cut bine_cut_for(int64_t bytes, const struct bine_schedule *s) {
    struct bine_cut c = bine_cut_of(bytes, s->blocks / s->parts);
    c.parts = s->parts;
    return c;
}

static inline int64_t bine_cut_block(const struct bine_cut *c, int block) {
    if (c->parts <= 1)
        return c->size + (block < c->rest);
    int64_t whole = c->size + (block / c->parts < c->rest);
    return whole / c->parts + (block % c->parts < whole % c->parts);
}

/* For permuted spaces: how many of the blocks at the first k places are longer. Made when it is
 * needed, the same for all ranks. All zero is an empty one. */
struct bine_cut_places {
    int32_t *longer;
    int pieces;
};
void bine_cut_places_free(struct bine_cut_places *x);

/* The bytes of a run of places; -1 when out of memory. Not for the slots of an alltoall unless all
 * blocks are equal. */
int64_t bine_cut_run(const struct bine_cut *c, const struct bine_schedule *s,
                     const struct bine_run *run, struct bine_cut_places *places);

#endif
