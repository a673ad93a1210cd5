/* Persistent collectives, which Open MPI 4.1 has by another name. */
#ifndef BINE_TESTS_PERSISTENT_H
#define BINE_TESTS_PERSISTENT_H

#include <mpi.h>

#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define INIT(NAME) MPIX_##NAME##_init
#else
#define INIT(NAME) MPI_##NAME##_init
#endif

#endif
