/* The entry points. Each names its arguments once; everything else is common. */
#include "mpi/collectives.h"
#include "mpi/context.h"
#include "mpi/location.h"
#include "mpi/mpi_calls.h"
#include "mpi/preload_interface.h"
#include "mpi/untaken.h"
#include "mpi/verbose.h"
#include "mpi/warn.h"
#include "mpi/world.h"

#include "bine.h"

#include <string.h>

/* Three forms of every collective: now, as a plan, and taken over from MPI. The last looks first
 * whether MPI makes the call anyway, and jumps there with the arguments as they came. */
#define BINE_DEFINE(NAME, INIT, OWN, FORMAL, FORMAL_INIT, ACTUAL, ...)                             \
    int NAME FORMAL {                                                                              \
        struct bine_arguments a = {__VA_ARGS__};                                                   \
        return bine_call_now(&a);                                                                  \
    }                                                                                              \
    static __attribute__((noinline)) int look_at_##OWN FORMAL {                                    \
        struct bine_arguments a = {.drop_in = 1, __VA_ARGS__};                                     \
        return bine_call_now(&a);                                                                  \
    }                                                                                              \
    static int take_##OWN FORMAL {                                                                 \
        const struct bine_arguments a = {.drop_in = 1, __VA_ARGS__};                               \
        return bine_shortcut_holds(&a) ? bine_mpi.OWN ACTUAL : look_at_##OWN ACTUAL;               \
    }                                                                                              \
    int INIT FORMAL_INIT {                                                                         \
        struct bine_arguments a = {__VA_ARGS__};                                                   \
        return bine_call_init(&a, plan);                                                           \
    }

BINE_DEFINE(Bine_Bcast, Bine_Bcast_init, bcast,
            (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
            (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
             Bine_Plan *plan),
            (buffer, count, datatype, root, comm), .collective = BINE_BCAST, .recvbuf = buffer,
            .recvcount = count, .recvtype = datatype, .root = root, .comm = comm)
BINE_DEFINE(Bine_Reduce, Bine_Reduce_init, reduce,
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, recvbuf, count, datatype, op, root, comm), .collective = BINE_REDUCE,
            .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype,
            .op = op, .root = root, .comm = comm)
BINE_DEFINE(Bine_Allreduce, Bine_Allreduce_init, allreduce,
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, recvbuf, count, datatype, op, comm), .collective = BINE_ALLREDUCE,
            .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype,
            .op = op, .comm = comm)
BINE_DEFINE(Bine_Gather, Bine_Gather_init, gather,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
            .collective = BINE_GATHER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Scatter, Bine_Scatter_init, scatter,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm),
            .collective = BINE_SCATTER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Allgather, Bine_Allgather_init, allgather,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
            .collective = BINE_ALLGATHER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .comm = comm)
BINE_DEFINE(Bine_Alltoall, Bine_Alltoall_init, alltoall,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm),
            .collective = BINE_ALLTOALL, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .comm = comm)
BINE_DEFINE(Bine_Reduce_scatter, Bine_Reduce_scatter_init, reduce_scatter,
            (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, recvbuf, recvcounts, datatype, op, comm), .collective = BINE_REDUCE_SCATTER,
            .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcounts = recvcounts, .by_counts = 1,
            .recvtype = datatype, .op = op, .comm = comm)
BINE_DEFINE(Bine_Reduce_scatter_block, Bine_Reduce_scatter_block_init, reduce_scatter_block,
            (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, Bine_Plan *plan),
            (sendbuf, recvbuf, recvcount, datatype, op, comm), .collective = BINE_REDUCE_SCATTER,
            .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = datatype,
            .op = op, .comm = comm)

/* Warnings should come early. Rank 0 may never be asked where it is, if it is alone. */
static void begin(void) {
    struct bine_policy p;
    struct bine_process_location w;
    if (bine_context_begin() != MPI_SUCCESS)
        return;
    bine_policy_read(&p);
    if (bine_world_rank() == 0)
        bine_location_find(&w);
    bine_untaken_begin();
}

/* --- Attached to the drop-in library */

/* Of a communicator that is freed, nothing is remembered: its handle may be used again. */
static int take_comm_free(MPI_Comm *comm) {
    MPI_Comm freed = comm != NULL ? *comm : MPI_COMM_NULL;
    int rc = bine_mpi.comm_free(comm);
    if (rc == MPI_SUCCESS)
        bine_communicators_removed(freed);
    return rc;
}

static void (*redirect_entry)(int entry, int to_mpi);

static void redirect(enum bine_collective c, int to_mpi) {
    _Static_assert((int)BINE_REDUCE_SCATTER == (int)BINE_ENTRY_REDUCE_SCATTER, "the same order");
    redirect_entry((int)c, to_mpi);
    if (c == BINE_REDUCE_SCATTER)
        redirect_entry(BINE_ENTRY_REDUCE_SCATTER_BLOCK, to_mpi);
}

void bine_preload_attach_2(struct bine_preload *d) {
    bine_function *const take[] = {(bine_function *)take_bcast,
                                   (bine_function *)take_reduce,
                                   (bine_function *)take_allreduce,
                                   (bine_function *)take_gather,
                                   (bine_function *)take_scatter,
                                   (bine_function *)take_allgather,
                                   (bine_function *)take_alltoall,
                                   (bine_function *)take_reduce_scatter,
                                   (bine_function *)take_reduce_scatter_block,
                                   (bine_function *)take_comm_free};
    _Static_assert(sizeof bine_mpi == sizeof d->mpi, "one pointer for each call");
    memcpy(&bine_mpi, d->mpi, sizeof bine_mpi);
    memcpy(d->take, take, sizeof take);
    d->begin = begin;
    d->count_others = bine_verbose_is_on();
    redirect_entry = d->redirect;
    bine_untaken_attach(redirect);
    bine_verbose_attach(d->other);
}
