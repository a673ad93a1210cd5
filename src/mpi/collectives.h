/* What the entry points have in common. */
#ifndef BINE_MPI_COLLECTIVES_H
#define BINE_MPI_COLLECTIVES_H

#include "mpi/context.h"

#include "bine.h"

int bine_call_now(const struct bine_arguments *a);
int bine_call_init(const struct bine_arguments *a, Bine_Plan *plan);

/* The call and the algorithm that serves it. Returns an MPI error class. */
int bine_prepare(struct bine_context *c, const struct bine_arguments *a, struct bine_call *call,
                 struct bine_choice *choice);

/* The context for a call. All ranks make it together, so what is found wrong with the call before
 * that is returned at once: a rank that made a mistake must not wait for others, who need not come.
 * Returns an MPI error code. */
int bine_context_for(const struct bine_arguments *a, struct bine_context **c);

#endif
