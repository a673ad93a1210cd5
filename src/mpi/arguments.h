/* The arguments of an entry point as MPI has them, and how many bytes they stand for. */
#ifndef BINE_MPI_ARGUMENTS_H
#define BINE_MPI_ARGUMENTS_H

#include "engine/counts.h"
#include "mpi/narrow.h"
#include "schedule/catalogue.h"

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* The arguments of one call. Arguments that a collective does not have are zero. */
struct bine_arguments {
    enum bine_collective collective;
    int entry; /* enum bine_entry: the call of MPI that it is */
    const void *sendbuf;
    void *recvbuf;
    MPI_Count sendcount, recvcount;
    struct bine_counts sendcounts, recvcounts, senddispls, recvdispls;
    int by_counts; /* reduce_scatter: it has recvcounts */
    int by_types;  /* alltoallw: a type for each rank, and displacements in bytes */
    MPI_Datatype sendtype, recvtype;
    const MPI_Datatype *sendtypes, *recvtypes;
    MPI_Op op;
    int root;
    MPI_Comm comm;
    int drop_in;        /* an MPI call that was intercepted */
    int large;          /* counts are not for int: for MPI, it is the call's form _c */
    int nonblocking;    /* the call returns before it completes, */
    int persistent;     /* and again and again: */
    int without_boards; /* there are none for it */
};

/* The send side tells the size of a block where a rank gets none, or gets it in place. */
static inline int bine_arguments_by_send(const struct bine_arguments *a, int rank) {
    return (a->collective == BINE_GATHER && rank != a->root) ||
           (a->collective == BINE_SCATTER && a->recvbuf == MPI_IN_PLACE);
}

/* Whether all ranks know how many bytes the call moves. Otherwise the size counts as zero: a choice
 * depends on common knowledge only. */
static inline int bine_arguments_have_size(const struct bine_arguments *a) {
    enum bine_collective c = a->collective;
    return c != BINE_BARRIER && (!bine_collective_is_uneven(c) || c == BINE_ALLGATHERV);
}

/* Whether one block of an allgatherv has more than a quarter of all elements: a tree would send it
 * as often as it has levels. */
static inline int bine_arguments_are_uneven(const struct bine_arguments *a, int p) {
    int64_t sum = a->collective == BINE_ALLGATHERV ? bine_counts_sum(&a->recvcounts, p) : 0;
    return sum > 0 && bine_counts_most(&a->recvcounts, p) > sum / 4;
}

/* The elements of the whole vector, and their type. Negative: a count is wrong. */
static inline __attribute__((always_inline)) int64_t
bine_arguments_elements(const struct bine_arguments *a, int rank, int p, MPI_Datatype *type) {
    int by_send = bine_arguments_by_send(a, rank), whole = bine_cuts_a_vector(a->collective);
    *type = MPI_BYTE;
    if (!bine_arguments_have_size(a))
        return 0;
    *type = by_send ? a->sendtype : a->recvtype;
    if (a->by_counts || a->collective == BINE_ALLGATHERV)
        return bine_counts_sum(&a->recvcounts, p);
    return (int64_t)(by_send ? a->sendcount : a->recvcount) * (whole ? 1 : p);
}

#endif
