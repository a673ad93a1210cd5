/* Nonblocking MPI calls that are taken over.
 *
 * The program gets a request of MPI's own: a receive of nothing from itself, on a private
 * communicator. At the end of the call the message is sent. So every function of MPI that takes
 * requests takes these. A call that fails midway is told of by a message that is too long. */
#ifndef BINE_MPI_TAKEN_H
#define BINE_MPI_TAKEN_H

#include "mpi/preload_interface.h"
#include "mpi/requests.h"

/* Start a call, unless MPI makes it: then *left. Returns an MPI error code; the handler has been
 * called. */
int bine_taken_start(const struct bine_arguments *a, MPI_Request *request, int *left);

void bine_taken_attach(struct bine_preload *d);

#endif
