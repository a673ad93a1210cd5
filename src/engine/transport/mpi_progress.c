/* MPI's tags, and its progress engine. */
#include "engine/transport/transport.h"

int bine_mpi_last_tag(void) {
    int *most = NULL, found = 0, promised = 32767;
    return PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found) == MPI_SUCCESS && found
               ? *most
               : promised;
}

int bine_mpi_poll(void) {
    int flag;
    return PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

int bine_mpi_is_by_one(void) {
    int level;
    return PMPI_Query_thread(&level) == MPI_SUCCESS && level != MPI_THREAD_MULTIPLE;
}

/* Open MPI registers callbacks for its progress engine. A name is NULL where MPI has no such
 * function. */
int opal_progress_register(int (*callback)(void)) __attribute__((weak));
int opal_progress_unregister(int (*callback)(void)) __attribute__((weak));

int bine_mpi_can_hook(void) {
    return opal_progress_register != NULL;
}

int bine_mpi_hook(int (*function)(void), int on) {
    if (opal_progress_register == NULL)
        return 0;
    return (on ? opal_progress_register(function) : opal_progress_unregister(function)) == 0;
}
