/* Memory that large calls leave behind: once for the process, not on every communicator. */
#include "../check.h"

#include "bine.h"

#include <stdlib.h>

enum { COMMS = 8, MEGABYTES = 16 };

/* Elements with a gap are packed whole, which takes as much memory as they have. */
static int call(MPI_Comm comm, char *x, MPI_Datatype type) {
    return Bine_Bcast(x, MEGABYTES << 10, type, 0, comm);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Comm comm[COMMS];
    MPI_Datatype row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(1000, MPI_CHAR, &row);
    MPI_Type_create_resized(row, 0, 1024, &row);
    MPI_Type_commit(&row);
    char *x = calloc(MEGABYTES, 1 << 20);
    if (x == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    check_that(call(comm[0], x, row) == MPI_SUCCESS, "the first one");
    long before = check_memory();
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < COMMS; i++)
            check_that(call(comm[i], x, row) == MPI_SUCCESS, "communicator %d", i);
    long more = check_memory() - before;
    check_that(more < (MEGABYTES << 10), "%d communicators: %ld KiB more than one", COMMS, more);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comm[i]);
    free(x);
    MPI_Type_free(&row);
    int status = check_end();
    MPI_Finalize();
    return status;
}
