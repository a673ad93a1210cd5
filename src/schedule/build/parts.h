/* Parts of a vector that travel at once: several schedules of one strand each become one schedule.
 *
 * Each is the schedule of the same rank in the same collective, for the same number of blocks, and
 * knows nothing of the others; each gets a strand, and a part of the vector:
 *
 * - broadcast, reduce, allreduce: the vector is cut into as many parts; block b of part q has the
 *   number q * blocks + b;
 * - where every rank has a block, each block is cut; part q of block b has the number b * parts +
 * q.
 *
 * There, what one part sends together does not lie together in the caller's buffers: it goes piece
 * by piece (layouts blocks and send), or is put together first (pack, permute). */
#ifndef BINE_SCHEDULE_BUILD_PARTS_H
#define BINE_SCHEDULE_BUILD_PARTS_H

#include "schedule/schedule.h"

/* NULL when out of memory. */
struct bine_schedule *bine_schedule_join(struct bine_schedule *const *part, int parts);

#endif
