/* Communicators that are opened as they are made, before their first call, for nonblocking calls.
 *
 * A call that is started waits for no other rank, so it cannot open its communicator. MPI_Init and
 * the functions that make communicators can: all ranks are there. So MPI_COMM_WORLD is opened in
 * MPI_Init, and a communicator in the function that makes it, if nonblocking calls may be Bine's
 * there; with boards, if some of them go by these. A program that makes thousands, for a call or
 * two each, does not pay for all of them: after the first few that are made of a communicator, and
 * then whenever their number has doubled, its ranks agree whether any of them has started a call so
 * far, and only then the next ones are opened.
 *
 * Not where there are devices, whose runtime a program may load after MPI_Init.
 *
 * Communicators that are made in other ways (MPI_Comm_idup, MPI_Comm_create_group, of an
 * intercommunicator or a session) are opened by their first blocking call that is Bine's. */
#ifndef BINE_CALL_OPENING_H
#define BINE_CALL_OPENING_H

#include <mpi.h>

/* At MPI_Init. */
void bine_opening_begin(void);
/* A communicator is going to be made of this one, by all its ranks: whether it is to be opened. */
int bine_opening_is_due(MPI_Comm comm);
/* It has been made; MPI_COMM_NULL: this rank is not in it. */
void bine_opening_made(MPI_Comm made);
/* The program has started a call. */
void bine_opening_note(void);
/* Why no nonblocking call is Bine's on any communicator, or NULL. */
const char *bine_opening_never(void);

#endif
