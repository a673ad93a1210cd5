/* The compositions: how trees are put together to a collective.
 *
 * compositions.def has one row for each. Everything that depends on the composition is a field of
 * its row: the builder calls `compose` and `moves`, check holds schedules to `volume`, traffic
 * counts by `flow`, the catalogue asks `needs` and `sorts`. No field may be left out: none of them
 * has a value of 0, and a test goes over all rows. */
#ifndef BINE_SCHEDULE_COMPOSITION_H
#define BINE_SCHEDULE_COMPOSITION_H

struct bine_algorithm;
struct bine_moves;
struct bine_spec;
struct bine_schedule;
struct bine_tree;
struct bine_volume;

enum bine_composition {
    BINE_MAKE_NOTHING,
#define COMPOSITION(NAME, ...) BINE_MAKE_##NAME,
#include "schedule/compositions.def"
#undef COMPOSITION
    BINE_COMPOSITIONS
};

/* Facts that an algorithm must know of the ranks besides their number. */
enum bine_needs {
    BINE_NEEDS_NOT_SAID,
    BINE_NEEDS_NOTHING,
    BINE_NEEDS_GROUPS,
    BINE_NEEDS_BOARDS, /* all ranks on one node, and their boards */
    BINE_NEEDS_DIMS,   /* never of a composition: of the family that it is used with */
};

/* Layouts permute and send: how the blocks that were put in another order come back into theirs. */
enum bine_sorting {
    BINE_SORTS_NOT_SAID,
    BINE_SORTS_ITSELF,    /* its second half undoes the first; or it has neither of
                             these layouts */
    BINE_SORTS_ALL_TREES, /* by one more exchange; p is a power of two */
    BINE_SORTS_ONE_TREE,  /* by one more exchange; any p, because the subtrees of one tree are runs
                             of its post-order */
};

/* Which bytes go along which edges, to count them without schedules. Reductions run the
 * edges backwards, an allreduce both ways. */
enum bine_flow {
    BINE_FLOW_NOT_SAID,
    BINE_FLOW_SCHEDULES, /* read the schedules */
    BINE_FLOW_ROOT,      /* the tree of the root, the whole vector */
    BINE_FLOW_BLOCKS,    /* the tree of the root, the block of each rank to or from it */
    BINE_FLOW_EVERY,     /* every rank is a root, its block goes everywhere */
    BINE_FLOW_PAIRS,     /* every rank is a root, a block for each other rank */
    BINE_FLOW_HUNG,      /* as EVERY, but the path between each owner and the root is reversed */
    BINE_FLOW_SEGMENTS,  /* the trees of the root in turn, a segment each */
    BINE_FLOW_HALVES,    /* the two trees of the root, half of the segments each */
    BINE_FLOW_UP_DOWN,   /* the whole vector up a tree of rank 0, then down a near-first one */
    BINE_FLOW_RINGS,     /* a ring backwards, then one outwards; blocks are cut into segments */
    BINE_FLOW_AROUND, /* as BLOCKS on a binomial tree, then as EVERY; block k is of rank root + k */
    BINE_FLOW_DIRECT, /* every rank sends every other one its block */
    BINE_FLOW_GROUP_ROOT,    /* between and inside groups: the whole vector from the root */
    BINE_FLOW_GROUP_BLOCKS,  /* the block of each rank to or from the root */
    BINE_FLOW_GROUP_COLLECT, /* blocks for one rank are collected in the group first */
    BINE_FLOWS
};

/* How the moves of a request are made: by closed form, or from the tree (build/moves/moves.h). A
 * maker that is always closed has no `listed`, one that never is has no `closed`. A composition
 * that asks for no moves has a maker with neither. */
struct bine_moves_maker {
    int (*is_closed)(const struct bine_spec *spec); /* whether no tree is needed */
    int (*closed)(struct bine_moves *m, const struct bine_spec *spec);
    int (*listed)(struct bine_moves *m, const struct bine_spec *spec, const struct bine_tree *t);
    /* The k-th tree that the composition plants for itself, 0 or 1; NULL where there is none, or
     * when out of memory. */
    struct bine_tree *(*planted)(const struct bine_spec *spec, int k);
};

struct bine_composition_row {
    const char *name, *about;
    /* Lays out the three spaces of the schedule and fills in its operations; 0, or -1 when out of
     * memory. */
    int (*compose)(struct bine_schedule *s, const struct bine_spec *spec);
    const struct bine_moves_maker *moves;        /* the maker that `compose` asks for its moves */
    int (*blocks)(const struct bine_spec *spec); /* that the vector is cut into */
    const struct bine_volume *volume;            /* pieces sent and received, as promised */
    enum bine_flow flow;
    enum bine_needs needs;
    enum bine_sorting sorts;
};

/* By enum bine_composition; the first one is no composition. */
extern const struct bine_composition_row bine_compositions[BINE_COMPOSITIONS];

#endif
