/* Gather and scatter of blocks whose sizes only their owners and the root know: a call runs its
 * schedule twice (struct bine_schedule, `announces`). The first run carries a word for each block,
 * which says how many bytes it has and which way they go; then everyone knows what the second run
 * needs to be bound. */
#ifndef BINE_ENGINE_ANNOUNCE_H
#define BINE_ENGINE_ANNOUNCE_H

#include "engine/bind.h"

/* Bind the first run of a call to a plan whose schedule announces; the arguments of bine_bind. */
int bine_announce_bind(struct bine_bound *b, const struct bine_plan *plan,
                       const struct bine_call *call, struct bine_channel *channel, size_t segment,
                       struct bine_workspace *w);
/* The first run is over, and its memory still there: keep the words that have come. */
void bine_announce_keep(struct bine_bound *b);
/* Bind the second one. An MPI error code. */
int bine_announce_bind_blocks(struct bine_bound *b);

#endif
