#include "mpi/mpi_calls.h"

/* As long as nobody takes over these names: see preload_interface.h. */
struct bine_mpi_calls bine_mpi = {PMPI_Bcast,    PMPI_Reduce,         PMPI_Allreduce,
                                  PMPI_Gather,   PMPI_Scatter,        PMPI_Allgather,
                                  PMPI_Alltoall, PMPI_Reduce_scatter, PMPI_Reduce_scatter_block,
                                  PMPI_Comm_free};

int bine_call_mpi(const struct bine_arguments *a) {
    const struct bine_mpi_calls *m = &bine_mpi;
    switch (a->collective) {
    case BINE_BCAST:
        return m->bcast(a->recvbuf, a->recvcount, a->recvtype, a->root, a->comm);
    case BINE_REDUCE:
        return m->reduce(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->root,
                         a->comm);
    case BINE_ALLREDUCE:
        return m->allreduce(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->comm);
    case BINE_GATHER:
        return m->gather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                         a->recvtype, a->root, a->comm);
    case BINE_SCATTER:
        return m->scatter(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                          a->recvtype, a->root, a->comm);
    case BINE_ALLGATHER:
        return m->allgather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                            a->recvtype, a->comm);
    case BINE_ALLTOALL:
        return m->alltoall(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                           a->recvtype, a->comm);
    default:
        if (a->by_counts)
            return m->reduce_scatter(a->sendbuf, a->recvbuf, a->recvcounts, a->recvtype, a->op,
                                     a->comm);
        return m->reduce_scatter_block(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op,
                                       a->comm);
    }
}
