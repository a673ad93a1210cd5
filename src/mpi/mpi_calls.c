#include "mpi/mpi_calls.h"

#include "mpi/preload_interface.h"

/* As long as nobody takes over these names: see preload_interface.h. */
struct bine_mpi_calls bine_mpi = {
#define CALL(NAME, OWN, ...) PMPI_##NAME,
#include "mpi/entries.def"
#undef CALL
    PMPI_Comm_free,
#define CALL(NAME, OWN, ...) PMPI_I##OWN,
#include "mpi/entries.def"
#undef CALL
    PMPI_Op_free};

/* Those of calls with int: others do not come here. */
#define COUNT(x) (int)a->x
#define COUNTS(x) a->x.narrow

#define BY_MPI(NAME, OWN, ...)                                                                     \
    static int by_mpi_##NAME(const struct bine_arguments *a, MPI_Request *request) {               \
        return request == NULL ? bine_mpi.OWN(__VA_ARGS__)                                         \
                               : bine_mpi.i##OWN(__VA_ARGS__, request);                            \
    }
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
BY_MPI(Barrier, barrier, a->comm)
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

/* `request` is NULL for a blocking call. */
static int call(const struct bine_arguments *a, MPI_Request *request) {
    static int (*const by_mpi[])(const struct bine_arguments *, MPI_Request *) = {
#define CALL(NAME, ...) [BINE_ENTRY_##NAME] = by_mpi_##NAME,
#include "mpi/entries.def"
#undef CALL
    };
    if (a->large) {
        PMPI_Comm_call_errhandler(a->comm, MPI_ERR_COUNT);
        return MPI_ERR_COUNT;
    }
    return by_mpi[a->entry](a, request);
}

int bine_call_mpi(const struct bine_arguments *a) {
    return call(a, NULL);
}

int bine_call_mpi_start(const struct bine_arguments *a, MPI_Request *request) {
    return call(a, request);
}
