/* The engine against the same algorithms written straight down with MPI calls (direct.c).
 *
 *     bench-straight [--patience SECONDS] [--max BYTES] [--only ALGORITHM]
 *
 * On a power of two of ranks. Both are timed in turns in shuffled rounds; a line shows the medians
 * in microseconds, with quartiles, and the median of the rounds' quotients. From 64 KiB up a
 * quotient above 1.03 is marked and the program ends with status 1. Results are compared first. */
#include "base/numbers.h"
#include "bine.h"
#include "direct.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TARGET = 1.03;
enum { TARGET_FROM = 64 << 10 };

struct pair {
    const char *collective, *algorithm;
    void (*direct)(const struct direct *x);
    void (*engine)(const struct direct *x);
};

static void engine_allreduce(const struct direct *x) {
    Bine_Allreduce(x->in, x->out, x->count, MPI_FLOAT, MPI_SUM, x->comm);
}

static void engine_bcast(const struct direct *x) {
    Bine_Bcast(x->out, x->count, MPI_FLOAT, 0, x->comm);
}

static void engine_allgather(const struct direct *x) {
    int each = x->count / x->p;
    Bine_Allgather(x->in, each, MPI_FLOAT, x->out, each, MPI_FLOAT, x->comm);
}

static const struct pair pairs[] = {
    {"allreduce", "bine-large:permute", direct_allreduce_bine_large, engine_allreduce},
    {"allreduce", "recursive-doubling", direct_allreduce_doubling, engine_allreduce},
    {"bcast", "bine-small", direct_bcast_bine_small, engine_bcast},
    {"allgather", "bine-near:blocks", direct_allgather_bine_near, engine_allgather},
};

struct work {
    const struct pair *pair;
    struct direct x;
};

static void run_direct(const struct bench_way *way) {
    const struct work *w = way->data;
    w->pair->direct(&w->x);
}

static void run_engine(const struct bench_way *way) {
    const struct work *w = way->data;
    w->pair->engine(&w->x);
}

/* Whole numbers, so that sums are exact in any order. */
static void fill(const struct work *w) {
    const struct direct *x = &w->x;
    for (int i = 0; i < x->count; i++) {
        x->in[i] = (float)((i + 3 * x->rank) % 64);
        x->out[i] = w->pair->engine == engine_bcast && x->rank == 0 ? (float)(i % 64) : -1;
    }
}

/* Whether both leave the same in `out`, on all ranks. */
static int agree(struct work *w) {
    size_t bytes = (size_t)w->x.count * sizeof(float);
    int same = 1;
    float *kept = malloc(bytes + 1);
    if (kept == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fill(w);
    w->pair->direct(&w->x);
    memcpy(kept, w->x.out, bytes);
    fill(w);
    w->pair->engine(&w->x);
    same = memcmp(kept, w->x.out, bytes) == 0;
    free(kept);
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, w->x.comm);
    return same;
}

/* Prints a line; returns whether the target is met. */
static int report(const struct work *w, const struct bench_times *t) {
    struct bench_spread a = bench_spread(t->seconds[0], t->rounds),
                        b = bench_spread(t->seconds[1], t->rounds), r;
    double quotient[BENCH_ROUNDS];
    char size[16], around[3][32];
    size_t bytes = (size_t)w->x.count * sizeof(float);
    for (int i = 0; i < t->rounds; i++)
        quotient[i] = t->seconds[1][i] / t->seconds[0][i];
    r = bench_spread(quotient, t->rounds);
    int missed = bytes >= TARGET_FROM && r.median > TARGET;
    if (w->x.rank == 0)
        printf("%-10s %-20s %8s  %9.2f %-20s  %9.2f %-20s  %6.3f %s%s\n", w->pair->collective,
               w->pair->algorithm, bench_size(bytes, size), 1e6 * a.median,
               bench_quartiles(a, 1e6, 2, around[0]), 1e6 * b.median,
               bench_quartiles(b, 1e6, 2, around[1]), r.median, bench_quartiles(r, 1, 3, around[2]),
               missed ? " !" : "");
    fflush(stdout);
    return !missed;
}

/* Returns the number of lines that miss the target; disagreement ends the program. */
static int compare(struct work *w, double patience) {
    static struct bench_times times;
    const struct bench_way ways[] = {{"straight", NULL, run_direct, w},
                                     {"engine", NULL, run_engine, w}};
    if (!agree(w)) {
        fprintf(stderr, "%s %s: engine and straight code differ\n", w->pair->collective,
                w->pair->algorithm);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    bench_compare(ways, 2, patience, w->x.comm, &times);
    return !report(w, &times);
}

static int run_all(struct work *w, size_t most, double patience, const char *only) {
    int missed = 0;
    if (w->x.rank == 0)
        printf("%-10s %-20s %8s  %-30s  %-30s  %s\n", "collective", "algorithm", "bytes",
               "straight, us (quartiles)", "engine, us (quartiles)", "engine/straight");
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        w->pair = &pairs[k];
        if (only != NULL && strcmp(only, w->pair->algorithm) != 0)
            continue;
        Bine_Set(w->x.comm, w->pair->collective, w->pair->algorithm);
        for (size_t bytes = 8; bytes <= most; bytes *= bytes < 4096 ? 8 : 4) {
            int count = (int)(bytes / sizeof(float));
            if (w->pair->engine == engine_allgather)
                count = count < w->x.p ? w->x.p : count / w->x.p * w->x.p;
            w->x.count = count;
            missed += compare(w, patience);
        }
        Bine_Set(w->x.comm, w->pair->collective, NULL);
    }
    return missed;
}

int main(int argc, char **argv) {
    size_t most = 16 << 20;
    double patience = 0.5;
    const char *only = NULL;
    struct work w = {.x = {.comm = MPI_COMM_WORLD}};
    MPI_Init(&argc, &argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--patience") == 0)
            patience = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--max") == 0)
            most = (size_t)atoll(argv[i + 1]);
        else if (strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
    }
    MPI_Comm_rank(w.x.comm, &w.x.rank);
    MPI_Comm_size(w.x.comm, &w.x.p);
    if (!bine_is_pow2(w.x.p)) {
        if (w.x.rank == 0)
            fprintf(stderr, "%s: needs a power of two of ranks\n", argv[0]);
        MPI_Finalize();
        return 2;
    }
    size_t room = most + 4096 * sizeof(float);
    w.x.in = malloc(room);
    w.x.out = malloc(room);
    w.x.scratch = malloc(room);
    if (w.x.in == NULL || w.x.out == NULL || w.x.scratch == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int missed = run_all(&w, most, patience, only);
    if (w.x.rank == 0)
        printf("%d lines from 64 KiB up above %.2f\n", missed, TARGET);
    free(w.x.in);
    free(w.x.out);
    free(w.x.scratch);
    MPI_Finalize();
    return missed > 0;
}
