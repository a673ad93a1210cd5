// A plan: the algorithm is chosen and bound once; running it allocates nothing and looks nothing up.
#include <bine.h>

#include <cstdio>
#include <vector>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks, wrong = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<float> mine(1000), all(1000 * static_cast<size_t>(ranks));
    Bine_Plan plan;
    Bine_Allgather_init(mine.data(), 1000, MPI_FLOAT, all.data(), 1000, MPI_FLOAT, MPI_COMM_WORLD, &plan);
    for (int step = 0; step < 10; step++) {
        for (float &x : mine)
            x = static_cast<float>(rank + step);
        Bine_Plan_run(plan);
        for (int r = 0; r < ranks; r++)
            wrong += all[1000 * static_cast<size_t>(r)] != static_cast<float>(r + step);
    }
    Bine_Plan_free(&plan);
    if (rank == 0)
        std::printf("%d ranks, 10 steps, %d wrong\n", ranks, wrong);
    MPI_Finalize();
    return wrong > 0;
}
