/* Waiting for messages one by one: for the rest after a failure, or where the error's class
 * matters. */
#include "engine/execution.h"

#include "base/one_thread.h"

/* MPICH calls the handler of MPI_COMM_WORLD for a message that fails, whatever communicator it is
 * of: by default, the program ends. Until it is woken it returns the error, for which the handler
 * of the program's communicator is called later. Where several threads may be in MPI at once,
 * others would set that handler meanwhile, or need it: there it stays as it is. */
#ifdef OPEN_MPI
static void hush(void) {}
static void wake(void) {}
#else
static int hushed; /* how often: calls under way go on while others are waited for */
static MPI_Errhandler before = MPI_ERRHANDLER_NULL;

static int can_hush(void) {
    int has_world = 0;
    return bine_is_one_thread() && PMPI_Initialized(&has_world) == MPI_SUCCESS && has_world;
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
#endif

int bine_wait_rest(MPI_Request *request, int n, int rc) {
    int class;
    hush();
    for (int i = 0; i < n; i++)
        if (request[i] != MPI_REQUEST_NULL)
            PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
    wake();
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
    hush();
    for (int i = 0; i < n; i++) {
        int rc = PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
        first = first == MPI_SUCCESS ? rc : first;
    }
    wake();
    return first;
}

int bine_look_at_each(MPI_Request *request, int n, int wait) {
    int first = MPI_SUCCESS, found = 0;
    hush();
    do
        for (int i = 0; i < n; i++) {
            int over = 0, rc = PMPI_Test(&request[i], &over, MPI_STATUS_IGNORE);
            found += over || rc != MPI_SUCCESS;
            first = first == MPI_SUCCESS ? rc : first;
        }
    while (wait && found == 0 && n > 0);
    wake();
    return first;
}
