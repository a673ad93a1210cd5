/* What the model says of the calls of a communicator: the fastest algorithm for each collective and
 * size class, where the nodes or groups of the ranks are known and the machine's description says
 * how fast its network is.
 *
 * Rank 0 asks the model, the others learn the answer from it: when a class comes for the second
 * time, in a blocking call, so that communicators that are used once cost nothing. Until then, and
 * where the model has no answer, the rules choose. All ranks count alike: nobody remembers a call
 * of a class that has not been decided. */
#ifndef BINE_MPI_ADVICE_H
#define BINE_MPI_ADVICE_H

#include "choose/choose.h"
#include "model/advise.h"
#include "pattern/groups.h"

#include <mpi.h>

struct bine_adviser;

/* What the ranks have agreed on, the same on all of them. */
struct bine_advice_place {
    int p, nodes, groups;
    const struct bine_groups *levels;
    const struct bine_shape
        *dims; /* of the torus whose nodes the ranks are on in their order; NULL:
                                      they are on none. It must outlive the adviser */
    int ports; /* that torus algorithms may use */
};

/* Collective. NULL on all ranks where the model has no ground to stand on, or one of them no
 * memory. */
struct bine_adviser *bine_adviser_open(MPI_Comm comm, int rank, const struct bine_advice_place *at);
void bine_adviser_close(struct bine_adviser *x);

/* Advice for a call: 1 if there is one, which *a and *reason then are; 0 if there is none; -1 if
 * the class has not been decided, so that the call must not be remembered. `comm` is
 * MPI_COMM_NULL where ranks may not talk now; elsewhere it may be collective. */
int bine_advice(struct bine_adviser *x, const struct bine_question *q, MPI_Comm comm,
                struct bine_advised *a, const char **reason);

/* The bytes of the class that so many bytes are of; all below the least are one. */
void bine_advice_range(int64_t bytes, int64_t *from, int64_t *below);

#endif
