/* From moves to operations: forward for data movement, backward for gathering and reducing. */
#ifndef BINE_SCHEDULE_BUILD_EMIT_H
#define BINE_SCHEDULE_BUILD_EMIT_H

#include "schedule/build/moves/moves.h"
#include "schedule/schedule.h"

/* Where the blocks of moves lie. */
struct bine_store {
    int space;
    int subset; /* places count the blocks of the space's subset; otherwise the place is the block's
                   number */
};

/* Every message at its time, time0 later. */
void bine_emit_forward(struct bine_schedule *s, const struct bine_moves *m, int time0,
                       struct bine_store store);
/* Backwards: time reversed, directions swapped, so that data gathers at the source. If a step of
 * the first time is open already, its messages join it. */
void bine_emit_gather(struct bine_schedule *s, const struct bine_moves *m, int time0,
                      struct bine_store store);
/* Backwards and adding up: partial sums lie in `sums`, the caller's own untouched data in `fresh`
 * (places are block numbers in both). If `final` is a block number and the last contribution to
 * that block comes in a message of its own, the last sum goes straight to place 0 of `out`. Returns
 * whether it did. */
int bine_emit_reduce(struct bine_schedule *s, const struct bine_moves *m, int time0, int sums,
                     int fresh, int final);

/* One piece copied, as a local operation of the last step (or a step of its own if there is none).
 */
void bine_emit_copy(struct bine_schedule *s, int to_space, int to, int from_space, int from);
/* out = slot 0 op slot 1 op ... of tmp, as local operations of the last step: from the highest slot
 * down, so that each is (lower slot) op (sum so far). */
void bine_emit_slots_sum(struct bine_schedule *s, int slots);
/* A whole space copied to another one, block by block, in a step of its own. */
void bine_emit_permute(struct bine_schedule *s, int to_space, int from_space, int pieces);

#endif
