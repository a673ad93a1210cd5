/* Differences between the ranks of a communicator: in their settings, or in their problems with
 * them. The report names one rank and what it has. */
#ifndef BINE_MPI_DIFFERENCES_H
#define BINE_MPI_DIFFERENCES_H

#include "mpi/policy.h"

#include <mpi.h>

struct bine_differences {
    int p;
    int speaker;            /* the rank that prints what there is to say */
    int settings, problems; /* whether they differ */
};

/* Collective, if something differs. The policy is NULL on a rank without memory for one. Returns an
 * MPI error code. */
int bine_differences_report(MPI_Comm comm, const struct bine_policy *policy,
                            const struct bine_differences *d);

#endif
