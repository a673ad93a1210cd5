/* The program that bench/overhead counts the instructions of: one small collective, over and over.
 *
 *     bench-overhead COLLECTIVE CALLS again|anew
 *
 * COLLECTIVE is allreduce, bcast or allgather, with 8 bytes from each rank, or iallreduce, ibcast
 * or iallgather: one that is started and waited for at once. The first calls make plans and memory
 * and are not counted; counting begins with measured(). `again`: each call has other buffers than
 * the one before, but is the same otherwise. `anew`: also another datatype, so that it must be
 * bound anew. */
#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 4, BUFFERS = 2 };

struct work {
    const char *collective;
    int anew, p;
    double *in, *out;
};

/* Not static and never inlined: callgrind is told to count inside this function only. */
void measured(const struct work *w, int calls);

static void start(const struct work *w, double *in, double *out, MPI_Datatype type,
                  Bine_Request *request) {
    if (strcmp(w->collective, "ibcast") == 0)
        Bine_Ibcast(out, 1, type, 0, MPI_COMM_WORLD, request);
    else if (strcmp(w->collective, "iallgather") == 0)
        Bine_Iallgather(in, 1, type, out, 1, type, MPI_COMM_WORLD, request);
    else
        Bine_Iallreduce(in, out, 1, type, MPI_SUM, MPI_COMM_WORLD, request);
}

static void call(const struct work *w, int i) {
    double *in = w->in + i % BUFFERS, *out = w->out + i % BUFFERS * w->p;
    MPI_Datatype type = w->anew && i % 2 == 1 ? MPI_INT64_T : MPI_DOUBLE;
    Bine_Request request;
    if (*w->collective == 'i') {
        start(w, in, out, type, &request);
        Bine_Wait(&request);
    } else if (*w->collective == 'b')
        Bine_Bcast(out, 1, type, 0, MPI_COMM_WORLD);
    else if (strcmp(w->collective, "allreduce") == 0)
        Bine_Allreduce(in, out, 1, type, MPI_SUM, MPI_COMM_WORLD);
    else
        Bine_Allgather(in, 1, type, out, 1, type, MPI_COMM_WORLD);
}

__attribute__((noinline)) void measured(const struct work *w, int calls) {
    for (int i = 0; i < calls; i++)
        call(w, i);
}

int main(int argc, char **argv) {
    char last[200];
    struct work w;
    int rank;
    if (argc != 4) {
        fprintf(stderr, "usage: %s [i]allreduce|[i]bcast|[i]allgather CALLS again|anew\n", argv[0]);
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.p);
    w.collective = argv[1];
    w.anew = strcmp(argv[3], "anew") == 0;
    w.in = calloc(BUFFERS, sizeof *w.in);
    w.out = calloc((size_t)(BUFFERS * w.p), sizeof *w.out);
    if (w.in == NULL || w.out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    Bine_Allreduce(w.in, w.out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* which opens it */
    for (int i = 0; i < WARM_UP; i++)
        call(&w, i);
    measured(&w, atoi(argv[2]));
    Bine_Last(MPI_COMM_WORLD, last, (int)sizeof last);
    if (rank == 0)
        printf("%s\n", last);
    free(w.in);
    free(w.out);
    MPI_Finalize();
    return 0;
}
