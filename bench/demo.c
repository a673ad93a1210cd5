/* A program that knows nothing of Bine, for `make demo`: a few steps of what a simulation does, a
 * model's parameters from rank 0, a field summed over all ranks, a piece from everyone for
 * everyone. Checks what it gets; prints collective,ranks,bytes,step,seconds of the slowest rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 4, N = 1 << 18 }; /* floats: 1 MiB */

struct state {
    int rank, p, wrong;
    float *a, *b;
};

static void broadcast(struct state *s, int step) {
    if (s->rank == 0)
        for (int i = 0; i < N; i++)
            s->a[i] = (float)(i % 100 + step);
    MPI_Bcast(s->a, N, MPI_FLOAT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        s->wrong += s->a[i] != (float)(i % 100 + step);
}

static void sum(struct state *s, int step) {
    for (int i = 0; i < N; i++)
        s->a[i] = (float)(s->rank + step);
    MPI_Allreduce(s->a, s->b, N, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        s->wrong += s->b[i] != (float)(s->p * (s->p - 1) / 2 + s->p * step);
}

static void collect(struct state *s, int step) {
    int n = N / 4 / s->p;
    for (int i = 0; i < n; i++)
        s->a[i] = (float)(s->rank + step);
    MPI_Allgather(s->a, n, MPI_FLOAT, s->b, n, MPI_FLOAT, MPI_COMM_WORLD);
    for (int i = 0; i < n * s->p; i++)
        s->wrong += s->b[i] != (float)(i / n + step);
}

/* A line for each step: the seconds of the slowest rank. The first step, in which connections are
 * made, is left out. */
static void timed(const char *name, int bytes, void (*call)(struct state *, int), struct state *s) {
    for (int step = 0; step <= STEPS; step++) {
        double seconds, slowest;
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        call(s, step);
        seconds = MPI_Wtime() - begin;
        MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (s->rank == 0 && step > 0)
            printf("%s,%d,%d,%d,%.6f\n", name, s->p, bytes, step, slowest);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        int bytes;
        void (*call)(struct state *, int);
    } rows[] = {{"bcast", 4 * N, broadcast}, {"allreduce", 4 * N, sum}, {"allgather", N, collect}};
    struct state s = {.a = malloc(N * sizeof(float)), .b = malloc(N * sizeof(float))};
    int wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.p);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        timed(rows[i].name, rows[i].bytes, rows[i].call, &s);
    MPI_Reduce(&s.wrong, &wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (wrong > 0)
        fprintf(stderr, "%d values are wrong\n", wrong);
    free(s.a);
    free(s.b);
    MPI_Finalize();
    return wrong > 0;
}
