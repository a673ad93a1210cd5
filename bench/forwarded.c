/* The program of bench/forwarded: a collective that the drop-in library hands on to MPI, over and
 * over.
 *
 *     bench-forwarded CALL [ROUNDS [CALLS]]
 *
 * CALL is gatherv, scatterv, igatherv or start, with 8 bytes from, or to, each rank. Prints the
 * microseconds of a call on rank 0: the median of ROUNDS rounds of CALLS calls each, 15 of 2,000
 * if nothing else is given. Callgrind counts the instructions inside measured(). PMPI names are
 * called because bench/asked_nothing.c has only those. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 3, ROUNDS_MOST = 1001 };

static int rank, p;
static double in, *out;
static int *counts, *displs;
static MPI_Request persistent;

static void gatherv(void) {
    PMPI_Gatherv(&in, 1, MPI_DOUBLE, out, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void scatterv(void) {
    PMPI_Scatterv(out, counts, displs, MPI_DOUBLE, &in, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void igatherv(void) {
    MPI_Request request;
    PMPI_Igatherv(&in, 1, MPI_DOUBLE, out, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
    PMPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A receive from nobody: nothing but the start costs anything. */
static void start(void) {
    PMPI_Start(&persistent);
    PMPI_Wait(&persistent, MPI_STATUS_IGNORE);
}

static const struct {
    const char *name;
    void (*make)(void);
} table[] = {
    {"gatherv", gatherv}, {"scatterv", scatterv}, {"igatherv", igatherv}, {"start", start}};

/* Not static and never inlined: callgrind is told to count inside this function only. */
void measured(void (*make)(void), int calls);

__attribute__((noinline)) void measured(void (*make)(void), int calls) {
    for (int i = 0; i < calls; i++)
        make();
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds of a call. */
static double measure(void (*make)(void), int rounds, int calls) {
    static double time[ROUNDS_MOST];
    for (int k = 0; k < WARM_UP; k++)
        for (int i = 0; i < calls; i++)
            make();
    for (int k = 0; k < rounds; k++) {
        PMPI_Barrier(MPI_COMM_WORLD);
        double begin = PMPI_Wtime();
        measured(make, calls);
        time[k] = (PMPI_Wtime() - begin) / calls * 1e6;
    }
    qsort(time, (size_t)rounds, sizeof *time, compare);
    return time[rounds / 2];
}

int main(int argc, char **argv) {
    void (*make)(void) = NULL;
    int rounds = argc > 2 ? atoi(argv[2]) : 15, calls = argc > 3 ? atoi(argv[3]) : 2000;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (argc > 1 && strcmp(argv[1], table[i].name) == 0)
            make = table[i].make;
    if (make == NULL || rounds < 1 || rounds > ROUNDS_MOST || calls < 1) {
        fprintf(stderr,
                "usage: bench-forwarded gatherv|scatterv|igatherv|start [ROUNDS [CALLS]]\n");
        return 2;
    }
    PMPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &p);
    out = calloc((size_t)p, sizeof *out);
    counts = calloc((size_t)p, sizeof *counts);
    displs = calloc((size_t)p, sizeof *displs);
    if (out == NULL || counts == NULL || displs == NULL)
        PMPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < p; i++) {
        counts[i] = 1;
        displs[i] = i;
    }
    PMPI_Recv_init(&in, 1, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &persistent);
    double time = measure(make, rounds, calls);
    if (rank == 0)
        printf("%.4f us\n", time);
    PMPI_Request_free(&persistent);
    free(out);
    free(counts);
    free(displs);
    PMPI_Finalize();
    return 0;
}
