/* From MPI_Init to MPI_Finalize, and the direction of intercepted calls meanwhile. */
#ifndef BINE_API_LIFETIME_H
#define BINE_API_LIFETIME_H

#include "mpi/hooks.h"

/* MPI has begun, in a program that has the drop-in library. */
void bine_begin(void);

/* See mpi/hooks.h. */
void bine_redirect(enum bine_collective c, enum bine_direction to);
void bine_redirect_nonblocking(enum bine_direction to);
/* For BINE_VERBOSE, at MPI_Finalize: a tool may have got calls first. */
void bine_tell_of_tools(void);

#endif
