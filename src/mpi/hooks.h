/* Functions of upper layers, which lower ones call as a communicator or MPI_Finalize comes:
 * src/api/lifetime.c has the table. */
#ifndef BINE_MPI_HOOKS_H
#define BINE_MPI_HOOKS_H

#include "mpi/preload_interface.h"
#include "schedule/collective.h"

#include <mpi.h>

struct bine_context;

struct bine_hooks {
    /* The attribute of MPI_COMM_SELF is deleted: MPI_Finalize begins. */
    MPI_Comm_delete_attr_function *finalize;
    /* Redirect the intercepted blocking calls of a collective, and all nonblocking and persistent
     * ones. Without the drop-in library there are none. */
    void (*redirect)(enum bine_collective c, enum bine_direction to);
    void (*redirect_nonblocking)(enum bine_direction to);
    /* A context goes: so do the requests that it keeps bound. */
    void (*forget_requests)(struct bine_context *c);
    /* Whether a profile is to be recorded; and all ranks of MPI_COMM_WORLD are known to record one.
     * With a communicator over all of them, collective, once. */
    int (*records)(void);
    void (*meet)(MPI_Comm comm);
};
extern const struct bine_hooks bine_hooks;

#endif
