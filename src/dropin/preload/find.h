/* Which MPI library is in this process, and where its functions are. */
#ifndef BINE_DROPIN_PRELOAD_FIND_H
#define BINE_DROPIN_PRELOAD_FIND_H

#include "mpi/preload_interface.h"

#include <stddef.h>

struct bine_mpi {
    void *handle;        /* of dlopen */
    const void *base;    /* where it is loaded */
    const char *flavour; /* "openmpi", "mpich", or NULL: another */
};

/* In the order of the loader, or where the caller's own libraries have it, or anywhere. 0 or -1. */
int bine_mpi_find(const void *caller, struct bine_mpi *mpi);
/* The function that would be called if this library were not there. */
bine_function *bine_mpi_function(const struct bine_mpi *mpi, const char *name);
/* MPI_X of a tool that stands between the program and the MPI library, or NULL. */
bine_function *bine_mpi_tool(const struct bine_mpi *mpi, const char *name);
/* The file that a function is in, or NULL. */
const char *bine_mpi_file(bine_function *f);
/* The version of the standard's own ABI (MPI 5) that the program is compiled for, or -1: then its
 * library has an ABI of its own. May be asked before MPI_Init. */
int bine_mpi_standard_abi(const struct bine_mpi *mpi);
/* Whether some rank of MPI_COMM_WORLD says so, by MPI's own MPI_Allreduce. Of an MPI library whose
 * handles are not known: this rank's word. tells: a line on stderr if that takes long. */
int bine_mpi_any(const struct bine_mpi *mpi, bine_function *allreduce, int mine, int tells);
/* Load the library of Bine for it, and exchange functions. NULL with the reason: there is none. */
const struct bine_preload_library *bine_mpi_attach(const struct bine_mpi *mpi,
                                                   const struct bine_preload *bine, char *why,
                                                   size_t size);

/* dlsym itself, whose name is intercepted, too. */
void *bine_real_dlsym(void *handle, const char *name);
bine_function *bine_stub_of(const char *name);
/* The library of Bine, once it is attached; or NULL. */
const struct bine_preload_library *bine_attached(void);

#endif
