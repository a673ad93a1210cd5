/* Waiting for messages one by one: for the rest of those that failed, or where it matters which
 * error there is. */
#include "engine/execution.h"

#include <pthread.h>

/* MPICH calls the handler of MPI_COMM_WORLD for a message that fails, whatever communicator it is
 * of: by default, the program ends. Until it is woken it returns the error, for which the handler
 * of the program's communicator is called later. */
#ifdef OPEN_MPI
static void hush(void) {}
static void wake(void) {}
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hushed; /* how many want it */
static MPI_Errhandler before = MPI_ERRHANDLER_NULL;

static void hush(void) {
    int has_world = 0;
    pthread_mutex_lock(&lock);
    if (hushed++ == 0 && PMPI_Initialized(&has_world) == MPI_SUCCESS && has_world &&
        PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &before) == MPI_SUCCESS)
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    pthread_mutex_unlock(&lock);
}

static void wake(void) {
    pthread_mutex_lock(&lock);
    if (--hushed == 0 && before != MPI_ERRHANDLER_NULL) {
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
        PMPI_Errhandler_free(&before);
    }
    pthread_mutex_unlock(&lock);
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
