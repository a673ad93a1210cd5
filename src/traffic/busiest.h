/* The busiest link between groups, and the least that it must carry.
 *
 * Two kinds of networks: each group has one link out and one in (leaf switches of a tree), or one
 * to each other group (Dragonfly). The links carry both directions at once, each as much. In units
 * of the vector n, with G groups whose ranks have the shares f of its blocks, no algorithm that
 * sends the least bytes between groups in all has less on its busiest link than:
 *
 *     collective                  link of a group     link between two groups
 *     allgather, reduce_scatter   1 - f_min           (1 - f_min) / (G - 1)
 *     allreduce                   2 (G - 1) / G       2 / G
 *     bcast, reduce               1                   1 / (G - 1)
 *     gather, scatter             1 - f_root          the largest f of another group
 *     alltoall                    the most that the ranks of one group have for the others, and
 *                                 those of one group for those of another
 *
 * Worked example: leaves of 9, 4 and 3 ranks, allgather: 13/16 and 13/32. */
#ifndef BINE_TRAFFIC_BUSIEST_H
#define BINE_TRAFFIC_BUSIEST_H

#include "traffic/traffic.h"

struct bine_busiest {
    int64_t uplink, pair; /* bytes on the busiest link of each kind; -1: not known */
};

/* Of counted traffic, with pairs. */
struct bine_busiest bine_traffic_busiest(const struct bine_traffic *t, int groups);
/* The least possible; -1 where no bound is known (scans). Returns 0, or -1 when out of memory. */
int bine_busiest_bound(enum bine_collective c, int64_t bytes, int root,
                       const struct bine_allocation *a, struct bine_busiest *bound);
/* Likewise for any sets of ranks, without a look at sets around them or inside. */
int bine_busiest_sets_bound(enum bine_collective c, int64_t bytes, int root,
                            const struct bine_sets *sets, struct bine_busiest *bound);

#endif
