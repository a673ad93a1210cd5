/* Gather and scatter of blocks whose sizes only their owners and the root know: a call runs its
 * schedule twice (struct bine_schedule, `exchanges_sizes`). The first run carries a word for each
 * block: its bytes and its way; then every rank can bind the second run. */
#ifndef BINE_ENGINE_SIZE_EXCHANGE_H
#define BINE_ENGINE_SIZE_EXCHANGE_H

#include "engine/bind/bind.h"

/* Bind the first run of a call to a plan whose schedule announces; the arguments of bine_bind. */
int bine_size_exchange_bind(struct bine_bound *b, const struct bine_plan *plan,
                            const struct bine_call *call, struct bine_channel *channel,
                            size_t segment, struct bine_workspace *w);
/* The first run is over, and its memory still there: keep the words that have come. */
void bine_size_exchange_keep(struct bine_bound *b);
/* Bind the second one. An MPI error code. */
int bine_size_exchange_bind_blocks(struct bine_bound *b);

#endif
