/* Stands behind the drop-in library, before MPI: counts the calls that do not come from the program
 * itself. A gate that jumps to MPI leaves the program as the caller; Bine's own code does not. */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr */
#include <dlfcn.h>
#include <mpi.h>
#include <string.h>
#include <sys/auxv.h>

static int calls, detours;

/* Calls until now, and those among them that came through Bine. */
void witness_counts(int *all, int *others);

__attribute__((visibility("default"))) void witness_counts(int *all, int *others) {
    *all = calls;
    *others = detours;
}

static void see(const void *from) {
    Dl_info program, caller;
    calls++;
    if (dladdr((void *)getauxval(AT_ENTRY), &program) == 0 || dladdr(from, &caller) == 0 ||
        program.dli_fbase != caller.dli_fbase)
        detours++;
}

#define WATCH(NAME, FORMAL, ACTUAL)                                                                \
    __attribute__((visibility("default"))) int NAME FORMAL {                                       \
        static int(*real) FORMAL;                                                                  \
        see(__builtin_return_address(0));                                                          \
        if (real == NULL) {                                                                        \
            void *address = dlsym(RTLD_NEXT, #NAME);                                               \
            memcpy(&real, &address, sizeof real);                                                  \
        }                                                                                          \
        return real ACTUAL;                                                                        \
    }

WATCH(PMPI_Gatherv,
      (const void *in, int n, MPI_Datatype type, void *out, const int *counts, const int *displs,
       MPI_Datatype to, int root, MPI_Comm comm),
      (in, n, type, out, counts, displs, to, root, comm))
WATCH(PMPI_Scatterv,
      (const void *in, const int *counts, const int *displs, MPI_Datatype type, void *out, int n,
       MPI_Datatype to, int root, MPI_Comm comm),
      (in, counts, displs, type, out, n, to, root, comm))
WATCH(PMPI_Igatherv,
      (const void *in, int n, MPI_Datatype type, void *out, const int *counts, const int *displs,
       MPI_Datatype to, int root, MPI_Comm comm, MPI_Request *request),
      (in, n, type, out, counts, displs, to, root, comm, request))
WATCH(PMPI_Alltoallw,
      (const void *in, const int *n, const int *at, const MPI_Datatype *type, void *out,
       const int *counts, const int *displs, const MPI_Datatype *to, MPI_Comm comm),
      (in, n, at, type, out, counts, displs, to, comm))
WATCH(PMPI_Allreduce,
      (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (in, out, n, type, op, comm))
