/* Which MPI library this is compiled for. */
#ifndef BINE_MPI_LIBRARY_H
#define BINE_MPI_LIBRARY_H

#include "select/rules.h"

#include <mpi.h>

#ifdef OPEN_MPI
#define BINE_LIBRARY BINE_LIBRARY_OPENMPI
#else
#define BINE_LIBRARY BINE_LIBRARY_MPICH
#endif

#endif
