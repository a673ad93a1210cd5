/* Exchanges of partial sums, which are no trees: recursive multiplying, and the recursive-doubling
 * reduce-scatter. Both join neighbouring runs of ranks in order, so they serve any operator. */
#include "base/numbers.h"
#include "pattern/bine_family.h"
#include "schedule/build/compose/compose.h"
#include "schedule/build/fold.h"

/* Recursive multiplying (Ruefenacht, Bull and Booth, Parallel Computing 2017): with p = k^s, at
 * step j the k ranks that differ in digit j exchange whole vectors and each adds up all k. For
 * other p the ranks are cut into k^s runs, as even as can be; the first of each run stands for it,
 * collecting before and handing out after.
 *
 * All k must add up in one order to get equal bits: the received vectors are kept in k
 * slots of tmp and added from the highest rank down. */
static void one(struct bine_schedule *s, enum bine_op_kind kind, enum bine_side side, int peer,
                int space, int place) {
    bine_schedule_op(s, kind, side, peer);
    bine_schedule_run(s, space, place, 1, 0);
}

static void keep_own(struct bine_schedule *s, int slot, int own) {
    one(s, BINE_OP_COPY, BINE_SIDE_ANY, -1, BINE_TMP, slot);
    bine_schedule_with(s, own, 0, 1);
}

/* Members that exchange with each other at a step, and the slot of each. */
struct row {
    struct bine_circle circle;
    int step;
    const struct bine_rounds *rounds; /* of the butterfly; NULL: the slots are the places */
};

static int row_slot(const struct row *y, int me, int place) {
    return y->rounds == NULL ? place : bine_round_slot(y->rounds, y->step, me, place);
}

static void multiply(struct bine_schedule *s, const struct bine_rank_runs *x, int time, int me,
                     const struct row *y, int own) {
    int k = y->circle.radix, place = y->circle.position;
    bine_schedule_step(s, time);
    for (int i = 1; i < k; i++) {
        int d = (place + k - i) % k;
        one(s, BINE_OP_RECV, BINE_SIDE_ANY,
            bine_run_first(x, bine_circle_member(&y->circle, me, d)), BINE_TMP, row_slot(y, me, d));
    }
    for (int i = 1; i < k; i++) {
        int d = (place + i) % k;
        one(s, BINE_OP_SEND, BINE_SIDE_ANY,
            bine_run_first(x, bine_circle_member(&y->circle, me, d)), own, 0);
    }
    keep_own(s, row_slot(y, me, place), own);
    bine_emit_slots_sum(s, k);
}

/* The first rank of a run collects from the others. */
static void collect(struct bine_schedule *s, int first, int count) {
    bine_schedule_step(s, 0);
    for (int i = 1; i < count; i++)
        one(s, BINE_OP_RECV, BINE_SIDE_ANY, first + i, BINE_TMP, i);
    keep_own(s, 0, BINE_IN);
    bine_emit_slots_sum(s, count);
}

/* The members that differ in one digit, whose unit is given. */
static struct row plain_row(int members, int me, int unit, int k) {
    return (struct row){{members, k, unit, me / unit % k}, 0, NULL};
}

/* Trivance (Jürss, Addanki and Schmid, 2026): a member has the sum of a window of the circle around
 * it, and joins it with those of the two windows beside it, which are as wide: of 3^s members all
 * have every sum once after s steps. Worked example, 9 members: 4 meets 3 and 5, then 1 and 7. */
static struct row window_row(int members, int unit, int k) {
    return (struct row){{members, k, unit, (k - 1) / 2}, 0, NULL};
}

/* Far-first: before its last steps a rank has one of few sums, and all add these up alike. */
static struct row butterfly_row(const struct bine_rounds *rounds, int me, int time) {
    int step = rounds->steps - 1 - time;
    return (struct row){bine_round_circle(rounds, step, me), step, rounds};
}

/* Among k^s members that differ in digits, whose windows are side by side, or on the base -k
 * butterfly (pattern/bine_family.h). */
static int multiply_all(struct bine_schedule *s, const struct bine_spec *spec,
                        const struct bine_rounds *rounds) {
    int k = spec->algorithm->radix, members = rounds->members, steps = rounds->steps, own = BINE_IN;
    enum bine_family tree = spec->algorithm->tree;
    struct bine_rank_runs x = bine_rank_runs_of(spec->p, members);
    int folded = members != spec->p, me = bine_run_of(&x, spec->rank),
        first = bine_run_first(&x, me), count = bine_run_first(&x, me + 1) - first;
    bine_schedule_space(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (spec->rank != first) {
        bine_schedule_step(s, 0);
        one(s, BINE_OP_SEND, BINE_SIDE_ANY, first, BINE_IN, 0);
        bine_schedule_step(s, s->times - 1);
        one(s, BINE_OP_RECV, BINE_SIDE_ANY, first, BINE_OUT, 0);
        return 0;
    }
    bine_schedule_space(s, BINE_TMP, bine_max(count, k), BINE_SLOTS, 0);
    if (count > 1) {
        collect(s, first, count);
        own = BINE_OUT;
    }
    for (int j = 0, unit = 1; j < steps; j++, unit *= k) {
        struct row y = tree == BINE_FAMILY_BINE_RADIX ? butterfly_row(rounds, me, j)
                       : tree == BINE_FAMILY_RING     ? window_row(members, unit, k)
                                                      : plain_row(members, me, unit, k);
        multiply(s, &x, folded + j, me, &y, own);
        own = BINE_OUT;
    }
    if (count > 1)
        bine_schedule_step(s, s->times - 1);
    for (int i = 1; i < count; i++)
        one(s, BINE_OP_SEND, BINE_SIDE_ANY, first + i, BINE_OUT, 0);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return 0;
}

int bine_compose_multiplying(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_rounds plain = {.radix = spec->algorithm->radix, .members = 1};
    plain.steps = bine_log_floor(spec->p, plain.radix);
    for (int i = 0; i < plain.steps; i++)
        plain.members *= plain.radix;
    return multiply_all(s, spec, &plain);
}

int bine_compose_multiplying_bine(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_rounds rounds = bine_rounds_of(spec->p, spec->algorithm->radix);
    return multiply_all(s, spec, &rounds);
}

/* Reduce-scatter by recursive doubling, powers of two (Thakur, Rabenseifner and Gropp, IJHPCA
 * 2005), as Open MPI and MPICH do it: after step i a rank has the sums over its aligned group of
 * 2^(i+1) ranks, of the blocks of its group of 2^i and of all blocks outside the group. At step i
 * it sends all blocks but the ones of its own group of 2^i: of the partner's group, more than is
 * needed. */
static void doubling_runs(struct bine_schedule *s, int space, int begin, int end, int with) {
    int bounds[2][2] = {{0, begin}, {end, s->p}};
    for (int i = 0; i < 2; i++) {
        int n = bounds[i][1] - bounds[i][0];
        if (with)
            bine_schedule_with(s, space, bounds[i][0], n);
        else
            bine_schedule_run(s, space, bounds[i][0], n, 1);
    }
}

int bine_compose_reduce_scatter_doubling(struct bine_schedule *s, const struct bine_spec *spec) {
    int p = spec->p, r = spec->rank, own = BINE_IN;
    bine_schedule_space(s, BINE_IN, p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_ONE, r);
    bine_schedule_space(s, BINE_TMP, p, BINE_NATURAL, 0);
    for (int unit = 1, time = 0; unit < p; unit *= 2, time++) {
        int q = r ^ unit, mine = r & -unit, other = q & -unit;
        bine_schedule_step(s, time);
        bine_schedule_op(s, BINE_OP_RECV_REDUCE, q > r ? BINE_SIDE_RIGHT : BINE_SIDE_LEFT, q);
        doubling_runs(s, BINE_TMP, other, other + unit, 0);
        doubling_runs(s, own, other, other + unit, 1);
        bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, q);
        doubling_runs(s, own, mine, mine + unit, 0);
        /* No rank sends or needs this block, but later steps add to it. */
        if (time == 0 && p > 2)
            bine_emit_copy(s, BINE_TMP, q, BINE_IN, q);
        own = BINE_TMP;
    }
    if (p > 1 || !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, own, r);
    return 0;
}
