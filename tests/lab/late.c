/* A program that loads MPICH late, where RTLD_NEXT does not see it, as Python does: what `bine lab`
 * preloads into ranks finds UCX nevertheless. Run with that library preloaded, alone. */
#include <dlfcn.h>
#include <stdio.h>

typedef int init_function(int *argc, char ***argv);
typedef int finalize_function(void);

int main(void) {
    init_function *init;
    finalize_function *finalize;
    void *mpi = dlopen("libmpich.so.12", RTLD_NOW | RTLD_LOCAL);
    if (mpi == NULL) {
        printf("skipped: %s\n", dlerror());
        return 77;
    }
    *(void **)&init = dlsym(mpi, "MPI_Init");
    *(void **)&finalize = dlsym(RTLD_DEFAULT, "MPI_Finalize"); /* the preloaded library's */
    return init(NULL, NULL) != 0 || finalize == NULL || finalize() != 0;
}
