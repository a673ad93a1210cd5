/* The first thing that the ranks of a job do together: find out whether each has a library of Bine.
 *
 * Programs of one job may use different ABIs of its MPI library, and a computer may lack files that
 * others have. A rank without a library of Bine forwards its calls to MPI; the others would wait
 * for its part in Bine's algorithms. It is a reduction of MPI's own, with handles by number, since
 * nothing here includes mpi.h. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "dropin/preload/find.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef uintptr_t word;

/* MPI_COMM_WORLD, MPI_INT and MPI_MAX. */
struct handles {
    word world, integer, greatest;
};

/* Those of the standard's ABI (MPI 5.0, appendix A), and of MPICH's mpi.h, whose kin share them. */
static const struct handles standard = {0x101, 0x209, 0x23};
static const struct handles mpich = {0x44000000, 0x4c000405, 0x58000001};

/* Open MPI's are addresses of its variables: the linker may have moved them into the program. */
static word address(const struct bine_mpi *mpi, const char *name) {
    void *found = bine_real_dlsym(RTLD_DEFAULT, name);
    return (word)(found != NULL ? found : bine_real_dlsym(mpi->handle, name));
}

static struct handles openmpi(const struct bine_mpi *mpi) {
    return (struct handles){address(mpi, "ompi_mpi_comm_world"), address(mpi, "ompi_mpi_int"),
                            address(mpi, "ompi_mpi_op_max")};
}

static int find(const struct bine_mpi *mpi, struct handles *h) {
    int abi = bine_mpi_standard_abi(mpi);
    if (abi > 1) /* not known */
        return 0;
    if (abi >= 0)
        *h = standard;
    else if (mpi->flavour != NULL && strcmp(mpi->flavour, "openmpi") == 0)
        *h = openmpi(mpi);
    else if (mpi->flavour != NULL)
        *h = mpich;
    else
        return 0;
    return h->world != 0 && h->integer != 0 && h->greatest != 0;
}

int bine_mpi_any(const struct bine_mpi *mpi, bine_function *allreduce, int mine) {
    int any = mine;
    struct handles h;
    if (allreduce != NULL && find(mpi, &h))
        ((int (*)(const void *, void *, int, word, word, word))allreduce)(&mine, &any, 1, h.integer,
                                                                          h.greatest, h.world);
    return any;
}
