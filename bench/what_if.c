/* Programs for bench/what-if that know nothing of Bine: the collectives of a spectral code, of a
 * particle code and of training, for fixed problems: more ranks have less each. Before each phase
 * there is something to compute, which a pause stands for, and all ranks agree on a number.
 *   what_if spectral|particles|training STEPS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KIB = 1 << 10, MOST = 2048 * KIB, RANKS_MOST = 1024, COMPUTING = 20000000 };

struct state {
    int p;
    float *a, *b;
};

/* Floats of a vector of so many KiB; of the block of a rank. */
static int whole(int kib) {
    return kib * KIB / (int)sizeof(float);
}

static int block(const struct state *s, int kib) {
    return whole(kib) / s->p;
}

/* As for a time step: it is computed, and all ranks agree on it. */
static void agree(struct state *s) {
    nanosleep(&(struct timespec){.tv_nsec = COMPUTING}, NULL);
    MPI_Allreduce(s->a, s->b, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
}

static void spectral(struct state *s) {
    int n = block(s, 2048) / s->p; /* a matrix of 2 MiB, transposed */
    agree(s);
    MPI_Alltoall(s->a, n, MPI_FLOAT, s->b, n, MPI_FLOAT, MPI_COMM_WORLD);
    agree(s);
    MPI_Alltoall(s->b, n, MPI_FLOAT, s->a, n, MPI_FLOAT, MPI_COMM_WORLD);
    agree(s);
    MPI_Allreduce(s->a, s->b, whole(32), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    agree(s);
    MPI_Bcast(s->a, whole(64), MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void particles(struct state *s) {
    int n = block(s, 512), counts[RANKS_MOST];
    for (int i = 0; i < s->p; i++)
        counts[i] = n;
    agree(s);
    MPI_Scatter(s->a, n, MPI_FLOAT, s->b, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
    agree(s);
    MPI_Allgather(s->a, n, MPI_FLOAT, s->b, n, MPI_FLOAT, MPI_COMM_WORLD);
    agree(s);
    MPI_Reduce_scatter(s->a, s->b, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    agree(s);
    MPI_Reduce(s->a, s->b, whole(256), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    agree(s);
    MPI_Gather(s->a, n, MPI_FLOAT, s->b, n, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static void training(struct state *s) {
    agree(s);
    MPI_Allreduce(s->a, s->b, whole(1024), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    agree(s);
    MPI_Allreduce(s->a, s->b, whole(128), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    agree(s);
    MPI_Bcast(s->a, whole(512), MPI_FLOAT, 0, MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*step)(struct state *s);
} programs[] = {{"spectral", spectral}, {"particles", particles}, {"training", training}};

int main(int argc, char **argv) {
    struct state s = {0};
    void (*step)(struct state *) = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &s.p);
    s.a = calloc(1, MOST);
    s.b = calloc(1, MOST);
    for (size_t i = 0; argc == 3 && i < sizeof programs / sizeof *programs; i++)
        if (strcmp(argv[1], programs[i].name) == 0)
            step = programs[i].step;
    if (step == NULL || s.p > RANKS_MOST || s.a == NULL || s.b == NULL) {
        fprintf(stderr, "usage: what_if spectral|particles|training STEPS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    for (int i = 0; i < atoi(argv[2]); i++)
        step(&s);
    free(s.a);
    free(s.b);
    MPI_Finalize();
    return 0;
}
