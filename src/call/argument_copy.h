/* Arguments that must outlive the call: copies of the caller's arrays. */
#ifndef BINE_CALL_ARGUMENT_COPY_H
#define BINE_CALL_ARGUMENT_COPY_H

#include "mpi/arguments.h"

/* Whether there are any. */
int bine_arguments_have_arrays(const struct bine_arguments *a);

/* Let the arguments point to copies of their arrays of p elements, all in one piece of memory,
 * which the caller frees. Returns an MPI error class. */
int bine_arguments_copy(struct bine_arguments *a, int rank, int p, void **memory);

#endif
