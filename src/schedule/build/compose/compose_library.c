/* Compositions as in MPI libraries, with their redundant messages. */

#include "schedule/build/compose/compose.h"
#include "schedule/build/fold.h"

/* Broadcast as a scatter of p blocks and an allgather: block k belongs to the rank that is k places
 * after the root. The allgather does not know that the scatter has left more than one block with
 * some ranks, and all of them with the root: they receive them again. */
static int scatter_moves(struct bine_moves *m, const struct bine_spec *spec, int from_root) {
    struct bine_tree *own;
    const struct bine_tree *t = bine_spec_planted(spec, 0, &own);
    int rc = t == NULL ? -1 : bine_moves_scatter(m, t, from_root, 0);
    bine_tree_free(own);
    return rc;
}

static int allgather_moves(struct bine_moves *m, const struct bine_spec *spec, int from_root) {
    if (spec->algorithm->tree == BINE_FAMILY_HYPERCUBE)
        return bine_moves_aligned(m, BINE_PLACE_RANK, spec->p, from_root);
    return bine_moves_ring(m, spec->p, from_root, 0);
}

/* Ranks of moves that were made for the ranks counted from the root. */
static void count_from_zero(struct bine_moves *m, int root, int p) {
    for (uint32_t k = 0; k < m->nmoves; k++)
        m->move[k].peer = bine_mod_add(m->move[k].peer, root, p);
}

int bine_compose_scatter_allgather(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves down, around;
    int from_root = bine_mod_sub(spec->rank, spec->root, spec->p);
    /* One buffer: the root's `in` and `out` are one memory. */
    if (spec->rank == spec->root)
        bine_schedule_space(s, BINE_IN, spec->p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, spec->p, BINE_NATURAL, 0);
    if (scatter_moves(&down, spec, from_root) != 0)
        return -1;
    if (allgather_moves(&around, spec, from_root) != 0) {
        bine_moves_free(&down);
        return -1;
    }
    count_from_zero(&down, spec->root, spec->p);
    count_from_zero(&around, spec->root, spec->p);
    bine_emit_forward(s, &down, 0, (struct bine_store){BINE_OUT, 0});
    bine_emit_forward(s, &around, down.times, (struct bine_store){BINE_OUT, 0});
    bine_moves_free(&down);
    bine_moves_free(&around);
    return 0;
}

/* Allreduce as a reduce to rank 0 and a broadcast, up and down the trees that Open MPI has for
 * these: near ranks come first in both. */
int bine_compose_reduce_then_bcast(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves up, down;
    bine_schedule_space(s, BINE_IN, 1, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_NATURAL, 0);
    if (bine_spec_moves(&up, spec) != 0)
        return -1;
    struct bine_tree *own;
    const struct bine_tree *t = bine_spec_planted(spec, 0, &own);
    int rc = t == NULL ? -1 : bine_moves_bcast(&down, t, spec->rank, spec->root);
    bine_tree_free(own);
    if (rc == 0) {
        bine_emit_reduce(s, &up, 0, BINE_OUT, BINE_IN, -1);
        bine_emit_forward(s, &down, up.times, (struct bine_store){BINE_OUT, 0});
        bine_moves_free(&down);
    }
    bine_moves_free(&up);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return rc;
}

/* Allreduce on a ring whose blocks may be cut into segments: a reduce-scatter of the first segment
 * of every block, of the second, ..., then an allgather of whole blocks. Piece b * segments + k is
 * segment k of block b. The spans of ring moves are single blocks. */
static void cut_spans(struct bine_moves *m, int segments, int count) {
    for (uint32_t i = 0; i < m->nspans; i++) {
        m->span[i].first *= segments;
        m->span[i].count = count;
    }
}

static void next_segment(struct bine_moves *m) {
    for (uint32_t i = 0; i < m->nspans; i++)
        m->span[i].first++;
}

int bine_compose_rings(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves sums, around;
    int segments = bine_spec_segments(spec);
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, s->blocks, BINE_NATURAL, 0);
    if (bine_spec_moves(&sums, spec) != 0)
        return -1;
    int rc = bine_moves_ring(&around, spec->p, spec->rank, 0);
    if (rc == 0) {
        cut_spans(&sums, segments, 1);
        for (int k = 0; k < segments; k++, next_segment(&sums))
            bine_emit_reduce(s, &sums, k * sums.times, BINE_OUT, BINE_IN, -1);
        cut_spans(&around, segments, segments);
        bine_emit_forward(s, &around, segments * sums.times, (struct bine_store){BINE_OUT, 0});
        s->times = (segments + 1) * sums.times;
        bine_moves_free(&around);
    }
    bine_moves_free(&sums);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return rc;
}

/* Rabenseifner's reduce and allreduce for any p, folded to 2^k members.
 *
 * MPICH hands over the whole vector, Open MPI adds up one half of it at each of the two ranks. If
 * the root of a reduce is not a member, rank 0 hands its block of the sums to it, and it takes the
 * place of rank 0 in the gather. */
struct halving {
    struct bine_fold fold;
    int halves;
    int stand_in; /* the root, where it takes the place of member 0; else -1 */
};

/* One message of pieces that follow each other. */
static void message(struct bine_schedule *s, int time, enum bine_op_kind kind, int peer, int space,
                    int first, int count) {
    bine_schedule_step_at(s, time);
    bine_schedule_op(s, kind, BINE_SIDE_ANY, peer);
    bine_schedule_run(s, space, first, count, 0);
    if (kind == BINE_OP_RECV_REDUCE)
        bine_schedule_with(s, BINE_IN, first, count);
}

static void fold_in(struct bine_schedule *s, const struct halving *f, int r, int sums) {
    int half = f->fold.members / 2, left = bine_fold_stays(&f->fold, r), partner = r ^ 1;
    if (f->halves) {
        message(s, 0, BINE_OP_RECV_REDUCE, partner, sums, left ? 0 : half, half);
        message(s, 0, BINE_OP_SEND, partner, BINE_IN, left ? half : 0, half);
        message(s, 1, left ? BINE_OP_RECV : BINE_OP_SEND, partner, sums, half, half);
    } else {
        message(s, 0, left ? BINE_OP_RECV_REDUCE : BINE_OP_SEND, partner, left ? sums : BINE_IN, 0,
                f->fold.members);
    }
}

static void to_ranks(struct bine_moves *m, const struct halving *f, int stand_in) {
    for (uint32_t k = 0; k < m->nmoves; k++) {
        int member = m->move[k].peer;
        m->move[k].peer =
            member == 0 && stand_in >= 0 ? stand_in : bine_fold_rank(&f->fold, member);
    }
}

/* Reduce-scatter among the members; returns the time after it, or -1 when out of memory. */
static int scatter_sums(struct bine_schedule *s, const struct bine_spec *spec,
                        const struct halving *f, int sums, struct bine_moves *m) {
    int first = f->fold.extra == 0 ? 0 : 1 + f->halves, folded = spec->rank < 2 * f->fold.extra;
    if (bine_moves_aligned(m, spec->algorithm->places, f->fold.members,
                           bine_fold_member(&f->fold, spec->rank)) != 0)
        return -1;
    if (bine_fold_stays(&f->fold, spec->rank)) {
        to_ranks(m, f, -1);
        bine_emit_reduce(s, m, first, sums, folded ? sums : BINE_IN, -1);
    }
    return first + m->times;
}

/* The gather of the blocks that the reduce-scatter has left at each member. */
static int gather_sums(struct bine_schedule *s, const struct bine_spec *spec,
                       const struct halving *f, int sums, int time) {
    struct bine_moves m;
    int r = spec->rank, me = r == f->stand_in ? 0 : bine_fold_member(&f->fold, r);
    int to = f->stand_in >= 0 ? 0 : bine_fold_member(&f->fold, spec->root);
    if (r == f->stand_in)
        message(s, time, BINE_OP_RECV, bine_fold_rank(&f->fold, 0), sums, 0, 1);
    else if (f->stand_in >= 0 && r == bine_fold_rank(&f->fold, 0))
        message(s, time, BINE_OP_SEND, f->stand_in, sums, 0, 1);
    if (r != f->stand_in && (!bine_fold_stays(&f->fold, r) || (f->stand_in >= 0 && me == 0)))
        return 0;
    if (bine_moves_aligned_scatter(&m, spec->algorithm->places, f->fold.members, me, to) != 0)
        return -1;
    to_ranks(&m, f, f->stand_in);
    bine_emit_gather(s, &m, time, (struct bine_store){sums, 0});
    bine_moves_free(&m);
    return 0;
}

/* The allgather, and the result for ranks that are not members. */
static void spread_sums(struct bine_schedule *s, const struct bine_spec *spec,
                        const struct halving *f, const struct bine_moves *m, int time) {
    int r = spec->rank;
    if (bine_fold_stays(&f->fold, r))
        bine_emit_forward(s, m, time, (struct bine_store){BINE_OUT, 0});
    if (r < 2 * f->fold.extra)
        message(s, s->times - 1, bine_fold_stays(&f->fold, r) ? BINE_OP_SEND : BINE_OP_RECV, r ^ 1,
                BINE_OUT, 0, f->fold.members);
}

static int fold_and_halve(struct bine_schedule *s, const struct bine_spec *spec, int odd,
                          int halves) {
    struct bine_moves m;
    struct halving f = {bine_fold_of(spec->p, odd), halves, -1};
    int reduce = s->collective == BINE_REDUCE, r = spec->rank;
    int sums = !reduce || r == spec->root ? BINE_OUT : BINE_TMP;
    if (reduce && !bine_fold_stays(&f.fold, spec->root))
        f.stand_in = spec->root;
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    if (sums == BINE_OUT || bine_fold_stays(&f.fold, r) || f.halves)
        bine_schedule_space(s, sums, s->blocks, BINE_NATURAL, 0);
    if (r < 2 * f.fold.extra)
        fold_in(s, &f, r, sums);
    int time = scatter_sums(s, spec, &f, sums, &m), rc = 0;
    if (time < 0)
        return -1;
    if (reduce)
        rc = gather_sums(s, spec, &f, sums, time);
    else
        spread_sums(s, spec, &f, &m, time);
    bine_moves_free(&m);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return rc;
}

/* The odd one of a pair stays in MPICH's allreduce, the even one in all others. */
int bine_compose_halving(struct bine_schedule *s, const struct bine_spec *spec) {
    return fold_and_halve(s, spec, s->collective == BINE_ALLREDUCE, 0);
}

int bine_compose_halves(struct bine_schedule *s, const struct bine_spec *spec) {
    return fold_and_halve(s, spec, 0, 1);
}

/* Rabenseifner's allreduce with a radix, as MPICH's k_reduce_scatter_allgather: members that differ
 * in one digit exchange parts of the vector, radix - 1 messages a step, near ones first, and back.
 * The ranks are folded to a power of the radix by runs. */
static void to_members(struct bine_moves *m, const struct bine_rank_runs *x) {
    for (uint32_t k = 0; k < m->nmoves; k++)
        m->move[k].peer = bine_run_first(x, m->move[k].peer);
}

/* The first rank of a run adds up the vectors of the others. */
static void collect_run(struct bine_schedule *s, int first, int end) {
    bine_schedule_step_at(s, 0);
    for (int r = first + 1; r < end; r++) {
        bine_schedule_op(s, BINE_OP_RECV_REDUCE, BINE_SIDE_ANY, r);
        bine_schedule_run(s, BINE_OUT, 0, s->blocks, 0);
        bine_schedule_with(s, r == first + 1 ? BINE_IN : BINE_OUT, 0, s->blocks);
    }
}

int bine_compose_digits(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    struct bine_rank_runs x = bine_rank_runs_of(spec->p, s->blocks);
    int member = bine_run_of(&x, spec->rank), first = bine_run_first(&x, member),
        end = bine_run_first(&x, member + 1), folded = x.members != spec->p;
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, s->blocks, BINE_NATURAL, 0);
    if (spec->rank != first) {
        message(s, 0, BINE_OP_SEND, first, BINE_IN, 0, s->blocks);
        message(s, s->times - 1, BINE_OP_RECV, first, BINE_OUT, 0, s->blocks);
        return 0;
    }
    if (bine_moves_digits(&m, spec->algorithm->radix, x.members, member) != 0)
        return -1;
    to_members(&m, &x);
    if (end > first + 1)
        collect_run(s, first, end);
    bine_emit_reduce(s, &m, folded, BINE_OUT, end > first + 1 ? BINE_OUT : BINE_IN, -1);
    bine_emit_forward(s, &m, folded + m.times, (struct bine_store){BINE_OUT, 0});
    for (int r = first + 1; r < end; r++)
        message(s, s->times - 1, BINE_OP_SEND, r, BINE_OUT, 0, s->blocks);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}
