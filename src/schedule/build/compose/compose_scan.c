/* Scan and exscan: sums over the ranks up to the own one, or before it. Any operator: what is
 * received is always of the ranks just before those that the own sum is over, and is the left
 * operand.
 *
 *     doubling  step j: to the rank 2^j further on, the sum over the last 2^j ranks
 *     chain     to the next rank, the sum over all ranks so far
 *     groups    ranks of a group that follow each other (a stretch) by doubling; the last ones of
 *               all stretches by doubling, each with the sum of its own; then what comes before a
 *               stretch goes from its last rank to the others, along a binomial tree
 *
 * A rank has two sums: `whole` is over the ranks that it has heard of and itself, and is what it
 * sends; `before` is without itself, or, between stretches, without its own one. A scan wants the
 * first, an exscan the second. */
#include "base/numbers.h"
#include "schedule/build/compose/compose.h"

#include <stdlib.h>

/* Slots of tmp. */
enum { WHOLE, BEFORE, RECEIVED, SLOTS };

struct place {
    int space, slot;
};

struct scan {
    struct bine_schedule *s;
    int exclusive;
    struct place whole, before;
    int has_before; /* something was received into it */
    int keeps;      /* `before` is wanted */
    int apart;      /* what is received is added when all of the step is through: on boards it is
                       there before messages are sent */
};

static const struct place out = {BINE_OUT, 0}, received = {BINE_TMP, RECEIVED};

static void put(struct bine_schedule *s, enum bine_op_kind kind, enum bine_side side, int peer,
                struct place at) {
    bine_schedule_op(s, kind, side, peer);
    bine_schedule_run(s, at.space, at.slot, 1, 0);
}

static void send(struct scan *x, int time, int peer, struct place from) {
    bine_schedule_step_at(x->s, time);
    put(x->s, BINE_OP_SEND, BINE_SIDE_ANY, peer, from);
}

static void receive(struct scan *x, int time, int peer, struct place to) {
    bine_schedule_step_at(x->s, time);
    put(x->s, BINE_OP_RECV, BINE_SIDE_ANY, peer, to);
}

/* A sum that is received and added to the whole at once. */
static void receive_sum(struct scan *x, int time, int peer) {
    if (x->apart) {
        receive(x, time, peer, received);
        return;
    }
    bine_schedule_step_at(x->s, time);
    put(x->s, BINE_OP_RECV_REDUCE, BINE_SIDE_LEFT, peer, x->whole);
    bine_schedule_with(x->s, x->whole.space, x->whole.slot, 1);
}

/* to = more op to, in the step that is open. */
static void add(struct scan *x, struct place to, struct place more) {
    put(x->s, BINE_OP_REDUCE, BINE_SIDE_LEFT, -1, to);
    bine_schedule_with(x->s, more.space, more.slot, 1);
}

static void copy(struct scan *x, struct place to, struct place from) {
    bine_emit_copy(x->s, to.space, to.slot, from.space, from.slot);
}

/* One step of doubling: from `left` (or -1), to `right` (or -1). The message is the sum as it was;
 * `last`: nothing is sent later. */
static void double_once(struct scan *x, int time, int left, int right, int last) {
    struct place from = x->has_before ? received : x->before;
    if (left >= 0 && x->keeps)
        receive(x, time, left, from);
    else if (left >= 0)
        receive_sum(x, time, left);
    if (right >= 0)
        send(x, time, right, x->whole);
    if (left >= 0 && !x->keeps && x->apart)
        add(x, x->whole, received);
    if (left >= 0 && x->keeps && x->has_before)
        add(x, x->before, received);
    if (left >= 0 && x->keeps && (!last || !x->exclusive))
        add(x, x->whole, from);
    x->has_before |= left >= 0;
}

/* Doubling over n ranks, of which this is number `me`: those from `first` on, or as `at` says. */
static void double_over(struct scan *x, int time, int me, int n, const int32_t *at, int first,
                        int last) {
    for (int unit = 1; unit < n; unit *= 2, time++) {
        int left = me - unit, right = me + unit;
        left = left < 0 ? -1 : at != NULL ? at[left] : first + left;
        right = right >= n ? -1 : at != NULL ? at[right] : first + right;
        if (left >= 0 || right >= 0)
            double_once(x, time, left, right, last && me + 2 * unit >= n);
    }
}

/* The caller's buffers, and the first sum: the own vector. A scan adds it up in `out`,
 * an exscan in tmp. */
static struct scan begin(struct bine_schedule *s, const struct bine_spec *spec) {
    int exclusive = s->collective == BINE_EXSCAN, none = exclusive && spec->rank == 0;
    struct scan x = {.s = s, .exclusive = exclusive, .keeps = exclusive, .before = out};
    x.whole = exclusive ? (struct place){BINE_TMP, WHOLE} : out;
    bine_schedule_space(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, !none, BINE_NATURAL, 0);
    if (spec->p == 1 && exclusive)
        return x;
    bine_schedule_space(s, BINE_TMP, spec->p > 1 ? SLOTS : 0, BINE_SLOTS, 0);
    if (exclusive || !spec->in_place)
        copy(&x, x.whole, (struct place){BINE_IN, 0});
    return x;
}

int bine_compose_scan_doubling(struct bine_schedule *s, const struct bine_spec *spec) {
    struct scan x = begin(s, spec);
    double_over(&x, 0, spec->rank, spec->p, NULL, 0, 1);
    return 0;
}

int bine_compose_scan_chain(struct bine_schedule *s, const struct bine_spec *spec) {
    struct scan x = begin(s, spec);
    int r = spec->rank, last = r + 1 == spec->p;
    if (r > 0 && !x.exclusive) {
        receive_sum(&x, r - 1, r - 1);
    } else if (r > 0) {
        receive(&x, r - 1, r - 1, out);
        if (!last)
            add(&x, x.whole, out);
    }
    if (!last)
        send(&x, r, r + 1, x.whole);
    return 0;
}

/* --- Groups */

struct stretches {
    int32_t *last;        /* the last rank of each */
    int count, mine;      /* how many there are; the own one */
    int first, size;      /* of the own one */
    int largest, deepest; /* sizes: of all; of all but the first */
};

static int find_stretches(struct stretches *t, const struct bine_spec *spec) {
    const int32_t *set = spec->groups->level[spec->groups->levels > 2 ? 1 : 0].set_of;
    int alone = spec->groups->levels <= 2, first = 0;
    *t = (struct stretches){.last = malloc((size_t)spec->p * sizeof *t->last)};
    for (int r = 0; r < spec->p && t->last != NULL; r++) {
        if (r + 1 < spec->p && !alone && set[r + 1] == set[r])
            continue;
        int size = r + 1 - first;
        if (spec->rank >= first && spec->rank <= r) {
            t->mine = t->count;
            t->first = first;
            t->size = size;
        }
        t->largest = bine_max(size, t->largest);
        if (t->count > 0)
            t->deepest = bine_max(size, t->deepest);
        t->last[t->count++] = r;
        first = r + 1;
    }
    return t->last == NULL ? -1 : 0;
}

/* The sum before the own stretch, at its last rank: `before` becomes a sum of its own. */
static void scan_across(struct scan *x, const struct stretches *t, int time) {
    int within = x->has_before; /* `out` of an exscan holds the sum before it in its stretch */
    x->before = within || !x->exclusive ? (struct place){BINE_TMP, BEFORE} : out;
    x->has_before = 0;
    x->keeps = x->exclusive || t->size > 1;
    double_over(x, time, t->mine, t->count, t->last, 0, 1);
    if (x->exclusive && within && x->has_before)
        add(x, out, x->before);
}

/* From the last rank of the stretch, which is number 0 of the tree, to the others. */
static void spread(struct scan *x, const struct stretches *t, int rank, int time) {
    int me = t->first + t->size - 1 - rank, step = 0;
    struct place from = x->before, to = {BINE_TMP, BEFORE};
    if (t->mine == 0)
        return;
    if (me > 0) { /* the first rank of a stretch has nothing before it there */
        step = bine_log_floor(me, 2);
        from = x->exclusive && !x->has_before ? out : to;
        receive(x, time + step, rank + (1 << step), from);
        if (from.space != BINE_OUT)
            add(x, out, from);
        step++;
    }
    for (; me + (1 << step) < t->size; step++)
        send(x, time + step, rank - (1 << step), from);
}

int bine_compose_scan_groups(struct bine_schedule *s, const struct bine_spec *spec) {
    struct stretches t;
    if (find_stretches(&t, spec) != 0)
        return -1;
    struct scan x = begin(s, spec);
    x.apart = 1;
    int inside = bine_log2_ceil(t.largest), across = bine_log2_ceil(t.count),
        down = t.deepest > 1 ? bine_log2_ceil(t.deepest) : 0;
    int at_end = spec->rank == t.last[t.mine];
    s->times = inside + across + down;
    double_over(&x, 0, spec->rank - t.first, t.size, NULL, t.first, !at_end);
    if (at_end)
        scan_across(&x, &t, inside);
    spread(&x, &t, spec->rank, inside + across);
    free(t.last);
    return 0;
}
