/* Traffic at each level of a network: between nodes, between groups, between larger groups.
 *
 * The least bytes in all are those of traffic.h at each level, and can be had at all levels at
 * once. Then the busiest uplink of a level is bound from two sides: by what busiest.h says of the
 * sets of this level alone, and by the sets around them. A set of the next level that holds m of
 * them passes everything between these m - 1 times (allreduce: twice as often), and what it sends
 * out itself leaves by their uplinks, too. In units of n, with a share F of the blocks in it, the
 * mean of its m uplinks is at least
 *
 *     allgather, reduce_scatter   (m - 1 + F) / m
 *     allreduce                   (2 (m - 1) + 1) / m
 *
 * Worked example: two pods of three leaves and of one, all leaves of one size, allgather: a leaf by
 * itself 1 - 1/4, the three of a pod (2 + 3/4) / 3 = 0.917. */
#ifndef BINE_TRAFFIC_LEVELS_H
#define BINE_TRAFFIC_LEVELS_H

#include "traffic/busiest.h"

enum { BINE_TRAFFIC_LEVELS_MOST = BINE_WIDER_MOST + 2 };

struct bine_level_traffic {
    int level;                          /* 0: nodes, 1: groups, 2 ...: larger groups */
    int groups;                         /* sets of this level */
    int64_t bytes, least;               /* between them, and the least possible */
    struct bine_busiest busiest, bound; /* pairs at the outermost level only, -1 elsewhere */
};

/* Count a collective, level by level: nodes if several ranks are on one, groups, larger groups;
 * *count of them. `out` has room for BINE_TRAFFIC_LEVELS_MOST. */
enum bine_flow_result bine_traffic_levels(const struct bine_spec *spec, int64_t bytes,
                                          const struct bine_allocation *a,
                                          struct bine_level_traffic *out, int *count);

#endif
