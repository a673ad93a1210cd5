#include "schedule/check/check_state.h"

#include "base/grow.h"
#include "base/hash.h"

#include <stdlib.h>

static uint32_t hash_of(const struct bine_waiting *w) {
    return bine_hash_number(((uint64_t)(uint32_t)w->from << 32 | (uint32_t)w->to) +
                            w->strand * 77u + (uint64_t)(uint32_t)w->owner * 0xc2b2u);
}

static int same_key(const void *queue, uint32_t number, const void *key) {
    const struct bine_waiting *a = &((const struct bine_queue *)queue)->waiting[number], *b = key;
    return a->from == b->from && a->to == b->to && a->strand == b->strand && a->owner == b->owner;
}

/* The first waiting one of a key; NULL where there was never one. */
static uint32_t *find(const struct bine_queue *q, const struct bine_waiting *key) {
    return bine_set_find(&q->first, hash_of(key), same_key, q, key);
}

int bine_queue_push(struct bine_queue *q, struct bine_waiting w) {
    const uint32_t *first = find(q, &w);
    if (first != NULL && q->waiting[*first].used) {
        q->waiting[*first] = w;
        return 0;
    }
    if (bine_grow(&q->waiting, &q->room, (size_t)q->count + 2, sizeof *q->waiting) != 0)
        return -1;
    uint32_t k = ++q->count;
    q->waiting[k] = w;
    if (first == NULL)
        return bine_set_add(&q->first, hash_of(&w), k);
    uint32_t tail = *first;
    while (q->waiting[tail].next != 0)
        tail = q->waiting[tail].next;
    q->waiting[tail].next = k;
    return 0;
}

int bine_queue_pop(struct bine_queue *q, int from, int to, uint32_t strand, int owner,
                   uint32_t *op) {
    struct bine_waiting key = {.from = from, .to = to, .strand = strand, .owner = owner};
    uint32_t *first = find(q, &key);
    if (first == NULL || q->waiting[*first].used)
        return 0;
    *op = q->waiting[*first].op;
    if (q->waiting[*first].next != 0)
        *first = q->waiting[*first].next;
    else
        q->waiting[*first].used = 1;
    return 1;
}
