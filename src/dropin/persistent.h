/* Persistent MPI calls that are intercepted.
 *
 * The program gets a persistent request of MPI's own: a receive of nothing from itself. MPI_Start
 * starts that and the call; at the end of the call the message is sent. So every function of MPI
 * that completes requests takes these, and only MPI_Start, MPI_Startall and MPI_Request_free need
 * to know them. */
#ifndef BINE_DROPIN_PERSISTENT_H
#define BINE_DROPIN_PERSISTENT_H

#include "request/requests.h"

/* Give the program a request for a call that is ready. Returns an MPI error code: then the call is
 * gone. */
int bine_persistent_make(struct bine_request *r, MPI_Request *request);

/* Instead of MPI's. */
int bine_persistent_start(MPI_Request *request);
int bine_persistent_startall(int count, MPI_Request *request);
int bine_persistent_free(MPI_Request *request);
/* At MPI_Finalize: requests that the program has never freed. */
void bine_persistent_end(void);

#endif
