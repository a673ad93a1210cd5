/* Groups: ranks that are near each other, in levels, and the trees that keep traffic inside them.
 *
 * A level cuts every set of the level above into smaller ones: all ranks, network groups, nodes,
 * single ranks. Sets may have any sizes and their ranks any numbers.
 *
 * How a block spreads from a root. Every set has one rank that the block enters by, its entry: the
 * root's own sets have the root, the others their first rank. At each level, the block goes from
 * the entry of a set to the entries of the smaller sets inside it, along a Bine tree over these
 * sets; then each of them does the same one level further in. So the block crosses into every set
 * exactly once: with G groups, G - 1 times between groups, which is the least possible.
 *
 *     groups {0 1 2} {3 4}, root 4: 4 -> 0 between the groups, then 4 -> 3 and 0 -> 1, 0 -> 2
 *
 * Blocks of single ranks, as a scatter has, must not pass through sets that they are not for: they
 * go directly from the root to the entries of the smallest sets, and on from there.
 *
 * Steps: the sum over the levels of the steps of the deepest tree. Correctness condition: an
 * entry of a set is also the entry of the smaller set that it is in.
 *
 * (Where every rank is to move a share: pattern/groups/stretches.h.) */
#ifndef BINE_PATTERN_GROUPS_H
#define BINE_PATTERN_GROUPS_H

#include "pattern/tree.h"

/* Levels between all ranks and single ranks. */
enum { BINE_LEVELS_MOST = 6 };

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
    int alone;   /* every rank is a group of its own at the last level that was named; without that,
                    the same levels are those of the groups around */
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

/* The level of the smallest groups: of nodes, if these are known, and of single ranks if these are
 * groups of their own, or the only ones. */
static inline int bine_groups_last(const struct bine_groups *g) {
    return g->levels > 2 && !g->alone ? g->levels - 2 : g->levels - 1;
}

/* The smallest set of each rank that may hold others: its node, if nodes are known. */
const int32_t *bine_groups_smallest(const struct bine_groups *g);
/* Network groups, or whatever is outermost: 1 if there are none. */
int bine_groups_count(const struct bine_groups *g);

struct bine_spread {
    const struct bine_groups *groups;
    int root;
    int direct; /* smallest sets are reached directly from the root, not along a tree, so that a
                   block crosses between the sets of each level once; so are ranks that are groups
                   of their own */
    int flat;   /* single ranks are: in one step, from the entry of their smallest set */
};

/* From or to whom the data goes, and when: the levels in order. */
struct bine_spread_edge {
    int32_t peer, level, step;
};

/* The entries of the sets that a rank is in, from the root, which enters the set of all, to the
 * rank itself. */
struct bine_chain {
    int rank;
    int32_t entry[BINE_LEVELS_MOST + 2];
};

void bine_spread_chain(const struct bine_spread *x, int rank, struct bine_chain *c);
/* How the data comes to a rank; 0 if the rank is the root. */
int bine_spread_arrival(const struct bine_spread *x, int rank, struct bine_spread_edge *from);
/* The same, unless the rank is the root, and to whom the rank sends it on, in the order of time, at
 * most once a step; not for direct ones. The number of those that it is sent to. */
int bine_chain_edges(const struct bine_spread *x, const struct bine_chain *c,
                     struct bine_spread_edge *from, struct bine_spread_edge *to);
/* Steps of one level: those of the deepest tree over the sets inside one of its sets. */
int bine_spread_steps(const struct bine_spread *x, int level);

/* The rank of a set that takes the block of a rank outside it, where each rank of the set is to
 * take about as many. */
int bine_groups_entry(const struct bine_groups *g, int level, int set, int rank);

#endif
