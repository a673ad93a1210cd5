/* Stretches: who owns which part of a vector, where ranks are in groups, so that the least bytes
 * cross between groups and every message is a few runs of memory.
 *
 * The vector is a row of pieces, and ranks stand in the order of their groups (`member`). Lines:
 *
 *     line 0  the whole vector. Rank x is the home of one stretch of it: a piece of a broadcast or
 *             an allreduce begins or ends there, the block of rank x of an allgather is it
 *     line k  one for each set of level k: all pieces that no rank of the set has in a line above,
 *             in the order of the vector. They come into the set from outside, each to one owner:
 *             rank j of s ranks owns the j-th s-th of the line
 *
 * So every rank has one stretch of each line that it stands in, ranks that follow each other have
 * stretches that do, and a line has few gaps. A piece spreads in two ways:
 *
 *     crossing  between the sets inside one set: from the rank that has it, directly to its owner
 *               in each other set
 *     rounds    inside a smallest set: a circulant graph of any radix on each line (the same as
 *               pattern/circulant.h with radix 2); n ranks have widths w(R) = n and
 *               w(t) = ceil(w(t + 1) / radix), w(0) = 1; after t rounds a rank has its own stretch
 *               and those of the w(t) - 1 ranks before it, in a circle
 *
 *     groups {0 1 2} {3 4}, blocks of ranks: line 1 of {0 1 2} is 3 4, of which rank 1 owns 3 and
 *     rank 2 owns 4 (rank 0 the first third, which is empty); line 1 of {3 4} is 0 1 2: rank 3 owns
 *     0, rank 4 owns 1 and 2. Crossing: 0 -> 3, 1 -> 4, 2 -> 4, 3 -> 1, 4 -> 2
 *
 * Hung from a root, its own set at each level is no home and owns all pieces at once: they
 * leave the root by the owners in its smallest set, and go on to those of the next line, outwards.
 * The set that the root is in at the level below does not own any.
 *
 * Correctness condition: the stretches of a set's lines make up the vector, once. */
#ifndef BINE_PATTERN_STRETCHES_H
#define BINE_PATTERN_STRETCHES_H

#include "pattern/groups/groups.h"

enum bine_stretch_kind {
    BINE_STRETCH_RANKS, /* pieces are of the blocks of ranks, and that rank is their home */
    BINE_STRETCH_PARTS, /* all ranks are homes of as many pieces, or all groups, and so are the
                           ranks of one */
    BINE_STRETCH_HUNG,  /* the same, without the root's group */
};

struct bine_stretches {
    const struct bine_groups *groups;
    enum bine_stretch_kind kind;
    int root;
    int pieces;
    int each;  /* ranks: so many pieces are the block of a rank; 0: one */
    int even;  /* parts, and hung: all groups are homes of as many pieces, instead of all ranks */
    int lanes; /* hung: so many ranks of a set own something, at most; 0: all of them */
    int flat;  /* inside a smallest set in one round */
};

/* Consecutive pieces. */
struct bine_interval {
    int32_t first, count;
};

enum { BINE_LINE_PARTS = 2 << BINE_LEVELS_MOST, BINE_ROUNDS_MOST = 32 };

struct bine_line {
    int level, set;
    int length, parts;
    struct bine_interval part[BINE_LINE_PARTS];
};

/* The pieces of a rank's block. */
static inline int bine_stretch_each(const struct bine_stretches *s) {
    return s->each > 0 ? s->each : 1;
}

/* Lines 0 .. so many - 1; the last one is that of the smallest sets. */
static inline int bine_stretch_lines(const struct bine_stretches *s) {
    return s->groups->levels - 1;
}

void bine_line_make(const struct bine_stretches *s, int level, int set, struct bine_line *line);
/* Where the stretch of the rank at place x of `member` begins, or, at the end of the set, where
 * that of the last one ends. Places of a line count from 0. */
int bine_stretch_begin(const struct bine_stretches *s, const struct bine_line *line, int x);
/* The rank, as a place of `member`, whose stretch holds a place of the line, among those from
 * `low` to `high` - 1, which hold it together. */
int bine_stretch_owner(const struct bine_stretches *s, const struct bine_line *line, int place,
                       int low, int high);
/* The pieces at the places a .. z - 1 of a line; returns how many intervals. */
int bine_line_pieces(const struct bine_line *line, int a, int z, struct bine_interval *out);
/* The places of a line that hold these pieces; returns how many intervals. */
int bine_line_places(const struct bine_line *line, struct bine_interval pieces,
                     struct bine_interval *out);
/* How many ranks of a set own pieces of the line of the set: all, but for what is hung. */
int bine_line_owners(const struct bine_stretches *s, int level, int set);

/* Whether what is hung has its root in a set. */
int bine_stretch_has_root(const struct bine_stretches *s, int level, int set);

/* The widths before each round of n ranks, and n itself; returns the number of rounds. */
int bine_round_widths(int n, int radix, int width[BINE_ROUNDS_MOST + 1]);

#endif
