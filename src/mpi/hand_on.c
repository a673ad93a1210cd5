#include "mpi/hand_on.h"

#include "mpi/real.h"

int bine_hand_on(const struct bine_arguments *a) {
    const struct bine_real *r = bine_real();
    switch (a->collective) {
    case BINE_BCAST:
        return r->bcast(a->recvbuf, a->recvcount, a->recvtype, a->root, a->comm);
    case BINE_REDUCE:
        return r->reduce(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->root,
                         a->comm);
    case BINE_ALLREDUCE:
        return r->allreduce(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->comm);
    case BINE_GATHER:
        return r->gather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                         a->recvtype, a->root, a->comm);
    case BINE_SCATTER:
        return r->scatter(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                          a->recvtype, a->root, a->comm);
    case BINE_ALLGATHER:
        return r->allgather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                            a->recvtype, a->comm);
    case BINE_ALLTOALL:
        return r->alltoall(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                           a->recvtype, a->comm);
    default:
        if (a->by_counts)
            return r->reduce_scatter(a->sendbuf, a->recvbuf, a->recvcounts, a->recvtype, a->op,
                                     a->comm);
        return r->reduce_scatter_block(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op,
                                       a->comm);
    }
}
