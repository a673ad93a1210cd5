/* From the arguments of an entry point to a call that the engine understands. */
#ifndef BINE_MPI_CALL_H
#define BINE_MPI_CALL_H

#include "engine/bind.h"

/* The arguments as MPI has them. Those that a collective does not have are zero. */
struct bine_arguments {
    enum bine_collective collective;
    const void *sendbuf;
    void *recvbuf;
    int sendcount, recvcount;
    const int *recvcounts;
    int by_counts; /* the collective has recvcounts */
    MPI_Datatype sendtype, recvtype;
    MPI_Op op;
    int root;
    MPI_Comm comm;
    int drop_in; /* an MPI call that was taken over */
};

/* Take the buffers from the arguments. */
static inline void bine_call_address(const struct bine_arguments *a, int rank,
                                     struct bine_call *call) {
    call->sendbuf = a->sendbuf;
    call->recvbuf = a->recvbuf;
    if (a->collective == BINE_BCAST)
        call->sendbuf = rank == a->root ? a->recvbuf : NULL;
}

/* MPI forbids that what is sent and what is received lie in the same memory, except by
 * MPI_IN_PLACE.
 */
static inline int bine_call_is_aliased(const struct bine_call *call) {
    uintptr_t send = (uintptr_t)call->sendbuf, recv = (uintptr_t)call->recvbuf;
    return call->send_span > 0 && call->recv_span > 0 && send < recv + (uintptr_t)call->recv_span &&
           recv < send + (uintptr_t)call->send_span;
}

/* The bytes that decide between algorithms, where they can be found out without looking at the rest
 * of the call; or -1. Where only MPI's own algorithm comes of it, MPI does that.
 * They are lasting if they are sure to be the same when the arguments are. */
int64_t bine_call_bytes(const struct bine_arguments *a, int rank, int p, int *commutative,
                        int *lasting);

/* Whether the call is wrong in a way that this rank can see by itself, and that MPI finds too
 * before it sends anything. */
int bine_call_is_wrong(const struct bine_arguments *a, int rank, int p);

/* Check the arguments that count at this rank and describe the call. Returns an MPI error class. */
int bine_call_make(const struct bine_arguments *a, int rank, int p, struct bine_call *call);

#endif
