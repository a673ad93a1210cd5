/* Where the ranks of a communicator do not have the same settings, or not the same problems with
 * them: one rank and what it has are named. */
#ifndef BINE_MPI_DIFFER_H
#define BINE_MPI_DIFFER_H

#include "mpi/policy.h"

#include <mpi.h>

struct bine_differing {
    int p;
    int speaker;            /* the rank that prints what there is to say */
    int settings, problems; /* whether they differ */
};

/* Collective, if something differs. The policy is NULL on a rank without memory for one. Returns an
 * MPI error code. */
int bine_differ(MPI_Comm comm, const struct bine_policy *policy, const struct bine_differing *d);

#endif
