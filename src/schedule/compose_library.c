/* Compositions that do what an MPI library does, redundant messages included. */
#include "pattern/knomial.h"
#include "pattern/ring.h"
#include "schedule/compose.h"

#include <stdlib.h>

/* Broadcast as a scatter of p blocks and an allgather: block k belongs to the rank that is k places
 * after the root. The allgather does not know that the scatter has left more than one block with
 * some ranks, and all of them with the root: they receive them again. */
static int scatter_moves(struct bine_moves *m, int p, int from_root) {
    struct bine_tree *t = bine_binomial_tree(p, BINE_FAR_FIRST);
    int rc = t == NULL ? -1 : bine_moves_scatter(m, t, from_root, 0);
    bine_tree_free(t);
    return rc;
}

static int allgather_moves(struct bine_moves *m, const struct bine_request *rq, int from_root) {
    if (rq->algorithm->tree == BINE_FAMILY_HYPERCUBE)
        return bine_moves_aligned(m, BINE_PLACE_RANK, rq->p, from_root);
    struct bine_tree *t = bine_family_tree(rq->algorithm->tree, rq->p, rq->algorithm->order, 0);
    int rc = t == NULL ? -1 : bine_moves_allgather(m, t, from_root);
    bine_tree_free(t);
    return rc;
}

/* Ranks of moves that were made for the ranks counted from the root. */
static void count_from_zero(struct bine_moves *m, int root, int p) {
    for (uint32_t k = 0; k < m->nmoves; k++)
        m->move[k].peer = bine_mod_add(m->move[k].peer, root, p);
}

int bine_compose_scatter_allgather(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves down, around;
    int from_root = bine_mod_sub(rq->rank, rq->root, rq->p);
    /* One buffer: the root's `in` and `out` are the same memory. */
    if (rq->rank == rq->root)
        bine_space_set(s, BINE_IN, rq->p, BINE_NATURAL, 0);
    bine_space_set(s, BINE_OUT, rq->p, BINE_NATURAL, 0);
    if (scatter_moves(&down, rq->p, from_root) != 0)
        return -1;
    if (allgather_moves(&around, rq, from_root) != 0) {
        bine_moves_free(&down);
        return -1;
    }
    count_from_zero(&down, rq->root, rq->p);
    count_from_zero(&around, rq->root, rq->p);
    bine_emit_forward(s, &down, 0, (struct bine_where){BINE_OUT, 0});
    bine_emit_forward(s, &around, down.times, (struct bine_where){BINE_OUT, 0});
    bine_moves_free(&down);
    bine_moves_free(&around);
    return 0;
}

/* Allreduce on a ring whose blocks are cut into segments: a reduce-scatter of the first segment of
 * every block, of the second, ..., then an allgather of whole blocks. Piece b * segments + k is
 * segment k of block b. The spans of ring moves are single blocks. */
static void to_segment(struct bine_moves *m, const struct bine_moves *ring, int segments, int first,
                       int count) {
    for (uint32_t i = 0; i < ring->nspans; i++) {
        m->span[i] = ring->span[i];
        m->span[i].first = ring->span[i].first * segments + first;
        m->span[i].count = count;
    }
}

int bine_compose_ring_segmented(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves ring, part;
    struct bine_tree *t = bine_ring_tree(rq->p);
    int segments = bine_request_segments(rq);
    int rc = t == NULL ? -1 : bine_moves_allgather(&ring, t, rq->rank);
    bine_tree_free(t);
    bine_space_set(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    bine_space_set(s, BINE_OUT, s->blocks, BINE_NATURAL, 0);
    if (rc != 0)
        return -1;
    part = ring;
    part.span = malloc((ring.nspans + 1) * sizeof *part.span);
    if (part.span != NULL) {
        for (int k = 0; k < segments; k++) {
            to_segment(&part, &ring, segments, k, 1);
            bine_emit_reduce(s, &part, k * ring.times, BINE_OUT, BINE_IN, -1);
        }
        to_segment(&part, &ring, segments, 0, segments);
        bine_emit_forward(s, &part, segments * ring.times, (struct bine_where){BINE_OUT, 0});
    }
    s->times = (segments + 1) * ring.times;
    rc = part.span == NULL ? -1 : 0;
    free(part.span);
    bine_moves_free(&ring);
    if (rq->p == 1 && !rq->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return rc;
}

/* Rabenseifner's reduce and allreduce for any p: of the first 2 e ranks, e = p - 2^k, one of each
 * pair hands its vector to the other before, and gets the result after. The root of a reduce always
 * stays. */
struct fold {
    int members, extra, root_leaves; /* the pair of the root keeps its odd rank */
};

static int stays(const struct fold *f, int root, int r) {
    if (r >= 2 * f->extra)
        return 1;
    int odd_stays = f->root_leaves && r / 2 == root / 2;
    return r % 2 == odd_stays;
}

static int member_of(const struct fold *f, int r) {
    return r < 2 * f->extra ? r / 2 : r - f->extra;
}

static int rank_of(const struct fold *f, int root, int member) {
    if (member >= f->extra)
        return member + f->extra;
    return 2 * member + (f->root_leaves && member == root / 2);
}

static void whole(struct bine_schedule *s, int time, enum bine_op_kind kind, int peer, int space) {
    bine_schedule_step(s, time);
    bine_schedule_op(s, kind, BINE_SIDE_ANY, peer);
    bine_schedule_run(s, space, 0, s->blocks, 0);
    if (kind == BINE_OP_RECV_REDUCE)
        bine_schedule_with(s, BINE_IN, 0, s->blocks);
}

static void to_ranks(struct bine_moves *m, const struct fold *f, int root) {
    for (uint32_t k = 0; k < m->nmoves; k++)
        m->move[k].peer = rank_of(f, root, m->move[k].peer);
}

/* Reduce-scatter among the members, then allgather or gather: both in the places that the
 * reduce-scatter leaves the sums at. */
static int halve(struct bine_schedule *s, const struct bine_request *rq, const struct fold *f,
                 int sums, int fresh) {
    struct bine_moves m, up = {0};
    enum bine_places places = rq->algorithm->places;
    int me = member_of(f, rq->rank), first = f->extra > 0, reduce = s->collective == BINE_REDUCE;
    if (bine_moves_aligned(&m, places, f->members, me) != 0 ||
        (reduce &&
         bine_moves_aligned_scatter(&up, places, f->members, me, member_of(f, rq->root)) != 0)) {
        bine_moves_free(&m);
        return -1;
    }
    to_ranks(&m, f, rq->root);
    to_ranks(&up, f, rq->root);
    bine_emit_reduce(s, &m, first, sums, fresh, -1);
    if (reduce)
        bine_emit_gather(s, &up, first + m.times, (struct bine_where){sums, 0});
    else
        bine_emit_forward(s, &m, first + m.times, (struct bine_where){sums, 0});
    bine_moves_free(&m);
    bine_moves_free(&up);
    return 0;
}

int bine_compose_halving(struct bine_schedule *s, const struct bine_request *rq) {
    struct fold f = {.members = s->blocks, .extra = rq->p - s->blocks};
    int reduce = s->collective == BINE_REDUCE, r = rq->rank;
    int sums = !reduce || r == rq->root ? BINE_OUT : BINE_TMP, fresh = BINE_IN;
    f.root_leaves = reduce && rq->root < 2 * f.extra && rq->root % 2 == 1;
    bine_space_set(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    if (!stays(&f, rq->root, r)) {
        whole(s, 0, BINE_OP_SEND, r ^ 1, BINE_IN);
        if (!reduce) {
            bine_space_set(s, BINE_OUT, s->blocks, BINE_NATURAL, 0);
            whole(s, s->times - 1, BINE_OP_RECV, r ^ 1, BINE_OUT);
        }
        return 0;
    }
    bine_space_set(s, sums, s->blocks, BINE_NATURAL, 0);
    if (r < 2 * f.extra) {
        whole(s, 0, BINE_OP_RECV_REDUCE, r ^ 1, sums);
        fresh = sums;
    }
    if (halve(s, rq, &f, sums, fresh) != 0)
        return -1;
    if (!reduce && r < 2 * f.extra)
        whole(s, s->times - 1, BINE_OP_SEND, r ^ 1, BINE_OUT);
    if (rq->p == 1 && !rq->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    return 0;
}
