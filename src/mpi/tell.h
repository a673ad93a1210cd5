/* The ends of requests that the drop-in library has given to a program: receives from itself. */
#ifndef BINE_MPI_TELL_H
#define BINE_MPI_TELL_H

#include "mpi/requests.h"

/* The program's communicator, or MPI_COMM_NULL if it has been freed. */
MPI_Comm bine_taken_comm(const struct bine_user_request *r);
/* Let a request that has this tag end, with an error unless rc is MPI_SUCCESS. */
void bine_taken_send(int tag, int rc);
/* Let it end without a message. */
void bine_taken_withdraw(MPI_Request *request);

#endif
