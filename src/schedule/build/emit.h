/* From moves to operations: forward for data movement, backward for gathering and reducing. */
#ifndef BINE_SCHEDULE_BUILD_EMIT_H
#define BINE_SCHEDULE_BUILD_EMIT_H

#include "schedule/build/build.h"

/* Where the blocks of the moves lie. */
struct bine_where {
    int space;
    int subset; /* places count the blocks of the space's subset; otherwise the place is the block's
                   number */
};

/* Every message at its time, time0 later. */
void bine_emit_forward(struct bine_schedule *s, const struct bine_moves *m, int time0,
                       struct bine_where where);
/* Time reversed and directions swapped; data gathers at the source. Joins a step that is open at
 * the first time. */
void bine_emit_gather(struct bine_schedule *s, const struct bine_moves *m, int time0,
                      struct bine_where where);
/* The same, adding up: partial sums lie in `sums`, the caller's own untouched data in `fresh`
 * (places are block numbers in both). If `final` is a block number, the last sum of that block goes
 * to place 0 of `out` when it comes in a message of its own; returns whether it did. */
int bine_emit_reduce(struct bine_schedule *s, const struct bine_moves *m, int time0, int sums,
                     int fresh, int final);

/* One piece copied, as a local operation of the last step (or a step of its own if there is none).
 */
void bine_emit_copy(struct bine_schedule *s, int to_space, int to, int from_space, int from);
/* A whole space copied to another one, block by block, in a step of its own. */
void bine_emit_permute(struct bine_schedule *s, int to_space, int from_space, int pieces);

#endif
