/* Collectives that pass through: their calls go to MPI without any question.
 *
 * A communicator over all ranks of MPI_COMM_WORLD, once these are known to choose alike, shows
 * which collectives the settings and rules forward to MPI on every communicator of these ranks.
 * All ranks find that out in one collective call. So from then on no communicator gets a context
 * for such a collective, and the drop-in library jumps to MPI at once: unless the program sets an
 * algorithm with Bine_Set, which is then for that communicator. Where the program may come to have
 * buffers that MPI cannot touch, it jumps to MPI as long as there can be none. With BINE_OFF=1 on
 * all ranks no buffer is looked at.
 *
 * Nonblocking and persistent calls pass through until a communicator is open for them.
 *
 * Where several threads call MPI at once, another thread may be in its first call on a
 * communicator just then, before it on one rank and after it on another: there, nothing is decided
 * for all. */
#ifndef BINE_CALL_PASS_THROUGH_H
#define BINE_CALL_PASS_THROUGH_H

#include "schedule/collective.h"

struct bine_context;

/* Why a collective passes through on every communicator, or NULL. */
const char *bine_pass_through(enum bine_collective c);

/* Whether all ranks are known to have BINE_OFF=1. */
int bine_pass_through_is_off(void);

/* The program has set an algorithm: calls are looked at again. */
void bine_pass_through_except(enum bine_collective c);

/* Find the collectives that pass through, from a new context. */
void bine_pass_through_find(const struct bine_context *c);
/* At MPI_Init: a world of one rank; and no nonblocking call is intercepted yet. */
void bine_pass_through_begin(void);

#endif
