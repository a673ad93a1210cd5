/* Collecting moves one by one in any order: the collector makes messages of them and sorts these by
 * time. */
#ifndef BINE_SCHEDULE_BUILD_MOVES_COLLECTOR_H
#define BINE_SCHEDULE_BUILD_MOVES_COLLECTOR_H

#include "schedule/build/moves/moves_list.h"

/* A span and the message that it is of. */
struct bine_collected {
    struct bine_span span;
    uint32_t message;
};

/* A message in the hash table. */
struct bine_collector_slot {
    uint64_t key; /* 0: none */
    uint32_t message;
    uint32_t last; /* its last span */
};

/* Blocks must come ascending within each (time, direction, peer). */
struct bine_collector {
    struct bine_moves m; /* messages in the order in which they were met, without their spans */
    struct bine_collected
        *collected; /* in the order in which they were met; the first one belongs to no message */
    uint32_t count, room; /* of `collected` */
    struct bine_collector_slot *slot;
    int bits;      /* of the number of slots */
    int contested; /* whether blocks were added that are: whoever adds them says so */
};

int bine_collector_open(struct bine_collector *collector, int times, size_t expected);
/* The slot of a message, which may be a new one; NULL when out of memory. */
struct bine_collector_slot *bine_collector_find(struct bine_collector *collector, uint64_t key);
void bine_collector_grow(struct bine_collector *collector);

static inline uint64_t bine_collector_key(int time, enum bine_direction direction, int peer) {
    return ((uint64_t)(2 * (uint32_t)time + (uint32_t)direction) << 32 | (uint32_t)peer) + 1;
}

static inline uint32_t bine_collector_hash(const struct bine_collector *collector, uint64_t key) {
    return (uint32_t)(key * 0x9E3779B97F4A7C15u >> (64 - collector->bits));
}

/* One block to or from one peer. */
static inline void bine_collector_add(struct bine_collector *collector, int time,
                                      enum bine_direction direction, int peer, int block,
                                      int fresh) {
    uint64_t key = bine_collector_key(time, direction, peer);
    struct bine_collector_slot *x = &collector->slot[bine_collector_hash(collector, key)];
    if (x->key != key && (x = bine_collector_find(collector, key)) == NULL)
        return;
    struct bine_span *last = &collector->collected[x->last].span;
    if (last->first + last->count == block && last->fresh == fresh) {
        last->count++;
        return;
    }
    if (collector->count == collector->room)
        bine_collector_grow(collector);
    if (collector->m.failed)
        return;
    x->last = collector->count++;
    collector->collected[x->last] = (struct bine_collected){{block, 1, fresh}, x->message};
}

/* Put the added blocks in order into *m; frees the all. 0, or -1 when out of memory. */
int bine_collector_close(struct bine_collector *collector, struct bine_moves *m);

#endif
