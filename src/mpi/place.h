/* What the ranks of a communicator find out together, before anything is chosen on it. */
#ifndef BINE_MPI_PLACE_H
#define BINE_MPI_PLACE_H

#include "mpi/policy.h"
#include "pattern/groups.h"
#include "schedule/build/reorder.h"

#include <mpi.h>
#include <stdint.h>

struct bine_place {
    int alike;                  /* all ranks have the same policy */
    int room;                   /* all ranks have room */
    int speaker;                /* the rank that warns of what all know, or -1 */
    int nodes, per_node;        /* as in struct bine_question */
    int groups;                 /* of the network; 0: not known */
    int none_grouped;           /* no rank knows its group */
    struct bine_groups *levels; /* groups and nodes; NULL where neither says anything */
    struct bine_lineup *order;  /* in which flat algorithms take the ranks; NULL: as they are */
    struct bine_shape dims;     /* of the machine's torus, as far as the ranks are on it */
    struct bine_lineup *seats;  /* in which torus algorithms take the ranks; NULL: as they are */
};

/* Collective. The policy is NULL on a rank without memory for one; `room` is for a private
 * communicator. What differs is warned of. The result is the same on all ranks; where one has no
 * memory for the levels or the orders, the ranks are not alike. Returns an MPI error code; then
 * there is nothing to free. */
int bine_place_find(MPI_Comm comm, int p, const struct bine_policy *policy, int room,
                    struct bine_place *place);
void bine_place_free(struct bine_place *place);

#endif
