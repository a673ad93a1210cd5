/* What operations do to sets of contributions. */
#include "base/grow.h"
#include "explorer/hold.h"
#include "explorer/hold_run.h"

#include "show/show.h"

#include <stdlib.h>
#include <string.h>

uint32_t bine_hold_piece(const struct bine_schedule *s, int space, int place) {
    uint32_t before = 0;
    if (s->collective == BINE_BCAST && space == BINE_OUT && s->rank == s->root &&
        s->space[BINE_IN].pieces > 0)
        return (uint32_t)place; /* a broadcast has one buffer */
    for (int i = 0; i < space; i++)
        before += (uint32_t)s->space[i].pieces;
    return before + (uint32_t)place;
}

uint32_t bine_hold_count(const struct bine_schedule *s, uint32_t runs, uint32_t nruns) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < nruns; i++)
        n += s->run[runs + i].count;
    return n;
}

/* The pieces of a list, one after the other. */
struct walk {
    const struct bine_schedule *s;
    uint32_t run, end, done;
};

static struct walk walk_runs(const struct bine_schedule *s, uint32_t runs, uint32_t nruns) {
    return (struct walk){s, runs, runs + nruns, 0};
}

/* The next one's space and place; 0 at the end. */
static int walk_next(struct walk *w, int *space, int *place) {
    if (w->run == w->end)
        return 0;
    const struct bine_run *r = &w->s->run[w->run];
    *space = r->space;
    *place = r->first + (int)w->done;
    if (++w->done == r->count) {
        w->run++;
        w->done = 0;
    }
    return 1;
}

static uint32_t *piece_at(const struct bine_hold_run *x, const struct bine_schedule *s, int space,
                          int place) {
    return &x->piece[x->hold->base[s->rank] + bine_hold_piece(s, space, place)];
}

static void put(struct bine_hold_run *x, const struct bine_schedule *s, int space, int place,
                uint32_t value, int time) {
    struct bine_hold *h = x->hold;
    h->failed |= bine_grow(&h->log, &h->log_room, h->writes + 1, sizeof *h->log) != 0;
    if (h->failed)
        return;
    h->log[h->writes++] =
        (struct bine_hold_write){time, s->rank, bine_hold_piece(s, space, place), value};
    *piece_at(x, s, space, place) = value;
}

/* The sum of two values. */
static uint32_t join(struct bine_hold *h, uint32_t a, uint32_t b) {
    if (a == 0 || b == 0)
        return a | b;
    h->failed |= bine_grow(&h->value, &h->values_room, h->values + 1, sizeof *h->value) != 0;
    if (h->failed)
        return a;
    struct bine_hold_value *sum = &h->value[h->values];
    *sum = h->value[a];
    for (int i = 0; i < BINE_HOLD_WORDS; i++)
        sum->from[i] |= h->value[b].from[i];
    return (uint32_t)h->values++;
}

/* Remember what the pieces of a list hold now. */
static void keep(struct bine_hold_run *x, const struct bine_schedule *s, uint32_t runs,
                 uint32_t nruns, struct bine_hold_lot *lot) {
    struct walk w = walk_runs(s, runs, nruns);
    int space, place;
    lot->count = 0;
    lot->value = malloc((bine_hold_count(s, runs, nruns) + 1) * sizeof *lot->value);
    x->hold->failed |= lot->value == NULL;
    while (lot->value != NULL && walk_next(&w, &space, &place))
        lot->value[lot->count++] = *piece_at(x, s, space, place);
}

static int result(const struct bine_hold_run *x) {
    return x->hold->failed ? -1 : 0;
}

int bine_hold_publish(void *run, int rank, uint32_t op) {
    struct bine_hold_run *x = run;
    const struct bine_schedule *s = bine_hold_schedule(x, rank);
    keep(x, s, s->op[op].runs, s->op[op].nruns, &x->lot[rank][op]);
    return result(x);
}

/* Set the pieces of an operation to values, or to the sums of them and its second list. */
static void put_all(struct bine_hold_run *x, const struct bine_schedule *s,
                    const struct bine_op *op, const struct bine_hold_lot *lot, int adds, int time) {
    struct walk w = walk_runs(s, op->runs, op->nruns), with = walk_runs(s, op->with, op->nwith);
    int space, place, space2, place2;
    for (uint32_t i = 0; i < lot->count && walk_next(&w, &space, &place); i++) {
        uint32_t value = lot->value[i];
        if (adds && walk_next(&with, &space2, &place2))
            value = join(x->hold, *piece_at(x, s, space2, place2), value);
        put(x, s, space, place, value, time);
    }
}

/* In an alltoall the bytes of a message are those of the blocks in it: slots do not tell. */
static void weigh(struct bine_hold_run *x, size_t message, const struct bine_schedule *s,
                  const struct bine_hold_lot *lot) {
    struct bine_block_bytes cut = bine_block_bytes_for(x->bytes, s);
    if (x->hold->carried == NULL)
        return;
    for (uint32_t i = 0; i < lot->count; i++)
        x->hold->carried[message] += bine_bytes_of_block(&cut, x->hold->value[lot->value[i]].block);
}

int bine_hold_deliver(void *run, uint32_t message, int time) {
    struct bine_hold_run *x = run;
    const struct bine_message *g = &x->hold->messages->message[message];
    const struct bine_schedule *a = bine_hold_schedule(x, g->rank[BINE_SENDER]),
                               *b = bine_hold_schedule(x, g->rank[BINE_RECEIVER]);
    const struct bine_op *send = &a->op[g->op[BINE_SENDER]], *recv = &b->op[g->op[BINE_RECEIVER]];
    struct bine_hold_lot *lot = &x->lot[b->rank][g->op[BINE_RECEIVER]];
    keep(x, a, send->runs, send->nruns, lot);
    if (x->hold->failed)
        return -1;
    weigh(x, message, a, lot);
    if (recv->kind != BINE_OP_RECV_REDUCE) /* otherwise at the end of its step */
        put_all(x, b, recv, lot, 0, time);
    return result(x);
}

/* The first block that is read, as `bine show` has it; -1 if it says none. */
static int first_read(const struct bine_schedule *s, uint32_t op) {
    struct bine_strand strand = {0, 1};
    struct bine_step step = {0, op, 1};
    struct bine_schedule one = *s;
    struct bine_table t = {.column = bine_show_columns, .columns = bine_show_columns_count};
    int block = -1;
    one.nstrands = one.nsteps = 1;
    one.strand = &strand;
    one.step = &step;
    if (bine_show_rows(&t, &one) == 0 && !t.failed)
        for (size_t i = 0; i + 1 < t.cells; i++)
            if (strcmp(t.cell[i], "board") == 0)
                block = atoi(t.cell[i + 1]);
    bine_table_free(&t);
    return block;
}

/* The value of a block among those of a list; 0: none. */
static uint32_t find_block(const struct bine_hold *h, const struct bine_hold_lot *from, int block) {
    for (uint32_t i = 0; i < from->count; i++)
        if (from->value[i] != 0 && h->value[from->value[i]].block == block)
            return from->value[i];
    return 0;
}

/* The values that go to the pieces of an operation: from number `at` on of a list or, if that is
 * -1, by the numbers of the blocks. */
static struct bine_hold_lot pick(struct bine_hold_run *x, const struct bine_schedule *s,
                                 const struct bine_op *op, const struct bine_hold_lot *from,
                                 int at) {
    struct bine_hold_lot lot = {
        malloc((bine_hold_count(s, op->runs, op->nruns) + 1) * sizeof *lot.value), 0};
    struct walk w = walk_runs(s, op->runs, op->nruns);
    int space, place;
    x->hold->failed |= lot.value == NULL;
    while (lot.value != NULL && walk_next(&w, &space, &place)) {
        uint32_t found = 0;
        if (at >= 0)
            found = (uint32_t)at < from->count ? from->value[at++] : 0;
        else if (s->space[space].arrangement != BINE_SLOTS)
            found = find_block(x->hold, from, bine_schedule_block(s, space, place));
        lot.value[lot.count++] = found;
    }
    return lot;
}

static void read_board(struct bine_hold_run *x, const struct bine_schedule *s, uint32_t op,
                       int time) {
    const struct bine_messages *m = x->hold->messages;
    const struct bine_publication *from = &m->publication[m->of_op[s->rank][op]];
    /* In an alltoall, blocks of a publication are numbered by their places in it. */
    int at = s->collective == BINE_ALLTOALL ? first_read(s, op) : -1;
    struct bine_hold_lot lot = pick(x, s, &s->op[op], &x->lot[from->rank][from->op], at);
    put_all(x, s, &s->op[op], &lot, s->op[op].nwith > 0, time);
    free(lot.value);
}

int bine_hold_finish(void *run, int rank, uint32_t number, int time) {
    struct bine_hold_run *x = run;
    const struct bine_schedule *s = bine_hold_schedule(x, rank);
    const struct bine_op *op = &s->op[number];
    struct bine_hold_lot now = {NULL, 0}, sorted = {NULL, 0};
    if (bine_op_reads(op)) {
        read_board(x, s, number, time);
    } else if (op->kind == BINE_OP_RECV_REDUCE) {
        put_all(x, s, op, &x->lot[rank][number], 1, time);
    } else if (op->kind == BINE_OP_COPY) {
        keep(x, s, op->with, op->nwith, &now);
        put_all(x, s, op, &now, 0, time);
    } else if (op->kind == BINE_OP_PERMUTE) {
        keep(x, s, op->with, op->nwith, &now);
        sorted = pick(x, s, op, &now, -1);
        put_all(x, s, op, &sorted, 0, time);
    } else if (op->kind == BINE_OP_REDUCE) {
        keep(x, s, op->runs, op->nruns, &now);
        put_all(x, s, op, &now, 1, time);
    }
    free(now.value);
    free(sorted.value);
    return result(x);
}
