/* Virtual ranks: an algorithm runs as if the ranks stood in another order, sorted by where they are
 * in the network. The results are in the true order (section 2.2 of the paper).
 *
 * The builder makes the schedule of the virtual rank, then renames its peers, and its blocks where
 * blocks belong to ranks. Blocks that followed each other may be apart afterwards, so each of them
 * travels alone, or all blocks of a message are packed. */
#ifndef BINE_SCHEDULE_BUILD_REORDER_H
#define BINE_SCHEDULE_BUILD_REORDER_H

#include "schedule/lineup.h"
#include "schedule/schedule.h"

/* From virtual ranks to true ones. 0, or -1 when out of memory (the schedule is as it was). */
int bine_schedule_rename(struct bine_schedule *s, const struct bine_lineup *o);

#endif
