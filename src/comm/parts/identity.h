/* The identity of a communicator: its ranks, its private copy, and whether it is served at all. */
#ifndef BINE_COMM_PARTS_IDENTITY_H
#define BINE_COMM_PARTS_IDENTITY_H

#include <mpi.h>
#include <stdatomic.h>

struct bine_context;

struct bine_identity {
    MPI_Comm comm; /* private; MPI_COMM_NULL as long as only MPI's own algorithms have run */
    int rank, p;   /* no ranks: there was no memory to find out more */
    int reports;   /* this rank reports warnings that all ranks share */
    const char *forward_reason;         /* why all calls go to the MPI library, or NULL */
    const char *no_reduce;              /* why reductions do, or NULL */
    int made;                           /* communicators that all its ranks made of it */
    int leaves_made;                    /* as closed as they are (call/opening.h) */
    int finalizing;                     /* MPI_Finalize has begun */
    atomic_int orphaned;                /* its communicator was freed */
    struct bine_context *older, *newer; /* all contexts, to be freed at MPI_Finalize */
};

#endif
