/* Virtual ranks: an algorithm runs as if the ranks stood in another order, sorted by where they are
 * in the network, and the results come in the true order (section 2.2 of the paper).
 *
 * The schedule of the virtual rank is built and then renamed: peers, and blocks where these belong
 * to ranks. Blocks that followed each other need not do so any more: each travels alone, or all of
 * a message packed together. */
#ifndef BINE_SCHEDULE_BUILD_REORDER_H
#define BINE_SCHEDULE_BUILD_REORDER_H

#include "schedule/schedule.h"

struct bine_lineup {
    int p;
    int32_t *rank_at;  /* the rank at each place of the order */
    int32_t *place_of; /* the place of each rank */
};

/* From the ranks in their order: NULL when out of memory, or if they are not 0..p-1, each once. */
struct bine_lineup *bine_lineup_new(int p, const int32_t *rank_at);
void bine_lineup_free(struct bine_lineup *o);

/* From virtual ranks to true ones. 0, or -1 when out of memory (the schedule is as it was). */
int bine_schedule_rename(struct bine_schedule *s, const struct bine_lineup *o);

#endif
