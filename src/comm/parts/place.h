/* The place of a communicator's ranks in the network, as they agreed on it. */
#ifndef BINE_COMM_PARTS_PLACE_H
#define BINE_COMM_PARTS_PLACE_H

#include "pattern/groups/groups.h"
#include "schedule/lineup.h"

struct bine_place {
    int nodes, per_node, groups; /* as in struct bine_query */
    int hosts;                   /* as in struct bine_agreement */
    int cores;                   /* the fewest that the ranks of a node may use; 0: not known */
    int crowded;                 /* as in struct bine_query */
    int none_grouped;            /* no rank knows its group */
    struct bine_shape dims;      /* as in struct bine_query */
    int wired;                   /* likewise */
    struct bine_groups *levels;  /* or NULL */
    struct bine_lineup *order;   /* of the ranks for flat algorithms, or NULL */
    struct bine_lineup *seats;   /* of the ranks for torus algorithms, or NULL */
};

#endif
