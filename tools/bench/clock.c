/* When a call starts and how long it takes.
 *
 * barrier: all ranks leave a barrier, each starts its own watch; a sample is the longest time.
 * clock: all ranks wait for an agreed moment, each on its own clock, corrected by what it differs
 * from that of rank 0; a sample is the time from that moment to the end on the last rank. */
#include "bench/bench.h"

#include <sched.h>
#include <time.h>

enum { PINGS = 30, TAG = 77 };

static double difference; /* this rank's clock minus that of rank 0 */
static double lead;       /* how far ahead rank 0 sets a start */

double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Rank 0 asks for the time; the answer of the fastest round trip is believed. */
static void ask(MPI_Comm comm, int rank) {
    double best = 1e9, offset = 0;
    for (int i = 0; i < PINGS; i++) {
        double theirs, before = bench_now();
        MPI_Send(&before, 1, MPI_DOUBLE, rank, TAG, comm);
        MPI_Recv(&theirs, 1, MPI_DOUBLE, rank, TAG, comm, MPI_STATUS_IGNORE);
        double trip = bench_now() - before;
        if (trip < best) {
            best = trip;
            offset = theirs - before - trip / 2;
        }
    }
    MPI_Send(&offset, 1, MPI_DOUBLE, rank, TAG, comm);
}

static void answer(MPI_Comm comm) {
    double word;
    for (int i = 0; i < PINGS; i++) {
        MPI_Recv(&word, 1, MPI_DOUBLE, 0, TAG, comm, MPI_STATUS_IGNORE);
        word = bench_now();
        MPI_Send(&word, 1, MPI_DOUBLE, 0, TAG, comm);
    }
    MPI_Recv(&difference, 1, MPI_DOUBLE, 0, TAG, comm, MPI_STATUS_IGNORE);
}

void bench_clock_begin(MPI_Comm comm) {
    int rank, p, first;
    MPI_Comm node;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    lead = 20e-6;
    for (int r = 1; r < p && rank == 0; r++)
        ask(comm, r);
    if (rank > 0)
        answer(comm);
    /* On the node of rank 0 the clock is the same: nothing to estimate. */
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    first = rank;
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    if (first == 0)
        difference = 0;
    MPI_Comm_free(&node);
}

void bench_clock_lengthen(void) {
    lead = lead < 0.05 ? 2 * lead : lead;
}

/* Rank 0 sets the moment. */
static double wait_for_start(MPI_Comm comm, int crowded, int *late) {
    double start = bench_now() + lead;
    MPI_Bcast(&start, 1, MPI_DOUBLE, 0, comm);
    start += difference;
    *late = bench_now() > start;
    while (bench_now() < start)
        if (crowded)
            sched_yield();
    return start;
}

double bench_clock_start(enum bench_start start, MPI_Comm comm, int crowded, int *late) {
    *late = 0;
    if (start == BENCH_CLOCK)
        return wait_for_start(comm, crowded, late);
    MPI_Barrier(comm);
    return bench_now();
}
