/* A call as it came, made by the MPI library itself. */
#ifndef BINE_MPI_HAND_ON_H
#define BINE_MPI_HAND_ON_H

#include "mpi/call.h"

int bine_hand_on(const struct bine_arguments *a);

#endif
