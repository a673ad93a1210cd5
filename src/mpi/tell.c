#include "mpi/tell.h"

MPI_Comm bine_taken_comm(const struct bine_user_request *r) {
    return atomic_load(&r->context->left) ? MPI_COMM_NULL : r->comm;
}

void bine_taken_send(int tag, int rc) {
    char nothing = 0;
    PMPI_Send(&nothing, rc != MPI_SUCCESS, MPI_BYTE, 0, tag, bine_context_self());
}

void bine_taken_withdraw(MPI_Request *request) {
    if (*request == MPI_REQUEST_NULL)
        return;
    PMPI_Cancel(request);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
}
