#include "mpi/mpi_calls.h"

/* As long as nobody takes over these names: see preload_interface.h. */
struct bine_mpi_calls bine_mpi = {
#define FORM(NAME, OWN, FORMAL, ACTUAL, ...) .OWN = PMPI_##NAME, .i##OWN = PMPI_I##OWN,
#include "mpi/forms.def"
#undef FORM
    .comm_free = PMPI_Comm_free, .op_free = PMPI_Op_free};

/* `request` is NULL for a blocking call. */
static int call(const struct bine_arguments *a, MPI_Request *request) {
    const struct bine_mpi_calls *m = &bine_mpi;
#define CALL(OWN, ...) (request == NULL ? m->OWN(__VA_ARGS__) : m->i##OWN(__VA_ARGS__, request))
    switch (a->collective) {
    case BINE_BCAST:
        return CALL(bcast, a->recvbuf, a->recvcount, a->recvtype, a->root, a->comm);
    case BINE_REDUCE:
        return CALL(reduce, a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->root,
                    a->comm);
    case BINE_ALLREDUCE:
        return CALL(allreduce, a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->comm);
    case BINE_GATHER:
        return CALL(gather, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                    a->recvtype, a->root, a->comm);
    case BINE_SCATTER:
        return CALL(scatter, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                    a->recvtype, a->root, a->comm);
    case BINE_ALLGATHER:
        return CALL(allgather, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                    a->recvtype, a->comm);
    case BINE_ALLTOALL:
        return CALL(alltoall, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                    a->recvtype, a->comm);
    default:
        if (a->by_counts)
            return CALL(reduce_scatter, a->sendbuf, a->recvbuf, a->recvcounts, a->recvtype, a->op,
                        a->comm);
        return CALL(reduce_scatter_block, a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op,
                    a->comm);
    }
#undef CALL
}

int bine_call_mpi(const struct bine_arguments *a) {
    return call(a, NULL);
}

int bine_call_mpi_start(const struct bine_arguments *a, MPI_Request *request) {
    return call(a, request);
}
