/* MPI_COMM_WORLD: whether there is one, and who is in it. */
#ifndef BINE_MPI_WORLD_H
#define BINE_MPI_WORLD_H

#include <mpi.h>

/* Whether there is an MPI_COMM_WORLD: not where a program has only opened an MPI session. */
int bine_has_world(void);
/* This process's rank in MPI_COMM_WORLD, or -1. */
int bine_world_rank(void);

/* Whether a communicator has processes that are not in this one's MPI_COMM_WORLD: spawned, or
 * connected later. They may be without Bine. Asks nobody; the answer is the same on all its ranks.
 */
int bine_leaves_world(MPI_Comm comm);

#endif
