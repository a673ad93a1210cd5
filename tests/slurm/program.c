/* An allreduce on MPI_COMM_WORLD, twice, by MPI's own name: what the drop-in library makes of it is
 * what BINE_VERBOSE=1 says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16 };

int main(int argc, char **argv) {
    static double in[N], out[N];
    int p, rank, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N; i++)
        in[i] = rank;
    for (int k = 0; k < 2; k++)
        MPI_Allreduce(in, out, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        wrong += out[i] != p * (p - 1) / 2.0;
    if (wrong > 0)
        fprintf(stderr, "rank %d: %d wrong\n", rank, wrong);
    MPI_Finalize();
    return wrong > 0;
}
