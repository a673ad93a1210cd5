/* The ends of requests that the drop-in library has given to a program: receives from itself. */
#ifndef BINE_DROPIN_COMPLETION_H
#define BINE_DROPIN_COMPLETION_H

#include "request/requests.h"

/* The program's communicator, or MPI_COMM_NULL if it has been freed. */
MPI_Comm bine_dropin_comm(const struct bine_request *r);
/* Let a request that has this tag end, with an error unless rc is MPI_SUCCESS. */
void bine_dropin_complete(int tag, int rc);
/* MPICH waits until a message arrives, not until a request completes; the message of a completion
 * does not count. A call at boards has received none, nor has the root of a scatter: so each gets
 * one from this rank. */
void bine_dropin_wake(const struct bine_context *c);
/* Let it end without a message. */
void bine_dropin_withdraw(MPI_Request *request);

#endif
