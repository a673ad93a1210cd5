/* From the arguments of an entry point to a call that the engine understands. */
#ifndef BINE_CALL_CALL_H
#define BINE_CALL_CALL_H

#include "engine/bind/bind.h"
#include "mpi/arguments.h"

/* Take the buffers from the arguments. */
static inline void bine_call_address(const struct bine_arguments *a, int rank,
                                     struct bine_call *call) {
    call->sendbuf = a->sendbuf;
    call->recvbuf = a->recvbuf;
    if (a->collective == BINE_BCAST)
        call->sendbuf = rank == a->root ? a->recvbuf : NULL;
}

/* MPI forbids send and receive buffers that overlap, except by MPI_IN_PLACE. */
static inline int bine_call_is_aliased(const struct bine_call *call) {
    uintptr_t send = (uintptr_t)call->sendbuf, recv = (uintptr_t)call->recvbuf;
    return call->send_span > 0 && call->recv_span > 0 && send < recv + (uintptr_t)call->recv_span &&
           recv < send + (uintptr_t)call->send_span;
}

/* The facts that decide between algorithms. */
struct bine_call_size {
    int64_t bytes;
    int64_t element; /* its bytes */
    int commutative;
};

/* The size of a call, without the checks of its other arguments: 0, or -1 if it cannot be told that
 * way. If MPI makes the call in the end, it finds the mistakes. */
int bine_call_size(const struct bine_arguments *a, int rank, int p, struct bine_call_size *size);

/* Check the arguments that count at this rank and describe the call. Returns an MPI error class. */
int bine_call_make(const struct bine_arguments *a, int rank, int p, struct bine_call *call);
/* A misfit takes part nevertheless, or its peers would wait for ever: its block goes to its place
 * among the results, as far as there is room, and the call becomes one in place. `comm` is private.
 * Returns an MPI error code. */
int bine_call_fit(struct bine_call *call, int rank, MPI_Comm comm);

/* The result of a call that has come to its end. */
static inline int bine_call_result(const struct bine_call *call, int rc) {
    return rc == MPI_SUCCESS && call->misfit > 0 ? MPI_ERR_TRUNCATE : rc;
}

/* How many elements this rank has in its two buffers, where a call could be made; 0 where it has no
 * such buffer, or MPI_IN_PLACE. */
void bine_call_elements(const struct bine_arguments *a, int rank, int p, int64_t *sends,
                        int64_t *gets);
/* Whether MPI finds the error, too, that a call could not be made for, before it sends anything. */
int bine_call_is_wrong_for_mpi(const struct bine_arguments *a, int rank,
                               const struct bine_call *call, int error);

#endif
