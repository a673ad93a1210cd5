/* Whole vectors: butterflies of partial sums, and reductions in strict rank order. */
#include "pattern/bine.h"
#include "pattern/negabinary.h"
#include "schedule/compose.h"

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

/* Folding, as Open MPI and MPICH do it: of the first 2 e ranks, e = p - 2^k, the even ones hand
 * their vector to the odd one after them, and get the result from it at the end. The others, in
 * order, are members 0..2^k-1 of the butterfly; a member stands for ranks in order. */
static int member_rank(int i, int extra) {
    return i < extra ? 2 * i + 1 : i + extra;
}

/* All ranks must end with the same bits, so they must add up in the same order: after each step the
 * members whose sums agree must form groups that are joined pairwise, and both groups must agree
 * which operand is the left one. The hypercube does this in any order of steps: its groups are runs
 * of members. The Bine butterfly does it far-first only (near-first, at p = 8, rank 0 would add up
 * 0, 1, 6, 7 where rank 1 adds up 0, 1, 2, 3). Far-first, d(0) - d(1) = p/2 modulo p, d(1) - d(2) =
 * p/4, ...: after n steps the even members of a group are those equal to some g modulo p / 2^(n-1),
 * the odd ones those equal to g + d(n-1). The group of the smaller g is the left operand. */
static int group_of(int me, int steps_done, const int *d, int members) {
    if (steps_done == 0)
        return me;
    int even = me % 2 == 0 ? me : me - d[steps_done - 1];
    return even & ((members >> (steps_done - 1)) - 1);
}

int bine_compose_butterfly(struct bine_schedule *s, const struct bine_request *rq) {
    int d[BINE_MAX_STEPS], steps = bine_log2_ceil(rq->p + 1) - 1; /* floor(log2 p) */
    int members = 1 << steps, extra = rq->p - members, r = rq->rank;
    int hypercube = rq->algorithm->tree == BINE_FAMILY_HYPERCUBE;
    int folded = extra > 0, own = BINE_IN;
    bine_space_set(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_space_set(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (r < 2 * extra && r % 2 == 0) {
        send_whole(s, 0, r + 1, BINE_IN);
        recv_whole(s, steps + 1, r + 1, BINE_OUT);
        return 0;
    }
    if (r < 2 * extra) {
        reduce_whole(s, 0, r - 1, BINE_OUT, BINE_IN, 0);
        own = BINE_OUT;
    }
    int me = r < 2 * extra ? r / 2 : r - extra;
    bine_distance_list(members, rq->algorithm->order, BINE_SCALED, d);
    for (int j = 0; j < steps; j++) {
        int partner = hypercube ? me ^ (1 << j) : bine_partner(me, d[j], members);
        int peer = member_rank(partner, extra);
        int is_higher = hypercube ? partner > me
                                  : group_of(partner, j, d, members) > group_of(me, j, d, members);
        reduce_whole(s, folded + j, peer, BINE_OUT, own, is_higher);
        send_whole(s, folded + j, peer, own);
        own = BINE_OUT;
    }
    if (r < 2 * extra)
        send_whole(s, steps + 1, r - 1, BINE_OUT);
    if (rq->p == 1 && !rq->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return 0;
}

/* The split tree rooted at `top` = the number of ranks to its left covers 0..p-1 in order, and
 * every subtree is a run of ranks beside its parent's: sums always join neighbouring runs. Returns
 * -1 when out of memory. */
static int reduce_in_order(struct bine_schedule *s, const struct bine_request *rq, int top,
                           int sums, struct bine_moves *m) {
    if (bine_moves_split_bcast(m, rq->p, BINE_SHIFT, rq->rank, top) != 0)
        return -1;
    int own = BINE_IN;
    for (uint32_t k = m->nmoves; k > 0; k--) {
        const struct bine_move *mv = &m->move[k - 1];
        int time = m->times - 1 - mv->time;
        if (mv->direction == BINE_FROM) {
            send_whole(s, time, mv->peer, own);
        } else {
            reduce_whole(s, time, mv->peer, sums, own, mv->peer > rq->rank);
            own = sums;
        }
    }
    return 0;
}

int bine_compose_reduce_ordered(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    int top = bine_split_left(rq->p), at_root = rq->rank == rq->root;
    /* The root may keep its sums in `out` unless the result comes from elsewhere and its own data
     * is there. */
    int sums = at_root && rq->root == top ? BINE_OUT : BINE_TMP;
    bine_space_set(s, BINE_IN, 1, BINE_NATURAL, 0);
    if (at_root)
        bine_space_set(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (reduce_in_order(s, rq, top, sums, &m) != 0)
        return -1;
    if (sums == BINE_TMP && (rq->rank == top || m.nmoves > 1))
        bine_space_set(s, BINE_TMP, 1, BINE_NATURAL, 0);
    if (top != rq->root && rq->rank == top)
        send_whole(s, m.times, rq->root, BINE_TMP);
    if (top != rq->root && at_root)
        recv_whole(s, m.times, top, BINE_OUT);
    if (rq->p == 1 && !rq->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}

int bine_compose_allreduce_ordered(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    bine_space_set(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_space_set(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (reduce_in_order(s, rq, bine_split_left(rq->p), BINE_OUT, &m) != 0)
        return -1;
    bine_emit_forward(s, &m, m.times, (struct bine_where){BINE_OUT, 0});
    if (rq->p == 1 && !rq->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}

/* Everyone sends block b to rank b directly; rank b sums up what it got from 0, 1, ... in this
 * order. */
int bine_compose_reduce_scatter_ordered(struct bine_schedule *s, const struct bine_request *rq) {
    int p = rq->p, r = rq->rank;
    bine_space_set(s, BINE_IN, p, BINE_NATURAL, 0);
    bine_space_set(s, BINE_OUT, 1, BINE_ONE, r);
    bine_space_set(s, BINE_TMP, p, BINE_SLOTS, r);
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
    /* From the highest rank down, so that each operation is (lower rank) op (sum so far). */
    bine_emit_copy(s, BINE_TMP, r, BINE_IN, r);
    for (int i = p - 2; i >= 0; i--) {
        bine_schedule_op(s, BINE_OP_REDUCE, BINE_SIDE_LEFT, -1);
        bine_schedule_run(s, BINE_TMP, p - 1, 1, 0);
        bine_schedule_with(s, BINE_TMP, i, 1);
    }
    bine_emit_copy(s, BINE_OUT, 0, BINE_TMP, p - 1);
    return 0;
}
