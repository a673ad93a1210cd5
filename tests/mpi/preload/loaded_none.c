/* A program without blocking collectives: none at all, or with --started a nonblocking barrier. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv) {
    int started = argc > 1 && strcmp(argv[1], "--started") == 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    if (started)
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
