#include "mpi/mpi_calls.h"

#include "mpi/preload_interface.h"

/* These names, unless the drop-in library intercepts them: see preload_interface.h. */
struct bine_mpi_calls bine_mpi = {
#define CALL(NAME, OWN, ...) PMPI_##NAME,
#include "mpi/entries.def"
#undef CALL
    PMPI_Comm_free, PMPI_Comm_disconnect,
#define CALL(NAME, OWN, ...) PMPI_I##OWN,
#include "mpi/entries.def"
#undef CALL
    .op_free = PMPI_Op_free};

/* One list of arguments for int and for large counts: `count` and `counts` are the surrounding
 * function's. */
#define COUNT(x) (count) a->x
#define COUNTS(x) counts(&a->x)

static const int *narrow(const struct bine_counts *c) {
    return c->narrow;
}

static const void *wide(const struct bine_counts *c) {
    return c->wide;
}

#define BY_MPI_AS(NAME, OWN, S, COUNT_TYPE, COUNTS_TYPE, FIND, ...)                                \
    static int by_mpi_##NAME##S(const struct bine_arguments *a, MPI_Request *request) {            \
        typedef COUNT_TYPE count __attribute__((unused));                                          \
        COUNTS_TYPE *(*const counts)(const struct bine_counts *)__attribute__((unused)) = FIND;    \
        return request == NULL ? bine_mpi.OWN##S(__VA_ARGS__)                                      \
                               : bine_mpi.i##OWN##S(__VA_ARGS__, request);                         \
    }
#define BY_MPI(NAME, OWN, ...)                                                                     \
    BY_MPI_AS(NAME, OWN, , int, const int, narrow, __VA_ARGS__)                                    \
    BY_MPI_AS(NAME, OWN, _c, MPI_Count, const void, wide, __VA_ARGS__)
#define ONE_TO_ONE                                                                                 \
    a->sendbuf, COUNT(sendcount), a->sendtype, a->recvbuf, COUNT(recvcount), a->recvtype
#define SUMMED a->sendbuf, a->recvbuf, COUNT(recvcount), a->recvtype, a->op

BY_MPI(Bcast, bcast, a->recvbuf, COUNT(recvcount), a->recvtype, a->root, a->comm)
BY_MPI(Reduce, reduce, SUMMED, a->root, a->comm)
BY_MPI(Allreduce, allreduce, SUMMED, a->comm)
BY_MPI(Gather, gather, ONE_TO_ONE, a->root, a->comm)
BY_MPI(Scatter, scatter, ONE_TO_ONE, a->root, a->comm)
BY_MPI(Allgather, allgather, ONE_TO_ONE, a->comm)
BY_MPI(Alltoall, alltoall, ONE_TO_ONE, a->comm)
BY_MPI(Reduce_scatter, reduce_scatter, a->sendbuf, a->recvbuf, COUNTS(recvcounts), a->recvtype,
       a->op, a->comm)
BY_MPI(Reduce_scatter_block, reduce_scatter_block, SUMMED, a->comm)
BY_MPI(Allgatherv, allgatherv, a->sendbuf, COUNT(sendcount), a->sendtype, a->recvbuf,
       COUNTS(recvcounts), COUNTS(recvdispls), a->recvtype, a->comm)
BY_MPI(Alltoallv, alltoallv, a->sendbuf, COUNTS(sendcounts), COUNTS(senddispls), a->sendtype,
       a->recvbuf, COUNTS(recvcounts), COUNTS(recvdispls), a->recvtype, a->comm)
BY_MPI(Alltoallw, alltoallw, a->sendbuf, COUNTS(sendcounts), COUNTS(senddispls), a->sendtypes,
       a->recvbuf, COUNTS(recvcounts), COUNTS(recvdispls), a->recvtypes, a->comm)
BY_MPI(Gatherv, gatherv, a->sendbuf, COUNT(sendcount), a->sendtype, a->recvbuf, COUNTS(recvcounts),
       COUNTS(recvdispls), a->recvtype, a->root, a->comm)
BY_MPI(Scatterv, scatterv, a->sendbuf, COUNTS(sendcounts), COUNTS(senddispls), a->sendtype,
       a->recvbuf, COUNT(recvcount), a->recvtype, a->root, a->comm)
BY_MPI(Scan, scan, SUMMED, a->comm)
BY_MPI(Exscan, exscan, SUMMED, a->comm)
BY_MPI_AS(Barrier, barrier, , int, const int, narrow, a->comm)

typedef int by_mpi_function(const struct bine_arguments *a, MPI_Request *request);

/* Functions with large counts are NULL where MPI has none. */
static by_mpi_function *find(const struct bine_arguments *a) {
    static by_mpi_function *const by_mpi[] = {
#define CALL(NAME, ...) [BINE_ENTRY_##NAME] = by_mpi_##NAME,
#include "mpi/entries.def"
#undef CALL
    };
#define BINE_ONLY_COUNTED
    static by_mpi_function *const by_mpi_c[] = {
#define CALL(NAME, ...) [BINE_ENTRY_##NAME] = by_mpi_##NAME##_c,
#include "mpi/entries.def"
#undef CALL
    };
#undef BINE_ONLY_COUNTED
    if (!a->large)
        return by_mpi[a->entry];
    return bine_mpi.bcast_c != NULL ? by_mpi_c[a->entry] : NULL;
}

/* `request` is NULL for a blocking call. */
static int call(const struct bine_arguments *a, MPI_Request *request) {
    by_mpi_function *by_mpi = find(a);
    if (by_mpi == NULL) {
        PMPI_Comm_call_errhandler(a->comm, MPI_ERR_COUNT);
        return MPI_ERR_COUNT;
    }
    return by_mpi(a, request);
}

int bine_call_mpi(const struct bine_arguments *a) {
    return call(a, NULL);
}

int bine_call_mpi_start(const struct bine_arguments *a, MPI_Request *request) {
    return call(a, request);
}
