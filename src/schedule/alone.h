/* Whether the data of a message may be used before the rest of its step is through. */
#ifndef BINE_SCHEDULE_ALONE_H
#define BINE_SCHEDULE_ALONE_H

#include "schedule/schedule.h"

/* The space that shares a space's memory. In place, the sums of a reduction lie on top of its
 * input, piece by piece. (A reduce-scatter's do not: its sums are in tmp.) */
int bine_space_memory(const struct bine_schedule *s, int space);

/* Whether no other message of the step touches the pieces of a recv_reduce, so that it may be added
 * up as soon as it is there. */
int bine_op_is_alone(const struct bine_schedule *s, const struct bine_step *step,
                     const struct bine_op *op);

/* Parts of a message that may be pending at once, when it comes in parts. */
enum { BINE_PARTS_PENDING = 4 };

#endif
