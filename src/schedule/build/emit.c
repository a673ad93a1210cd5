#include "schedule/build/emit.h"

/* Append the places of the blocks of a message in a subset to the open operation. Blocks that
 * follow each other are one run; in the layout pack so are places that do. */
static void put_subset(struct bine_schedule *s, const struct bine_moves *m,
                       const struct bine_move *mv, int space) {
    struct bine_seek at = {0, 0};
    for (uint32_t i = 0; i < mv->nspans && !s->failed; i++) {
        const struct bine_span *x = &m->span[mv->spans + i];
        bine_schedule_run(s, space, bine_subset_place(s, space, x->first, &at), x->count,
                          s->layout == BINE_PACK);
    }
}

/* Append the blocks of a message to the open operation's runs, or to its second list: fresh
 * blocks lie in one space, the others in another. The place is the block's number. */
static void put(struct bine_schedule *s, const struct bine_moves *m, const struct bine_move *mv,
                int touched, int fresh, int with) {
    const struct bine_span *x = &m->span[mv->spans];
    struct bine_run *run = bine_schedule_room(s, mv->nspans), *r = run;
    if (r == NULL)
        return;
    int space = x->fresh ? fresh : touched, first = x->first, count = x->count;
    for (uint32_t i = 1; i < mv->nspans; i++) {
        int next = x[i].fresh ? fresh : touched;
        if (first + count == x[i].first && space == next) {
            count += x[i].count;
            continue;
        }
        *r++ = bine_pieces(space, first, count);
        space = next;
        first = x[i].first;
        count = x[i].count;
    }
    *r++ = bine_pieces(space, first, count);
    bine_schedule_took(s, (uint32_t)(r - run), with);
}

static void message(struct bine_schedule *s, const struct bine_moves *m, const struct bine_move *mv,
                    enum bine_op_kind kind, struct bine_store store) {
    bine_schedule_op(s, kind, BINE_SIDE_ANY, mv->peer);
    if (store.subset)
        put_subset(s, m, mv, store.space);
    else
        put(s, m, mv, store.space, store.space, 0);
}

/* The moves of one time: from `begin` to the returned end. */
static uint32_t same_time(const struct bine_moves *m, uint32_t begin) {
    uint32_t end = begin;
    while (end < m->nmoves && m->move[end].time == m->move[begin].time)
        end++;
    return end;
}

static uint32_t same_time_back(const struct bine_moves *m, uint32_t end) {
    uint32_t begin = end;
    while (begin > 0 && m->move[begin - 1].time == m->move[end - 1].time)
        begin--;
    return begin;
}

/* The messages of one time. Messages of the direction `receives` are received; receives are posted
 * before sends. */
static void exchange(struct bine_schedule *s, const struct bine_moves *m, uint32_t begin,
                     uint32_t end, enum bine_direction receives, struct bine_store store) {
    for (uint32_t k = begin; k < end; k++)
        if (m->move[k].direction == (int)receives)
            message(s, m, &m->move[k], BINE_OP_RECV, store);
    for (uint32_t k = begin; k < end; k++)
        if (m->move[k].direction != (int)receives)
            message(s, m, &m->move[k], BINE_OP_SEND, store);
}

void bine_emit_forward(struct bine_schedule *s, const struct bine_moves *m, int time0,
                       struct bine_store store) {
    bine_schedule_room(s, m->nspans);
    for (uint32_t k = 0, end; k < m->nmoves; k = end) {
        end = same_time(m, k);
        bine_schedule_step(s, time0 + m->move[k].time);
        exchange(s, m, k, end, BINE_FROM, store);
    }
}

void bine_emit_gather(struct bine_schedule *s, const struct bine_moves *m, int time0,
                      struct bine_store store) {
    for (uint32_t end = m->nmoves, k; end > 0; end = k) {
        k = same_time_back(m, end);
        bine_schedule_step_at(s, time0 + m->times - 1 - m->move[k].time);
        exchange(s, m, k, end, BINE_TO, store);
    }
}

/* How much of a message is fresh: 0 nothing, 1 some, 2 all of it. */
static int freshness(const struct bine_moves *m, const struct bine_move *mv) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < mv->nspans; i++)
        n += m->span[mv->spans + i].fresh != 0;
    return n == 0 ? 0 : n == mv->nspans ? 2 : 1;
}

/* A message must lie in one space. Blocks that are sent on untouched among others that are not are
 * copied to the sums first. */
static void copy_mixed(struct bine_schedule *s, const struct bine_moves *m, int sums, int fresh) {
    int open = 0;
    for (uint32_t k = 0; k < m->nmoves; k++) {
        const struct bine_move *mv = &m->move[k];
        if (mv->direction != BINE_FROM || freshness(m, mv) != 1)
            continue;
        if (!open)
            bine_schedule_step(s, -1);
        open = 1;
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        for (int with = 0; with < 2; with++)
            for (uint32_t i = 0; i < mv->nspans; i++) {
                const struct bine_span *x = &m->span[mv->spans + i];
                if (!x->fresh)
                    continue;
                if (with)
                    bine_schedule_with(s, fresh, x->first, x->count);
                else
                    bine_schedule_run(s, sums, x->first, x->count, 1);
            }
    }
}

static void receive_sum(struct bine_schedule *s, const struct bine_moves *m,
                        const struct bine_move *mv, int sums, int fresh, int final) {
    if (final >= 0) {
        bine_schedule_op(s, BINE_OP_RECV_REDUCE, BINE_SIDE_ANY, mv->peer);
        bine_schedule_run(s, BINE_OUT, 0, 1, 0);
    } else {
        message(s, m, mv, BINE_OP_RECV_REDUCE, (struct bine_store){sums, 0});
    }
    put(s, m, mv, sums, fresh, 1);
}

/* The message that brings the last contribution to a block, if it brings nothing else and no other
 * comes at its time; otherwise none (nmoves). */
static uint32_t last_alone(const struct bine_moves *m, int block) {
    for (uint32_t k = 0, end; k < m->nmoves; k = end) {
        uint32_t found = m->nmoves, times = 0;
        end = same_time(m, k);
        for (uint32_t i = k; i < end; i++) {
            const struct bine_move *mv = &m->move[i];
            const struct bine_span *x = &m->span[mv->spans];
            for (uint32_t j = 0; j < mv->nspans && mv->direction == BINE_TO; j++)
                if (block >= x[j].first && block < x[j].first + x[j].count) {
                    found = mv->nspans == 1 && x->count == 1 ? i : m->nmoves;
                    times++;
                }
        }
        if (times > 0)
            return times == 1 ? found : m->nmoves;
    }
    return m->nmoves;
}

int bine_emit_reduce(struct bine_schedule *s, const struct bine_moves *m, int time0, int sums,
                     int fresh, int final) {
    uint32_t alone = final >= 0 ? last_alone(m, final) : m->nmoves;
    int same = sums == fresh || (s->in_place && sums == BINE_OUT && fresh == BINE_IN);
    bine_schedule_room(s, 2 * m->nspans);
    if (!same)
        copy_mixed(s, m, sums, fresh);
    for (uint32_t end = m->nmoves, k; end > 0; end = k) {
        k = same_time_back(m, end);
        bine_schedule_step(s, time0 + m->times - 1 - m->move[k].time);
        for (uint32_t i = k; i < end; i++)
            if (m->move[i].direction == BINE_TO)
                receive_sum(s, m, &m->move[i], sums, fresh, i == alone ? final : -1);
        for (uint32_t i = k; i < end; i++)
            if (m->move[i].direction == BINE_FROM)
                message(s, m, &m->move[i], BINE_OP_SEND,
                        (struct bine_store){freshness(m, &m->move[i]) == 2 ? fresh : sums, 0});
    }
    return alone < m->nmoves;
}

void bine_emit_copy(struct bine_schedule *s, int to_space, int to, int from_space, int from) {
    if (s->nsteps == 0)
        bine_schedule_step(s, -1);
    bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
    bine_schedule_run(s, to_space, to, 1, 0);
    bine_schedule_with(s, from_space, from, 1);
}

void bine_emit_permute(struct bine_schedule *s, int to_space, int from_space, int pieces) {
    bine_schedule_step(s, -1);
    bine_schedule_op(s, BINE_OP_PERMUTE, BINE_SIDE_ANY, -1);
    bine_schedule_run(s, to_space, 0, pieces, 0);
    bine_schedule_with(s, from_space, 0, pieces);
}

void bine_emit_slots_sum(struct bine_schedule *s, int slots) {
    for (int i = slots - 2; i >= 0; i--) {
        bine_schedule_op(s, BINE_OP_REDUCE, BINE_SIDE_LEFT, -1);
        bine_schedule_run(s, BINE_TMP, slots - 1, 1, 0);
        bine_schedule_with(s, BINE_TMP, i, 1);
    }
    bine_emit_copy(s, BINE_OUT, 0, BINE_TMP, slots - 1);
}
