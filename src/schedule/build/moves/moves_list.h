/* Listing moves message by message, in order of time. */
#ifndef BINE_SCHEDULE_BUILD_MOVES_LIST_H
#define BINE_SCHEDULE_BUILD_MOVES_LIST_H

#include "schedule/build/moves/moves.h"

/* A message and then its spans. */
void bine_moves_open(struct bine_moves *m, int times);
void bine_moves_add(struct bine_moves *m, int time, enum bine_direction direction, int peer);
void bine_moves_span(struct bine_moves *m, int first, int count, int fresh);
/* A circular run of the blocks 0..p-1, as one or two ascending spans. */
void bine_moves_circular(struct bine_moves *m, int first, int count, int p);
/* Derive `fresh` for all spans, for few spans (closed forms). */
void bine_moves_mark_fresh(struct bine_moves *m);
/* 0, or -1 when memory ran out on the way; then *m is left empty. */
int bine_moves_close(struct bine_moves *m);

/* An array with twice the room; as it was if that fails. */
void *bine_moves_grown(void *array, uint32_t *room, size_t size, int *failed);

#endif
