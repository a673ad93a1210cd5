/* Collecting moves: one by one in any order (the sink sorts them), or message by message in order.
 */
#ifndef BINE_SCHEDULE_BUILD_MOVES_SINK_H
#define BINE_SCHEDULE_BUILD_MOVES_SINK_H

#include "schedule/build/moves.h"

/* A span and the message that it is of. */
struct bine_sunk {
    struct bine_span span;
    uint32_t message;
};

/* A message in the hash table. */
struct bine_sink_slot {
    uint64_t key; /* 0: none */
    uint32_t message;
    uint32_t last; /* its last span */
};

/* Blocks must come ascending within each (time, direction, peer). */
struct bine_sink {
    struct bine_moves m;    /* messages in the order in which they were met, without their spans */
    struct bine_sunk *sunk; /* in the order in which they were met; the first one is nobody's */
    uint32_t count, room;   /* of those */
    struct bine_sink_slot *slot;
    int bits; /* of the number of slots */
};

int bine_sink_open(struct bine_sink *sink, int times, size_t expected);
/* The slot of a message, which may be a new one; NULL when out of memory. */
struct bine_sink_slot *bine_sink_find(struct bine_sink *sink, uint64_t key);
void bine_sink_grow(struct bine_sink *sink);

static inline uint64_t bine_sink_key(int time, enum bine_direction direction, int peer) {
    return ((uint64_t)(2 * (uint32_t)time + (uint32_t)direction) << 32 | (uint32_t)peer) + 1;
}

static inline uint32_t bine_sink_hash(const struct bine_sink *sink, uint64_t key) {
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> (64 - sink->bits));
}

/* One block to or from one peer. */
static inline void bine_sink_add(struct bine_sink *sink, int time, enum bine_direction direction,
                                 int peer, int block, int fresh) {
    uint64_t key = bine_sink_key(time, direction, peer);
    struct bine_sink_slot *x = &sink->slot[bine_sink_hash(sink, key)];
    if (x->key != key && (x = bine_sink_find(sink, key)) == NULL)
        return;
    struct bine_span *last = &sink->sunk[x->last].span;
    if (last->first + last->count == block && last->fresh == fresh) {
        last->count++;
        return;
    }
    if (sink->count == sink->room)
        bine_sink_grow(sink);
    if (sink->m.failed)
        return;
    x->last = sink->count++;
    sink->sunk[x->last] = (struct bine_sunk){{block, 1, fresh}, x->message};
}

/* Put what was added in order into *m; frees the sink. 0, or -1 when out of memory. */
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
