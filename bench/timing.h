/* Fair comparisons: several ways to do the same thing, timed in turns in one run.
 *
 * Machines drift, so ways are never timed one after the other but in rounds, each in a new order
 * that is the same on all ranks. The time of a call is that of the slowest rank. */
#ifndef BINE_BENCH_TIMING_H
#define BINE_BENCH_TIMING_H

#include <mpi.h>
#include <stddef.h>

enum { BENCH_WAYS = 64, BENCH_ROUNDS = 101 };

struct bench_way {
    const char *name;
    void (*prepare)(const struct bench_way *way); /* before each round's calls, untimed; or NULL */
    void (*run)(const struct bench_way *way);
    const void *data;
};

/* Seconds per call: seconds[way][round]. */
struct bench_times {
    int rounds;
    double seconds[BENCH_WAYS][BENCH_ROUNDS];
};

struct bench_spread {
    double median, low, high; /* low and high: the quartiles */
};

/* Time the ways on the communicator, for about `patience` seconds and at least five rounds. All
 * ranks get the same times. */
void bench_compare(const struct bench_way *way, int ways, double patience, MPI_Comm comm,
                   struct bench_times *times);

/* The spread of n numbers; they are not changed. n is at most BENCH_ROUNDS. */
struct bench_spread bench_spread(const double *x, int n);

/* "(1.20-1.31)", times scale */
const char *bench_quartiles(struct bench_spread s, double scale, int digits, char text[32]);

/* "8 B", "64 KiB" */
const char *bench_size(size_t bytes, char text[16]);

#endif
