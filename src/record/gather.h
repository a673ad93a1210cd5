/* The parts of all ranks, merged by rank 0 at MPI_Finalize. */
#ifndef BINE_RECORD_GATHER_H
#define BINE_RECORD_GATHER_H

#include "profile/part.h"

#include <mpi.h>

/* Merge the parts of the ranks of a communicator (MPI_COMM_NULL: of this process alone) into a
 * file; a rank without one has NULL. Collective. Returns whether the file was written. */
int bine_record_gather(MPI_Comm everyone, const struct bine_part *part, const char *file);

#endif
