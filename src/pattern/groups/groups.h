/* Groups: ranks that are near each other, in levels, and the trees that keep traffic inside them.
 *
 * A level cuts every set of the level above into smaller ones: all ranks, network groups, nodes,
 * single ranks. Sets may have any sizes and their ranks any numbers.
 *
 * How a block spreads. Every set has one rank that the block enters by, its entry: the source's own
 * sets have the source, the others a rank that is chosen so that all ranks of a set enter about as
 * many blocks. At each level, the block goes from the entry of a set to the entries of the
 * smaller sets inside it, along a Bine tree over those sets; then each of them does the same one
 * level further in. So it crosses into every set exactly once: with G groups, G - 1 times between
 * groups, which is the least possible.
 *
 *     groups {0 1 2} {3 4}, block 4: 4 -> 1 between the groups, then 4 -> 3 and 1 -> 2, 1 -> 0
 *
 * Hung from a root, the parts of a vector start at the root. The root must send each part only
 * once, and its group must let each part out only once. So the sources are in the other groups; and
 * at every level the root's own set hangs directly on the entry of the set around it, and comes
 * last, while the tree is over the other sets. These few edges, reversed, are the way from the root
 * to the source.
 *
 *     groups {0 1 2} {3 4}, root 0, a part with entries 2 and 4: 0 -> 2 -> 4, 2 -> 1 and 4 -> 3
 *
 * Steps: the sum over the levels of the steps of the deepest tree. Correctness condition: an
 * entry of a set is also the entry of the smaller set that it is in. */
#ifndef BINE_PATTERN_GROUPS_H
#define BINE_PATTERN_GROUPS_H

#include "pattern/tree.h"

/* Levels between all ranks and single ranks. */
enum { BINE_LEVELS_MOST = 4 };

struct bine_level {
    int sets;
    int32_t *begin;  /* set i is member[begin[i]] .. member[begin[i + 1] - 1] */
    int32_t *inside; /* the sets inside set i are inside[i] .. inside[i + 1] - 1 of the next level;
                        none at the last level */
    int32_t *set_of; /* of each rank */
    int32_t *order;  /* of each rank: by relative place in its set */
};

struct bine_groups {
    int p;
    int levels;  /* level 0: one set of all; the last level: every rank alone */
    int largest; /* ranks of the largest group */
    int alone;   /* every rank is a group of its own; without that, the same levels are one group */
    struct bine_level level[BINE_LEVELS_MOST + 2];
    int32_t *member;         /* ranks: every set is one run, in ascending order in the smallest */
    struct bine_tree **tree; /* by the number of sets; NULL where no set has that many inside */
    struct bine_tree **star; /* by the number of single ranks; NULL where no set has that many */
    int32_t *memory;
};

/* name[l][r] is the group of rank r at level l, any numbers: ranks are in the same set at level l
 * if their names agree there and at all levels above. Levels that change nothing are dropped. NULL
 * when out of memory. */
struct bine_groups *bine_groups_new(int p, int levels, const int32_t *const *name);
void bine_groups_free(struct bine_groups *g);

static inline int bine_groups_size(const struct bine_groups *g, int level, int set) {
    return g->level[level].begin[set + 1] - g->level[level].begin[set];
}

/* The smallest set of each rank that may hold others: its node, if nodes are known. */
const int32_t *bine_groups_smallest(const struct bine_groups *g);
/* Network groups, or whatever is outermost: 1 if there are none. */
int bine_groups_count(const struct bine_groups *g);

/* The data that spreads. */
enum bine_spread_kind {
    BINE_SPREAD_RANKS, /* block b is of rank b, and spreads from there */
    BINE_SPREAD_PARTS, /* block b is a part of a vector: ranks of a set enter p / size parts in a
                          row; its source is in one of the groups in turn */
    BINE_SPREAD_HUNG,  /* parts that are hung from the root */
    BINE_SPREAD_ROOT,  /* everything spreads from the root, by the first rank of each other set */
};

struct bine_spread {
    const struct bine_groups *groups;
    enum bine_spread_kind kind;
    int root;
    int direct;      /* sets that hold more than one rank are reached directly, not along a tree;
                        so are ranks that are groups of their own */
    int flat;        /* single ranks are: in one step, from the rank that keeps the block in their
                        smallest set, which has all blocks shared out among its ranks in a row. Blocks
                        of ranks (kind ranks): those of the set first, the others a step later */
    int turn, turns; /* the vector goes in so many segments, and this is one of them: together they
                        share the blocks out evenly where one of them cannot; 0 turns: one */
};

/* One block at one rank: from whom and when, and to whom and when, the levels in order. */
struct bine_spread_edge {
    int32_t peer, level, step;
};

/* One block and one rank: the entries of the sets that the rank is in, from the source of the
 * block, which enters the set of all, to the rank itself. */
struct bine_chain {
    int block, rank;
    int32_t entry[BINE_LEVELS_MOST + 2];
};

int bine_spread_source(const struct bine_spread *x, int block);
void bine_spread_chain(const struct bine_spread *x, int block, int source, int rank,
                       struct bine_chain *c);
/* How a block comes to a rank; 0 if the rank is its source. Hung, the way to the root is there to
 * be turned round, from each of its entries to the one before; its steps mean nothing. */
int bine_spread_arrival(const struct bine_spread *x, int block, int rank,
                        struct bine_spread_edge *from);
/* The same, unless the rank is the source, and to whom the rank sends it on, in the order of time,
 * at most once a step; not for direct ones, and without the way to the root where it is hung. The
 * number of those that it is sent to. */
int bine_chain_edges(const struct bine_spread *x, const struct bine_chain *c,
                     struct bine_spread_edge *from, struct bine_spread_edge *to);
/* The rank by which a block enters a set, given the one by which it enters the set around it. */
int bine_spread_entry(const struct bine_spread *x, int block, int above, int level, int set);
/* The tree over the sets inside one, from the set that has the entry. */
struct bine_branch {
    const struct bine_tree *tree; /* NULL: all are its children */
    int first, sets;              /* at the level below */
    int root;                     /* which of them has the entry */
    int apart;                    /* which of them hangs directly on it; -1: none */
};

struct bine_branch bine_spread_branch(const struct bine_spread *x, int level, int set, int entry);
/* Which of the sets another one than the root has the block from, and in which step. */
int bine_branch_upper(const struct bine_branch *b, int set, int *step);
/* Which of the sets is at a node of its tree. */
int bine_branch_set(const struct bine_branch *b, int v);

/* Whether a block of a rank outside a rank's smallest set comes to it in the second step of a flat
 * last level. */
int bine_spread_is_late(const struct bine_spread *x, int block, int rank);

/* Steps of one level: those of the deepest tree over the sets inside one of its sets. */
int bine_spread_steps(const struct bine_spread *x, int level);

/* The rank of a set that takes a block of a rank outside it (kind ranks). */
int bine_groups_entry(const struct bine_groups *g, int level, int set, int rank);

#endif
