/* The clocks of all nodes on the scale of rank 0's. */
#ifndef BINE_RECORD_CLOCKS_H
#define BINE_RECORD_CLOCKS_H

#include "profile/align.h"

#include <mpi.h>

/* The ranks of a communicator by node, and one of each node. */
struct bine_clocks {
    MPI_Comm node, leaders; /* leaders: of one rank of each node, MPI_COMM_NULL on the others */
};

/* Collective. A communicator that cannot be made is MPI_COMM_NULL, and clocks are not known. */
void bine_clocks_open(struct bine_clocks *c, MPI_Comm comm);
/* Compare this node's clock (bine_monotonic_ns) with that of rank 0's node. Collective. Takes some
 * twenty short messages a node, along a binomial tree. */
void bine_clocks_align(const struct bine_clocks *c, struct bine_alignment *a);
void bine_clocks_close(struct bine_clocks *c);

#endif
