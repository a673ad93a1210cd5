#include "engine/code.h"

#include "engine/walk.h"

#include <limits.h>

struct writer {
    struct bine_op_walk walk;
    struct bine_code *last;      /* the last message of the step, or NULL */
    int messages;                /* of the step */
    size_t scratch_used, staged; /* bytes */
};

static void write_down(struct bine_op_walk *w, const struct bine_code *c) {
    *w->next++ = *c;
}

static void write_message(struct writer *w, const struct bine_op *op, struct bine_location a,
                          int64_t n) {
    struct bine_code c = {.kind = op->kind == BINE_OP_SEND ? BINE_CODE_ISEND : BINE_CODE_IRECV,
                          .to = (uint8_t)a.base,
                          .from = (uint8_t)a.base,
                          .peer = op->peer,
                          .count = n,
                          .to_at = a.offset,
                          .from_at = a.offset};
    w->last = w->walk.next;
    w->messages++;
    write_down(&w->walk, &c);
}

/* Take memory for an operation's data that lies aside. */
static struct bine_location take_aside(struct writer *w, const struct bine_op *op, int64_t total) {
    int send = op->kind == BINE_OP_SEND;
    return bine_location_take(&w->walk.x->type, send ? BINE_BASE_STAGING : BINE_BASE_SCRATCH,
                              send ? &w->staged : &w->scratch_used, total);
}

static void write_transfers(struct writer *w, const struct bine_op *op) {
    struct bine_execution *x = w->walk.x;
    struct bine_manner how = bine_manner_of(x->plan, op);
    const struct bine_run *r = &x->plan->schedule->run[op->runs];
    int64_t total = bine_elements_of_op(x, op);
    struct bine_location aside = {0, 0};
    if (how.aside)
        aside = take_aside(w, op, total);
    if (how.aside && op->kind == BINE_OP_SEND)
        bine_op_walk_pack(&w->walk, op, aside);
    if (how.packed) {
        if (total > 0)
            write_message(w, op, aside, total);
        return;
    }
    if (bine_op_is_signal(op))
        write_message(w, op, (struct bine_location){BINE_BASE_SCRATCH, 0}, 0);
    for (uint32_t i = 0; i < op->nruns; i++) {
        int64_t n = bine_elements_of_run(x, &r[i]);
        if (n > 0) /* nothing to transfer: dropped at both ends */
            write_message(w, op, how.aside ? aside : bine_location_of(x, &r[i], 0), n);
        aside = bine_location_beyond(x, aside, n);
    }
}

/* Write the operation's use of its received message. */
static void write_use(struct writer *w, const struct bine_op *op) {
    struct bine_execution *x = w->walk.x;
    struct bine_location aside;
    int is_aside = bine_manner_of(x->plan, op).aside;
    if (is_aside)
        aside = take_aside(w, op, bine_elements_of_op(x, op));
    bine_op_walk_use_all(&w->walk, op, is_aside ? &aside : NULL);
}

static void write_plain(struct writer *w, enum bine_code_kind kind) {
    write_down(&w->walk, &(struct bine_code){.kind = (uint8_t)kind});
}

/* Wait for all messages of the step. The last one is made to block instead of being posted. */
static void write_wait(struct writer *w) {
    if (w->messages > 0)
        w->last->kind = w->last->kind == BINE_CODE_ISEND ? BINE_CODE_SEND : BINE_CODE_RECV;
    if (w->messages > 1)
        write_plain(w, BINE_CODE_WAIT);
    w->messages = 0;
}

static void write_step(struct writer *w, const struct bine_step *step) {
    const struct bine_op *op = w->walk.x->plan->schedule->op + step->ops, *end = op + step->nops;
    w->scratch_used = w->staged = 0;
    for (const struct bine_op *o = op; o < end; o++)
        if (bine_op_is_message(o))
            write_transfers(w, o);
    write_wait(w);
    w->scratch_used = w->staged = 0;
    for (const struct bine_op *o = op; o < end; o++)
        if (bine_op_is_message(o))
            write_use(w, o);
    bine_op_walk_local(&w->walk, step);
}

static void write_code(struct bine_execution *x) {
    const struct bine_schedule *s = x->plan->schedule;
    struct writer w = {
        .walk = {.x = x, .take = write_down, .chunk = INT_MAX, .next = x->plan->cache->code}};
    if (s->boards)
        bine_code_write_boards(&w.walk);
    for (uint32_t i = 0; i < s->strand->nsteps && !s->boards; i++)
        write_step(&w, &s->step[s->strand->steps + i]);
    write_plain(&w, BINE_CODE_END);
}

void bine_code_make(struct bine_execution *x) {
    struct bine_code_cache *c = x->plan->cache;
    const struct bine_map *m = &x->map[BINE_IN]; /* all are cut alike, or there are tables */
    int tables = m->table != NULL || x->map[BINE_TMP].table != NULL;
    x->code = c->code;
    x->written = c->written;
    x->executor = c->executor;
    const struct bine_type *t = &x->type;
    if (c->valid && !tables && c->block == m->block && c->extra == m->extra &&
        c->extent == t->extent && c->true_lb == t->true_lb && c->true_extent == t->true_extent)
        return;
    if (atomic_load(&c->held) > 0) {
        x->code = NULL;
        x->executor = &bine_by_steps;
        return;
    }
    x->written = ++c->written;
    write_code(x);
    x->executor = c->executor = x->plan->schedule->boards ? &bine_by_board_code : &bine_by_code;
    c->valid = !tables;
    c->block = m->block;
    c->extra = m->extra;
    c->extent = t->extent;
    c->true_lb = t->true_lb;
    c->true_extent = t->true_extent;
}
