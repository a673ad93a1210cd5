/* Which MPI library carries the messages: found out while the program runs, because one build of
 * Bine serves several of them. Where they behave differently, the code asks here. */
#ifndef BINE_ENGINE_MPI_LIBRARY_H
#define BINE_ENGINE_MPI_LIBRARY_H

#include "select/rules.h"

#include <stdatomic.h>
#include <stddef.h>

/* The family whose behaviour it has. Whatever is not Open MPI counts as MPICH: its kin (Intel,
 * Cray, MVAPICH) are, and the precautions for MPICH do no harm elsewhere. */
enum bine_library bine_mpi_library_find(void);

/* The version of the standard's ABI that the program uses, as MPI_Abi_get_version tells it; -1:
 * the library's own ABI. */
int bine_mpi_abi_version(void);

/* What people are told, between MPI_Init and MPI_Finalize: "MPICH Version: 5.1.0 (ch4:ofi, standard
 * ABI 1)"; with components, "Open MPI v4.1.4 (ob1: self, tcp, vader)". For these MPI_T opens all
 * components of Open MPI, of which one looks for its devices for two tenths of a second: only where
 * nothing is timed. */
enum { BINE_MPI_LIBRARY_TEXT = 160 };
void bine_mpi_library_text(char *text, size_t size, int components);

static inline enum bine_library bine_mpi_library(void) {
    extern atomic_int bine_mpi_library_kind; /* any: not asked yet */
    int kind = atomic_load_explicit(&bine_mpi_library_kind, memory_order_relaxed);
    return kind != BINE_LIBRARY_ANY ? (enum bine_library)kind : bine_mpi_library_find();
}

static inline int bine_mpi_is(enum bine_library library) {
    return bine_mpi_library() == library;
}

#endif
