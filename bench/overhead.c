/* The program that bench/overhead counts the instructions of: one small collective, over and over.
 *
 *     bench-overhead COLLECTIVE CALLS
 *
 * COLLECTIVE is allreduce, bcast or allgather, with 8 bytes from each rank. The first calls make
 * plans and memory and are not counted; counting begins with measured(). Each call has other
 * buffers than the one before, so that nothing is gained from a program that only repeats itself.
 */
#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UP = 4, BUFFERS = 2 };

/* Not static and never inlined: callgrind is told to count inside this function only. */
void measured(const char *collective, int calls, double *in, double *out, int p);

static void call(const char *collective, double *in, double *out) {
    if (*collective == 'b')
        Bine_Bcast(out, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else if (strcmp(collective, "allreduce") == 0)
        Bine_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else
        Bine_Allgather(in, 1, MPI_DOUBLE, out, 1, MPI_DOUBLE, MPI_COMM_WORLD);
}

__attribute__((noinline)) void measured(const char *collective, int calls, double *in, double *out,
                                        int p) {
    for (int i = 0; i < calls; i++)
        call(collective, in + i % BUFFERS, out + i % BUFFERS * p);
}

int main(int argc, char **argv) {
    char last[200];
    int rank, p;
    if (argc != 3) {
        fprintf(stderr, "usage: %s allreduce|bcast|allgather CALLS\n", argv[0]);
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    double in[BUFFERS] = {1, 2}, *out = calloc((size_t)(BUFFERS * p), sizeof *out);
    if (out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < WARM_UP; i++)
        call(argv[1], in + i % BUFFERS, out + i % BUFFERS * p);
    measured(argv[1], atoi(argv[2]), in, out, p);
    Bine_Last(MPI_COMM_WORLD, last, (int)sizeof last);
    if (rank == 0)
        printf("%s\n", last);
    free(out);
    MPI_Finalize();
    return 0;
}
