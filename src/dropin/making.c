/* Communicators that the program makes. */
#include "call/opening.h"
#include "dropin/nonblocking.h"
#include "mpi/mpi_calls.h"

#include <stddef.h>

/* MPICH 5 may return MPI_SUCCESS, and make none (comm/context.c). */
#define MAKER(NAME, OWN, FORMAL, ACTUAL)                                                           \
    static int take_##OWN FORMAL {                                                                 \
        int opens = bine_opening_is_due(comm) && made != NULL;                                     \
        if (opens)                                                                                 \
            *made = MPI_COMM_NULL;                                                                 \
        int rc = bine_mpi->OWN ACTUAL;                                                             \
        if (opens && rc == MPI_SUCCESS)                                                            \
            bine_opening_made(*made);                                                              \
        return rc;                                                                                 \
    }
#include "mpi/makers.def"
#undef MAKER

void bine_making_attach(const struct bine_preload *d) {
#define MAKER(NAME, OWN, ...) d->take[BINE_ENTRY_##NAME] = (bine_function *)take_##OWN;
#include "mpi/makers.def"
#undef MAKER
}
