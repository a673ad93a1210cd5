/* A program that calls Bine_*: blocking, nonblocking, and plans. */
#include "bine.h"

#include <stdio.h>

int main(int argc, char **argv) {
    static double a[1000], b[1000];
    Bine_Request request;
    Bine_Plan plan;
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < 25; i++)
        Bine_Allreduce(a, b, 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 8; i++) {
        Bine_Ibcast(a, 10, MPI_DOUBLE, 0, MPI_COMM_WORLD, &request);
        Bine_Wait(&request);
    }
    Bine_Reduce_init(a, b, 5, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD, &plan);
    for (int i = 0; i < 6; i++)
        Bine_Plan_run(plan);
    for (int i = 0; i < 3; i++) {
        Bine_Plan_start(plan);
        Bine_Plan_wait(plan);
    }
    Bine_Plan_free(&plan);
    for (int i = 0; i < 10; i++) { /* a communicator may get the handle of one that was freed */
        MPI_Comm again;
        MPI_Comm_dup(MPI_COMM_WORLD, &again);
        Bine_Set(again, "allgather", "ring");
        Bine_Allgather(a, 4, MPI_DOUBLE, b, 4, MPI_DOUBLE, again);
        MPI_Comm_free(&again);
    }
    MPI_Allreduce(a, b, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* not Bine's */
    MPI_Finalize();
    if (rank == 0)
        printf("allreduce blocking 25 8000\nbcast nonblocking 8 80\nreduce persistent 9 40\n"
               "allgather blocking 10 %d\n",
               32 * p);
    return 0;
}
