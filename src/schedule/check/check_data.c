/* The effect of messages and local work on the data: every piece holds a value, and values are
 * moved and added up. */
#include "base/grow.h"
#include "schedule/check/check.h"
#include "schedule/check/check_state.h"

#include <stdlib.h>
#include <string.h>

static int check_transfers(struct bine_check_state *st, const struct bine_schedule *a,
                           const struct bine_op *send, const struct bine_schedule *b,
                           const struct bine_op *recv, int time) {
    if (a->layout == BINE_PACK) {
        int64_t n = bine_count_pieces(a, send->runs, send->nruns),
                m = bine_count_pieces(b, recv->runs, recv->nruns);
        if (n != m)
            return bine_check_fail(st, b->rank, time,
                                   "expects %lld pieces from rank %d, which sends %lld",
                                   (long long)m, a->rank, (long long)n);
        return 0;
    }
    if (send->nruns != recv->nruns)
        return bine_check_fail(st, b->rank, time,
                               "expects %u transfers from rank %d, which sends %u", recv->nruns,
                               a->rank, send->nruns);
    for (uint32_t i = 0; i < send->nruns; i++)
        if (a->run[send->runs + i].count != b->run[recv->runs + i].count)
            return bine_check_fail(
                st, b->rank, time, "expects %d pieces in transfer %u from rank %d, which sends %d",
                b->run[recv->runs + i].count, i, a->rank, a->run[send->runs + i].count);
    return 0;
}

/* Why piece k of a stretch cannot be read. */
static int unwritten(struct bine_check_state *st, const struct bine_schedule *s, int time,
                     const struct bine_stretch *x, int k) {
    return bine_check_fail(st, s->rank, time, "reads place %d of %s before it is written",
                           x->place + k, bine_space_word(x->space));
}

/* The properties that a piece shares with the value put into it. */
static const char *block_word(const struct bine_schedule *s) {
    return s->collective == BINE_ALLTOALL ? "part" : "block";
}

/* Why a value cannot be put into piece k of a stretch. */
static int misplaced(struct bine_check_state *st, const struct bine_schedule *s, int time,
                     const struct bine_stretch *x, int k, bine_value value) {
    const char *block = block_word(s);
    return bine_check_fail(st, s->rank, time, "puts %s %d where %s %d belongs (place %d of %s)",
                           block, (int)(value & st->bits), block, x->block + k * x->next,
                           x->place + k, bine_space_word(x->space));
}

/* Before a stretch is read. */
static int check_lost(struct bine_check_state *st, const struct bine_schedule *s, int time,
                      const struct bine_stretch *x) {
    if (x->space == BINE_IN && st->in_lost[s->rank])
        return bine_check_fail(st, s->rank, time,
                               "reads in after out, which lies on top of it, was written");
    return 0;
}

/* How many pieces of two stretches can be treated alike. `to` is written: one at a time where that
 * changes the data that may be read. */
static int in_step(const struct bine_stretch *from, const struct bine_schedule *s,
                   const struct bine_stretch *to) {
    if (from->next != to->next || (to->space == BINE_OUT && bine_out_covers_in(s)))
        return 1;
    return from->count < to->count ? from->count : to->count;
}

static void note_written(struct bine_check_state *st, const struct bine_schedule *s,
                         const struct bine_stretch *to) {
    if (to->space == BINE_OUT && bine_out_covers_in(s))
        st->in_lost[s->rank] = 1;
}

/* Set n pieces of one rank to pieces of another one, or of itself. */
static int move(struct bine_check_state *st, const struct bine_schedule *a,
                const struct bine_stretch *from, const struct bine_schedule *b,
                const struct bine_stretch *to, int n, int time) {
    const bine_value *source = bine_pieces_of(st, a->rank, from);
    bine_value *piece = bine_pieces_of(st, b->rank, to);
    uint32_t bits = st->bits, block = (uint32_t)to->block, next = (uint32_t)to->next;
    for (int k = 0; k < n; k++, block += next) {
        bine_value x = source[k];
        if (x == 0)
            return unwritten(st, a, time, from, k);
        if (((x ^ block) & bits) != 0)
            return misplaced(st, b, time, to, k, x);
        piece[k] = x;
    }
    note_written(st, b, to);
    return 0;
}

/* Where the values of a recv_reduce of the step in hand are kept. */
static bine_value *inbox_of(struct bine_check_state *st, int rank, uint32_t strand,
                            const struct bine_op *op) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    bine_value *at = st->cursor[(size_t)rank * st->strands + strand].inbox;
    for (const struct bine_op *o = &s->op[step->ops]; o != op; o++)
        if (o->kind == BINE_OP_RECV_REDUCE)
            at += bine_count_pieces(s, o->runs, o->nruns);
    return at;
}

int bine_check_inbox(struct bine_check_state *st, int rank, uint32_t strand) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    size_t need = 0;
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (s->op[j].kind == BINE_OP_RECV_REDUCE)
            need += (size_t)bine_count_pieces(s, s->op[j].runs, s->op[j].nruns);
    return bine_grow(&c->inbox, &c->inbox_room, need, sizeof *c->inbox);
}

/* Keep the values that a recv_reduce receives. */
static int take_in(struct bine_check_state *st, const struct bine_schedule *a,
                   const struct bine_stretch *from, int n, int time, bine_value *inbox) {
    const bine_value *source = bine_pieces_of(st, a->rank, from);
    for (int k = 0; k < n; k++) {
        if (source[k] == 0)
            return unwritten(st, a, time, from, k);
        inbox[k] = source[k];
    }
    return 0;
}

/* Check that both ends of a message name one block where two stretches begin. */
static int check_blocks(struct bine_check_state *st, const struct bine_schedule *a,
                        const struct bine_stretch *from, const struct bine_schedule *b,
                        const struct bine_stretch *to, int time) {
    if (from->block == to->block)
        return 0;
    if (*bine_pieces_of(st, a->rank, from) == 0)
        return unwritten(st, a, time, from, 0);
    return bine_check_fail(st, b->rank, time, "expects %s %d from rank %d, which sends %s %d",
                           block_word(b), to->block, a->rank, block_word(a), from->block);
}

int bine_check_deliver(struct bine_check_state *st, uint32_t strand, int from,
                       const struct bine_op *send, int to, const struct bine_op *recv, int time) {
    const struct bine_schedule *a = st->rank[from], *b = st->rank[to];
    if (check_transfers(st, a, send, b, recv, time) != 0 ||
        bine_check_sizes(st, a, send, b, recv, time) != 0)
        return 1;
    struct bine_walk w = bine_walk_runs(st, a, send->runs, send->nruns),
                     v = bine_walk_runs(st, b, recv->runs, recv->nruns);
    bine_value *inbox = recv->kind == BINE_OP_RECV_REDUCE ? inbox_of(st, to, strand, recv) : NULL;
    int early = time < a->times / 2;
    st->met[time] = 1;
    bine_check_hear_message(st, from, to);
    while (bine_walk_more(&w) && bine_walk_more(&v)) {
        int n = in_step(&w.x, b, &v.x), rc = check_lost(st, a, time, &w.x);
        if (rc == 0)
            rc = check_blocks(st, a, &w.x, b, &v.x, time);
        if (rc == 0)
            rc = inbox != NULL ? take_in(st, a, &w.x, n, time, inbox)
                               : move(st, a, &w.x, b, &v.x, n, time);
        if (rc != 0)
            return rc;
        inbox = inbox != NULL ? inbox + n : NULL;
        st->sent[from] += (uint64_t)n;
        st->received[to] += (uint64_t)n;
        st->sent_early[from] += early ? (uint64_t)n : 0;
        st->received_early[to] += early ? (uint64_t)n : 0;
        st->verdict->pieces += (uint64_t)n;
        bine_walk_take(&w, n);
        bine_walk_take(&v, n);
    }
    st->verdict->messages += a->layout == BINE_PACK ? 1 : send->nruns;
    return 0;
}

/* n pieces: with op received, or, where nothing was, with op the piece itself. */
static int reduce(struct bine_check_state *st, const struct bine_schedule *s, int side,
                  const struct bine_stretch *with, const struct bine_stretch *to, int n, int time,
                  const bine_value *inbox) {
    const bine_value *source = bine_pieces_of(st, s->rank, with);
    bine_value *piece = bine_pieces_of(st, s->rank, to);
    struct bine_values *v = &st->values;
    uint32_t bits = st->bits, block = (uint32_t)to->block, next = (uint32_t)to->next;
    for (int k = 0; k < n; k++, block += next) {
        bine_value own = inbox != NULL ? source[k] : piece[k];
        bine_value other = inbox != NULL ? inbox[k] : source[k];
        if (source[k] == 0)
            return unwritten(st, s, time, with, k);
        if (own == 0)
            return unwritten(st, s, time, to, k);
        if (((own ^ other) & v->mask) != 0)
            return bine_check_fail(st, s->rank, time, "adds block %d to block %d",
                                   bine_value_block(v, other), bine_value_block(v, own));
        bine_value x = side == BINE_SIDE_ANY    ? bine_value_add(v, own, other)
                       : side == BINE_SIDE_LEFT ? bine_value_add_ordered(v, other, own)
                                                : bine_value_add_ordered(v, own, other);
        if (x == 0)
            return -1;
        if (((x ^ block) & bits) != 0)
            return misplaced(st, s, time, to, k, x);
        piece[k] = x;
    }
    note_written(st, s, to);
    return 0;
}

/* A reduction (of received values, if there is an inbox) or a copy. */
static int local_op(struct bine_check_state *st, const struct bine_schedule *s,
                    const struct bine_op *op, int time, const bine_value *inbox) {
    struct bine_walk w = bine_walk_runs(st, s, op->runs, op->nruns),
                     v = bine_walk_runs(st, s, op->with, op->nwith);
    while (bine_walk_more(&w) && bine_walk_more(&v)) {
        int n = in_step(&v.x, s, &w.x), rc = check_lost(st, s, time, &v.x);
        if (rc == 0)
            rc = op->kind == BINE_OP_COPY ? move(st, s, &v.x, s, &w.x, n, time)
                                          : reduce(st, s, op->side, &v.x, &w.x, n, time, inbox);
        if (rc != 0)
            return rc;
        inbox = inbox != NULL ? inbox + n : NULL;
        bine_walk_take(&w, n);
        bine_walk_take(&v, n);
    }
    return 0;
}

int bine_check_put(struct bine_check_state *st, const struct bine_schedule *s,
                   const struct bine_op *op, int time, bine_value *value) {
    struct bine_walk w = bine_walk_runs(st, s, op->runs, op->nruns);
    for (; bine_walk_more(&w); bine_walk_take(&w, w.x.count)) {
        int rc = check_lost(st, s, time, &w.x);
        if (rc == 0)
            rc = take_in(st, s, &w.x, w.x.count, time, value);
        if (rc != 0)
            return rc;
        value += w.x.count;
    }
    return 0;
}

/* The values of a board, one by one, into the pieces of a read. */
static int put_down(struct bine_check_state *st, const struct bine_schedule *s,
                    const struct bine_op *op, int time, const bine_value *value) {
    struct bine_walk w = bine_walk_runs(st, s, op->runs, op->nruns);
    for (; bine_walk_more(&w); bine_walk_take(&w, 1), value++) {
        if (((*value ^ (uint32_t)w.x.block) & st->bits) != 0)
            return misplaced(st, s, time, &w.x, 0, *value);
        *bine_pieces_of(st, s->rank, &w.x) = *value;
        note_written(st, s, &w.x);
    }
    return 0;
}

int bine_check_take(struct bine_check_state *st, const struct bine_schedule *s,
                    const struct bine_op *op, int time, const bine_value *value) {
    return op->kind == BINE_OP_READ ? put_down(st, s, op, time, value)
                                    : local_op(st, s, op, time, value);
}

/* Copy one space to another. Both hold equal blocks, so look up each block's place. */
static int local_permute(struct bine_check_state *st, const struct bine_schedule *s,
                         const struct bine_op *op, int time) {
    int to = s->run[op->runs].space, from = s->run[op->with].space, n = s->space[to].pieces;
    if (op->nruns != 1 || op->nwith != 1 || s->run[op->runs].count != n ||
        s->space[from].pieces != n)
        return bine_check_fail(st, s->rank, time, "permutes part of a space");
    memset(st->mark, 0, (size_t)n * sizeof *st->mark);
    for (int k = 0; k < n; k++)
        st->mark[bine_schedule_block(s, from, k)] = (uint32_t)k + 1;
    struct bine_seek seek = {0, 0};
    for (int k = 0; k < n; k++) {
        uint32_t at = st->mark[bine_schedule_block(s, to, k)];
        if (at == 0)
            return bine_check_fail(st, s->rank, time, "permutes block %d, which is not there",
                                   bine_schedule_block(s, to, k));
        struct bine_stretch x = bine_stretch_at(st, s, from, (int)at - 1, 1, &seek),
                            y = bine_stretch_at(st, s, to, k, 1, &seek);
        if (check_lost(st, s, time, &x) != 0 || move(st, s, &x, s, &y, 1, time) != 0)
            return 1;
    }
    memset(st->mark, 0, (size_t)n * sizeof *st->mark);
    return 0;
}

int bine_check_local(struct bine_check_state *st, int rank, uint32_t strand) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    for (int messages = 1; messages >= 0;
         messages--) /* received values are added up before anything else */
        for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
            const struct bine_op *op = &s->op[j];
            int rc = 0;
            if (messages != bine_is_message(op) || bine_kind_is_board(op->kind))
                continue;
            if (bine_check_copied_sizes(st, s, op, step->time) != 0)
                return 1;
            if (op->kind == BINE_OP_RECV_REDUCE)
                rc = local_op(st, s, op, step->time, inbox_of(st, rank, strand, op));
            else if (op->kind == BINE_OP_PERMUTE)
                rc = local_permute(st, s, op, step->time);
            else if (!messages)
                rc = local_op(st, s, op, step->time, NULL);
            if (rc != 0)
                return rc;
        }
    return 0;
}

int bine_check_hazards(struct bine_check_state *st, int rank, uint32_t strand) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    int received = 0, covers = 0;
    st->stamp++;
    for (int sends = 0; sends <= received; sends++)
        for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
            const struct bine_op *op = &s->op[j];
            if (op->kind != (sends ? BINE_OP_SEND : BINE_OP_RECV))
                continue;
            received = 1;
            struct bine_walk w = bine_walk_runs(st, s, op->runs, op->nruns);
            for (; bine_walk_more(&w); bine_walk_take(&w, w.x.count)) {
                uint32_t *mark = &st->mark[w.x.number];
                for (int k = 0; k < w.x.count; k++) {
                    if (mark[k] == st->stamp)
                        return bine_check_fail(st, rank, step->time,
                                               "place %d of %s is %s while it is being received",
                                               w.x.place + k, bine_space_word(w.x.space),
                                               sends ? "sent" : "received again");
                    if (sends && covers && w.x.space == BINE_IN)
                        return bine_check_fail(
                            st, rank, step->time,
                            "sends in while out, which lies on top of it, is being received");
                    mark[k] = sends ? mark[k] : st->stamp;
                }
                covers |= !sends && w.x.space == BINE_OUT && bine_out_covers_in(s);
            }
        }
    return 0;
}
