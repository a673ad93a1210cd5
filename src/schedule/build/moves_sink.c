#include "schedule/build/moves_sink.h"

#include <stdlib.h>
#include <string.h>

void bine_moves_free(struct bine_moves *m) {
    free(m->move);
    free(m->span);
    memset(m, 0, sizeof *m);
}

void bine_moves_open(struct bine_moves *m, int times) {
    memset(m, 0, sizeof *m);
    m->times = times;
}

int bine_moves_close(struct bine_moves *m) {
    if (!m->failed)
        return 0;
    bine_moves_free(m);
    return -1;
}

static void *grown(void *array, uint32_t *room, size_t size, int *failed) {
    uint32_t more = *room == 0 ? 32 : *room * 2;
    void *bigger = *failed ? NULL : realloc(array, more * size);
    if (bigger == NULL) {
        *failed = 1;
        return array;
    }
    *room = more;
    return bigger;
}

void bine_moves_add(struct bine_moves *m, int time, enum bine_direction direction, int peer) {
    if (m->nmoves == m->move_room)
        m->move = grown(m->move, &m->move_room, sizeof *m->move, &m->failed);
    if (!m->failed)
        m->move[m->nmoves++] = (struct bine_move){time, peer, direction, m->nspans, 0};
}

void bine_moves_span(struct bine_moves *m, int first, int count, int fresh) {
    if (m->nspans == m->span_room)
        m->span = grown(m->span, &m->span_room, sizeof *m->span, &m->failed);
    if (m->failed || count == 0)
        return;
    m->span[m->nspans++] = (struct bine_span){first, count, fresh};
    m->move[m->nmoves - 1].nspans++;
}

void bine_moves_circular(struct bine_moves *m, int first, int count, int p) {
    if (first + count > p) {
        bine_moves_span(m, 0, first + count - p, 0);
        count = p - first;
    }
    bine_moves_span(m, first, count, 0);
}

/* Messages that the table has room for at first, twice over: a power of two. */
enum { FIRST_BITS = 7 };

static void sink_free(struct bine_sink *sink) {
    free(sink->sunk);
    free(sink->slot);
    bine_moves_free(&sink->m);
}

int bine_sink_open(struct bine_sink *sink, int times, size_t expected) {
    bine_moves_open(&sink->m, times);
    sink->count = 1;
    sink->room = (uint32_t)expected + 16;
    sink->sunk = malloc(sink->room * sizeof *sink->sunk);
    sink->bits = FIRST_BITS;
    sink->slot = calloc((size_t)1 << sink->bits, sizeof *sink->slot);
    if (sink->sunk == NULL || sink->slot == NULL) {
        sink_free(sink);
        return -1;
    }
    sink->sunk[0].span = (struct bine_span){-1, 0, 0}; /* nothing continues it */
    return 0;
}

void bine_sink_grow(struct bine_sink *sink) {
    sink->sunk = grown(sink->sunk, &sink->room, sizeof *sink->sunk, &sink->m.failed);
}

/* The slot of a key, or where it would be. */
static struct bine_sink_slot *probe(const struct bine_sink *sink, uint64_t key) {
    uint32_t mask = (1u << sink->bits) - 1, h = bine_sink_hash(sink, key);
    while (sink->slot[h].key != 0 && sink->slot[h].key != key)
        h = (h + 1) & mask;
    return &sink->slot[h];
}

static int more_slots(struct bine_sink *sink) {
    struct bine_sink_slot *old = sink->slot, *end = old + ((size_t)1 << sink->bits);
    struct bine_sink_slot *bigger = calloc((size_t)2 << sink->bits, sizeof *bigger);
    if (bigger == NULL)
        return -1;
    sink->slot = bigger;
    sink->bits++;
    for (const struct bine_sink_slot *x = old; x < end; x++)
        if (x->key != 0)
            *probe(sink, x->key) = *x;
    free(old);
    return 0;
}

struct bine_sink_slot *bine_sink_find(struct bine_sink *sink, uint64_t key) {
    struct bine_sink_slot *x = probe(sink, key);
    if (x->key == key)
        return x;
    if (2 * (sink->m.nmoves + 1) > 1u << sink->bits) {
        sink->m.failed |= more_slots(sink) != 0;
        x = probe(sink, key);
    }
    uint32_t when = (uint32_t)((key - 1) >> 32);
    bine_moves_add(&sink->m, (int)(when / 2), (enum bine_direction)(when % 2),
                   (int)(uint32_t)(key - 1));
    if (sink->m.failed)
        return NULL;
    *x = (struct bine_sink_slot){key, sink->m.nmoves - 1, 0};
    return x;
}

/* The messages in the order of time, by counting. In those of the sink, `spans` becomes where their
 * first span goes. */
static int by_time(struct bine_sink *sink, struct bine_moves *m) {
    const struct bine_moves *old = &sink->m;
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

int bine_sink_close(struct bine_sink *sink, struct bine_moves *m) {
    struct bine_move *old = sink->m.move;
    const struct bine_sunk *end = sink->sunk + sink->count;
    bine_moves_open(m, sink->m.times);
    m->move_room = m->nmoves = sink->m.nmoves;
    m->span_room = m->nspans = sink->count - 1;
    m->move = malloc((m->nmoves + 1) * sizeof *m->move);
    m->span = malloc((m->nspans + 1) * sizeof *m->span);
    for (const struct bine_sunk *x = sink->sunk + 1; x < end; x++)
        old[x->message].nspans++;
    m->failed = sink->m.failed || m->move == NULL || m->span == NULL || by_time(sink, m) != 0;
    for (const struct bine_sunk *x = sink->sunk + 1; x < end && !m->failed; x++)
        m->span[old[x->message].spans++] = x->span;
    sink_free(sink);
    return bine_moves_close(m);
}

/* A set of blocks as sorted, disjoint spans that do not touch. */
struct cover {
    struct bine_span *span;
    uint32_t count;
};

static void cover_add(struct cover *c, int first, int end) {
    uint32_t i = 0, j;
    while (i < c->count && c->span[i].first + c->span[i].count < first)
        i++;
    for (j = i; j < c->count && c->span[j].first <= end; j++) {
        if (c->span[j].first < first)
            first = c->span[j].first;
        if (c->span[j].first + c->span[j].count > end)
            end = c->span[j].first + c->span[j].count;
    }
    memmove(&c->span[i + 1], &c->span[j], (c->count - j) * sizeof *c->span);
    c->count = c->count - j + i + 1;
    c->span[i] = (struct bine_span){first, end - first, 0};
}

/* Append span x to *m cut into what is covered (not fresh) and what is not (fresh). */
static void cut_by_cover(struct bine_moves *m, struct bine_span x, const struct cover *c) {
    int at = x.first, end = x.first + x.count;
    for (uint32_t i = 0; i < c->count && at < end; i++) {
        int a = c->span[i].first, b = a + c->span[i].count;
        if (b <= at || a >= end)
            continue;
        if (a > at)
            bine_moves_span(m, at, a - at, 1);
        at = a > at ? a : at;
        b = b < end ? b : end;
        bine_moves_span(m, at, b - at, 0);
        at = b;
    }
    bine_moves_span(m, at, end - at, 1);
}

void bine_moves_mark_fresh(struct bine_moves *m) {
    struct bine_moves old = *m;
    struct cover c = {malloc((m->nspans + 2) * sizeof *c.span), 0};
    m->span = NULL;
    m->nspans = m->span_room = 0;
    m->move = malloc((old.nmoves + 1) * sizeof *m->move);
    m->failed |= c.span == NULL || m->move == NULL;
    m->move_room = old.nmoves + 1;
    /* Backwards in time; the new messages are laid out from the last to the first, then turned
     * round. */
    m->nmoves = 0;
    for (uint32_t k = old.nmoves, same; k > 0 && !m->failed; k = same) {
        for (same = k; same > 0 && old.move[same - 1].time == old.move[k - 1].time; same--) {
            const struct bine_move *mv = &old.move[same - 1];
            bine_moves_add(m, mv->time, (enum bine_direction)mv->direction, mv->peer);
            for (uint32_t i = 0; i < mv->nspans; i++)
                cut_by_cover(m, old.span[mv->spans + i], &c);
        }
        for (uint32_t j = same; j < k; j++)
            for (uint32_t i = 0; i < old.move[j].nspans && old.move[j].direction == BINE_TO; i++) {
                const struct bine_span *x = &old.span[old.move[j].spans + i];
                cover_add(&c, x->first, x->first + x->count);
            }
    }
    for (uint32_t i = 0, j = m->nmoves; i + 1 < j && !m->failed; i++) {
        struct bine_move x = m->move[i];
        m->move[i] = m->move[--j];
        m->move[j] = x;
    }
    free(c.span);
    free(old.move);
    free(old.span);
}
