#include "schedule/build/moves/moves_list.h"

#include "base/grow.h"
#include "base/numbers.h"

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

void *bine_moves_grown(void *array, uint32_t *room, size_t size, int *failed) {
    size_t wider = *room;
    *failed |= *room == UINT32_MAX || bine_grow(&array, &wider, wider + 1, size) != 0;
    *room = *failed ? *room : (uint32_t)bine_min(wider, (size_t)UINT32_MAX);
    return array;
}

void bine_moves_add(struct bine_moves *m, int time, enum bine_direction direction, int peer) {
    if (m->nmoves == m->move_room)
        m->move = bine_moves_grown(m->move, &m->move_room, sizeof *m->move, &m->failed);
    if (!m->failed)
        m->move[m->nmoves++] = (struct bine_move){time, peer, direction, m->nspans, 0};
}

void bine_moves_span(struct bine_moves *m, int first, int count, int fresh) {
    if (m->nspans == m->span_room)
        m->span = bine_moves_grown(m->span, &m->span_room, sizeof *m->span, &m->failed);
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

/* Append span x to *m cut into covered parts (not fresh) and the others (fresh). */
static void cut_by_cover(struct bine_moves *m, struct bine_span x, const struct cover *c) {
    int at = x.first, end = x.first + x.count;
    for (uint32_t i = 0; i < c->count && at < end; i++) {
        int a = c->span[i].first, b = a + c->span[i].count;
        if (b <= at || a >= end)
            continue;
        if (a > at)
            bine_moves_span(m, at, a - at, 1);
        at = bine_max(a, at);
        b = bine_min(b, end);
        bine_moves_span(m, at, b - at, 0);
        at = b;
    }
    bine_moves_span(m, at, end - at, 1);
}

/* One message; the blocks that it brings to a peer are covered for all that come after it. */
static void mark_message(struct bine_moves *m, const struct bine_moves *old,
                         const struct bine_move *mv, struct cover *c) {
    bine_moves_add(m, mv->time, (enum bine_direction)mv->direction, mv->peer);
    for (uint32_t i = 0; i < mv->nspans; i++)
        cut_by_cover(m, old->span[mv->spans + i], c);
    for (uint32_t i = 0; i < mv->nspans && mv->direction == BINE_TO; i++) {
        const struct bine_span *x = &old->span[mv->spans + i];
        cover_add(c, x->first, x->first + x->count);
    }
}

static void turn_round(struct bine_move *move, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin, j = end; i + 1 < j; i++) {
        struct bine_move x = move[i];
        move[i] = move[--j];
        move[j] = x;
    }
}

void bine_moves_mark_fresh(struct bine_moves *m) {
    struct bine_moves old = *m;
    struct cover c = {malloc((m->nspans + 2) * sizeof *c.span), 0};
    m->span = NULL;
    m->nspans = m->span_room = 0;
    m->move = malloc((old.nmoves + 1) * sizeof *m->move);
    m->failed |= c.span == NULL || m->move == NULL;
    m->move_room = old.nmoves + 1;
    /* Backwards in time, but in their order at one time; the new messages are laid out from the
     * last to the first, then turned round. */
    m->nmoves = 0;
    for (uint32_t k = old.nmoves, same; k > 0 && !m->failed; k = same) {
        uint32_t begin = m->nmoves;
        for (same = k; same > 0 && old.move[same - 1].time == old.move[k - 1].time;)
            same--;
        for (uint32_t j = same; j < k; j++)
            mark_message(m, &old, &old.move[j], &c);
        turn_round(m->move, begin, m->nmoves);
    }
    turn_round(m->move, 0, m->failed ? 0 : m->nmoves);
    free(c.span);
    free(old.move);
    free(old.span);
}
