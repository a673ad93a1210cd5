/* From the arguments of an entry point to a call that the engine understands. */
#ifndef BINE_MPI_CALL_H
#define BINE_MPI_CALL_H

#include "engine/call.h"

/* The arguments as MPI has them. Those that a collective does not have are zero. */
struct bine_arguments {
    enum bine_collective collective;
    const void *sendbuf;
    void *recvbuf;
    int sendcount, recvcount;
    const int *recvcounts;
    MPI_Datatype sendtype, recvtype;
    MPI_Op op;
    int root;
    MPI_Comm comm;
};

/* Take the buffers from the arguments. */
static inline void bine_call_address(const struct bine_arguments *a, int rank,
                                     struct bine_call *call) {
    call->sendbuf = a->sendbuf;
    call->recvbuf = a->recvbuf;
    if (a->collective == BINE_BCAST)
        call->sendbuf = rank == a->root ? a->recvbuf : NULL;
}

/* Check the arguments that count at this rank and describe the call. Returns an MPI error class. */
int bine_call_make(const struct bine_arguments *a, int rank, int p, struct bine_call *call);

#endif
