/* A program that loads MPI itself, by dlopen, and looks its functions up.
 *
 *     loaded LIBRARY
 *
 * It is not linked with MPI. Handles are fetched as the library's header has them. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void *mpi;

static void *find(const char *name) {
    void *address = dlsym(mpi, name);
    if (address == NULL)
        printf("%s: %s\n", name, dlerror());
    return address;
}

#define FIND(NAME) memcpy(&NAME, &(void *){find("MPI_" #NAME)}, sizeof NAME)
#ifdef OPEN_MPI /* handles are addresses of things in the library */
#define HANDLE(TYPE, NAME, SYMBOL) TYPE NAME = (TYPE)find(SYMBOL)
#else
#define HANDLE(TYPE, NAME, SYMBOL) TYPE NAME = MPI_##NAME
#endif
#define COMM_WORLD_SYMBOL "ompi_mpi_comm_world"

int main(int argc, char **argv) {
    int (*Init)(int *, char ***);
    int (*Finalize)(void);
    int (*Comm_size)(MPI_Comm, int *);
    int (*Comm_rank)(MPI_Comm, int *);
    int (*Allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
    int rank, p, sum = -1;
    mpi = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (argc != 2 || mpi == NULL) {
        printf("cannot load it: %s\n", dlerror());
        return 1;
    }
    FIND(Init);
    FIND(Finalize);
    FIND(Comm_size);
    FIND(Comm_rank);
    FIND(Allreduce);
    HANDLE(MPI_Comm, COMM_WORLD, "ompi_mpi_comm_world");
    HANDLE(MPI_Datatype, INT, "ompi_mpi_int");
    HANDLE(MPI_Op, SUM, "ompi_mpi_op_sum");
    Init(&argc, &argv);
    Comm_size(COMM_WORLD, &p);
    Comm_rank(COMM_WORLD, &rank);
    for (int i = 0; i < 10; i++)
        Allreduce(&rank, &sum, 1, INT, SUM, COMM_WORLD);
    int right = sum == p * (p - 1) / 2;
    if (rank == 0)
        printf("%s\n", right ? "right" : "wrong");
    Finalize();
    return !right;
}
