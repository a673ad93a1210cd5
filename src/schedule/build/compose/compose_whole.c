/* Whole vectors: butterflies of partial sums, and reductions in strict rank order. */
#include "pattern/bine_family.h"
#include "schedule/build/compose/compose.h"
#include "schedule/build/fold.h"

static void send_whole(struct bine_schedule *s, int time, int peer, int space) {
    bine_schedule_step_at(s, time);
    bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, peer);
    bine_schedule_run(s, space, 0, 1, 0);
}

static void recv_whole(struct bine_schedule *s, int time, int peer, int space) {
    bine_schedule_step_at(s, time);
    bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, peer);
    bine_schedule_run(s, space, 0, 1, 0);
}

/* sums = own op received if the peer's ranks come after ours, received op own otherwise. */
static void reduce_whole(struct bine_schedule *s, int time, int peer, int sums, int own,
                         int peer_is_higher) {
    bine_schedule_step_at(s, time);
    bine_schedule_op(s, BINE_OP_RECV_REDUCE, peer_is_higher ? BINE_SIDE_RIGHT : BINE_SIDE_LEFT,
                     peer);
    bine_schedule_run(s, sums, 0, 1, 0);
    bine_schedule_with(s, own, 0, 1);
}

/* Folding: the even ranks of the pairs hand their vector to the odd one after them, and get the
 * result from it at the end. On a torus each dimension is folded by itself, one after the other.
 *
 * All ranks must end with equal bits, so they must add up in one order: after each step the
 * members whose sums agree must form groups that are joined pairwise, and both groups must agree
 * which operand is the left one. The hypercube does this in any order of steps: its groups are runs
 * of members. The Bine butterfly does it far-first only: near-first, at p = 8, rank 0 adds up 0, 1,
 * 6, 7 where rank 1 adds up 0, 1, 2, 3, and the algorithm's row says that bits may differ. Far-
 * first, d(0) - d(1) = p/2 modulo p, d(1) - d(2) = p/4, ...: after n steps the even members of a
 * group are those equal to some g modulo p / 2^(n-1), the odd ones those equal to g + d(n-1). The
 * group of the smaller g is the left operand. On a torus groups are products of those of each
 * dimension, and a step joins two that differ in one. */
static int group_of(int me, int steps_done, const int *d, int members) {
    if (steps_done == 0)
        return me;
    int even = me % 2 == 0 ? me : me - d[steps_done - 1];
    return even & ((members >> (steps_done - 1)) - 1);
}

/* One dimension of the butterfly: the partner at the dimension's own step j, and on which side. */
struct side_by_side {
    int hypercube, members, mirrored;
    int sorted; /* the groups of members are joined pairwise, as above */
    int d[BINE_MAX_STEPS];
};

static int meet(const struct side_by_side *x, int me, int j, int *is_higher) {
    int m = x->members, at = x->mirrored ? bine_mod_sub(0, me, m) : me;
    int partner = x->hypercube ? at ^ (1 << j) : bine_partner(at, x->d[j], m);
    *is_higher = x->hypercube || !x->sorted
                     ? partner > at
                     : group_of(partner, j, x->d, m) > group_of(at, j, x->d, m);
    return x->mirrored ? bine_mod_sub(0, partner, m) : partner;
}

/* The butterfly of a rank: all ranks in one dimension, or the ranks of the torus. */
struct butterfly {
    struct bine_torus torus, members; /* of the ranks; of the ranks that are not folded away */
    int folds, fold[BINE_DIMS_MOST];  /* dimensions that are no powers of two */
    int order, hypercube;
};

static struct butterfly butterfly_of(const struct bine_spec *spec) {
    struct bine_shape flat = {1, {spec->p}}, few;
    const struct bine_shape *all =
        bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_DIMS ? spec->dims : &flat;
    struct butterfly b = {.order = (int)spec->algorithm->order};
    b.hypercube = spec->algorithm->tree == BINE_FAMILY_HYPERCUBE ||
                  spec->algorithm->tree == BINE_FAMILY_TORUS_HYPERCUBE;
    few = *all;
    for (int k = 0; k < all->dims; k++) {
        few.size[k] = bine_fold_of(all->size[k], 1).members;
        if (few.size[k] != all->size[k])
            b.fold[b.folds++] = k;
    }
    b.torus = bine_torus_make(BINE_TORUS_BINE, all, spec->port);
    b.members = bine_torus_make(BINE_TORUS_BINE, &few, spec->port);
    return b;
}

/* The rank met at step n of the butterfly. */
static int butterfly_peer(const struct butterfly *b, int rank, int n, int *is_higher) {
    int far = b->order == BINE_FAR_FIRST;
    const struct bine_torus_step *step = &b->members.near[far ? b->members.steps - 1 - n : n];
    int k = step->dim, size = b->torus.shape.size[k];
    struct bine_fold f = bine_fold_of(size, 1);
    struct side_by_side x = {b->hypercube, f.members, bine_torus_mirrors(&b->torus, k), far, {0}};
    int steps = bine_distance_list(f.members, (enum bine_order)b->order, BINE_SCALED, x.d);
    int me = bine_fold_member(&f, bine_torus_coordinate(&b->torus, rank, k));
    int other = meet(&x, me, far ? steps - 1 - step->round : step->round, is_higher);
    return bine_torus_move(&b->torus, rank, k, bine_fold_rank(&f, other));
}

/* Folding in one dimension: the rank that this one hands its vector to (1), takes one from (-1), or
 * neither (0). */
static int folds(const struct butterfly *b, int rank, int k, int *peer) {
    struct bine_fold f = bine_fold_of(b->torus.shape.size[k], 1);
    int x = bine_torus_coordinate(&b->torus, rank, k);
    if (x >= 2 * f.extra)
        return 0;
    *peer = bine_torus_move(&b->torus, rank, k, x ^ 1);
    return bine_fold_stays(&f, x) ? -1 : 1;
}

int bine_compose_butterfly(struct bine_schedule *s, const struct bine_spec *spec) {
    struct butterfly b = butterfly_of(spec);
    int own = BINE_IN, peer, is_higher, steps = b.members.steps, end = 2 * b.folds + steps - 1, i,
        n;
    bine_schedule_space(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_NATURAL, 0);
    for (i = 0; i < b.folds; i++) {
        int side = folds(&b, spec->rank, b.fold[i], &peer);
        if (side > 0) { /* out of it until the result comes back */
            send_whole(s, i, peer, own);
            recv_whole(s, end - i, peer, BINE_OUT);
            break;
        }
        if (side < 0) {
            reduce_whole(s, i, peer, BINE_OUT, own, 0);
            own = BINE_OUT;
        }
    }
    for (n = 0; n < steps && i == b.folds; n++) {
        peer = butterfly_peer(&b, spec->rank, n, &is_higher);
        reduce_whole(s, b.folds + n, peer, BINE_OUT, own, is_higher);
        send_whole(s, b.folds + n, peer, own);
        own = BINE_OUT;
    }
    while (i-- > 0)
        if (folds(&b, spec->rank, b.fold[i], &peer) < 0)
            send_whole(s, end - i, peer, BINE_OUT);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return 0;
}

/* The split tree rooted at `top` = the number of ranks to its left covers 0..p-1 in order, and
 * every subtree is a run of ranks beside its parent's: sums always join neighbouring runs. Returns
 * -1 when out of memory. */
static int reduce_in_order(struct bine_schedule *s, const struct bine_spec *spec, int top, int sums,
                           struct bine_moves *m) {
    if (bine_moves_split_bcast(m, spec->p, BINE_SHIFT, spec->rank, top) != 0)
        return -1;
    int own = BINE_IN;
    for (uint32_t k = m->nmoves; k > 0; k--) {
        const struct bine_move *mv = &m->move[k - 1];
        int time = m->times - 1 - mv->time;
        if (mv->direction == BINE_FROM) {
            send_whole(s, time, mv->peer, own);
        } else {
            reduce_whole(s, time, mv->peer, sums, own, mv->peer > spec->rank);
            own = sums;
        }
    }
    return 0;
}

int bine_compose_reduce_ordered(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    int top = bine_split_left(spec->p), at_root = spec->rank == spec->root;
    /* The root may keep its sums in `out` unless the result comes from elsewhere and its own data
     * is there. */
    int sums = at_root && spec->root == top ? BINE_OUT : BINE_TMP;
    bine_schedule_space(s, BINE_IN, 1, BINE_NATURAL, 0);
    if (at_root)
        bine_schedule_space(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (reduce_in_order(s, spec, top, sums, &m) != 0)
        return -1;
    s->times = m.times + (top != spec->root);
    if (sums == BINE_TMP && (spec->rank == top || m.nmoves > 1))
        bine_schedule_space(s, BINE_TMP, 1, BINE_NATURAL, 0);
    if (top != spec->root && spec->rank == top)
        send_whole(s, m.times, spec->root, BINE_TMP);
    if (top != spec->root && at_root)
        recv_whole(s, m.times, top, BINE_OUT);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}

int bine_compose_allreduce_ordered(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    bine_schedule_space(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (reduce_in_order(s, spec, bine_split_left(spec->p), BINE_OUT, &m) != 0)
        return -1;
    bine_emit_forward(s, &m, m.times, (struct bine_store){BINE_OUT, 0});
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}

/* Everyone sends block b to rank b directly; rank b sums up what it got from 0, 1, ... in this
 * order. */
int bine_compose_reduce_scatter_ordered(struct bine_schedule *s, const struct bine_spec *spec) {
    int p = spec->p, r = spec->rank;
    bine_schedule_space(s, BINE_IN, p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_ONE, r);
    bine_schedule_space(s, BINE_TMP, p, BINE_SLOTS, r);
    bine_schedule_step(s, p > 1 ? 0 : -1);
    for (int i = 1; i < p; i++) {
        int from = bine_mod_sub(r, i, p);
        bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, from);
        bine_schedule_run(s, BINE_TMP, from, 1, 0);
    }
    for (int i = 1; i < p; i++) {
        int to = bine_mod_add(r, i, p);
        bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, to);
        bine_schedule_run(s, BINE_IN, to, 1, 0);
    }
    bine_emit_copy(s, BINE_TMP, r, BINE_IN, r);
    bine_emit_slots_sum(s, p);
    return 0;
}
