#include "dropin/completion.h"

#include "engine/transport/mpi_library.h"

MPI_Comm bine_dropin_comm(const struct bine_request *r) {
    return atomic_load(&r->context->id.orphaned) ? MPI_COMM_NULL : r->comm;
}

void bine_dropin_complete(int tag, int rc) {
    char nothing = 0;
    PMPI_Send(&nothing, rc != MPI_SUCCESS, MPI_BYTE, 0, tag, bine_process_self());
}

void bine_dropin_wake(const struct bine_context *c) {
    if (bine_mpi_is(BINE_LIBRARY_MPICH) && c != NULL)
        PMPI_Sendrecv(NULL, 0, MPI_BYTE, c->id.rank, BINE_TAG_SELF, NULL, 0, MPI_BYTE, c->id.rank,
                      BINE_TAG_SELF, c->id.comm, MPI_STATUS_IGNORE);
}

void bine_dropin_withdraw(MPI_Request *request) {
    if (*request == MPI_REQUEST_NULL)
        return;
    PMPI_Cancel(request);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
}
