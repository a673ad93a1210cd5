/* Messages inside a node onto its boards. */
#ifndef BINE_SCHEDULE_BUILD_ONTO_BOARDS_H
#define BINE_SCHEDULE_BUILD_ONTO_BOARDS_H

#include "schedule/spec.h"

/* The same schedule (of one strand) with what a rank sends to others of its node at one time as one
 * publication, which they read; as far as that is a run of blocks. `build` makes the schedules of
 * the other ranks, with messages alone. Frees s; NULL when out of memory. */
struct bine_schedule *
bine_schedule_onto_boards(struct bine_schedule *s, const struct bine_spec *spec,
                          struct bine_schedule *(*build)(const struct bine_spec *spec));

#endif
