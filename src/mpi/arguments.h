/* The arguments of an entry point as MPI has them, and how many bytes they stand for. */
#ifndef BINE_MPI_ARGUMENTS_H
#define BINE_MPI_ARGUMENTS_H

#include "schedule/catalogue.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* Those that a collective does not have are zero. */
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
    int drop_in;     /* an MPI call that was taken over */
    int nonblocking; /* it is started, and waits for nobody */
};

/* The send side tells the size of a block where a rank gets none, or gets it in place. */
static inline int bine_arguments_by_send(const struct bine_arguments *a, int rank) {
    return (a->collective == BINE_GATHER && rank != a->root) ||
           (a->collective == BINE_SCATTER && a->recvbuf == MPI_IN_PLACE);
}

static inline int64_t bine_arguments_sum(const int *counts, int p) {
    int64_t sum = 0;
    int negative = 0;
    for (int i = 0; counts != NULL && i < p; i++) {
        sum += counts[i];
        negative |= counts[i];
    }
    return counts == NULL || negative < 0 ? -1 : sum;
}

/* The elements of the whole vector, and their type. Negative: a count is wrong. */
static inline int64_t bine_arguments_elements(const struct bine_arguments *a, int rank, int p,
                                              MPI_Datatype *type) {
    int by_send = bine_arguments_by_send(a, rank), whole = a->collective <= BINE_ALLREDUCE;
    *type = by_send ? a->sendtype : a->recvtype;
    if (a->by_counts)
        return bine_arguments_sum(a->recvcounts, p);
    return (int64_t)(by_send ? a->sendcount : a->recvcount) * (whole ? 1 : p);
}

#endif
