/* This process in MPI: from its first communicator to MPI_Finalize. */
#ifndef BINE_MPI_PROCESS_H
#define BINE_MPI_PROCESS_H

#include <mpi.h>

/* Set the watch for MPI_Finalize. A program that has only opened an MPI session has no
 * MPI_COMM_SELF to watch: its communicators are freed by itself, and their contexts with them. */
int bine_process_begin(void);
/* MPI_Finalize has begun; and Bine is through with MPI. */
void bine_process_finalize(void);
void bine_process_end(void);
/* Whether MPI has begun and is not ending; and whether it is ending. */
int bine_process_is_running(void);
int bine_process_is_finalizing(void);

/* A communicator of this rank alone that returns its errors, or MPI_COMM_NULL. */
MPI_Comm bine_process_self(void);

/* A private communicator with equal ranks in equal order. Not a duplicate: that would copy the
 * user's attributes and call their functions. */
int bine_comm_make_private(MPI_Comm comm, MPI_Comm *private);
/* Whether this process can make one more communicator: tried on MPI_COMM_SELF, without other ranks.
 */
int bine_can_make_comm(void);
/* Whether a communicator connects two groups. */
int bine_is_inter(MPI_Comm comm);

/* Through the user's error handler, on MPI_COMM_WORLD where there is no communicator. Returns the
 * code. */
int bine_raise(MPI_Comm comm, int code);

#endif
