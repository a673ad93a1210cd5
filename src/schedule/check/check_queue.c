#include "schedule/check/check_state.h"

#include <stdlib.h>

/* The table's entry for a key: the first waiting one, or where it would go. */
static uint32_t find(const struct bine_queue *q, int from, int to, uint32_t strand, int owner) {
    uint64_t x =
        (((uint64_t)(uint32_t)from << 32 | (uint32_t)to) + strand * 77u) * 0x9E3779B97F4A7C15u;
    uint32_t h = (uint32_t)((x >> 24) + (uint32_t)owner) & (q->table_size - 1);
    while (q->table[h] != 0) {
        const struct bine_waiting *w = &q->waiting[q->table[h]];
        if (w->from == from && w->to == to && w->strand == strand && w->owner == owner)
            break;
        h = (h + 1) & (q->table_size - 1);
    }
    return h;
}

static int table_grow(struct bine_queue *q) {
    struct bine_queue old = *q;
    q->table_size = old.table_size == 0 ? 1024 : old.table_size * 2;
    q->table = calloc(q->table_size, sizeof *q->table);
    if (q->table == NULL) {
        *q = old;
        return -1;
    }
    for (uint32_t i = 0; i < old.table_size; i++)
        if (old.table[i] != 0) {
            const struct bine_waiting *w = &q->waiting[old.table[i]];
            q->table[find(q, w->from, w->to, w->strand, w->owner)] = old.table[i];
        }
    free(old.table);
    return 0;
}

int bine_queue_push(struct bine_queue *q, struct bine_waiting w) {
    if (2 * (q->keys + 1) >= q->table_size && table_grow(q) != 0)
        return -1;
    uint32_t h = find(q, w.from, w.to, w.strand, w.owner);
    if (q->table[h] != 0 && q->waiting[q->table[h]].used) {
        q->waiting[q->table[h]] = w;
        return 0;
    }
    if (q->count + 1 >= q->room) {
        uint32_t more = q->room == 0 ? 1024 : q->room * 2;
        struct bine_waiting *bigger = realloc(q->waiting, more * sizeof *bigger);
        if (bigger == NULL)
            return -1;
        q->waiting = bigger;
        q->room = more;
    }
    uint32_t k = ++q->count;
    q->waiting[k] = w;
    if (q->table[h] == 0) {
        q->table[h] = k;
        q->keys++;
        return 0;
    }
    uint32_t tail = q->table[h];
    while (q->waiting[tail].next != 0)
        tail = q->waiting[tail].next;
    q->waiting[tail].next = k;
    return 0;
}

int bine_queue_pop(struct bine_queue *q, int from, int to, uint32_t strand, int owner,
                   uint32_t *op) {
    if (q->table_size == 0)
        return 0;
    uint32_t h = find(q, from, to, strand, owner), k = q->table[h];
    if (k == 0 || q->waiting[k].used)
        return 0;
    *op = q->waiting[k].op;
    if (q->waiting[k].next != 0)
        q->table[h] = q->waiting[k].next;
    else
        q->waiting[k].used = 1;
    return 1;
}
