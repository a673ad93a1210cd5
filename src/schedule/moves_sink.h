/* Collecting moves: one by one in any order (the sink sorts them), or message by message in order.
 */
#ifndef BINE_SCHEDULE_MOVES_SINK_H
#define BINE_SCHEDULE_MOVES_SINK_H

#include "schedule/moves.h"

/* One block to or from one peer. Events must come with ascending blocks within each (time,
 * direction, peer). */
struct bine_event {
    int32_t time, block;
    int32_t peer; /* the direction is in the lowest bit: 2 * peer + direction */
    int32_t fresh;
};

struct bine_sink {
    struct bine_event *event;
    size_t count, room;
    int p, times;
    int failed;
};

int bine_sink_open(struct bine_sink *sink, int p, int times, size_t expected);
int bine_sink_grow(struct bine_sink *sink);

static inline void bine_sink_add(struct bine_sink *sink, int time, enum bine_direction direction,
                                 int peer, int block, int fresh) {
    if (sink->count == sink->room && bine_sink_grow(sink) != 0)
        return;
    sink->event[sink->count++] = (struct bine_event){time, block, 2 * peer + (int)direction, fresh};
}

/* Sort and group what was added into *m; frees the sink. 0, or -1 when out of memory. */
int bine_sink_close(struct bine_sink *sink, struct bine_moves *m);

/* In order of time, a message and then its spans. */
void bine_moves_open(struct bine_moves *m, int times);
void bine_moves_add(struct bine_moves *m, int time, enum bine_direction direction, int peer);
void bine_moves_span(struct bine_moves *m, int first, int count, int fresh);
/* A circular run of the blocks 0..p-1, as one or two ascending spans. */
void bine_moves_circular(struct bine_moves *m, int first, int count, int p);
/* Derive `fresh` for all spans, for few spans (closed forms). */
void bine_moves_mark_fresh(struct bine_moves *m);
/* 0, or -1 when memory ran out on the way; then *m is left empty. */
int bine_moves_close(struct bine_moves *m);

#endif
