/* A tool that profiles programs as MPI means it: it defines MPI_Allreduce and calls PMPI_Allreduce.
 * With TOOL_NEXT it calls the next MPI_Allreduce among the libraries instead, as some tools do. At
 * the end it says on stderr what it counted, on rank 0. */
#ifdef TOOL_NEXT
#define _GNU_SOURCE
#include <dlfcn.h>
#endif
#include <mpi.h>
#include <stdio.h>

static int calls;

int MPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
    calls++;
#ifdef TOOL_NEXT
    int (*next)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Allreduce");
    return next(in, out, count, type, op, comm);
#else
    return PMPI_Allreduce(in, out, count, type, op, comm);
#endif
}

#ifdef TOOL_INIT
/* Takes the first function of all, and calls the MPI library's own. */
int MPI_Init(int *argc, char ***argv) {
    int (*next)(int *, char ***);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Init");
    return next(argc, argv);
}
#endif

int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "tool: %d calls\n", calls);
    return PMPI_Finalize();
}
