#include "engine/code.h"

/* Larger schedules go step by step: writing them out would cost more memory than it saves time. */
#define MOST_RUNS 1024

size_t bine_code_room(const struct bine_plan *plan) {
    const struct bine_schedule *s = plan->schedule;
    if (s->nstrands != 1 || s->nruns > MOST_RUNS || s->boards)
        return 0;
    /* A run may be packed or received, then copied and added up; a step waits once. */
    return 3 * (size_t)s->nruns + s->nops + s->nsteps + 1;
}

struct writer {
    struct bine_run_state *run;
    struct bine_code *at;        /* the next instruction */
    struct bine_code *last;      /* the last message of the step, or NULL */
    int messages;                /* of the step */
    size_t scratch_used, staged; /* bytes */
};

/* A place in memory: a base and bytes from there. */
struct place {
    int base;
    ptrdiff_t offset;
};

static struct place place_of(const struct bine_run_state *run, const struct bine_run *r,
                             int64_t skip) {
    return (struct place){r->space,
                          bine_map_at(&run->map[r->space], r->first, skip, run->type.extent)};
}

/* So many elements on. */
static struct place beyond(const struct writer *w, struct place x, int64_t n) {
    return (struct place){x.base, x.offset + n * w->run->type.extent};
}

/* Where n elements may lie beside others in scratch or staging memory; moves on. */
static struct place take(const struct writer *w, int base, size_t *used, int64_t n) {
    const struct bine_type *t = &w->run->type;
    struct place x = {base, (ptrdiff_t)*used + bine_type_shift(t, n)};
    *used += bine_type_room(t, n);
    return x;
}

static void write(struct writer *w, enum bine_code_kind kind, struct place to, struct place from,
                  int64_t count) {
    *w->at++ = (struct bine_code){.kind = (uint8_t)kind,
                                  .to = (uint8_t)to.base,
                                  .from = (uint8_t)from.base,
                                  .count = count,
                                  .to_at = to.offset,
                                  .from_at = from.offset};
}

static void write_message(struct writer *w, const struct bine_op *op, struct place x, int64_t n) {
    w->last = w->at;
    w->messages++;
    write(w, op->kind == BINE_OP_SEND ? BINE_CODE_ISEND : BINE_CODE_IRECV, x, x, n);
    w->last->peer = op->peer;
}

/* Whether two places are the same memory: in place, `in` and `out` are. */
static int is_same(const struct bine_run_state *run, struct place a, struct place b) {
    if (a.base == b.base)
        return a.offset == b.offset;
    return a.base < BINE_SPACES && b.base < BINE_SPACES &&
           bine_at(run->map[a.base].base, a.offset) == bine_at(run->map[b.base].base, b.offset);
}

/* to = own op data, or data op own; data may be overwritten, and may be where the sum goes. */
static void write_sum(struct writer *w, struct place to, struct place own, struct place data,
                      int64_t n, int side) {
    if (is_same(w->run, data, to)) {
        write(w, BINE_CODE_REDUCE, to, own, n);
    } else if (side == BINE_SIDE_RIGHT || (side == BINE_SIDE_ANY && !is_same(w->run, own, to))) {
        write(w, BINE_CODE_REDUCE, data, own, n);
        write(w, BINE_CODE_COPY, to, data, n);
    } else {
        if (!is_same(w->run, own, to))
            write(w, BINE_CODE_COPY, to, own, n);
        write(w, BINE_CODE_REDUCE, to, data, n);
    }
}

/* Walks over the elements of a list of runs, as far as they lie together. */
struct walk {
    const struct bine_run *at;
    int64_t skip;
};

static int64_t walk_length(const struct bine_run_state *run, struct walk *x) {
    int64_t n;
    while ((n = bine_run_run_elements(run, x->at) - x->skip) == 0) {
        x->at++;
        x->skip = 0;
    }
    return n;
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* The elements of an operation's runs from (or to) one place where they lie together. */
static void write_copies(struct writer *w, const struct bine_op *op, struct place together,
                         int pack) {
    struct walk x = {&w->run->plan->schedule->run[op->runs], 0};
    for (int64_t left = bine_run_elements(w->run, op), n; left > 0; left -= n) {
        n = walk_length(w->run, &x);
        struct place there = place_of(w->run, x.at, 0);
        write(w, BINE_CODE_COPY, pack ? together : there, pack ? there : together, n);
        together = beyond(w, together, n);
        x.skip += n;
    }
}

/* Both lists of an operation side by side: sums with what was received at `data`, or (NULL) where
 * they go themselves; or copies. */
static void write_pairs(struct writer *w, const struct bine_op *op, const struct place *data) {
    const struct bine_run *runs = w->run->plan->schedule->run;
    struct walk to = {&runs[op->runs], 0}, with = {&runs[op->with], 0};
    int64_t done = 0;
    for (int64_t left = bine_run_elements(w->run, op), n; left > 0; left -= n) {
        n = least(walk_length(w->run, &to), walk_length(w->run, &with));
        struct place a = place_of(w->run, to.at, to.skip), b = place_of(w->run, with.at, with.skip);
        if (op->kind == BINE_OP_COPY && !is_same(w->run, a, b))
            write(w, BINE_CODE_COPY, a, b, n);
        else if (op->kind == BINE_OP_REDUCE)
            write(w, BINE_CODE_REDUCE, a, b, n);
        else if (op->kind == BINE_OP_RECV_REDUCE)
            write_sum(w, a, b, data != NULL ? beyond(w, *data, done) : a, n, op->side);
        to.skip += n;
        with.skip += n;
        done += n;
    }
}

/* How an operation's data goes: `packed`, all its runs in one transfer; `aside`, received elsewhere
 * than in its places. */
struct manner {
    int packed, aside;
};

static struct manner manner_of(const struct bine_plan *plan, const struct bine_op *op) {
    int packed = op->nruns > 1 && plan->schedule->layout == BINE_PACK;
    int direct = (plan->flags[op - plan->schedule->op] & BINE_OP_DIRECT) != 0;
    int reduces = op->kind == BINE_OP_RECV_REDUCE;
    return (struct manner){packed, reduces ? !direct : packed && op->kind == BINE_OP_RECV};
}

static void write_transfers(struct writer *w, const struct bine_op *op) {
    struct manner how = manner_of(w->run->plan, op);
    const struct bine_run *r = &w->run->plan->schedule->run[op->runs];
    int64_t total = bine_run_elements(w->run, op);
    struct place aside = {BINE_BASE_SCRATCH, 0};
    if (how.aside)
        aside = take(w, BINE_BASE_SCRATCH, &w->scratch_used, total);
    if (how.packed && op->kind == BINE_OP_SEND) {
        aside = take(w, BINE_BASE_STAGING, &w->staged, total);
        write_copies(w, op, aside, 1);
    }
    if (how.packed) {
        if (total > 0)
            write_message(w, op, aside, total);
        return;
    }
    for (uint32_t i = 0; i < op->nruns; i++) {
        int64_t n = bine_run_run_elements(w->run, &r[i]);
        if (n > 0) /* nothing to transfer: dropped at both ends */
            write_message(w, op, how.aside ? aside : place_of(w->run, &r[i], 0), n);
        aside = beyond(w, aside, n);
    }
}

/* What is done with a message that has come. */
static void write_use(struct writer *w, const struct bine_op *op) {
    struct manner how = manner_of(w->run->plan, op);
    struct place aside = {BINE_BASE_SCRATCH, 0};
    if (how.aside)
        aside = take(w, BINE_BASE_SCRATCH, &w->scratch_used, bine_run_elements(w->run, op));
    if (op->kind == BINE_OP_RECV_REDUCE)
        write_pairs(w, op, how.aside ? &aside : NULL);
    else if (how.aside)
        write_copies(w, op, aside, 0);
}

/* All messages are posted; the last one need not be. */
static void write_wait(struct writer *w) {
    static const struct place none = {0, 0};
    if (w->messages > 0)
        w->last->kind = w->last->kind == BINE_CODE_ISEND ? BINE_CODE_SEND : BINE_CODE_RECV;
    if (w->messages > 1)
        write(w, BINE_CODE_WAIT, none, none, w->messages - 1);
    w->messages = 0;
}

static void write_local(struct writer *w, const struct bine_op *op) {
    static const struct place none = {0, 0};
    if (op->kind == BINE_OP_PERMUTE)
        write(w, BINE_CODE_LOCAL, none, none, op - w->run->plan->schedule->op);
    else
        write_pairs(w, op, NULL);
}

static void write_step(struct writer *w, const struct bine_step *step) {
    const struct bine_op *op = w->run->plan->schedule->op + step->ops, *end = op + step->nops, *o;
    w->scratch_used = w->staged = 0;
    for (o = op; o < end; o++)
        if (bine_op_is_message(o))
            write_transfers(w, o);
    write_wait(w);
    w->scratch_used = 0;
    for (o = op; o < end; o++)
        if (bine_op_is_message(o))
            write_use(w, o);
    for (o = op; o < end; o++)
        if (!bine_op_is_message(o))
            write_local(w, o);
}

static void write_code(struct bine_run_state *run) {
    const struct bine_schedule *s = run->plan->schedule;
    static const struct place none = {0, 0};
    struct writer w = {.run = run, .at = run->plan->cache->code};
    for (uint32_t i = 0; i < s->strand->nsteps; i++)
        write_step(&w, &s->step[s->strand->steps + i]);
    write(&w, BINE_CODE_END, none, none, 0);
}

void bine_code_make(struct bine_run_state *run) {
    struct bine_code_cache *c = run->plan->cache;
    const struct bine_map *m = &run->map[BINE_IN]; /* all are cut alike, or there are tables */
    int tables = m->table != NULL || run->map[BINE_TMP].table != NULL;
    run->code = c->code;
    const struct bine_type *t = &run->type;
    if (c->valid && !tables && c->block == m->block && c->extra == m->extra &&
        c->extent == t->extent && c->true_lb == t->true_lb && c->true_extent == t->true_extent)
        return;
    write_code(run);
    c->valid = !tables;
    c->block = m->block;
    c->extra = m->extra;
    c->extent = t->extent;
    c->true_lb = t->true_lb;
    c->true_extent = t->true_extent;
}
