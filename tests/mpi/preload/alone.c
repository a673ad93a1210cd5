/* One rank's wrong argument in a call that no other rank makes: MPI's own error, without waiting
 * for anybody, and right calls of all ranks go on.
 *
 *     alone [--nodes 1]
 *
 * Each wrong call comes after a number of right ones: by then programs on several nodes may learn,
 * or ask the model. A large scan comes first: from then on Bine has the communicator, but no boards
 * yet. With --nodes 1, every rank says that it is on a node of its own. */
#include "../check.h"
#include "persistent.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N = 2048, P = 4, LARGE = 1 << 18 }; /* elements: N of them are 8 KiB */

static int rank, p, on_nodes, handled, told;
static int a[P * N], b[P * N], counts[P], displs[P];
static int large[2][LARGE];
static MPI_Comm comm;
static MPI_Datatype raw; /* not committed */
static MPI_Errhandler handler;
static volatile const char *trying = "";

/* Asked in MPI_Init, too. */
int PMPI_Get_processor_name(char *name, int *length) {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", on_nodes ? rank : 0);
    return MPI_SUCCESS;
}

static void on_error(MPI_Comm *c, int *code, ...) {
    (void)c;
    told = check_class(*code);
    handled++;
}

/* The test has run into its limit. */
static void on_end(int number) {
    const char *what = (const char *)trying;
    if (write(2, "waits in ", 9) < 0 || write(2, what, strlen(what)) < 0 || write(2, "\n", 1) < 0)
        _exit(3);
    signal(number, SIG_DFL);
    raise(number);
}

static void fill(void) {
    for (int i = 0; i < p * N; i++)
        a[i] = rank + i;
    memset(b, 0xee, sizeof b);
}

static int sum(int i) {
    return p * (p - 1) / 2 + p * i;
}

static void bcasts(void) {
    fill();
    MPI_Bcast(a, N, MPI_INT, 0, comm);
    check_that(a[0] == 0 && a[N - 1] == N - 1, "bcast after %s", (const char *)trying);
}

static void allreduces(void) {
    fill();
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, comm);
    check_that(b[0] == sum(0) && b[N - 1] == sum(N - 1), "allreduce after %s",
               (const char *)trying);
}

static void others(void) {
    fill();
    MPI_Reduce(a, b, N, MPI_INT, MPI_SUM, 0, comm);
    check_that(rank != 0 || b[N - 1] == sum(N - 1), "reduce after %s", (const char *)trying);
    MPI_Gather(a, N / P, MPI_INT, b, N / P, MPI_INT, 0, comm);
    check_that(rank != 0 || b[N / P] == 1, "gather after %s", (const char *)trying);
    MPI_Scatter(a, N / P, MPI_INT, b, N / P, MPI_INT, 0, comm);
    check_that(b[0] == rank * (N / P), "scatter after %s", (const char *)trying);
    MPI_Allgather(a, N / P, MPI_INT, b, N / P, MPI_INT, comm);
    check_that(b[N / P] == 1, "allgather after %s", (const char *)trying);
    MPI_Alltoall(a, N / P, MPI_INT, b, N / P, MPI_INT, comm);
    check_that(b[N / P] == 1 + rank * (N / P), "alltoall after %s", (const char *)trying);
    MPI_Reduce_scatter_block(a, b, N / P, MPI_INT, MPI_SUM, comm);
    check_that(b[0] == sum(rank * (N / P)), "reduce_scatter after %s", (const char *)trying);
    MPI_Allgatherv(a, N, MPI_INT, b, counts, displs, MPI_INT, comm);
    check_that(b[N] == 1, "allgatherv after %s", (const char *)trying);
    MPI_Scan(a, b, N, MPI_INT, MPI_SUM, comm);
    check_that(b[0] == rank * (rank + 1) / 2, "scan after %s", (const char *)trying);
}

/* A communicator on which so many calls of each kind have been made. */
static void begin(int calls, const char *what) {
    trying = what;
    handled = told = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    if (calls >= 0)
        MPI_Scan(large[0], large[1], LARGE, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < calls; i++) {
        allreduces();
        bcasts();
    }
}

/* The others wait for a message that tells them that the call has returned. */
static void end(void) {
    for (int r = 0; r < p - 1; r++) {
        if (rank == p - 1)
            MPI_Send(NULL, 0, MPI_INT, r, 0, MPI_COMM_WORLD);
        else if (rank == r)
            MPI_Recv(NULL, 0, MPI_INT, p - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 7; i++) {
        bcasts();
        allreduces();
        if (i < 2)
            others();
    }
    MPI_Comm_free(&comm);
}

/* CLASS is what both MPI libraries find by themselves, and the handler is called once. MPICH 5
 * returns MPI_SUCCESS behind a handler. */
#define TRY_ONE(CLASS, CALL, TEXT, TIMES)                                                          \
    for (int k = 0; k < (TIMES); k++) {                                                            \
        MPI_Request r = MPI_REQUEST_NULL;                                                          \
        begin((int[]){6, 0, 3, 1, -1}[k], TEXT);                                                   \
        if (rank == p - 1) {                                                                       \
            int class = check_class(CALL);                                                         \
            check_that(told == (CLASS) && (class == (CLASS) || class == MPI_SUCCESS),              \
                       "%s: class %d, returned %d, expected %d", TEXT, told, class, CLASS);        \
            check_that(handled == 1, "%s: handled %d times", TEXT, handled);                       \
            (void)r;                                                                               \
        }                                                                                          \
        end();                                                                                     \
    }

/* The call in its three forms. */
#define TRY(CLASS, NAME, OWN, ...)                                                                 \
    TRY_ONE(CLASS, MPI_##NAME(__VA_ARGS__), #NAME "(" #__VA_ARGS__ ")", 5)                         \
    TRY_ONE(CLASS, MPI_I##OWN(__VA_ARGS__, &r), "I" #OWN "(" #__VA_ARGS__ ")", 2)                  \
    TRY_ONE(CLASS, INIT(NAME)(__VA_ARGS__, MPI_INFO_NULL, &r), #NAME "_init(" #__VA_ARGS__ ")", 2)

static void wrong_calls(void) {
    TRY(MPI_ERR_ROOT, Bcast, bcast, a, N, MPI_INT, 99, comm)
    TRY(MPI_ERR_TYPE, Bcast, bcast, a, N, MPI_DATATYPE_NULL, 0, comm)
    TRY(MPI_ERR_COUNT, Bcast, bcast, a, -1, MPI_INT, 0, comm)
    TRY(MPI_ERR_TYPE, Bcast, bcast, a, N, raw, 0, comm)
    if (check_null_types_are_found()) {
        TRY(MPI_ERR_OP, Allreduce, allreduce, a, b, N, MPI_DATATYPE_NULL, MPI_SUM, comm)
    }
    TRY(MPI_ERR_OP, Allreduce, allreduce, a, b, N, MPI_INT, MPI_OP_NULL, comm)
    TRY(MPI_ERR_OP, Allreduce, allreduce, a, b, N / 2, MPI_DOUBLE, MPI_BAND, comm)
    TRY(MPI_ERR_BUFFER, Allreduce, allreduce, a, MPI_IN_PLACE, N, MPI_INT, MPI_SUM, comm)
    TRY(MPI_ERR_BUFFER, Allreduce, allreduce, a, a, N, MPI_INT, MPI_SUM, comm)
    TRY(MPI_ERR_ROOT, Reduce, reduce, a, b, N, MPI_INT, MPI_SUM, -1, comm)
    TRY(MPI_ERR_ROOT, Gather, gather, a, N / P, MPI_INT, b, N / P, MPI_INT, 99, comm)
    TRY(MPI_ERR_TYPE, Scatter, scatter, a, N / P, MPI_INT, b, N / P, MPI_DATATYPE_NULL, 0, comm)
    TRY(MPI_ERR_TYPE, Allgather, allgather, a, N / P, MPI_INT, b, N / P, MPI_DATATYPE_NULL, comm)
    TRY(MPI_ERR_COUNT, Alltoall, alltoall, a, N / P, MPI_INT, b, -1, MPI_INT, comm)
    TRY(MPI_ERR_TYPE, Allgatherv, allgatherv, a, N, MPI_INT, b, counts, displs, MPI_DATATYPE_NULL,
        comm)
    TRY(MPI_ERR_OP, Scan, scan, a, b, N / 2, MPI_DOUBLE, MPI_BAND, comm)
}

int main(int argc, char **argv) {
    signal(SIGTERM, on_end);
    on_nodes = (int)check_option(argc, argv, "nodes", 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < P; i++) {
        counts[i] = N;
        displs[i] = i * N;
    }
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler); /* where Open MPI tells of some errors */
    MPI_Type_vector(2, 1, 2, MPI_INT, &raw);
    wrong_calls();
    MPI_Type_free(&raw);
    MPI_Errhandler_free(&handler);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
