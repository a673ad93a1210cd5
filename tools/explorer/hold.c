#include "explorer/hold.h"

#include "base/numbers.h"
#include "explorer/hold_run.h"

#include <stdlib.h>
#include <string.h>

const struct bine_schedule *bine_hold_schedule(const struct bine_hold_run *x, int rank) {
    return x->hold->messages->schedule[rank];
}

static int is_source(const struct bine_schedule *s) {
    return (s->collective != BINE_BCAST && s->collective != BINE_SCATTER) || s->rank == s->root;
}

/* The caller's data, in the places of `in`. */
static int add_inputs(struct bine_hold_run *x, size_t pieces) {
    struct bine_hold *h = x->hold;
    h->values_room = pieces + 4096;
    h->value = calloc(h->values_room, sizeof *h->value);
    h->values = 1;
    if (h->value == NULL)
        return -1;
    for (int r = 0; r < h->p; r++) {
        const struct bine_schedule *s = bine_hold_schedule(x, r);
        for (int k = 0; k < s->space[BINE_IN].pieces && is_source(s); k++) {
            struct bine_hold_value *v = &h->value[h->values];
            v->block = bine_schedule_block(s, BINE_IN, k);
            v->from[r / 32] |= UINT32_C(1) << r % 32;
            x->piece[h->base[r] + bine_hold_piece(s, BINE_IN, k)] = (uint32_t)h->values++;
        }
    }
    return 0;
}

static int open_run(struct bine_hold_run *x) {
    struct bine_hold *h = x->hold;
    size_t p = (size_t)h->p, pieces = 0;
    h->base = malloc((p + 1) * sizeof *h->base);
    for (int r = 0; r < h->p && h->base != NULL; r++) {
        const struct bine_schedule *s = bine_hold_schedule(x, r);
        h->base[r] = pieces;
        pieces += bine_hold_piece(s, BINE_TMP, s->space[BINE_TMP].pieces);
    }
    h->start = calloc(pieces + 1, sizeof *h->start);
    h->piece = calloc(pieces + 1, sizeof *h->piece);
    h->count = calloc(p * (size_t)h->cells + 1, sizeof *h->count);
    h->best = calloc(p * (size_t)h->cells + 1, sizeof *h->best);
    x->piece = calloc(pieces + 1, sizeof *x->piece);
    x->lot = calloc(p, sizeof *x->lot);
    if (h->base == NULL || h->start == NULL || h->piece == NULL || h->count == NULL ||
        h->best == NULL || x->piece == NULL || x->lot == NULL)
        return -1;
    for (int r = 0; r < h->p; r++)
        if ((x->lot[r] = calloc(bine_hold_schedule(x, r)->nops + 1, sizeof **x->lot)) == NULL)
            return -1;
    if (add_inputs(x, pieces) != 0)
        return -1;
    memcpy(h->start, x->piece, pieces * sizeof *h->start);
    h->pieces = pieces;
    return 0;
}

static void close_run(struct bine_hold_run *x) {
    for (int r = 0; r < x->hold->p; r++) {
        const struct bine_schedule *s = bine_hold_schedule(x, r);
        for (uint32_t k = 0; x->lot != NULL && x->lot[r] != NULL && k < s->nops; k++)
            free(x->lot[r][k].value);
        if (x->lot != NULL)
            free(x->lot[r]);
    }
    free(x->lot);
    free(x->piece);
}

static int run(struct bine_hold_run *x) {
    const struct bine_walk_visitor visitor = {bine_hold_deliver, bine_hold_publish,
                                              bine_hold_finish, x};
    struct bine_walk walk;
    int rc = bine_walk_open(&walk, x->hold->messages);
    if (rc == 0)
        rc = bine_walk_run(&walk, &visitor);
    x->hold->stuck = rc == 0 && !bine_walk_is_done(&walk);
    bine_walk_close(&walk);
    return rc;
}

/* By time, those of one time in their order: a counting sort. (Pieces of different strands are
 * apart, and one strand's times ascend.) */
static int sort_log(struct bine_hold *h) {
    int most = 0;
    for (size_t i = 0; i < h->writes; i++)
        most = bine_max(h->log[i].time, most);
    size_t *begin = calloc((size_t)most + 3, sizeof *begin);
    struct bine_hold_write *sorted = malloc((h->writes + 1) * sizeof *sorted);
    if (begin != NULL && sorted != NULL) {
        for (size_t i = 0; i < h->writes; i++)
            begin[h->log[i].time + 2]++;
        for (int t = 0; t <= most + 1; t++)
            begin[t + 1] += begin[t];
        for (size_t i = 0; i < h->writes; i++)
            sorted[begin[h->log[i].time + 1]++] = h->log[i];
    }
    int rc = begin == NULL || sorted == NULL ? -1 : 0;
    free(begin);
    if (rc != 0) {
        free(sorted);
        return -1;
    }
    free(h->log);
    h->log = sorted;
    return 0;
}

int bine_hold_make(struct bine_hold *h, const struct bine_messages *m, int64_t bytes) {
    struct bine_hold_run x = {.hold = h, .bytes = bytes};
    *h = (struct bine_hold){.messages = m, .p = m->p, .cells = m->schedule[0]->blocks};
    int rc = 0;
    if (m->schedule[0]->collective == BINE_ALLTOALL) {
        h->carried = calloc(m->count + 1, sizeof *h->carried);
        rc = h->carried == NULL ? -1 : 0;
    }
    if (rc == 0)
        rc = open_run(&x);
    if (rc == 0)
        rc = run(&x);
    if (rc == 0)
        rc = sort_log(h);
    close_run(&x);
    return rc;
}

void bine_hold_free(struct bine_hold *h) {
    free(h->value);
    free(h->log);
    free(h->start);
    free(h->piece);
    free(h->base);
    free(h->count);
    free(h->best);
    free(h->carried);
    *h = (struct bine_hold){0};
}

static uint16_t count_ranks(const struct bine_hold_value *v) {
    int n = 0;
    for (int i = 0; i < BINE_HOLD_WORDS; i++)
        n += __builtin_popcount(v->from[i]);
    return (uint16_t)n;
}

static int first_rank(const struct bine_hold_value *v) {
    for (int i = 0; i < BINE_HOLD_WORDS; i++)
        if (v->from[i] != 0)
            return 32 * i + __builtin_ctz(v->from[i]);
    return 0;
}

/* The cell of a value that a rank holds; -1: in an alltoall, it is for another rank. */
static int cell_of(const struct bine_schedule *s, const struct bine_hold_value *v) {
    if (s->collective != BINE_ALLTOALL)
        return v->block;
    return v->block / s->parts == s->rank ? first_rank(v) * s->parts + v->block % s->parts : -1;
}

static void count_rank(struct bine_hold *h, int rank) {
    const struct bine_schedule *s = h->messages->schedule[rank];
    size_t end = rank + 1 < h->p ? h->base[rank + 1] : h->pieces;
    for (size_t i = h->base[rank]; i < end; i++) {
        const struct bine_hold_value *v = &h->value[h->piece[i]];
        int cell = h->piece[i] == 0 ? -1 : cell_of(s, v);
        if (cell < 0 || cell >= h->cells)
            continue;
        size_t k = (size_t)rank * (size_t)h->cells + (size_t)cell;
        uint16_t n = count_ranks(v);
        if (n > h->count[k]) {
            h->count[k] = n;
            h->best[k] = h->piece[i];
        }
    }
}

void bine_hold_at(struct bine_hold *h, int time) {
    size_t cells = (size_t)h->p * (size_t)h->cells;
    memcpy(h->piece, h->start, h->pieces * sizeof *h->piece);
    memset(h->count, 0, cells * sizeof *h->count);
    memset(h->best, 0, cells * sizeof *h->best);
    for (size_t i = 0; i < h->writes && h->log[i].time <= time; i++)
        h->piece[h->base[h->log[i].rank] + h->log[i].piece] = h->log[i].value;
    for (int r = 0; r < h->p; r++)
        count_rank(h, r);
}
