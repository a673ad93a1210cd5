/* The compositions: each lays out the three spaces of a collective and emits its moves. 0, or -1
 * when out of memory. */
#ifndef BINE_SCHEDULE_COMPOSE_H
#define BINE_SCHEDULE_COMPOSE_H

#include "schedule/emit.h"

/* The moves that an algorithm is made of, by closed form or from the tree. */
int bine_request_moves(struct bine_moves *m, const struct bine_request *rq);

/* Segments of a pipeline: 1 where the algorithm is none. */
int bine_request_segments(const struct bine_request *rq);

int bine_compose_bcast(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_reduce(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_scatter(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_gather(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_allgather(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_reduce_scatter(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_allreduce(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_alltoall(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_group_alltoall(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_butterfly(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_reduce_ordered(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_allreduce_ordered(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_reduce_scatter_ordered(struct bine_schedule *s, const struct bine_request *rq);

int bine_compose_scatter_allgather(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_reduce_then_bcast(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_rings(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_halving(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_multiplying(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_reduce_scatter_doubling(struct bine_schedule *s, const struct bine_request *rq);

/* Set the arrangement of a space. */
static inline void bine_space_set(struct bine_schedule *s, int space, int pieces,
                                  enum bine_arrangement arrangement, int base) {
    s->space[space] = (struct bine_space){pieces, arrangement, base, 0};
}

#endif
