/* The catalogue: every algorithm of every collective, one row each.
 *
 * Everything that can be said of an algorithm is in its row: which families it is made of, for
 * which p it works, which layouts it has, and how many steps it promises. `bine list` prints the
 * rows; the builder follows them; check holds them to their promise. */
#ifndef BINE_SCHEDULE_CATALOGUE_H
#define BINE_SCHEDULE_CATALOGUE_H

#include "pattern/family.h"
#include "schedule/build/moves.h"
#include "schedule/schedule.h"

#include <stddef.h>

enum bine_ranks { BINE_RANKS_ANY, BINE_RANKS_EVEN, BINE_RANKS_POW2 };

/* How the families are put together; build.c has a function for each. */
enum bine_composition {
    BINE_MAKE_BCAST,           /* one block along the tree of the root */
    BINE_MAKE_REDUCE,          /* the same backwards */
    BINE_MAKE_SCATTER,         /* block b along the tree of the root */
    BINE_MAKE_GATHER,          /* the same backwards */
    BINE_MAKE_ALLGATHER,       /* block b along the tree of b */
    BINE_MAKE_REDUCE_SCATTER,  /* the same backwards */
    BINE_MAKE_ALLREDUCE,       /* reduce-scatter, then allgather */
    BINE_MAKE_BCAST_HUNG,      /* the allgather's trees hung from the root */
    BINE_MAKE_REDUCE_HUNG,     /* the same backwards */
    BINE_MAKE_ALLTOALL,        /* block (i, j) along the tree of i */
    BINE_MAKE_PIPELINE,        /* segments one after the other along one or two trees of the root */
    BINE_MAKE_PIPELINE_REDUCE, /* the same backwards */
    BINE_MAKE_SPLIT_BINARY,    /* a pipeline of halves, which are exchanged at the end */
    BINE_MAKE_CIRCULANT,       /* segments on the circulant graph */
    BINE_MAKE_CIRCULANT_REDUCE,  /* the same backwards */
    BINE_MAKE_SCATTER_ALLGATHER, /* broadcast as a scatter and an allgather that know nothing of
                                    each other */
    BINE_MAKE_REDUCE_BCAST,      /* allreduce along the trees of rank 0, up and down */
    BINE_MAKE_REDUCE_THEN_BCAST, /* allreduce up one binomial tree and down another */
    BINE_MAKE_HALVING_REDUCE,    /* reduce: folded, reduce-scatter, then gather */
    BINE_MAKE_HALVING_ALLREDUCE, /* allreduce: folded, reduce-scatter, then allgather */
    BINE_MAKE_HALVES_REDUCE,     /* the same, and the vectors are folded by halves */
    BINE_MAKE_HALVES_ALLREDUCE,
    BINE_MAKE_RINGS,       /* allreduce: a ring reduce-scatter (for each segment of the blocks),
                              then one allgather */
    BINE_MAKE_BUTTERFLY,   /* partial sums of whole vectors; not a tree */
    BINE_MAKE_MULTIPLYING, /* the same with a radix */
    BINE_MAKE_REDUCE_SCATTER_DOUBLING, /* partial sums of blocks; not a tree */
    BINE_MAKE_REDUCE_ORDERED,          /* in rank order, for any operator */
    BINE_MAKE_ALLREDUCE_ORDERED,
    BINE_MAKE_REDUCE_SCATTER_ORDERED,
    BINE_MAKE_GROUP_BCAST, /* along the spread of pattern/groups.h: one block from the root */
    BINE_MAKE_GROUP_REDUCE,
    BINE_MAKE_GROUP_BCAST_HUNG, /* in parts, hung from the root */
    BINE_MAKE_GROUP_REDUCE_HUNG,
    BINE_MAKE_GROUP_SCATTER, /* directly to a rank of each group, and on from there */
    BINE_MAKE_GROUP_GATHER,
    BINE_MAKE_GROUP_ALLGATHER, /* block b from rank b */
    BINE_MAKE_GROUP_REDUCE_SCATTER,
    BINE_MAKE_GROUP_ALLREDUCE, /* in parts, backwards and forwards */
    BINE_MAKE_GROUP_ALLTOALL,  /* collected in the group, then directly */
    BINE_MAKE_BOARD_FLAT,      /* on boards: published by everyone, read by whoever needs it */
    BINE_MAKE_BOARD_DIRECT,    /* the same from the owner's own memory */
    BINE_MAKE_BOARD_SHARED,    /* sums of blocks, then published */
    BINE_MAKE_BOARD_LEVELS,    /* in teams of ranks, then between them */
    BINE_COMPOSITIONS
};

/* The number of steps that an algorithm promises, with L = ceil(log2 p). */
enum bine_promise {
    BINE_STEPS_LOG,            /* L */
    BINE_STEPS_TWO_LOG,        /* 2 L */
    BINE_STEPS_LOG_ONE,        /* L + 1 */
    BINE_STEPS_FOLD,           /* floor(log2 p), + 2 where p is not a power of two */
    BINE_STEPS_RING,           /* p - 1 */
    BINE_STEPS_TWO_RINGS,      /* 2 (p - 1) */
    BINE_STEPS_ONE,            /* 1 */
    BINE_STEPS_BUCKET,         /* rows + columns - 2 */
    BINE_STEPS_TWO_BUCKETS,    /* twice that */
    BINE_STEPS_HALF,           /* p / 2 */
    BINE_STEPS_RADIX,          /* ceil(log_radix p) */
    BINE_STEPS_MULTIPLY,       /* floor(log_radix p), + 2 where p is not a power of the radix */
    BINE_STEPS_LOG_RING,       /* L + p - 1 */
    BINE_STEPS_FOLD_REDUCE,    /* 2 floor(log2 p), + 1 where p is not a power of two */
    BINE_STEPS_FOLD_TWO,       /* 2 floor(log2 p), + 2 where p is not a power of two */
    BINE_STEPS_FOLD_THREE,     /* 2 floor(log2 p), + 3 where p is not a power of two */
    BINE_STEPS_DIMS,           /* on a torus: ceil(log2 d), summed over the dimensions */
    BINE_STEPS_TWO_DIMS,       /* twice that */
    BINE_STEPS_DIMS_FOLD,      /* the same with floor, + 2 for each d that is not a power of two */
    BINE_STEPS_DIMS_RINGS,     /* d - 1, summed */
    BINE_STEPS_TWO_DIMS_RINGS, /* twice that */
    BINE_STEPS_TWO,            /* 2 */
    BINE_STEPS_TEAMS,          /* 2, of up to three ranks 1 */
    BINE_STEPS_PIPELINE,       /* the steps of the tree, and the stride for each further segment;
                                  circulant: segments - 1 + L */
};

struct bine_algorithm {
    enum bine_collective collective;
    const char *name;
    const char *family;
    enum bine_ranks ranks;                 /* that it takes; on a torus, in each dimension */
    int commutative;                       /* the operator must be commutative */
    signed char layouts[BINE_LAYOUTS + 1]; /* in the order of preference, then -1 */
    enum bine_composition composition;
    enum bine_family tree;
    enum bine_order order;   /* of the forward moves in time */
    enum bine_places places; /* for the layouts permute and send */
    enum bine_promise promise;
    const char *about;
    const char *alias; /* another name for it, or NULL */
    int radix;         /* of k-nomial trees and recursive multiplying; else 0 */
    int trees;  /* trees that the segments of a pipeline take turns on, 1 or 2; 0: not a pipeline */
    int stride; /* steps between one segment and the next on the same tree */
};

extern const struct bine_algorithm bine_catalogue[];
extern const size_t bine_catalogue_size;

const char *bine_collective_name(enum bine_collective c);
const char *bine_layout_name(enum bine_layout l);
const char *bine_ranks_name(enum bine_ranks r);
/* The number of a name, or -1. reduce_scatter_block is reduce_scatter. */
int bine_collective_find(const char *name);
int bine_layout_find(const char *name);

/* By name or alias; NULL if there is none. */
const struct bine_algorithm *bine_algorithm_find(enum bine_collective c, const char *name);
/* The known name nearest to a misspelt one, or NULL if none is near. */
const char *bine_algorithm_suggest(enum bine_collective c, const char *name);

/* What an algorithm must know of the ranks besides their number. */
enum bine_needs {
    BINE_NEEDS_NOTHING,
    BINE_NEEDS_GROUPS,
    BINE_NEEDS_DIMS,
    BINE_NEEDS_BOARDS, /* all ranks on one node, and their boards */
};
enum bine_needs bine_algorithm_needs(const struct bine_algorithm *a);

/* Whether it works for p ranks; whether it does so knowing nothing else of them. */
int bine_algorithm_takes(const struct bine_algorithm *a, int p);
int bine_algorithm_serves(const struct bine_algorithm *a, int p);
/* Whether it works on a torus of these dims. */
int bine_algorithm_takes_dims(const struct bine_algorithm *a, const struct bine_shape *dims);
int bine_algorithm_has_layout(const struct bine_algorithm *a, enum bine_layout l, int p);
/* The layout taken when none is asked for. */
enum bine_layout bine_algorithm_layout(const struct bine_algorithm *a, int p);
/* -1 for pipelines, and on a torus whose dims are not told: their schedules say it. */
int bine_algorithm_steps(const struct bine_algorithm *a, int p, enum bine_layout l);
int bine_algorithm_steps_on(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                            enum bine_layout l);

int bine_collective_is_rooted(enum bine_collective c);
int bine_collective_reduces(enum bine_collective c);
/* Whether MPI_IN_PLACE makes a difference for it (everywhere, or at the root). */
int bine_collective_has_in_place(enum bine_collective c);

#endif
