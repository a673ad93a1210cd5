#include "timing.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sample is long against the clock and the barrier before it. */
static const double SAMPLE = 200e-6;
enum { LEAST_ROUNDS = 5, MOST_CALLS = 1000 };

static double run(const struct bench_way *way, int calls, MPI_Comm comm) {
    if (way->prepare != NULL)
        way->prepare(way);
    way->run(way); /* caches fill up */
    MPI_Barrier(comm);
    double seconds = MPI_Wtime();
    for (int i = 0; i < calls; i++)
        way->run(way);
    seconds = (MPI_Wtime() - seconds) / calls;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
    return seconds;
}

static int calls_for(double seconds) {
    double n = SAMPLE / (seconds > 1e-9 ? seconds : 1e-9);
    return n < 1 ? 1 : n > MOST_CALLS ? MOST_CALLS : (int)n;
}

/* A small generator of our own: all ranks must draw the same. */
static uint32_t draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void shuffle(int *order, int n, uint32_t *state) {
    for (int i = n - 1; i > 0; i--) {
        int j = (int)(draw(state) % (uint32_t)(i + 1)), x = order[i];
        order[i] = order[j];
        order[j] = x;
    }
}

void bench_compare(const struct bench_way *way, int ways, double patience, MPI_Comm comm,
                   struct bench_times *times) {
    int order[BENCH_WAYS], calls[BENCH_WAYS];
    uint32_t state = 1;
    double spent = 0;
    for (int k = 0; k < ways; k++) {
        order[k] = k;
        run(&way[k], 1, comm); /* plans and memory are made */
        calls[k] = calls_for(run(&way[k], 3, comm));
    }
    times->rounds = 0;
    while (times->rounds < BENCH_ROUNDS && (times->rounds < LEAST_ROUNDS || spent < patience)) {
        shuffle(order, ways, &state);
        for (int k = 0; k < ways; k++) {
            double seconds = run(&way[order[k]], calls[order[k]], comm);
            times->seconds[order[k]][times->rounds] = seconds;
            spent +=
                seconds * calls[order[k]]; /* the same on all ranks, so that all end together */
        }
        times->rounds++;
    }
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct bench_spread bench_spread(const double *x, int n) {
    double sorted[BENCH_ROUNDS];
    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    return (struct bench_spread){sorted[n / 2], sorted[n / 4], sorted[n - 1 - n / 4]};
}

const char *bench_quartiles(struct bench_spread s, double scale, int digits, char text[32]) {
    snprintf(text, 32, "(%.*f-%.*f)", digits, scale * s.low, digits, scale * s.high);
    return text;
}

const char *bench_size(size_t bytes, char text[16]) {
    static const char *const unit[] = {"B", "KiB", "MiB", "GiB"};
    int k = 0;
    while (k < 3 && bytes >= 1024 && bytes % 1024 == 0) {
        bytes /= 1024;
        k++;
    }
    snprintf(text, 16, "%zu %s", bytes, unit[k]);
    return text;
}
