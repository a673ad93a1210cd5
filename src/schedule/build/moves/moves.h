/* Moves: the messages of one rank, block by block, without a word on buffers.
 *
 * The moves of a rank are its part of the timed trees of all blocks, in the forward direction: data
 * spreads from the source of each block. The builder turns them into operations, forwards for data
 * movement, backwards for reductions. There is one message for each (time, direction, peer).
 * Messages are in the order of time; the blocks of a message are in ascending order, as spans of
 * consecutive blocks.
 *
 * A span is `fresh` if, going backwards in time, nothing has touched its blocks at this rank
 * before: a backward receive of a fresh block is the rank's first contribution to meet another, and
 * a backward send of a fresh block sends the caller's own data. Of several messages at one time,
 * the one that is listed first comes first, backwards as well. */
#ifndef BINE_SCHEDULE_BUILD_MOVES_H
#define BINE_SCHEDULE_BUILD_MOVES_H

#include "pattern/groups/groups.h"
#include "pattern/places.h"
#include "pattern/torus.h"
#include "pattern/tree.h"

#include <stddef.h>
#include <stdint.h>

enum bine_freshness {
    BINE_TOUCHED,
    BINE_FRESH,
    BINE_CONTESTED, /* while moves are collected: fresh in the message that comes first, of several
                       at one time that have the block */
};

struct bine_span {
    int32_t first, count;
    int32_t fresh; /* enum bine_freshness */
};

enum bine_direction { BINE_TO, BINE_FROM };

struct bine_move {
    int32_t time, peer;
    int32_t direction; /* enum bine_direction: to the peer, or from it */
    uint32_t spans, nspans;
};

struct bine_moves {
    int times; /* every time is below */
    struct bine_move *move;
    struct bine_span *span;
    uint32_t nmoves, nspans, move_room, span_room;
    int failed; /* out of memory */
};

void bine_moves_free(struct bine_moves *m);

/* By enumeration of the trees, any family: O(p) time and memory. Each fills *m and returns 0, or -1
 * when out of memory (then there is nothing to free). */

/* One block, from the root to everyone. */
int bine_moves_bcast(struct bine_moves *m, const struct bine_tree *t, int rank, int root);
/* Block b from the root to rank b. */
int bine_moves_scatter(struct bine_moves *m, const struct bine_tree *t, int rank, int root);
/* Block b from rank b to everyone. */
int bine_moves_allgather(struct bine_moves *m, const struct bine_tree *t, int rank);
/* Block b from the root to everyone, along the allgather tree of b hung from the root: the edges on
 * the path between b and the root are reversed and run first, in reverse time. 2 * steps times. */
int bine_moves_hung(struct bine_moves *m, const struct bine_tree *t, int rank, int root);
/* Blocks 0..segments-1 from the root to everyone, one after the other: block j along tree j mod
 * `trees`, `stride` times (j / trees) steps later. */
int bine_moves_pipeline(struct bine_moves *m, const struct bine_tree *const *t, int trees,
                        int stride, int segments, int rank, int root);
/* The same on the two trees of the split binary: the first half of the blocks along the first, the
 * others along the second, and each half exchanged in one message at the end. */
int bine_moves_split_binary(struct bine_moves *m, const struct bine_tree *const *t, int stride,
                            int segments, int rank, int root);

/* With groups, as pattern/groups.h says; O(p). */

/* When each level's steps begin. */
struct bine_spread_clock {
    int begin[BINE_LEVELS_MOST + 2];
    int end;
};
struct bine_spread_clock bine_spread_clock_of(const struct bine_spread *x);

/* One block from the root to everyone; block b from the root to rank b. */
int bine_moves_group_bcast(struct bine_moves *m, const struct bine_spread *x, int rank);
int bine_moves_group_scatter(struct bine_moves *m, const struct bine_spread *x, int rank);

/* The allgather on a ring, or on one that is turned; O(p), but without its tree. */
int bine_moves_ring(struct bine_moves *m, int p, int rank, int turned);

/* By closed form, O(log p). Equal to the enumeration of these trees. */

int bine_moves_split_bcast(struct bine_moves *m, int p, enum bine_action action, int rank,
                           int root);
/* The near-first Bine tree of a power of two. */
int bine_moves_near_bcast(struct bine_moves *m, int p, int rank, int root);
int bine_moves_split_scatter(struct bine_moves *m, int p, int rank, int root);

/* Allgather on the near-first Bine butterfly: every message is one circular run of blocks, for
 * every even p. */
int bine_moves_arcs(struct bine_moves *m, int p, int rank);
/* These trees hung from a root. */
int bine_moves_arcs_hung(struct bine_moves *m, int p, int rank, int root);

/* Powers of two; blocks here are places (pattern/places.h). */
int bine_moves_aligned(struct bine_moves *m, enum bine_places places, int p, int rank);
/* The first half of the hung broadcast: the block at place x from the root to its owner. */
int bine_moves_aligned_scatter(struct bine_moves *m, enum bine_places places, int p, int rank,
                               int root);
int bine_moves_aligned_hung(struct bine_moves *m, enum bine_places places, int p, int rank,
                            int root);
/* These moves on a torus. */
int bine_moves_torus(struct bine_moves *m, const struct bine_torus *torus, int rank);
int bine_moves_torus_hung(struct bine_moves *m, const struct bine_torus *torus, int rank, int root);

/* Allgather far-first among radix^s members that differ in one digit at each step. Blocks are
 * places here, too: that of a member is its number with the digits reversed, so that a message is
 * one run. */
int bine_moves_digits(struct bine_moves *m, int radix, int members, int member);

/* Blocks 0..segments-1 from the root to everyone on the circulant graph, segments - 1 + ceil(log2
 * p) times. */
int bine_moves_circulant(struct bine_moves *m, int p, int segments, int rank, int root);

#endif
