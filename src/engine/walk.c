#include "engine/walk.h"

#include "base/numbers.h"
#include "engine/local.h"
#include "schedule/copies.h"

/* MPI counts with int. */
#define MOST_AT_ONCE ((int64_t)1 << 30)
/* Bytes that are added up and copied to their place while they are in the cache. */
#define IN_CACHE 32768

/* A permutation touches everything. */
static int wait_for_data(struct bine_execution *x, const struct bine_code *c, const char *to,
                         const char *from) {
    size_t bytes = (size_t)(c->count * x->type.size);
    if (c->kind == BINE_CODE_PERMUTE)
        return bine_copy_in_need(&x->copy_in, x->copy_in.to, x->copy_in.bytes);
    int rc = bine_copy_in_need(&x->copy_in, to, bytes);
    int second = bine_copy_in_need(&x->copy_in, from, bytes);
    return rc != BINE_OK ? rc : second;
}

static void do_now(struct bine_op_walk *w, const struct bine_code *c) {
    struct bine_execution *x = w->x;
    char *to = bine_at(w->base[c->to], c->to_at), *from = bine_at(w->base[c->from], c->from_at);
    int rc = wait_for_data(x, c, to, from), on_device = x->on_device.device != NULL;
    bine_execution_note(x, rc);
    if (on_device && c->kind == BINE_CODE_COPY)
        rc = bine_on_device_copy(&x->on_device, to, from, c->count);
    else if (on_device && c->kind == BINE_CODE_REDUCE)
        rc = bine_on_device_reduce(&x->on_device, to, from, c->count);
    else if (c->kind == BINE_CODE_COPY)
        rc = bine_code_copy(x, to, from, c->count);
    else if (c->kind == BINE_CODE_REDUCE)
        rc = bine_type_reduce(&x->type, x->op, from, to, c->count);
    else
        rc = bine_code_permute(x, &x->plan->schedule->op[c->count]);
    bine_execution_note(x, rc);
}

struct bine_op_walk bine_op_walk_now(struct bine_execution *x,
                                     const struct bine_strand_state *strand) {
    struct bine_op_walk w = {.x = x, .take = do_now};
    w.chunk = x->type.size > 0 && x->on_device.device == NULL ? 1 + IN_CACHE / x->type.size
                                                              : MOST_AT_ONCE;
    bine_code_bases(x, strand, w.base);
    return w;
}

/* --- Places */

struct bine_location bine_location_of(const struct bine_execution *x, const struct bine_run *r,
                                      int64_t skip) {
    return (struct bine_location){r->space,
                                  bine_map_at(&x->map[r->space], r->first, skip, x->type.extent)};
}

struct bine_location bine_location_take(const struct bine_type *t, int base, size_t *used,
                                        int64_t n) {
    struct bine_location a = {base, (ptrdiff_t)*used + bine_type_shift(t, n)};
    *used += bine_type_room(t, n);
    return a;
}

/* Whether two places are one memory: in place, `in` and `out` are. */
static int is_same(const struct bine_execution *x, struct bine_location a, struct bine_location b) {
    if (a.base == b.base)
        return a.offset == b.offset;
    return a.base < BINE_SPACES && b.base < BINE_SPACES &&
           bine_at(x->map[a.base].base, a.offset) == bine_at(x->map[b.base].base, b.offset);
}

/* --- Instructions */

static void emit(struct bine_op_walk *w, enum bine_code_kind kind, struct bine_location to,
                 struct bine_location from, int64_t count) {
    struct bine_code c = {.kind = (uint8_t)kind,
                          .to = (uint8_t)to.base,
                          .from = (uint8_t)from.base,
                          .count = count,
                          .to_at = to.offset,
                          .from_at = from.offset};
    w->take(w, &c);
}

/* to = own op data, or data op own; data may be overwritten, and may be where the sum goes. */
static void emit_sum(struct bine_op_walk *w, struct bine_location to, struct bine_location own,
                     struct bine_location data, int64_t n, int side) {
    if (is_same(w->x, data, to)) {
        emit(w, BINE_CODE_REDUCE, to, own, n);
    } else if (side == BINE_SIDE_RIGHT || (side == BINE_SIDE_ANY && !is_same(w->x, own, to))) {
        emit(w, BINE_CODE_REDUCE, data, own, n);
        emit(w, BINE_CODE_COPY, to, data, n);
    } else {
        if (!is_same(w->x, own, to))
            emit(w, BINE_CODE_COPY, to, own, n);
        emit(w, BINE_CODE_REDUCE, to, data, n);
    }
}

/* --- Lists of runs */

/* How far a walk over a list has come. */
struct cursor {
    const struct bine_run *run;
    int64_t skip;
};

/* The elements that lie together from there. */
static int64_t ahead(const struct bine_execution *x, struct cursor *at) {
    int64_t n;
    while ((n = bine_elements_of_run(x, at->run) - at->skip) == 0) {
        at->run++;
        at->skip = 0;
    }
    return n;
}

/* The elements of an operation's runs, from (pack: to) one place where they lie together. */
static void walk_one(struct bine_op_walk *w, const struct bine_op *op,
                     const struct bine_op_part *part, struct bine_location together, int pack) {
    struct cursor at = {&w->x->plan->schedule->run[op->runs + part->run], part->run_done};
    for (int64_t left = part->count, n; left > 0; left -= n) {
        n = bine_min(left, ahead(w->x, &at));
        struct bine_location there = bine_location_of(w->x, at.run, at.skip);
        emit(w, BINE_CODE_COPY, pack ? together : there, pack ? there : together, n);
        together = bine_location_beyond(w->x, together, n);
        at.skip += n;
    }
}

/* Both lists of an operation side by side, and the received data. */
static void walk_both(struct bine_op_walk *w, const struct bine_op *op,
                      const struct bine_op_part *part, const struct bine_location *aside) {
    const struct bine_run *runs = w->x->plan->schedule->run;
    struct cursor to = {&runs[op->runs + part->run], part->run_done},
                  with = {&runs[op->with + part->with], part->with_done};
    int64_t most = aside != NULL ? w->chunk : MOST_AT_ONCE, done = 0;
    for (int64_t left = part->count, n; left > 0; left -= n) {
        n = bine_min(bine_min(left, most), bine_min(ahead(w->x, &to), ahead(w->x, &with)));
        struct bine_location a = bine_location_of(w->x, to.run, to.skip),
                             b = bine_location_of(w->x, with.run, with.skip);
        if (op->kind == BINE_OP_RECV_REDUCE)
            emit_sum(w, a, b, aside != NULL ? bine_location_beyond(w->x, *aside, done) : a, n,
                     op->side);
        else if (op->kind == BINE_OP_REDUCE)
            emit(w, BINE_CODE_REDUCE, a, b, n);
        else if (!is_same(w->x, a, b))
            emit(w, BINE_CODE_COPY, a, b, n);
        to.skip += n;
        with.skip += n;
        done += n;
    }
}

/* --- The kinds of operations */

static void use_nothing(struct bine_op_walk *w, const struct bine_op *op,
                        const struct bine_op_part *part, const struct bine_location *aside) {
    (void)w;
    (void)op;
    (void)part;
    (void)aside;
}

static void use_received(struct bine_op_walk *w, const struct bine_op *op,
                         const struct bine_op_part *part, const struct bine_location *aside) {
    if (aside != NULL)
        walk_one(w, op, part, *aside, 0);
}

static void use_permutation(struct bine_op_walk *w, const struct bine_op *op,
                            const struct bine_op_part *part, const struct bine_location *aside) {
    static const struct bine_location none = {0, 0};
    (void)part;
    (void)aside;
    emit(w, BINE_CODE_PERMUTE, none, none, op - w->x->plan->schedule->op);
}

static const struct {
    void (*use)(struct bine_op_walk *w, const struct bine_op *op, const struct bine_op_part *part,
                const struct bine_location *aside);
} kinds[BINE_OP_KINDS] = {
    [BINE_OP_SEND] = {use_nothing},        [BINE_OP_RECV] = {use_received},
    [BINE_OP_RECV_REDUCE] = {walk_both},   [BINE_OP_COPY] = {walk_both},
    [BINE_OP_PERMUTE] = {use_permutation}, [BINE_OP_REDUCE] = {walk_both},
    [BINE_OP_PUBLISH] = {use_nothing},     [BINE_OP_EXPOSE] = {use_nothing}, /* see boards.h */
    [BINE_OP_READ] = {use_nothing},        [BINE_OP_READ_REDUCE] = {use_nothing},
};

struct bine_manner bine_manner_of(const struct bine_plan *plan, const struct bine_op *op) {
    int packed = op->nruns > 1 && plan->schedule->layout == BINE_PACK;
    int direct = (plan->flags[op - plan->schedule->op] & BINE_OP_DIRECT) != 0;
    return (struct bine_manner){packed, op->kind == BINE_OP_RECV_REDUCE ? !direct : packed};
}

static struct bine_op_part all_of(const struct bine_execution *x, const struct bine_op *op) {
    return (struct bine_op_part){.count = bine_elements_of_op(x, op)};
}

void bine_op_walk_pack(struct bine_op_walk *w, const struct bine_op *op,
                       struct bine_location aside) {
    struct bine_op_part all = all_of(w->x, op);
    walk_one(w, op, &all, aside, 1);
}

void bine_op_walk_unpack(struct bine_op_walk *w, const struct bine_op *op,
                         struct bine_location aside) {
    struct bine_op_part all = all_of(w->x, op);
    walk_one(w, op, &all, aside, 0);
}

void bine_op_walk_use(struct bine_op_walk *w, const struct bine_op *op,
                      const struct bine_op_part *part, const struct bine_location *aside) {
    kinds[op->kind].use(w, op, part, aside);
}

void bine_op_walk_use_all(struct bine_op_walk *w, const struct bine_op *op,
                          const struct bine_location *aside) {
    struct bine_op_part all = all_of(w->x, op);
    kinds[op->kind].use(w, op, &all, aside);
}

void bine_op_walk_local(struct bine_op_walk *w, const struct bine_step *step) {
    const struct bine_op *op = w->x->plan->schedule->op + step->ops;
    for (uint32_t i = 0; i < step->nops; i++)
        if (!bine_op_is_message(&op[i]))
            bine_op_walk_use_all(w, &op[i], NULL);
}

int64_t bine_elements_of_op(const struct bine_execution *x, const struct bine_op *op) {
    const struct bine_run *r = &x->plan->schedule->run[op->runs];
    int64_t n = 0;
    for (uint32_t i = 0; i < op->nruns; i++)
        n += bine_elements_of_run(x, &r[i]);
    return n;
}

int64_t bine_execution_copied(const struct bine_execution *x) {
    const struct bine_schedule *s = x->plan->schedule;
    int64_t sum = 0;
    for (uint32_t k = 0; k < s->nops; k++)
        sum += bine_op_copies(s, &s->op[k]) ? bine_elements_of_op(x, &s->op[k]) : 0;
    return sum * x->type.size;
}
