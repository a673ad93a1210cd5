/* How far a communicator reaches. */
#ifndef BINE_MPI_REACH_H
#define BINE_MPI_REACH_H

#include <mpi.h>

/* Whether a communicator has processes that are not in this one's MPI_COMM_WORLD: spawned, or
 * connected later. They may be without Bine. Asks nobody; the answer is the same on all its ranks.
 */
int bine_reaches_out(MPI_Comm comm);

#endif
