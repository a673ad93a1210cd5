/* Differences between the ranks of a communicator: in their settings, or in their problems with
 * them. The report names one rank and its value. */
#ifndef BINE_COMM_DIFFERENCES_H
#define BINE_COMM_DIFFERENCES_H

#include "comm/policy.h"

#include <mpi.h>

struct bine_differences {
    int p;
    int speaker;            /* the rank that prints the report */
    int settings, problems; /* whether they differ */
};

/* Collective, if something differs. The policy is NULL on a rank without memory for one. Returns an
 * MPI error code. */
int bine_differences_report(MPI_Comm comm, const struct bine_policy *policy,
                            const struct bine_differences *d);

#endif
