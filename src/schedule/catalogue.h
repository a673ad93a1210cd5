/* The catalogue: every algorithm of every collective, one row each, in catalogue/COLLECTIVE.def.
 *
 * Everything that can be said of an algorithm is in its row: which families it is made of, for
 * which p it works, which layouts it has, and how many steps it promises. `bine list` prints the
 * rows; the builder follows them; check holds them to their promise. */
#ifndef BINE_SCHEDULE_CATALOGUE_H
#define BINE_SCHEDULE_CATALOGUE_H

#include "pattern/family.h"
#include "pattern/places.h"
#include "schedule/composition.h"
#include "schedule/schedule.h"

#include <stddef.h>

enum bine_ranks { BINE_RANKS_ANY, BINE_RANKS_EVEN, BINE_RANKS_POW2, BINE_RANKS_FEW };

/* FEW: a schedule of p^2 parts has no memory for more. */
enum { BINE_FEW_RANKS = 4096 };

/* The number of steps that an algorithm promises, with L = ceil(log2 p). */
enum bine_steps {
    BINE_STEPS_NOT_SAID,
    BINE_STEPS_LOG,            /* L */
    BINE_STEPS_TWO_LOG,        /* 2 L */
    BINE_STEPS_LOG_ONE,        /* L + 1 */
    BINE_STEPS_FOLD,           /* floor(log2 p), + 2 where p is not a power of two */
    BINE_STEPS_RING,           /* p - 1 */
    BINE_STEPS_TWO_RINGS,      /* 2 (p - 1) */
    BINE_STEPS_ONE,            /* 1 */
    BINE_STEPS_TWO,            /* 2 */
    BINE_STEPS_TEAMS,          /* 2, of up to three ranks 1 */
    BINE_STEPS_BUCKET,         /* rows + columns - 2 */
    BINE_STEPS_TWO_BUCKETS,    /* twice that */
    BINE_STEPS_HALF,           /* p / 2 */
    BINE_STEPS_RADIX,          /* ceil(log_radix p) */
    BINE_STEPS_TWO_RADIX,      /* twice that */
    BINE_STEPS_POSTAL,         /* of the postal tree with that lag, */
    BINE_STEPS_POSTAL_LEVELS,  /* and its levels */
    BINE_STEPS_MULTIPLY_TWO,   /* 2 floor(log_radix p), + 2 where p is not a power of the radix */
    BINE_STEPS_MULTIPLY,       /* floor(log_radix p), + 2 where p is not a power of the radix */
    BINE_STEPS_ROUNDS,         /* of the butterfly of that radix, + 2 where p is not its members */
    BINE_STEPS_THROTTLED,      /* (p - 1) / radix, rounded up */
    BINE_STEPS_LOG_RING,       /* L + p - 1 */
    BINE_STEPS_FOLD_REDUCE,    /* 2 floor(log2 p), + 1 where p is not a power of two */
    BINE_STEPS_FOLD_TWO,       /* 2 floor(log2 p), + 2 where p is not a power of two */
    BINE_STEPS_FOLD_THREE,     /* 2 floor(log2 p), + 3 where p is not a power of two */
    BINE_STEPS_DIMS,           /* on a torus: ceil(log2 d), summed over the dimensions */
    BINE_STEPS_TWO_DIMS,       /* twice that */
    BINE_STEPS_DIMS_FOLD,      /* DIMS with floor, + 2 for each d that is not a power of two */
    BINE_STEPS_DIMS_RINGS,     /* d - 1, summed */
    BINE_STEPS_TWO_DIMS_RINGS, /* twice that */
    /* Known when the schedule is: */
    BINE_STEPS_PIPELINE,        /* the steps of the tree, and the stride for each further segment */
    BINE_STEPS_SPLIT_PIPELINE,  /* PIPELINE without the trees' last step, and one to exchange */
    BINE_STEPS_TWO_PIPELINES,   /* a pipeline up and a pipeline down */
    BINE_STEPS_CIRCULANT,       /* segments - 1 + L */
    BINE_STEPS_SEGMENTED_RINGS, /* (segments + 1) (p - 1) */
    BINE_STEPS_GROUPS,          /* as many as the groups need */
};

struct bine_algorithm {
    enum bine_collective collective;
    const char *name;
    const char *alias; /* another name for it, or NULL */
    const char *family;
    const char *about;
    enum bine_composition composition;
    enum bine_family tree;
    enum bine_family second_tree;          /* of algorithms that take turns on two */
    enum bine_order order;                 /* of the forward moves in time */
    int radix;                             /* of trees and rounds, or a lag; else 0 */
    enum bine_places places;               /* for the layouts permute and send */
    enum bine_ranks ranks;                 /* that it takes; on a torus, in each dimension */
    int commutative;                       /* the operator must be commutative */
    signed char layouts[BINE_LAYOUTS + 1]; /* in the order of preference, then -1 */
    enum bine_steps steps;                 /* that it promises */
    int exchanges_sizes; /* sizes travel along the tree first, then small blocks; large ones go directly:
                      schedule.h */
    int differs; /* ranks add up in different orders: where that matters, their bits differ */
    int trees;  /* trees that the segments of a pipeline take turns on, 1 or 2; 0: not a pipeline */
    int stride; /* steps between one segment and the next on one tree */
};

extern const struct bine_algorithm bine_catalogue[];
extern const size_t bine_catalogue_size;

const char *bine_layout_name(enum bine_layout l);
const char *bine_ranks_name(enum bine_ranks r);
/* The number of a name, or -1. */
int bine_layout_find(const char *name);

/* The direct algorithm, where sizes are exchanged: every collective that does so has this one. */
#define BINE_ALGORITHM_DIRECT "linear"

/* By name or alias; NULL if there is none. */
const struct bine_algorithm *bine_algorithm_find(enum bine_collective c, const char *name);
/* The known name nearest to a misspelt one, or NULL if none is near. */
const char *bine_algorithm_suggest(enum bine_collective c, const char *name);

/* Facts that it must know of the ranks besides their number. */
enum bine_needs bine_algorithm_needs(const struct bine_algorithm *a);

/* Whether it works for p ranks; whether it does so knowing nothing else of them. */
int bine_algorithm_takes(const struct bine_algorithm *a, int p);
int bine_algorithm_serves(const struct bine_algorithm *a, int p);
/* Whether it works on a torus of these dims. */
int bine_algorithm_takes_dims(const struct bine_algorithm *a, const struct bine_shape *dims);
int bine_algorithm_has_layout(const struct bine_algorithm *a, enum bine_layout l, int p);
/* The layout taken when none is asked for: its first. For a vector of this many bytes: unless that
 * copies blocks which are big enough to travel alone. */
enum bine_layout bine_algorithm_layout(const struct bine_algorithm *a, int p);
enum bine_layout bine_algorithm_layout_at(const struct bine_algorithm *a, int p, int64_t bytes);
/* -1 where p is not enough to know: for pipelines, with groups, and on a torus without dims. */
int bine_algorithm_steps(const struct bine_algorithm *a, int p, enum bine_layout l);
int bine_algorithm_steps_on(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                            enum bine_layout l);

/* The steps that a schedule must have; UNKNOWN with groups. */
enum { BINE_STEPS_UNKNOWN = -1, BINE_STEPS_NO_MEMORY = -2 };
int bine_promised_steps(const struct bine_algorithm *a, const struct bine_schedule *s);

/* The tree of rank 0 that it is made of; NULL when out of memory. Dims and port count on a torus
 * only. The second function is for algorithms whose segments take turns on several trees. */
struct bine_tree *bine_algorithm_tree(const struct bine_algorithm *a, int p,
                                      const struct bine_shape *dims, int port);
struct bine_tree *bine_algorithm_turn_tree(const struct bine_algorithm *a, int p, int turn);
/* Layouts permute and send: the place of a rank's block, and whose block is at a place. */
int bine_algorithm_place(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                         int port, int rank);
int bine_algorithm_rank_at(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                           int port, int place);

#endif
