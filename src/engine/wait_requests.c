/* Waiting for messages one by one: for the rest of those that failed, or where it matters which
 * error there is. */
#include "engine/execution.h"

int bine_wait_rest(MPI_Request *request, int n, int rc) {
    int class;
    for (int i = 0; i < n; i++)
        if (request[i] != MPI_REQUEST_NULL)
            PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
    return PMPI_Error_class(rc, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS ? MPI_ERR_OTHER
                                                                                     : rc;
}

void bine_withdraw(MPI_Request *request, int is_send) {
    if (*request == MPI_REQUEST_NULL || is_send)
        return;
    PMPI_Cancel(request);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
}

int bine_wait_each(MPI_Request *request, int n) {
    int first = MPI_SUCCESS;
    for (int i = 0; i < n; i++) {
        int rc = PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
        first = first == MPI_SUCCESS ? rc : first;
    }
    return first;
}

int bine_look_at_each(MPI_Request *request, int n, int wait) {
    int first = MPI_SUCCESS, found = 0;
    do
        for (int i = 0; i < n; i++) {
            int over = 0, rc = PMPI_Test(&request[i], &over, MPI_STATUS_IGNORE);
            found += over || rc != MPI_SUCCESS;
            first = first == MPI_SUCCESS ? rc : first;
        }
    while (wait && found == 0 && n > 0);
    return first;
}
