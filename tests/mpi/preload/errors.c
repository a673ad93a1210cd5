/* A program with deliberate errors prints which classes it gets. They must be the same with and
 * without Bine. Rank 0 prints; every rank makes the same mistakes. */
#include "../check.h"

#include <stdio.h>

static int a[64], b[64], counts[64], rank, handled;

static void on_error(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    (void)code;
    handled++;
}

static void say(const char *what, int rc) {
    int class = -1;
    MPI_Error_class(rc, &class);
    if (rank == 0)
        printf("%s: class %d, handled %d\n", what, class, handled);
    handled = 0;
}

#define SAY(CALL) say(#CALL, CALL)

static void mistakes(MPI_Comm comm, MPI_Datatype raw) {
    SAY(MPI_Bcast(a, 1, MPI_INT, -1, comm));
    SAY(MPI_Bcast(a, 1, MPI_INT, 1000, comm));
    SAY(MPI_Bcast(a, -1, MPI_INT, 0, comm));
    SAY(MPI_Bcast(a, 1, MPI_DATATYPE_NULL, 0, comm));
    SAY(MPI_Bcast(a, 1, raw, 0, comm));
    SAY(MPI_Reduce(a, b, 1, MPI_INT, MPI_OP_NULL, 0, comm));
    SAY(MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 99, comm));
    if (check_is_openmpi()) { /* MPICH 4.0 dies of it */
        SAY(MPI_Allreduce(a, b, -3, MPI_INT, MPI_SUM, comm));
        SAY(MPI_Reduce_scatter_block(a, b, -1, MPI_INT, MPI_SUM, comm));
    } else { /* Open MPI 4.1 dies of it */
        SAY(MPI_Scatter(a, 1, raw, b, 1, raw, 0, comm));
    }
    if (check_null_types_are_found())
        SAY(MPI_Allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
    SAY(MPI_Allreduce(a, b, 1, raw, MPI_SUM, comm));
    SAY(MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm));
    SAY(MPI_Gather(a, 1, MPI_INT, b, 1, MPI_INT, -5, comm));
    SAY(MPI_Scatter(a, -1, MPI_INT, b, -1, MPI_INT, 0, comm));
    SAY(MPI_Allgather(a, -1, MPI_INT, b, -1, MPI_INT, comm));
    SAY(MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, comm));
    SAY(MPI_Alltoall(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, comm));
    if (check_null_types_are_found())
        SAY(MPI_Reduce_scatter(a, b, counts, MPI_DATATYPE_NULL, MPI_SUM, comm));
    SAY(MPI_Bcast(a, 1, MPI_INT, 0, MPI_COMM_NULL));
    /* And it goes on working. */
    SAY(MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, comm));
    SAY(MPI_Bcast(a, 1, MPI_INT, 0, comm));
}

/* A communicator that was freed. Open MPI's is a pointer to memory that may be anything by then. */
static void mistakes_with_freed(MPI_Errhandler handler) {
#ifdef MPICH_VERSION
    MPI_Comm freed, comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &freed);
    comm = freed;
    MPI_Comm_free(&freed);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    SAY(MPI_Bcast(a, 1, MPI_INT, 0, comm));
    SAY(MPI_Allgather(a, 1, MPI_INT, b, 1, MPI_INT, comm));
    SAY(MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, comm));
#else
    (void)handler;
#endif
}

/* One rank's mistake at the first use of a communicator: the others do not take part in it. */
#define ALONE(CALL)                                                                                \
    do {                                                                                           \
        MPI_Comm comm;                                                                             \
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);                                                       \
        MPI_Comm_set_errhandler(comm, handler);                                                    \
        if (rank == 0)                                                                             \
            SAY(CALL);                                                                             \
        MPI_Barrier(MPI_COMM_WORLD);                                                               \
        SAY(MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, comm));                                       \
        MPI_Comm_free(&comm);                                                                      \
    } while (0)

static void mistakes_alone(MPI_Errhandler handler, MPI_Datatype raw) {
    ALONE(MPI_Bcast(a, -1, MPI_INT, 0, comm));
    ALONE(MPI_Bcast(a, 1, MPI_INT, 1000, comm));
    ALONE(MPI_Bcast(a, 1, raw, 0, comm));
    ALONE(MPI_Reduce(a, b, 1, MPI_INT, MPI_OP_NULL, 0, comm));
    if (check_null_types_are_found())
        ALONE(MPI_Allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
    ALONE(MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_BAND, comm));
    ALONE(MPI_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm));
    ALONE(MPI_Gather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, comm));
    ALONE(MPI_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, -5, comm));
    ALONE(MPI_Allgather(a, 1, MPI_INT, b, -1, MPI_INT, comm));
    ALONE(MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, comm));
    ALONE(MPI_Reduce_scatter(a, b, counts, MPI_INT, MPI_OP_NULL, comm));
}

int main(int argc, char **argv) {
    MPI_Comm comm;
    MPI_Datatype raw;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 64; i++)
        counts[i] = 1;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Type_vector(2, 1, 2, MPI_INT, &raw); /* never committed */
    mistakes(comm, raw);                     /* before it was used rightly */
    mistakes(comm, raw);                     /* and after */
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    mistakes(comm, raw);
    mistakes_alone(handler, raw);
    mistakes_with_freed(handler);
    MPI_Type_free(&raw);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
