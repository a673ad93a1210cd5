/* Calls that the MPI library makes itself, with buffers in the memory of a device that it does not
 * take: it gets copies in the host's memory. */
#ifndef BINE_MPI_STAGED_H
#define BINE_MPI_STAGED_H

#include "mpi/arguments.h"

/* The call by MPI, with copies where they are needed. */
int bine_call_staged(const struct bine_arguments *a);

#endif
