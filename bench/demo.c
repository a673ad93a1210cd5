/* Every collective on the ranks at hand, beside the MPI library's own: results compared, times
 * interleaved. For `make demo`. */
#include <bine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15 };

struct setting {
    int rank, p, count; /* ints in a block */
    int *in, *out;      /* room for a block of every rank, each */
    int *counts;
};

struct row {
    const char *name;
    void (*bine)(const struct setting *);
    void (*mpi)(const struct setting *);
};

#define WORLD MPI_COMM_WORLD
#define PAIR(NAME, CALL_BINE, CALL_MPI)                                                            \
    static void bine_##NAME(const struct setting *s) {                                             \
        CALL_BINE;                                                                                 \
    }                                                                                              \
    static void mpi_##NAME(const struct setting *s) {                                              \
        CALL_MPI;                                                                                  \
    }
#define BOTH(NAME, FUNCTION, ...)                                                                  \
    PAIR(NAME, Bine_##FUNCTION(__VA_ARGS__), MPI_##FUNCTION(__VA_ARGS__))

BOTH(bcast, Bcast, s->out, s->count * s->p, MPI_INT, s->p - 1, WORLD)
BOTH(reduce, Reduce, s->in, s->out, s->count * s->p, MPI_INT, MPI_SUM, s->p - 1, WORLD)
BOTH(allreduce, Allreduce, s->in, s->out, s->count * s->p, MPI_INT, MPI_SUM, WORLD)
BOTH(gather, Gather, s->in, s->count, MPI_INT, s->out, s->count, MPI_INT, s->p - 1, WORLD)
BOTH(scatter, Scatter, s->in, s->count, MPI_INT, s->out, s->count, MPI_INT, s->p - 1, WORLD)
BOTH(allgather, Allgather, s->in, s->count, MPI_INT, s->out, s->count, MPI_INT, WORLD)
BOTH(alltoall, Alltoall, s->in, s->count, MPI_INT, s->out, s->count, MPI_INT, WORLD)
BOTH(reduce_scatter, Reduce_scatter, s->in, s->out, s->counts, MPI_INT, MPI_SUM, WORLD)
BOTH(reduce_scatter_block, Reduce_scatter_block, s->in, s->out, s->count, MPI_INT, MPI_SUM, WORLD)

#define ROW(NAME)                                                                                  \
    { #NAME, bine_##NAME, mpi_##NAME }
static const struct row rows[] = {ROW(bcast),    ROW(reduce),         ROW(allreduce),
                                  ROW(gather),   ROW(scatter),        ROW(allgather),
                                  ROW(alltoall), ROW(reduce_scatter), ROW(reduce_scatter_block)};

/* What is in the buffers before a call: the broadcast's root sends what it has in `out`. */
static void fill(const struct setting *s) {
    for (int i = 0; i < s->count * s->p; i++) {
        s->in[i] = 7 * i + 1000 * s->rank;
        s->out[i] = s->rank == s->p - 1 ? 3 * i + 1 : -1;
    }
}

/* Seconds of the slowest rank. */
static double timed(void (*call)(const struct setting *), const struct setting *s) {
    double t, slowest;
    MPI_Barrier(WORLD);
    t = MPI_Wtime();
    call(s);
    t = MPI_Wtime() - t;
    MPI_Allreduce(&t, &slowest, 1, MPI_DOUBLE, MPI_MAX, WORLD);
    return slowest;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Whether both leave the same in `out`, on all ranks. */
static int same_result(const struct row *row, const struct setting *s, int *copy) {
    size_t bytes = (size_t)(s->count * s->p) * sizeof *copy;
    int same, everywhere;
    fill(s);
    row->mpi(s);
    memcpy(copy, s->out, bytes);
    fill(s);
    row->bine(s);
    same = memcmp(copy, s->out, bytes) == 0;
    MPI_Allreduce(&same, &everywhere, 1, MPI_INT, MPI_LAND, WORLD);
    return everywhere;
}

static int show(const struct row *row, const struct setting *s, int *copy) {
    double bine[ROUNDS], mpi[ROUNDS];
    char what[120];
    int good = same_result(row, s, copy);
    Bine_Last(WORLD, what, (int)sizeof what);
    what[strcspn(what, "(")] = '\0';   /* without the reason */
    for (int i = 0; i < ROUNDS; i++) { /* each goes first every other time */
        double *first = i % 2 ? &bine[i] : &mpi[i], *second = i % 2 ? &mpi[i] : &bine[i];
        *first = timed(i % 2 ? row->bine : row->mpi, s);
        *second = timed(i % 2 ? row->mpi : row->bine, s);
    }
    qsort(bine, ROUNDS, sizeof *bine, by_value);
    qsort(mpi, ROUNDS, sizeof *mpi, by_value);
    if (s->rank == 0)
        printf("%-20s %9zu  %-22s %10.1f %10.1f  %s\n", row->name,
               (size_t)(s->count * s->p) * sizeof *copy,
               strchr(what, ' ') ? strchr(what, ' ') + 1 : what, 1e6 * bine[ROUNDS / 2],
               1e6 * mpi[ROUNDS / 2], good ? "equal" : "WRONG");
    return good;
}

int main(int argc, char **argv) {
    struct setting s;
    int bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &s.rank);
    MPI_Comm_size(WORLD, &s.p);
    int most = 16384;
    size_t bytes = (size_t)(most * s.p) * sizeof(int);
    int *copy = malloc(bytes);
    s.in = malloc(bytes);
    s.out = malloc(bytes);
    s.counts = malloc((size_t)s.p * sizeof *s.counts);
    if (copy == NULL || s.in == NULL || s.out == NULL || s.counts == NULL)
        MPI_Abort(WORLD, 1);
    if (s.rank == 0)
        printf("%-20s %9s  %-22s %10s %10s  %s\n", "collective", "bytes", "algorithm", "bine us",
               "mpi us", "results");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (s.count = 16; s.count <= most; s.count *= 1024) {
            for (int i = 0; i < s.p; i++)
                s.counts[i] = s.count;
            bad += !show(&rows[k], &s, copy);
        }
    if (s.rank == 0)
        printf(bad == 0 ? "all results are equal to the MPI library's\n" : "%d results are WRONG\n",
               bad);
    free(copy);
    free(s.in);
    free(s.out);
    free(s.counts);
    MPI_Finalize();
    return bad > 0;
}
