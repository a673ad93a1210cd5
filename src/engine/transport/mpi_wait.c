/* Waiting for several messages of MPI: for some, one by one where the class of an error matters,
 * for the rest after a failure. */
#include "engine/transport/mpi_library.h"
#include "engine/transport/transport.h"

#include "base/one_thread.h"

/* MPICH calls the handler of MPI_COMM_WORLD for a message that fails, whatever communicator it is
 * of: by default, the program ends. Until it is woken it returns the error, for which the handler
 * of the program's communicator is called later. Where several threads may be in MPI at once,
 * others would set that handler meanwhile, or need it: there it stays as it is. */
static int hushed; /* how often: pending calls go on while others are waited for */
static MPI_Errhandler before = MPI_ERRHANDLER_NULL;

static int can_hush(void) {
    int has_world = 0;
    return bine_mpi_is(BINE_LIBRARY_MPICH) && bine_is_one_thread() &&
           PMPI_Initialized(&has_world) == MPI_SUCCESS && has_world;
}

static void hush(void) {
    if (can_hush() && hushed++ == 0 &&
        PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before) == MPI_SUCCESS)
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
}

static void wake(void) {
    if (!can_hush() || --hushed > 0 || before == MPI_ERRHANDLER_NULL)
        return;
    PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    PMPI_Errhandler_free(&before);
}

/* The error of one message, where MPI says only that there is one among several. */
static int error_of_one(int rc) {
    int class;
    return PMPI_Error_class(rc, &class) == MPI_SUCCESS && class == MPI_ERR_IN_STATUS ? MPI_ERR_OTHER
                                                                                     : rc;
}

int bine_mpi_some(int n, MPI_Request *request, int *index, int wait) {
    int done, rc = wait ? PMPI_Waitsome(n, request, &done, index, MPI_STATUSES_IGNORE)
                        : PMPI_Testsome(n, request, &done, index, MPI_STATUSES_IGNORE);
    return rc == MPI_SUCCESS ? rc : error_of_one(rc);
}

int bine_mpi_wait_rest(int n, MPI_Request *request, int rc) {
    hush();
    for (int i = 0; i < n; i++)
        if (request[i] != MPI_REQUEST_NULL)
            PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
    wake();
    return error_of_one(rc);
}

void bine_mpi_withdraw(MPI_Request *request, int is_send) {
    if (*request == MPI_REQUEST_NULL || is_send)
        return;
    PMPI_Cancel(request);
    PMPI_Wait(request, MPI_STATUS_IGNORE);
}

int bine_mpi_wait_each(int n, MPI_Request *request) {
    int first = MPI_SUCCESS;
    hush();
    for (int i = 0; i < n; i++) {
        int rc = PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
        first = first == MPI_SUCCESS ? rc : first;
    }
    wake();
    return first;
}

int bine_mpi_some_of_each(int n, MPI_Request *request, int wait) {
    int first = MPI_SUCCESS, found = 0;
    hush();
    do {
        for (int i = 0; i < n; i++) {
            int over = 0, rc = PMPI_Test(&request[i], &over, MPI_STATUS_IGNORE);
            found += over || rc != MPI_SUCCESS;
            first = first == MPI_SUCCESS ? rc : first;
        }
#ifdef SMPI_H /* in a simulation tests take no time, and the loop would not end */
        int index;
        if (wait && found == 0 && n > 0 && ++found)
            first = PMPI_Waitany(n, request, &index, MPI_STATUS_IGNORE);
#endif
    } while (wait && found == 0 && n > 0);
    wake();
    return first;
}

/* MPI gives the communicator's number to another one later, where such messages could be met. They
 * are longer than the empty receive, which is an error without a reader. */
void bine_mpi_drain(MPI_Comm comm) {
    MPI_Status s;
    int found = 1;
    while (PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &found, &s) == MPI_SUCCESS && found)
        PMPI_Recv(&found, 0, MPI_BYTE, s.MPI_SOURCE, s.MPI_TAG, comm, MPI_STATUS_IGNORE);
}
