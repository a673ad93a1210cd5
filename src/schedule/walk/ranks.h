/* The schedules of all ranks, or of some: built one after another from one spec, with the trees
 * that ranks share. */
#ifndef BINE_SCHEDULE_WALK_RANKS_H
#define BINE_SCHEDULE_WALK_RANKS_H

#include "schedule/build/build.h"

/* Takes the schedule of a rank, which is freed afterwards. A number other than 0 ends the walk. */
typedef int bine_rank_visit(void *self, const struct bine_schedule *s);

/* Visits the schedules of all ranks, or of `count` ranks in a list, whatever rank the spec has. 0,
 * the number that a visit returned, or -1 when out of memory. */
int bine_ranks_visit(const struct bine_spec *spec, bine_rank_visit *visit, void *self);
int bine_ranks_visit_some(const struct bine_spec *spec, const int *rank, size_t count,
                          bine_rank_visit *visit, void *self);

/* The schedules of all ranks at once; NULL when out of memory. `visit`, if any, sees each of them
 * as soon as it is built; a number other than 0 ends the work, and is in *rc. */
struct bine_schedule **bine_ranks_build(const struct bine_spec *spec,
                                        int (*visit)(void *self, struct bine_schedule *s),
                                        void *self, int *rc);
void bine_ranks_free(struct bine_schedule **schedule, int p);

#endif
