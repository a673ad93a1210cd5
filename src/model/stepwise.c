#include "model/stepwise.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = -1 };

/* Strands that are staggered follow each other, a step behind. */
static int wave_of(const struct bine_work_list *d, const struct bine_work_item *x) {
    return x->time + 1 + (d->staggered ? x->strand : 0);
}

/* Sorted by a number below `numbers`, otherwise in their order; begin[k] is the first item of k. */
static void sort_into(struct bine_work_item *to, const struct bine_work_list *d, size_t *begin,
                      int numbers, int by_wave) {
    memset(begin, 0, ((size_t)numbers + 1) * sizeof *begin);
    for (size_t i = 0; i < d->count; i++)
        begin[(by_wave ? wave_of(d, &d->item[i]) : d->item[i].rank) + 1]++;
    for (int k = 0; k < numbers; k++)
        begin[k + 1] += begin[k];
    for (size_t i = 0; i < d->count; i++)
        to[begin[by_wave ? wave_of(d, &d->item[i]) : d->item[i].rank]++] = d->item[i];
    memmove(begin + 1, begin, (size_t)numbers * sizeof *begin);
    begin[0] = 0;
}

static int sort_items(struct bine_stepwise *w, struct bine_work_list *d) {
    for (size_t i = 0; i < d->count; i++)
        w->stepwise =
            wave_of(d, &d->item[i]) >= w->stepwise ? wave_of(d, &d->item[i]) + 1 : w->stepwise;
    int most = w->stepwise > w->p ? w->stepwise : w->p;
    w->item = malloc((d->count + 1) * sizeof *w->item);
    w->wave = malloc(((size_t)most + 1) * sizeof *w->wave);
    if (w->item == NULL || w->wave == NULL)
        return -1;
    sort_into(w->item, d, w->wave, w->p, 0);
    memcpy(d->item, w->item, d->count * sizeof *d->item);
    sort_into(w->item, d, w->wave, w->stepwise, 1);
    w->count = d->count * (d->symmetric ? (size_t)w->p : 1);
    return 0;
}

/* Every message that is sent in a wave is received in it: the receives of each rank are in a chain,
 * in their order. */
static void match_wave(struct bine_stepwise *w, size_t first, size_t end, int32_t *head,
                       uint32_t *next) {
    for (size_t i = end; i-- > first;)
        if (w->item[i].receives) {
            next[i - first] = (uint32_t)(head[w->item[i].rank] + 1);
            head[w->item[i].rank] = (int32_t)(i - first);
        }
    for (size_t i = first; i < end; i++) {
        const struct bine_work_item *x = &w->item[i];
        if (x->receives || x->peer < 0)
            continue;
        int32_t before = NOBODY, k = head[x->peer];
        while (k != NOBODY && (w->item[first + (size_t)k].peer != x->rank ||
                               w->item[first + (size_t)k].strand != x->strand)) {
            before = k;
            k = (int32_t)next[k] - 1;
        }
        if (k == NOBODY)
            continue;
        w->other[i] = (uint32_t)k;
        if (before == NOBODY)
            head[x->peer] = (int32_t)next[k] - 1;
        else
            next[before] = next[k];
    }
    for (size_t i = first; i < end; i++)
        head[w->item[i].rank] = NOBODY;
}

/* Match a wave of rank 0's work items, which are few. `taken` is empty. */
static void match_carried(struct bine_stepwise *w, size_t first, size_t end, uint32_t *taken) {
    for (size_t i = first; i < end; i++) {
        const struct bine_work_item *x = &w->item[i];
        if (x->receives || x->peer < 0)
            continue;
        int32_t peer = bine_tree_node(&w->like, x->peer, 0); /* as the receiver sees rank 0 */
        for (size_t k = first; k < end; k++) {
            const struct bine_work_item *y = &w->item[k];
            if (y->receives && y->peer == peer && y->strand == x->strand && !taken[k - first]) {
                taken[k - first] = 1;
                w->other[i] = (uint32_t)(k - first);
                break;
            }
        }
    }
    memset(taken, 0, (end - first) * sizeof *taken);
}

static int match(struct bine_stepwise *w) {
    size_t most = bine_stepwise_most(w), count = w->wave[w->stepwise];
    int32_t *head = malloc((size_t)w->p * sizeof *head);
    uint32_t *next = calloc(most + 1, sizeof *next);
    w->other = malloc((count + 1) * sizeof *w->other);
    int rc = head == NULL || next == NULL || w->other == NULL ? -1 : 0;
    for (int r = 0; r < w->p && rc == 0; r++)
        head[r] = NOBODY;
    for (int k = 0; k < w->stepwise && rc == 0; k++) {
        for (size_t i = w->wave[k]; i < w->wave[k + 1]; i++)
            w->other[i] = (uint32_t)(i - w->wave[k]);
        if (!w->symmetric)
            match_wave(w, w->wave[k], w->wave[k + 1], head, next);
        else
            match_carried(w, w->wave[k], w->wave[k + 1], next);
    }
    free(head);
    free(next);
    return rc;
}

size_t bine_stepwise_most(const struct bine_stepwise *w) {
    size_t most = 0;
    for (int k = 0; k < w->stepwise; k++)
        most = w->wave[k + 1] - w->wave[k] > most ? w->wave[k + 1] - w->wave[k] : most;
    return most;
}

int bine_stepwise_make(struct bine_stepwise *w, struct bine_work_list *d, int p) {
    *w = (struct bine_stepwise){.symmetric = d->symmetric,
                                .like = d->like,
                                .p = p,
                                .strands = d->strands,
                                .staggered = d->staggered};
    int rc = sort_items(w, d) != 0 || match(w) != 0 ? -1 : 0;
    bine_work_list_free(d);
    if (rc != 0)
        bine_stepwise_free(w);
    return rc;
}

void bine_stepwise_free(struct bine_stepwise *w) {
    free(w->item);
    free(w->other);
    free(w->wave);
    *w = (struct bine_stepwise){0};
}
