/* The compositions: each lays out the three spaces of a collective and emits its moves. 0, or -1
 * when out of memory. */
#ifndef BINE_SCHEDULE_BUILD_COMPOSE_H
#define BINE_SCHEDULE_BUILD_COMPOSE_H

#include "schedule/build/compose/compose_moves.h"
#include "schedule/build/emit.h"

/* Layouts permute and send: the place of a rank's block, and whose block is at a place. */
int bine_spec_place(const struct bine_spec *spec, int rank);
int bine_spec_rank_at(const struct bine_spec *spec, int place);
/* tmp holds all blocks, each at its place. */
void bine_space_permuted(struct bine_schedule *s, const struct bine_spec *spec);

/* Scatter and gather in the layouts permute and send: blocks in the post-order of the tree. */
int bine_compose_scatter_placed(struct bine_schedule *s, const struct bine_spec *spec);
int bine_compose_gather_placed(struct bine_schedule *s, const struct bine_spec *spec);

/* bine_compose_HOW of every row. */
#define COMPOSITION(NAME, how, ...)                                                                \
    int bine_compose_##how(struct bine_schedule *s, const struct bine_spec *spec);
#include "schedule/compositions.def"
#undef COMPOSITION

#endif
