/* Collectives that no communicator takes: their calls go to MPI without any question.
 *
 * A communicator over all ranks of MPI_COMM_WORLD, who have found out that they would choose alike,
 * shows which collectives the settings and rules leave to MPI on every communicator of these ranks.
 * All ranks find that out in the same call. So from then on no communicator gets a context for such
 * a collective, and the drop-in library jumps to MPI at once: unless the program sets an algorithm
 * with Bine_Set, which is then for that communicator.
 *
 * Where threads call MPI at the same time, another thread may be in its first call on a
 * communicator just then, before it on one rank and after it on another: there, nothing is decided
 * for all. */
#ifndef BINE_MPI_UNTAKEN_H
#define BINE_MPI_UNTAKEN_H

#include "mpi/context.h"

/* Why no communicator takes a collective, or NULL if one may. */
const char *bine_untaken(enum bine_collective c);

/* The program has set an algorithm: calls are looked at again. */
void bine_untaken_except(enum bine_collective c);

/* See what follows from a context that was just made, and the question that any call on it asks. */
void bine_untaken_find(const struct bine_context *c, const struct bine_question *any);
/* See what follows from the size of MPI_COMM_WORLD. */
void bine_untaken_begin(void);

/* How to let MPI have all calls of a collective, or to take them: given by the drop-in library. */
void bine_untaken_attach(void (*redirect)(enum bine_collective c, int to_mpi));

#endif
