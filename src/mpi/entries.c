/* The entry points. Each names its arguments once; everything else is common. */
#include "mpi/collectives.h"
#include "mpi/context.h"
#include "mpi/drop.h"
#include "mpi/location.h"
#include "mpi/real.h"
#include "mpi/world.h"

#include "bine.h"

#include <string.h>

/* Three forms of every collective: now, as a plan, and taken over from MPI. PARAMETERS has a
 * trailing comma, so that the plan can follow. */
#define BINE_DEFINE(NAME, INIT, DROP, FORMAL, FORMAL_INIT, ...)                                    \
    int NAME FORMAL {                                                                              \
        struct bine_arguments a = {__VA_ARGS__};                                                   \
        return bine_call_now(&a);                                                                  \
    }                                                                                              \
    static int DROP FORMAL {                                                                       \
        struct bine_arguments a = {.drop_in = 1, __VA_ARGS__};                                     \
        return bine_call_now(&a);                                                                  \
    }                                                                                              \
    int INIT FORMAL_INIT {                                                                         \
        struct bine_arguments a = {__VA_ARGS__};                                                   \
        return bine_call_init(&a, plan);                                                           \
    }

BINE_DEFINE(Bine_Bcast, Bine_Bcast_init, take_bcast,
            (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
            (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
             Bine_Plan *plan),
            .collective = BINE_BCAST, .recvbuf = buffer, .recvcount = count, .recvtype = datatype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Reduce, Bine_Reduce_init, take_reduce,
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_REDUCE, .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count,
            .recvtype = datatype, .op = op, .root = root, .comm = comm)
BINE_DEFINE(Bine_Allreduce, Bine_Allreduce_init, take_allreduce,
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_ALLREDUCE, .sendbuf = sendbuf, .recvbuf = recvbuf,
            .recvcount = count, .recvtype = datatype, .op = op, .comm = comm)
BINE_DEFINE(Bine_Gather, Bine_Gather_init, take_gather,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_GATHER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Scatter, Bine_Scatter_init, take_scatter,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_SCATTER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Allgather, Bine_Allgather_init, take_allgather,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_ALLGATHER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .comm = comm)
BINE_DEFINE(Bine_Alltoall, Bine_Alltoall_init, take_alltoall,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_ALLTOALL, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .comm = comm)
BINE_DEFINE(Bine_Reduce_scatter, Bine_Reduce_scatter_init, take_reduce_scatter,
            (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_REDUCE_SCATTER, .sendbuf = sendbuf, .recvbuf = recvbuf,
            .recvcounts = recvcounts, .by_counts = 1, .recvtype = datatype, .op = op, .comm = comm)
BINE_DEFINE(Bine_Reduce_scatter_block, Bine_Reduce_scatter_block_init, take_reduce_scatter_block,
            (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_REDUCE_SCATTER, .sendbuf = sendbuf, .recvbuf = recvbuf,
            .recvcount = recvcount, .recvtype = datatype, .op = op, .comm = comm)

/* Warnings should come early. Rank 0 may never be asked where it is, if it is alone. */
static void begin(void) {
    struct bine_policy p;
    struct bine_location w;
    if (bine_context_begin() != MPI_SUCCESS)
        return;
    bine_policy_read(&p);
    if (bine_world_rank() == 0)
        bine_location_find(&w);
}

void bine_drop_attach_1(struct bine_drop *d) {
    bine_drop_function *const take[] = {(bine_drop_function *)take_bcast,
                                        (bine_drop_function *)take_reduce,
                                        (bine_drop_function *)take_allreduce,
                                        (bine_drop_function *)take_gather,
                                        (bine_drop_function *)take_scatter,
                                        (bine_drop_function *)take_allgather,
                                        (bine_drop_function *)take_alltoall,
                                        (bine_drop_function *)take_reduce_scatter,
                                        (bine_drop_function *)take_reduce_scatter_block};
    _Static_assert(sizeof bine_real_calls == sizeof d->real, "one pointer for each call");
    memcpy(&bine_real_calls, d->real, sizeof bine_real_calls);
    memcpy(d->take, take, sizeof take);
    d->begin = begin;
}
