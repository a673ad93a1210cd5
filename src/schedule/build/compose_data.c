/* Data movement: broadcast, scatter, gather, allgather. */
#include "schedule/build/compose.h"

int bine_compose_bcast(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    int mine = rq->rank == rq->root ? BINE_IN : BINE_OUT;
    bine_schedule_space(s, mine, s->blocks, BINE_NATURAL, 0);
    if (bine_request_moves(&m, rq) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    bine_emit_forward(s, &m, 0, (struct bine_store){mine, 0});
    bine_moves_free(&m);
    return 0;
}

/* The blocks that pass through a rank that is neither the root nor a leaf lie in tmp, in ascending
 * order: those of the message from its parent. */
static void subset_of_parent(struct bine_schedule *s, const struct bine_moves *m) {
    const struct bine_move *up = NULL;
    for (uint32_t k = 0; k < m->nmoves; k++)
        if (m->move[k].direction == BINE_FROM)
            up = &m->move[k];
    bine_schedule_space(s, BINE_TMP, 0, BINE_SUBSET, 0);
    for (uint32_t i = 0; up != NULL && i < up->nspans; i++)
        bine_schedule_subset(s, BINE_TMP, m->span[up->spans + i].first,
                             m->span[up->spans + i].count);
}

/* Where the rank's own block lies in that subset. */
static int own_place(const struct bine_schedule *s) {
    struct bine_seek at = {0, 0};
    return bine_subset_place(s, BINE_TMP, s->rank, &at);
}

static int is_leaf(const struct bine_moves *m) {
    return m->nmoves == 1;
}

int bine_compose_scatter(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    if (rq->layout == BINE_PERMUTE || rq->layout == BINE_SEND)
        return bine_compose_scatter_placed(s, rq);
    bine_schedule_space(s, BINE_OUT, 1, BINE_ONE, rq->rank);
    if (bine_request_moves(&m, rq) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (rq->rank == rq->root) {
        bine_schedule_space(s, BINE_IN, rq->p, BINE_NATURAL, 0);
        bine_emit_forward(s, &m, 0, (struct bine_store){BINE_IN, 0});
        if (!rq->in_place)
            bine_emit_copy(s, BINE_OUT, 0, BINE_IN, rq->rank);
    } else if (is_leaf(&m)) {
        bine_schedule_step(s, m.move->time);
        bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, m.move->peer);
        bine_schedule_run(s, BINE_OUT, 0, 1, 0);
    } else {
        subset_of_parent(s, &m);
        bine_emit_forward(s, &m, 0, (struct bine_store){BINE_TMP, 1});
        if (!s->failed)
            bine_emit_copy(s, BINE_OUT, 0, BINE_TMP, own_place(s));
    }
    bine_moves_free(&m);
    return 0;
}

int bine_compose_gather(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    if (rq->layout == BINE_PERMUTE || rq->layout == BINE_SEND)
        return bine_compose_gather_placed(s, rq);
    bine_schedule_space(s, BINE_IN, 1, BINE_ONE, rq->rank);
    if (bine_request_moves(&m, rq) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (rq->rank == rq->root) {
        bine_schedule_space(s, BINE_OUT, rq->p, BINE_NATURAL, 0);
        bine_emit_gather(s, &m, 0, (struct bine_store){BINE_OUT, 0});
        if (!rq->in_place)
            bine_emit_copy(s, BINE_OUT, rq->rank, BINE_IN, 0);
    } else if (is_leaf(&m)) {
        bine_schedule_step(s, m.times - 1 - m.move->time);
        bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, m.move->peer);
        bine_schedule_run(s, BINE_IN, 0, 1, 0);
    } else {
        subset_of_parent(s, &m);
        if (!s->failed)
            bine_emit_copy(s, BINE_TMP, own_place(s), BINE_IN, 0);
        bine_emit_gather(s, &m, 0, (struct bine_store){BINE_TMP, 1});
    }
    bine_moves_free(&m);
    return 0;
}

/* Layout send: rank r takes part as the owner of place x = place(r), so block x must be brought to
 * it, and its own block to the owner of place r. */
static void allgather_fix(struct bine_schedule *s, const struct bine_request *rq, int place) {
    int r = rq->rank;
    if (place == r) {
        if (!rq->in_place)
            bine_emit_copy(s, BINE_OUT, r, BINE_IN, 0);
        return;
    }
    bine_schedule_step(s, 0);
    bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, place);
    bine_schedule_run(s, BINE_OUT, place, 1, 0);
    bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, bine_request_rank_at(rq, r));
    bine_schedule_run(s, BINE_IN, 0, 1, 0);
}

int bine_compose_allgather(struct bine_schedule *s, const struct bine_request *rq) {
    struct bine_moves m;
    int r = rq->rank, permuted = rq->layout == BINE_PERMUTE;
    int place = permuted || rq->layout == BINE_SEND ? bine_request_place(rq, r) : r;
    bine_schedule_space(s, BINE_IN, 1, BINE_ONE, r);
    bine_schedule_space(s, BINE_OUT, rq->p, BINE_NATURAL, 0);
    if (bine_request_moves(&m, rq) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (permuted) {
        bine_space_permuted(s, rq);
        bine_emit_copy(s, BINE_TMP, place, BINE_IN, 0);
        bine_emit_forward(s, &m, 0, (struct bine_store){BINE_TMP, 0});
        bine_emit_permute(s, BINE_OUT, BINE_TMP, rq->p);
    } else {
        if (rq->layout == BINE_SEND)
            allgather_fix(s, rq, place);
        else if (!rq->in_place)
            bine_emit_copy(s, BINE_OUT, r, BINE_IN, 0);
        bine_emit_forward(s, &m, s->times - m.times, (struct bine_store){BINE_OUT, 0});
    }
    bine_moves_free(&m);
    return 0;
}
