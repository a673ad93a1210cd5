/* Reductions made of trees backwards: reduce, reduce-scatter, allreduce. */
#include "schedule/build/compose/compose.h"

int bine_compose_reduce(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    int at_root = spec->rank == spec->root;
    int sums = at_root ? BINE_OUT : BINE_TMP;
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    if (at_root || m.nmoves > 1) /* a leaf of the only block's tree needs no sums */
        bine_schedule_space(s, sums, s->blocks, BINE_NATURAL, 0);
    s->times = s->times < 0 ? m.times : s->times;
    bine_emit_reduce(s, &m, 0, sums, BINE_IN, -1);
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(&m);
    return 0;
}

/* The sums of the blocks, which a reduce-scatter leaves with their owners, go to the root: nothing
 * is added twice, where REDUCE of the hung trees adds at the root what it added before. Takes both
 * lists of moves. */
static int sum_and_gather(struct bine_schedule *s, const struct bine_spec *spec,
                          struct bine_moves *sums, struct bine_moves *gather) {
    int space = spec->rank == spec->root ? BINE_OUT : BINE_TMP;
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    bine_schedule_space(s, space, s->blocks, BINE_NATURAL, 0);
    bine_emit_reduce(s, sums, 0, space, BINE_IN, -1);
    bine_emit_gather(s, gather, sums->times, (struct bine_store){space, 0});
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
    bine_moves_free(sums);
    bine_moves_free(gather);
    return 0;
}

int bine_compose_reduce_gather(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m, owners;
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    if (bine_request_moves_to_owners(&owners, spec) != 0) {
        bine_moves_free(&m);
        return -1;
    }
    s->times = s->times < 0 ? 2 * m.times : s->times;
    return sum_and_gather(s, spec, &m, &owners);
}

/* The sums of the root's smallest set are complete before they come to the root, which has added
 * its part to them as the other ranks have. */
int bine_compose_group_reduce(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m, last;
    struct bine_stretch_way way = bine_request_way(spec, BINE_STRETCH_HUNG);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    if (bine_moves_stretch_last(&last, &way, spec->rank) != 0) {
        bine_moves_free(&m);
        return -1;
    }
    s->times = m.times + last.times;
    return sum_and_gather(s, spec, &m, &last);
}

/* Layout send: rank r has summed up the block at place x = place(r), which belongs to rank x. */
static void reduce_scatter_fix(struct bine_schedule *s, const struct bine_spec *spec, int place) {
    int r = spec->rank;
    if (place == r) {
        bine_emit_copy(s, BINE_OUT, 0, spec->p == 1 ? BINE_IN : BINE_TMP, r);
        return;
    }
    bine_schedule_step(s, s->times - 1);
    bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, bine_spec_rank_at(spec, r));
    bine_schedule_run(s, BINE_OUT, 0, 1, 0);
    bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, place);
    bine_schedule_run(s, BINE_TMP, place, 1, 0);
}

int bine_compose_reduce_scatter(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    int r = spec->rank, permuted = spec->layout == BINE_PERMUTE;
    int place = permuted || spec->layout == BINE_SEND ? bine_spec_place(spec, r) : r;
    bine_schedule_space(s, BINE_IN, spec->p, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, 1, BINE_ONE, r);
    if (permuted)
        bine_space_permuted(s, spec);
    else
        bine_schedule_space(s, BINE_TMP, spec->p, BINE_NATURAL, 0);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (permuted)
        bine_emit_permute(s, BINE_TMP, BINE_IN, spec->p);
    /* In place, `out` lies on top of `in`, shifted: it is written at the very end, by a copy. */
    int final = spec->in_place || spec->layout == BINE_SEND ? -1 : place;
    int done = bine_emit_reduce(s, &m, 0, BINE_TMP, permuted ? BINE_TMP : BINE_IN, final);
    if (spec->layout == BINE_SEND)
        reduce_scatter_fix(s, spec, place);
    else if (!done && (spec->p > 1 || !spec->in_place))
        bine_emit_copy(s, BINE_OUT, 0, spec->p == 1 ? BINE_IN : BINE_TMP, place);
    bine_moves_free(&m);
    return 0;
}

/* Sums along some moves, and back along the same or others. */
static void there_and_back(struct bine_schedule *s, const struct bine_spec *spec,
                           const struct bine_moves *there, const struct bine_moves *back) {
    bine_schedule_space(s, BINE_IN, s->blocks, BINE_NATURAL, 0);
    bine_schedule_space(s, BINE_OUT, s->blocks, BINE_NATURAL, 0);
    s->times = s->times < 0 ? there->times + back->times : s->times;
    bine_schedule_room(s, 2 * there->nspans + back->nspans); /* of both halves at once */
    bine_emit_reduce(s, there, 0, BINE_OUT, BINE_IN, -1);
    bine_emit_forward(s, back, there->times, (struct bine_store){BINE_OUT, 0});
    if (spec->p == 1 && !spec->in_place)
        bine_emit_copy(s, BINE_OUT, 0, BINE_IN, 0);
}

int bine_compose_allreduce(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    there_and_back(s, spec, &m, &m);
    bine_moves_free(&m);
    return 0;
}

int bine_compose_group_allreduce(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves there, back;
    if (bine_spec_moves(&there, spec) != 0)
        return -1;
    int rc = bine_request_moves_back(&back, spec);
    if (rc == 0) {
        there_and_back(s, spec, &there, &back);
        bine_moves_free(&back);
    }
    bine_moves_free(&there);
    return rc;
}
