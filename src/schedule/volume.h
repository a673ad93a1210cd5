/* Volumes: how many pieces the schedules of a composition send and receive, as promised. This is
 * promises that check holds them to, stated here without a look at how they are built. */
#ifndef BINE_SCHEDULE_VOLUME_H
#define BINE_SCHEDULE_VOLUME_H

#include "schedule/catalogue.h"

#include <stdint.h>

/* Instead of a number of pieces. */
#define BINE_NOT_PROMISED INT64_MIN

/* Of one rank. */
struct bine_rank_volume {
    int64_t sent, received;
    int64_t kept; /* received less sent, where it passes on everything else */
};

/* Of all ranks together: pieces received, from .. to. */
struct bine_total_volume {
    int64_t least, most;
};

/* Where a composition says it exactly for each rank, of_rank does, and of_all is NULL; otherwise
 * the other way round. */
struct bine_volume {
    struct bine_rank_volume (*of_rank)(const struct bine_algorithm *a,
                                       const struct bine_schedule *s, int rank);
    /* 0, or -1 when out of memory. */
    int (*of_all)(const struct bine_algorithm *a, const struct bine_schedule *s,
                  struct bine_total_volume *total);
    int two_halves; /* the first half of the steps moves as much as the second, at every rank */
};

/* Of each rank: */
extern const struct bine_volume
    bine_volume_from_root, /* every rank but the root receives the vector once */
    bine_volume_to_root,   /* every rank but the root sends it once */
    bine_volume_scatter, /* the root sends all blocks but its own; others pass on all but theirs */
    bine_volume_gather,  /* scatter backwards */
    bine_volume_reduce_gather, /* everyone sends and receives as many blocks as there are others,
                                  and the root gets all of theirs */
    bine_volume_every, /* every rank sends and receives as many blocks as there are others */
    bine_volume_every_received, /* receives as many */
    bine_volume_every_sent,     /* sends as many */
    bine_volume_twice,          /* both twice, once in each half of the steps */
    bine_volume_rings,          /* both twice, in blocks that are cut into segments */
    bine_volume_direct,         /* every rank sends each other one its block */
    bine_volume_passed_on,      /* every rank receives as many blocks as it sends */
    bine_volume_board,          /* a reading counts as sent and received, once a reader */
    bine_volume_board_shared,   /* all blocks by the ranks that add up, then the sums */
    bine_volume_scan,           /* of a power of two: to and from as many as are so far away */
    bine_volume_spread,         /* every part of every block but the own one is received once */
    bine_volume_chain,          /* from the rank before, to the one after */
    bine_volume_nothing,        /* nothing is sent but that one is there */
    bine_volume_board_levels;   /* to and from a root every block once, by way of the leaders */
/* Of all ranks: */
extern const struct bine_volume
    bine_volume_up_down,           /* every rank but one sends the vector, and receives it */
    bine_volume_ordered,           /* sends it, and the sum may have to go on to the root */
    bine_volume_scatter_allgather, /* a binomial scatter, then an allgather of everything */
    bine_volume_halving,           /* Rabenseifner's, folded whole */
    bine_volume_halves,            /* Rabenseifner's, folded by halves */
    bine_volume_doubling,          /* recursive doubling of partial sums */
    bine_volume_butterfly,         /* whole vectors, radix 2 */
    bine_volume_multiplying,       /* whole vectors, any radix */
    bine_volume_rounds,            /* likewise, and a last step of fewer */
    bine_volume_scan_groups,       /* all but the first get a vector, in at most three phases */
    bine_volume_alltoall;          /* every block as many hops as its tree has */

#endif
