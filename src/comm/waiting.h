/* Programs that make and free many communicators: a communicator gets a context when it has made
 * some calls, not at its first.
 *
 * To open one takes its ranks several small collectives, which a communicator of few calls never
 * earns back. So its first calls go to MPI, and the calls that succeed are counted, since a call
 * with a wrong argument is one rank's alone. The count belongs to the communicator, so all its
 * ranks open it at an equal count.
 *
 * Whether communicators wait depends on settings, which all ranks must be known to have in common:
 * as with pass_through.h, the first context over all ranks of MPI_COMM_WORLD shows it. Until then
 * none waits; nor do they where the program or its user names algorithms, or rules give nonblocking
 * calls to Bine. */
#ifndef BINE_COMM_WAITING_H
#define BINE_COMM_WAITING_H

#include "comm/policy.h"

#include <mpi.h>

enum { BINE_CALLS_WAITED = 16 };
#define BINE_REASON_WAITS "a communicator's first 16 calls: opening it does not pay yet"

/* Let communicators wait, if the policy of a communicator of p ranks, whose ranks choose alike,
 * allows it. */
void bine_waiting_find(const struct bine_policy *policy, int p);
/* Whether a communicator without a context waits with this call. */
int bine_waiting(MPI_Comm comm);
/* MPI has made such a call. */
void bine_waiting_count(MPI_Comm comm);
/* At MPI_Finalize. */
void bine_waiting_end(void);

#endif
