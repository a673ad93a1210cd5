/* The compositions: each lays out the three spaces of a collective and emits its moves. 0, or -1
 * when out of memory. */
#ifndef BINE_SCHEDULE_BUILD_COMPOSE_H
#define BINE_SCHEDULE_BUILD_COMPOSE_H

#include "schedule/build/emit.h"

/* The moves that an algorithm is made of, by closed form or from the tree. */
int bine_request_moves(struct bine_moves *m, const struct bine_request *rq);

/* The torus of a request for one, as the port sees it. */
struct bine_torus bine_request_torus(const struct bine_request *rq);

/* Layouts permute and send: the place of a rank's block, and whose block is at a place. */
int bine_request_place(const struct bine_request *rq, int rank);
int bine_request_rank_at(const struct bine_request *rq, int place);
/* tmp holds all blocks, each at its place. */
void bine_space_permuted(struct bine_schedule *s, const struct bine_request *rq);

int bine_compose_bcast(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_reduce(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_scatter(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_gather(struct bine_schedule *s, const struct bine_request *rq);
/* The same two in the layouts permute and send: blocks in the post-order of the tree. */
int bine_compose_scatter_placed(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_gather_placed(struct bine_schedule *s, const struct bine_request *rq);
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

int bine_compose_board_flat(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_board_direct(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_board_shared(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_board_levels(struct bine_schedule *s, const struct bine_request *rq);

/* Set the arrangement of a space. */
static inline void bine_space_set(struct bine_schedule *s, int space, int pieces,
                                  enum bine_arrangement arrangement, int base) {
    bine_schedule_space(s, space, pieces, arrangement, base);
}

#endif
