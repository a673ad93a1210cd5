/* The compositions: each lays out the three spaces of a collective and emits its moves. 0, or -1
 * when out of memory. */
#ifndef BINE_SCHEDULE_BUILD_COMPOSE_H
#define BINE_SCHEDULE_BUILD_COMPOSE_H

#include "schedule/build/compose_moves.h"
#include "schedule/build/emit.h"

/* Layouts permute and send: the place of a rank's block, and whose block is at a place. */
int bine_request_place(const struct bine_request *rq, int rank);
int bine_request_rank_at(const struct bine_request *rq, int place);
/* tmp holds all blocks, each at its place. */
void bine_space_permuted(struct bine_schedule *s, const struct bine_request *rq);

/* Scatter and gather in the layouts permute and send: blocks in the post-order of the tree. */
int bine_compose_scatter_placed(struct bine_schedule *s, const struct bine_request *rq);
int bine_compose_gather_placed(struct bine_schedule *s, const struct bine_request *rq);

/* bine_compose_HOW of every row. */
#define COMPOSITION(NAME, how, ...)                                                                \
    int bine_compose_##how(struct bine_schedule *s, const struct bine_request *rq);
#include "schedule/compositions.def"
#undef COMPOSITION

#endif
