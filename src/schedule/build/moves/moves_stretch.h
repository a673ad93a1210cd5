/* Moves along stretches: all pieces to all ranks, with the least bytes between groups. */
#ifndef BINE_SCHEDULE_BUILD_MOVES_STRETCH_H
#define BINE_SCHEDULE_BUILD_MOVES_STRETCH_H

#include "schedule/build/moves/moves.h"
#include "schedule/build/moves/stretch_way.h"

/* Classes of groups by their sizes: 1, 2 to 3, 4 to 7, and more ranks. The smaller a group is, the
 * longer its ranks are busy taking what comes from outside. In strands of their own, one for each
 * class, larger groups need not wait for that; if no round comes before a crossing (`few` is 0). */
enum { BINE_STRETCH_CLASSES = 4 };
int bine_stretch_class(const struct bine_groups *g, int rank);

/* Of blocks, where these are those of ranks, otherwise of pieces. 0, or -1 when out of memory. */
int bine_moves_stretches(struct bine_moves *m, const struct bine_stretch_way *way, int rank);
/* Where the root adds: the way between the root and those who have the complete sums, in one
 * step; no step if there are none, because the root is the last one to add. */
int bine_moves_stretch_last(struct bine_moves *m, const struct bine_stretch_way *way, int rank);

#endif
