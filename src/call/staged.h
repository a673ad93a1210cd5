/* Calls that the MPI library makes itself, with buffers in the memory of a device that it does not
 * take: it gets copies in the host's memory. Which of a rank's buffers are copied is its own
 * business. */
#ifndef BINE_CALL_STAGED_H
#define BINE_CALL_STAGED_H

#include "engine/memory/memory.h"
#include "mpi/arguments.h"

struct bine_staged;

/* Whether a call may need copies. */
static inline int bine_staged_is_due(void) {
    return !bine_memory_is_host_only() && bine_memory_is_loaded() && !bine_memory_is_mpi_aware();
}

/* The call by MPI, with copies where they are needed. */
int bine_call_staged(const struct bine_arguments *a);

/* The nonblocking form: *staged is NULL, or must be ended when MPI is through. Returns an MPI error
 * code; the handler has been called. */
int bine_call_staged_start(const struct bine_arguments *a, MPI_Request *request,
                           struct bine_staged **staged);
/* MPI is through, with this result. Returns that of the whole. */
int bine_staged_end(struct bine_staged *s, int rc);

#endif
