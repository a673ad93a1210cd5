/* Data movement: broadcast, scatter, gather, allgather. */
#include "schedule/build/compose/compose.h"

int bine_compose_bcast(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    int mine = spec->rank == spec->root ? BINE_IN : BINE_OUT;
    bine_schedule_space(s, mine, s->blocks, BINE_NATURAL, 0);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    bine_emit_forward(s, &m, 0, (struct bine_store){mine, 0});
    bine_moves_free(&m);
    return 0;
}

/* The blocks that pass through a rank that is neither the root nor a leaf lie in tmp, in ascending
 * order: the blocks of the message from its parent. */
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

int bine_compose_scatter(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    if (spec->layout == BINE_PERMUTE || spec->layout == BINE_SEND)
        return bine_compose_scatter_placed(s, spec);
    bine_schedule_space(s, BINE_OUT, 1, BINE_ONE, spec->rank);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (spec->rank == spec->root) {
        bine_schedule_space(s, BINE_IN, spec->p, BINE_NATURAL, 0);
        bine_emit_forward(s, &m, 0, (struct bine_store){BINE_IN, 0});
        if (!spec->in_place)
            bine_emit_copy(s, BINE_OUT, 0, BINE_IN, spec->rank);
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

int bine_compose_gather(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    if (spec->layout == BINE_PERMUTE || spec->layout == BINE_SEND)
        return bine_compose_gather_placed(s, spec);
    bine_schedule_space(s, BINE_IN, 1, BINE_ONE, spec->rank);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (spec->rank == spec->root) {
        bine_schedule_space(s, BINE_OUT, spec->p, BINE_NATURAL, 0);
        bine_emit_gather(s, &m, 0, (struct bine_store){BINE_OUT, 0});
        if (!spec->in_place)
            bine_emit_copy(s, BINE_OUT, spec->rank, BINE_IN, 0);
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

/* Whether any group is of a class. */
static int has_class(const struct bine_groups *g, int class) {
    for (int r = 0; r < g->p; r++)
        if (bine_stretch_class(g, r) == class)
            return 1;
    return 0;
}

/* The own block to groups of another class: nothing else is sent there, and nothing comes back. */
static void send_own(struct bine_schedule *s, const struct bine_moves *m) {
    for (uint32_t k = 0; k < m->nmoves; k++) {
        bine_schedule_step_at(s, m->move[k].time);
        bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, m->move[k].peer);
        bine_schedule_run(s, BINE_IN, 0, 1, 0);
    }
}

static void spread_all(struct bine_schedule *s, const struct bine_spec *spec,
                       const struct bine_moves *m) {
    if (!spec->in_place) {
        bine_schedule_step(s, -1);
        bine_emit_copy(s, BINE_OUT, spec->rank, BINE_IN, 0);
    }
    bine_emit_forward(s, m, 0, (struct bine_store){BINE_OUT, 0});
}

/* In one strand for each class of groups, if that can be had. What several strands send must not
 * be written: it is sent from `in`. */
int bine_compose_group_allgather(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_stretch_way way = bine_request_way(spec, BINE_STRETCH_RANKS);
    int apart = way.few == 0 && !way.stretches.flat, strands = 0;
    bine_schedule_space(s, BINE_IN, 1, BINE_ONE, spec->rank);
    bine_schedule_space(s, BINE_OUT, spec->p, BINE_NATURAL, 0);
    for (int k = BINE_STRETCH_CLASSES - 1; k >= 0; k--) {
        struct bine_moves m;
        if (apart ? !has_class(spec->groups, k) : k > 0)
            continue;
        way.of_class = apart ? k : -1;
        if (bine_moves_stretches(&m, &way, spec->rank) != 0)
            return -1;
        if (strands++ > 0)
            bine_schedule_strand(s);
        s->times = m.times;
        if (apart && bine_stretch_class(spec->groups, spec->rank) != k)
            send_own(s, &m);
        else
            spread_all(s, spec, &m);
        bine_moves_free(&m);
    }
    return 0;
}

/* Layout send: rank r takes part as the owner of place x = place(r), so block x must be brought to
 * it, and its own block to the owner of place r. */
static void allgather_fix(struct bine_schedule *s, const struct bine_spec *spec, int place) {
    int r = spec->rank;
    if (place == r) {
        if (!spec->in_place)
            bine_emit_copy(s, BINE_OUT, r, BINE_IN, 0);
        return;
    }
    bine_schedule_step(s, 0);
    bine_schedule_op(s, BINE_OP_RECV, BINE_SIDE_ANY, place);
    bine_schedule_run(s, BINE_OUT, place, 1, 0);
    bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, bine_spec_rank_at(spec, r));
    bine_schedule_run(s, BINE_IN, 0, 1, 0);
}

int bine_compose_allgather(struct bine_schedule *s, const struct bine_spec *spec) {
    struct bine_moves m;
    int r = spec->rank, permuted = spec->layout == BINE_PERMUTE;
    int place = permuted || spec->layout == BINE_SEND ? bine_spec_place(spec, r) : r;
    bine_schedule_space(s, BINE_IN, 1, BINE_ONE, r);
    bine_schedule_space(s, BINE_OUT, spec->p, BINE_NATURAL, 0);
    if (bine_spec_moves(&m, spec) != 0)
        return -1;
    s->times = s->times < 0 ? m.times : s->times;
    if (permuted) {
        bine_space_permuted(s, spec);
        bine_emit_copy(s, BINE_TMP, place, BINE_IN, 0);
        bine_emit_forward(s, &m, 0, (struct bine_store){BINE_TMP, 0});
        bine_emit_permute(s, BINE_OUT, BINE_TMP, spec->p);
    } else {
        if (spec->layout == BINE_SEND)
            allgather_fix(s, spec, place);
        else if (!spec->in_place)
            bine_emit_copy(s, BINE_OUT, r, BINE_IN, 0);
        bine_emit_forward(s, &m, s->times - m.times, (struct bine_store){BINE_OUT, 0});
    }
    bine_moves_free(&m);
    return 0;
}
