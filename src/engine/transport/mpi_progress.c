/* MPI's tags, and its progress engine. */
#include "engine/transport/transport.h"

#include <stdatomic.h>

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

/* MPICH 4.2 and later polls "async things": each has a function that returns whether it is done.
 * There is no other way to end one. Stream 0 would be one of the program's. */
typedef int async_function(void *thing);
int bine_mpich_async_start(async_function *poll, void *state,
                           int stream) __asm__("PMPIX_Async_start") __attribute__((weak));
enum { NO_STREAM = 0x3c000000, ASYNC_GOES_ON = 0, ASYNC_DONE = 1 };

static int (*_Atomic hooked)(void); /* NULL: no longer wanted */
static atomic_int has_thing;

static int poll_thing(void *thing) {
    int (*function)(void) = atomic_load(&hooked);
    (void)thing;
    if (function == NULL) {
        atomic_store(&has_thing, 0);
        return ASYNC_DONE;
    }
    function();
    return ASYNC_GOES_ON;
}

static int hook_mpich(int (*function)(void), int on) {
    atomic_store(&hooked, on ? function : NULL);
    if (!on || atomic_exchange(&has_thing, 1))
        return 1;
    int good = bine_mpich_async_start(poll_thing, NULL, NO_STREAM) == MPI_SUCCESS;
    atomic_store(&has_thing, good);
    return good;
}

/* Where several threads may be in MPICH, it polls things under a lock. */
int bine_mpi_can_hook(void) {
    return opal_progress_register != NULL ||
           (bine_mpich_async_start != NULL && bine_mpi_is_by_one());
}

int bine_mpi_hook(int (*function)(void), int on) {
    if (opal_progress_register != NULL)
        return (on ? opal_progress_register(function) : opal_progress_unregister(function)) == 0;
    return bine_mpich_async_start != NULL && hook_mpich(function, on);
}
