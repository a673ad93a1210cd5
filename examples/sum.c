/* The sum of a vector over all ranks, by Bine's name for it; and which algorithm ran. */
#include <bine.h>

#include <stdio.h>

enum { N = 100000 };

int main(int argc, char **argv) {
    static double mine[N], sum[N];
    char ran[200];
    int rank, ranks, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < N; i++)
        mine[i] = rank + i;
    Bine_Allreduce(mine, sum, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    Bine_Last(MPI_COMM_WORLD, ran, sizeof ran);
    for (int i = 0; i < N; i++)
        wrong += sum[i] != ranks * (double)i + ranks * (ranks - 1) / 2;
    if (rank == 0)
        printf("%d ranks, %d wrong; ran: %s\n", ranks, wrong, ran);
    MPI_Finalize();
    return wrong > 0;
}
