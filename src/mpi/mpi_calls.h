/* The MPI library's own collectives. Reached through pointers, because the drop-in library takes
 * over their names. */
#ifndef BINE_MPI_MPI_CALLS_H
#define BINE_MPI_MPI_CALLS_H

#include "mpi/arguments.h"

/* In the order of enum bine_entry. */
struct bine_mpi_calls {
    int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
    int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
    int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*gather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
    int (*scatter)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm);
    int (*allgather)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
    int (*alltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
    int (*reduce_scatter)(const void *, void *, const int[], MPI_Datatype, MPI_Op, MPI_Comm);
    int (*reduce_scatter_block)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int (*comm_free)(MPI_Comm *);
};

/* Write it only while the drop-in library attaches. */
extern struct bine_mpi_calls bine_mpi;

/* The call as it came, by the MPI library itself. */
int bine_call_mpi(const struct bine_arguments *a);

#endif
