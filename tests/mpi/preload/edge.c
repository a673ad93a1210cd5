/* A send buffer that is the receive buffer, of a type whose data begins behind its address, at the
 * edge of what may be read. For Open MPI, which takes such calls. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "../check.h"

#include <mpi.h>
#include <stddef.h>
#include <sys/mman.h>

enum { PAGE = 4096, BEFORE = 8, EXTENT = 64 };

int main(int argc, char **argv) {
    int rank, p, one = 1;
    MPI_Aint before = BEFORE;
    MPI_Datatype inner, type;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_create_hindexed(1, &one, &before, MPI_INT, &inner);
    MPI_Type_create_resized(inner, 0, EXTENT, &type);
    MPI_Type_commit(&type);
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, PAGE, PROT_NONE) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    char *data = pages + PAGE;
    *(int *)(void *)data = 100 + rank;
    int rc = MPI_Allgather(data - BEFORE, 1, type, data - BEFORE, 1, type, MPI_COMM_WORLD);
    for (int i = 0; i < p && rc == MPI_SUCCESS; i++)
        check_that(*(int *)(void *)(data + (size_t)i * EXTENT) == 100 + i, "block %d", i);
    check_that(rc == MPI_SUCCESS, "allgather: %d", rc);
    munmap(pages, 2 * PAGE);
    MPI_Type_free(&inner);
    MPI_Type_free(&type);
    int status = check_end();
    MPI_Finalize();
    return status;
}
