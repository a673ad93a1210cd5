#include "explorer/hold.h"

#include "base/numbers.h"
#include "explorer/hold_run.h"

#include <stdlib.h>
#include <string.h>

int bine_op_publishes(const struct bine_op *op) {
    return op->kind > BINE_OP_REDUCE && op->peer < 0;
}

int bine_op_reads(const struct bine_op *op) {
    return op->kind > BINE_OP_REDUCE && op->peer >= 0;
}

int bine_step_when(const struct bine_step *step, int before) {
    return step->time >= 0 ? step->time : before;
}

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

static int open_rank(struct bine_hold_run *x, int rank) {
    const struct bine_schedule *s = bine_hold_schedule(x, rank);
    x->strand[rank] = calloc(s->nstrands + 1, sizeof **x->strand);
    x->lot[rank] = calloc(s->nops + 1, sizeof **x->lot);
    for (uint32_t k = 0; k < s->nops; k++) {
        uint32_t number = x->hold->messages->of_op[rank][k];
        if (bine_op_sends(&s->op[k]))
            x->send_op[number] = k;
        else if (bine_op_receives(&s->op[k]))
            x->recv_op[number] = k;
    }
    return x->strand[rank] == NULL || x->lot[rank] == NULL ? -1 : 0;
}

static int open_run(struct bine_hold_run *x) {
    struct bine_hold *h = x->hold;
    size_t p = (size_t)h->p, messages = h->messages->count, pieces = 0;
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
    x->strand = calloc(p, sizeof *x->strand);
    x->send_op = calloc(messages + 1, sizeof *x->send_op);
    x->recv_op = calloc(messages + 1, sizeof *x->recv_op);
    x->posted = calloc(messages + 1, 1);
    if (h->base == NULL || h->start == NULL || h->piece == NULL || h->count == NULL ||
        h->best == NULL || x->piece == NULL || x->lot == NULL || x->strand == NULL ||
        x->send_op == NULL || x->recv_op == NULL || x->posted == NULL)
        return -1;
    for (int r = 0; r < h->p; r++)
        if (open_rank(x, r) != 0)
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
        if (x->strand != NULL)
            free(x->strand[r]);
    }
    free(x->lot);
    free(x->strand);
    free(x->piece);
    free(x->send_op);
    free(x->recv_op);
    free(x->posted);
}

/* One end of a message is there: the second one lets it go. */
static void post(struct bine_hold_run *x, uint32_t message, int end, int time) {
    const struct bine_message *g = &x->hold->messages->message[message];
    x->posted[message] |= (uint8_t)(1 << end);
    if (x->posted[message] != 3)
        return;
    bine_hold_deliver(x, message, time);
    for (int i = 0; i < BINE_ENDS; i++)
        x->strand[g->rank[i]][g->strand].open--;
}

static void enter(struct bine_hold_run *x, int rank, uint32_t strand,
                  const struct bine_step *step) {
    const struct bine_schedule *s = bine_hold_schedule(x, rank);
    struct bine_hold_strand *at = &x->strand[rank][strand];
    at->entered = 1;
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
        at->open += bine_op_sends(&s->op[k]) || bine_op_receives(&s->op[k]);
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++) {
        uint32_t message = x->hold->messages->of_op[rank][k];
        if (bine_op_publishes(&s->op[k]))
            bine_hold_publish(x, rank, k);
        else if (bine_op_sends(&s->op[k]))
            post(x, message, BINE_SENDER, step->time);
        else if (bine_op_receives(&s->op[k]))
            post(x, message, BINE_RECEIVER, step->time);
    }
}

/* Whether everything that the step reads has been published. */
static int can_read(struct bine_hold_run *x, int rank, uint32_t strand,
                    const struct bine_step *step) {
    const struct bine_schedule *s = bine_hold_schedule(x, rank);
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
        if (bine_op_reads(&s->op[k]) && !bine_hold_read(x, rank, strand, k, step->time, 1))
            return 0;
    return 1;
}

/* Go on with a strand if it can; 1 if it did. Only local work at the beginning if `first`. */
static int advance(struct bine_hold_run *x, int rank, uint32_t strand, int first) {
    const struct bine_schedule *s = bine_hold_schedule(x, rank);
    struct bine_hold_strand *at = &x->strand[rank][strand];
    if (at->step == s->strand[strand].nsteps)
        return 0;
    const struct bine_step *step = &s->step[s->strand[strand].steps + at->step];
    if (first && step->time >= 0)
        return 0;
    int entered = at->entered;
    at->time = bine_step_when(step, at->step == 0 ? -1 : at->time);
    if (!entered)
        enter(x, rank, strand, step);
    if (at->open > 0 || !can_read(x, rank, strand, step))
        return !entered;
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
        if (bine_op_reads(&s->op[k]))
            bine_hold_read(x, rank, strand, k, step->time, 0);
    for (uint32_t k = step->ops; k < step->ops + step->nops; k++)
        bine_hold_local(x, rank, k, at->time);
    at->entered = 0;
    at->step++;
    return 1;
}

/* Pass after pass over all strands until none can go on. */
static void run(struct bine_hold_run *x, int first) {
    for (int moved = 1; moved && !x->hold->failed;) {
        moved = 0;
        for (int r = 0; r < x->hold->p; r++)
            for (uint32_t k = 0; k < bine_hold_schedule(x, r)->nstrands; k++)
                while (!x->hold->failed && advance(x, r, k, first))
                    moved = 1;
    }
}

static void see_if_stuck(struct bine_hold_run *x) {
    for (int r = 0; r < x->hold->p; r++)
        for (uint32_t k = 0; k < bine_hold_schedule(x, r)->nstrands; k++)
            x->hold->stuck |= x->strand[r][k].step < bine_hold_schedule(x, r)->strand[k].nsteps;
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
    if (rc == 0) {
        run(&x, 1);
        run(&x, 0);
        see_if_stuck(&x);
        rc = h->failed ? -1 : sort_log(h);
    }
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
