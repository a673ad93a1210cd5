/* Persistent calls at boards of their own.
 *
 * Ranks may start such calls in different orders. At the boards of the communicator, where all
 * ranks count the calls alike, one would then read what belongs to another. So each of them gets
 * boards for itself when it is made ready (MPI_X_init is not local, and comes in one order on all
 * ranks): its n-th start is the n-th call there, on every rank, whatever else is started before,
 * after or meanwhile. They are smaller than those of a communicator where the call is, and go with
 * the request. Where memory is short, all ranks do without. */
#ifndef BINE_REQUEST_OWN_BOARDS_H
#define BINE_REQUEST_OWN_BOARDS_H

#include "request/request_store.h"

/* As bine_resolve, for any call that is started. Where the choice of a persistent one is for
 * boards, all ranks make them, *node; or there are none on any rank, and the choice is another.
 * `has`: this rank has memory for the call; otherwise all do without boards. */
int bine_own_boards_resolve(struct bine_context *c, const struct bine_arguments *a, int has,
                            struct bine_resolved *x, struct bine_node **node);

/* This rank will not start the call any more, whatever others do: they get an error instead of
 * waiting for it. */
void bine_own_boards_leave(struct bine_request *r);

#endif
