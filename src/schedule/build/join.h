/* Parts of a vector that travel at once: several schedules of one strand each become one schedule.
 *
 * All of them are schedules of one rank in one collective, with an equal number of
 * blocks. Each gets a strand and a part of the vector:
 *
 * - broadcast, reduce, allreduce: the vector is cut into as many parts; block b of part q has the
 *   number q * blocks + b;
 * - where every rank has a block, each block is cut; part q of block b has the number
 *   b * parts + q.
 *
 * In the second case, the pieces of one message do not lie side by side in the caller's buffers:
 * they travel one by one (layouts blocks and send), or are put together first (pack, permute). */
#ifndef BINE_SCHEDULE_BUILD_JOIN_H
#define BINE_SCHEDULE_BUILD_JOIN_H

#include "schedule/schedule.h"

/* NULL when out of memory. */
struct bine_schedule *bine_schedule_join(struct bine_schedule *const *part, int parts);

#endif
