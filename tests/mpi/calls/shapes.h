/* Made-up groups for the ranks of a test. */
#ifndef BINE_TESTS_SHAPES_H
#define BINE_TESTS_SHAPES_H

#include "../check.h"

#include <mpi.h>

struct rng;

/* Groups of MPI_COMM_WORLD, or none, and an order in which to take the ranks: set in the
 * environment, for communicators that are used from now on. Returns whether there is such an order.
 * `r` is the same on all ranks. With `nodes`, there are always some, few enough to have company. */
int shapes_draw(struct rng *r, int nodes);
/* Whether algorithms that need groups can be used on a communicator. */
int shapes_levels(MPI_Comm comm);
/* Whether all its ranks are on one node. */
int shapes_one_node(MPI_Comm comm);
/* Whether they have boards (1), and can read each other's memory (2). */
int shapes_boards(MPI_Comm comm);
/* No groups from now on. */
void shapes_none(void);
/* Remove what was written. */
void shapes_end(void);

#endif
