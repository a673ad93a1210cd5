/* Reductions made of trees backwards: reduce, reduce-scatter, allreduce. */
#include "schedule/build/compose.h"

int bine_compose_reduce(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    int at_root = rq->rank == rq->root;
    int sums = at_root ? BINE_OUT : BINE_TMP;
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    if (bine_request_moves(&m, rq) != 0)
        return -1;
    if (at_root || m.nmoves > 1) /* a leaf of the only block's tree needs no sums */
        bine_schedule_space(s, sums, s->blocks, BINE_NATURAL, 0);
    s->times = s->times < 0 ? m.times : s->times;
    bine_emit_reduce(s, &m, 0, sums, BINE_IN, -1);
    if (rq->p == 1 && !rq->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}

/* Layout send: rank r has summed up the block at place x = place(r), which belongs to rank x. */
static void reduce_scatter_fix(struct bine_schedule *s, const struct bine_request *rq, int place) {
    int r = rq->rank;
    if (place == r) {
        bine_emit_copy(s, BINE_OUT, 0, rq->p == 1 ? BINE_IN : BINE_TMP, r);
        return;
    }
    bine_schedule_step(s, s->times - 1);
    bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, bine_request_rank_at(rq, r));
    bine_schedule_run(s, BINE_OUT, 0, 1, 0);
    bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, place);
    bine_schedule_run(s, BINE_TMP, place, 1, 0);
}

int bine_compose_reduce_scatter(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    int r = rq->rank, permuted = rq->layout == BINE_PERMUTE;
    int place = permuted || rq->layout == BINE_SEND ? bine_request_place(rq, r) : r;
    bine_schedule_space(s, BINE_IN, rq->p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_ONE, r);
    if (permuted)
        bine_space_permuted(s, rq);
    else
        bine_schedule_space(s, BINE_TMP, rq->p, BINE_NATURAL, 0);
    if (bine_request_moves(&m, rq) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (permuted)
        bine_emit_permute(s, BINE_TMP, BINE_IN, rq->p);
    /* In place, `out` lies on top of `in`, shifted: it is written at the very end, by a copy. */
    int final = rq->in_place || rq->layout == BINE_SEND ? -1 : place;
    int done = bine_emit_reduce(s, &m, 0, BINE_TMP, permuted ? BINE_TMP : BINE_IN, final);
    if (rq->layout == BINE_SEND)
        reduce_scatter_fix(s, rq, place);
    else if (!done && (rq->p > 1 || !rq->in_place))
        bine_emit_copy(s, BINE_OUT, 0, rq->p == 1 ? BINE_IN : BINE_TMP, place);
    bine_moves_free(&m);
    return 0;
}

int bine_compose_allreduce(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, s->blocks, BINE_NATURAL, 0);
    if (bine_request_moves(&m, rq) != 0)
        return -1;
    s->times = s->times < 0 ? 2 * m.times : s->times;
    bine_schedule_room(s, 3 * m.nspans); /* of both halves at once */
    bine_emit_reduce(s, &m, 0, BINE_OUT, BINE_IN, -1);
    bine_emit_forward(s, &m, m.times, (struct bine_store){BINE_OUT, 0});
    if (rq->p == 1 && !rq->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}
