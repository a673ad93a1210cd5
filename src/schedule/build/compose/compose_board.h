/* The parts of compositions on boards. */
#ifndef BINE_SCHEDULE_BUILD_COMPOSE_BOARD_H
#define BINE_SCHEDULE_BUILD_COMPOSE_BOARD_H

#include "schedule/build/compose/compose.h"

/* Pieces that follow each other in a space. */
struct bine_lot {
    int space, place, count;
};

/* Publish, or expose, the blocks of a lot, which are from `first` on; in the step of this time. */
void bine_board_show(struct bine_schedule *s, int time, int exposes, int first,
                     struct bine_lot lot);
/* Read blocks of a publication into a lot. */
void bine_board_read(struct bine_schedule *s, int time, int peer, int first, int block,
                     struct bine_lot lot);
/* Add up, into a lot, a peer's publication: the first one is read, every further one is the right
 * operand. */
void bine_board_add(struct bine_schedule *s, int time, int is_first, int peer, int first, int block,
                    struct bine_lot lot);
/* The caller's buffers as the collective has them. */
void bine_board_spaces(struct bine_schedule *s, const struct bine_spec *spec);
/* The own block from `in` to `out`, where they differ, as local work of the last step. */
void bine_board_keep(struct bine_schedule *s, const struct bine_spec *spec);

#endif
