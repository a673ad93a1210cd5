#include "schedule/build/moves/moves_collector.h"

#include <stdlib.h>

/* Messages that the table has room for at first, twice over: a power of two. */
enum { FIRST_BITS = 7 };

static void collector_free(struct bine_collector *collector) {
    free(collector->collected);
    free(collector->slot);
    bine_moves_free(&collector->m);
}

int bine_collector_open(struct bine_collector *collector, int times, size_t expected) {
    bine_moves_open(&collector->m, times);
    collector->count = 1;
    collector->contested = 0;
    collector->room = (uint32_t)expected + 16;
    collector->collected = malloc(collector->room * sizeof *collector->collected);
    collector->bits = FIRST_BITS;
    collector->slot = calloc((size_t)1 << collector->bits, sizeof *collector->slot);
    if (collector->collected == NULL || collector->slot == NULL) {
        collector_free(collector);
        return -1;
    }
    collector->collected[0].span = (struct bine_span){-1, 0, 0}; /* nothing continues it */
    return 0;
}

void bine_collector_grow(struct bine_collector *collector) {
    collector->collected = bine_moves_grown(collector->collected, &collector->room,
                                            sizeof *collector->collected, &collector->m.failed);
}

/* The slot of a key, or where it would be. */
static struct bine_collector_slot *probe(const struct bine_collector *collector, uint64_t key) {
    uint32_t mask = (1u << collector->bits) - 1, h = bine_collector_hash(collector, key);
    while (collector->slot[h].key != 0 && collector->slot[h].key != key)
        h = (h + 1) & mask;
    return &collector->slot[h];
}

static int more_slots(struct bine_collector *collector) {
    struct bine_collector_slot *old = collector->slot, *end = old + ((size_t)1 << collector->bits);
    struct bine_collector_slot *bigger = calloc((size_t)2 << collector->bits, sizeof *bigger);
    if (bigger == NULL)
        return -1;
    collector->slot = bigger;
    collector->bits++;
    for (const struct bine_collector_slot *x = old; x < end; x++)
        if (x->key != 0)
            *probe(collector, x->key) = *x;
    free(old);
    return 0;
}

struct bine_collector_slot *bine_collector_find(struct bine_collector *collector, uint64_t key) {
    struct bine_collector_slot *x = probe(collector, key);
    if (x->key == key)
        return x;
    if (2 * (collector->m.nmoves + 1) > 1u << collector->bits) {
        collector->m.failed |= more_slots(collector) != 0;
        x = probe(collector, key);
    }
    uint32_t when = (uint32_t)((key - 1) >> 32);
    bine_moves_add(&collector->m, (int)(when / 2), (enum bine_direction)(when % 2),
                   (int)(uint32_t)(key - 1));
    if (collector->m.failed)
        return NULL;
    *x = (struct bine_collector_slot){key, collector->m.nmoves - 1, 0};
    return x;
}

/* The messages in the order of time, by counting. In those of the collector, `spans` becomes where
 * their first span goes. */
static int by_time(struct bine_collector *collector, struct bine_moves *m) {
    const struct bine_moves *old = &collector->m;
    uint32_t *at = calloc((size_t)old->times + 2, sizeof *at), spans = 0;
    uint32_t *order = malloc((old->nmoves + 1) * sizeof *order);
    int good = at != NULL && order != NULL;
    for (uint32_t k = 0; k < old->nmoves && good; k++)
        at[old->move[k].time + 1]++;
    for (int t = 1; t <= old->times && good; t++)
        at[t] += at[t - 1];
    for (uint32_t k = 0; k < old->nmoves && good; k++)
        order[at[old->move[k].time]++] = k;
    for (uint32_t i = 0; i < old->nmoves && good; i++) {
        struct bine_move *mv = &old->move[order[i]];
        mv->spans = spans;
        spans += mv->nspans;
        m->move[i] = *mv;
    }
    free(at);
    free(order);
    return good ? 0 : -1;
}

/* The messages are in their order: the first one that has a contested block gets it fresh. */
struct settling {
    struct bine_span *span; /* of all messages, settled */
    uint32_t count;
    unsigned char *taken; /* of each block: an earlier message has it */
};

/* Append to the spans of a message that begin at `first`. */
static void settle_span(struct settling *x, uint32_t first, int block, int count, int fresh) {
    struct bine_span *last = x->count > first ? &x->span[x->count - 1] : NULL;
    if (last != NULL && last->first + last->count == block && last->fresh == fresh)
        last->count += count;
    else
        x->span[x->count++] = (struct bine_span){block, count, fresh};
}

static void settle_move(struct settling *x, const struct bine_moves *m, struct bine_move *mv) {
    const struct bine_span *y = &m->span[mv->spans], *end = y + mv->nspans;
    mv->spans = x->count;
    for (; y < end; y++) {
        if (y->fresh != BINE_CONTESTED) {
            settle_span(x, mv->spans, y->first, y->count, y->fresh);
            continue;
        }
        for (int b = y->first; b < y->first + y->count; b++) {
            settle_span(x, mv->spans, b, 1, x->taken[b] ? BINE_TOUCHED : BINE_FRESH);
            x->taken[b] = 1;
        }
    }
    mv->nspans = x->count - mv->spans;
}

/* 0, or -1 when out of memory. */
static int settle(struct bine_moves *m) {
    struct settling x = {NULL, 0, NULL};
    size_t room = 1, blocks = 1;
    for (uint32_t i = 0; i < m->nspans; i++) {
        const struct bine_span *y = &m->span[i];
        room += y->fresh == BINE_CONTESTED ? (size_t)y->count : 1;
        blocks = (size_t)(y->first + y->count) > blocks ? (size_t)(y->first + y->count) : blocks;
    }
    x.span = malloc(room * sizeof *x.span);
    x.taken = calloc(blocks, 1);
    if (x.span == NULL || x.taken == NULL) {
        free(x.span);
        free(x.taken);
        return -1;
    }
    for (uint32_t k = 0; k < m->nmoves; k++)
        settle_move(&x, m, &m->move[k]);
    free(x.taken);
    free(m->span);
    m->span = x.span;
    m->nspans = x.count;
    m->span_room = (uint32_t)room;
    return 0;
}

int bine_collector_close(struct bine_collector *collector, struct bine_moves *m) {
    struct bine_move *old = collector->m.move;
    const struct bine_collected *end = collector->collected + collector->count;
    bine_moves_open(m, collector->m.times);
    m->move_room = m->nmoves = collector->m.nmoves;
    m->span_room = m->nspans = collector->count - 1;
    m->move = malloc((m->nmoves + 1) * sizeof *m->move);
    m->span = malloc((m->nspans + 1) * sizeof *m->span);
    for (const struct bine_collected *x = collector->collected + 1; x < end; x++)
        old[x->message].nspans++;
    m->failed =
        collector->m.failed || m->move == NULL || m->span == NULL || by_time(collector, m) != 0;
    for (const struct bine_collected *x = collector->collected + 1; x < end && !m->failed; x++)
        m->span[old[x->message].spans++] = x->span;
    if (collector->contested && !m->failed)
        m->failed = settle(m) != 0;
    collector_free(collector);
    return bine_moves_close(m);
}
