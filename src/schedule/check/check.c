/* The execution: which strand runs next, which send meets which receive, and deadlocks. */
#include "schedule/check/check.h"
#include "base/numbers.h"
#include "schedule/check/check_state.h"

#include <stdlib.h>

/* Post a step's messages in order; each may meet one that waits. The strands that can go on then
 * are work. */
static int enter_step(struct bine_check_state *st, int rank, uint32_t strand) {
    const struct bine_schedule *s = st->rank[rank];
    const struct bine_step *step = bine_step_of(st, rank, strand);
    struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    c->entered = 1;
    c->open = 0;
    bine_check_hearing_enter(st, rank);
    if (bine_check_inbox(st, rank, strand) != 0)
        return -1;
    if (bine_check_hazards(st, rank, strand) != 0)
        return 1;
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        c->open += (uint32_t)bine_is_message(&s->op[j]);
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        uint32_t other;
        if (!bine_is_message(op))
            continue;
        int sends = op->kind == BINE_OP_SEND, from = sends ? rank : op->peer,
            to = sends ? op->peer : rank;
        if (!bine_queue_pop(&st->queue, from, to, strand, op->peer, &other)) {
            if (bine_queue_push(&st->queue,
                                (struct bine_waiting){from, to, strand, rank, j, 0, 0}) != 0)
                return -1;
            continue;
        }
        const struct bine_op *their = &st->rank[op->peer]->op[other];
        int their_time = bine_step_of(st, op->peer, strand)->time;
        if (their_time != step->time)
            return bine_check_fail(st, rank, step->time,
                                   "its message %s rank %d meets one of step %d",
                                   sends ? "to" : "from", op->peer, their_time);
        int rc = bine_check_deliver(st, strand, from, sends ? op : their, to, sends ? their : op,
                                    step->time);
        if (rc != 0)
            return rc;
        c->open--;
        if (--st->cursor[(size_t)op->peer * st->strands + strand].open == 0)
            st->work[st->nwork++] = (uint32_t)op->peer * st->strands + strand;
    }
    return 0;
}

static int finish_step(struct bine_check_state *st, int rank, uint32_t strand) {
    struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    int rc = bine_check_local(st, rank, strand);
    if (rc != 0)
        return rc;
    c->step++;
    c->entered = 0;
    c->phase = 0;
    st->board_work += (uint64_t)st->rank[rank]->boards; /* it has passed all before */
    return 0;
}

/* Whether a strand has to let the one before it go first. */
static int is_behind(const struct bine_check_state *st, int rank, uint32_t strand) {
    const struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    return strand > 0 && bine_strand_waits(st->rank[rank], strand, c->step, c[-1].step);
}

/* Run one strand of one rank as far as it goes. */
static int advance_one(struct bine_check_state *st, int rank, uint32_t strand) {
    struct bine_cursor *c = &st->cursor[(size_t)rank * st->strands + strand];
    for (;;) {
        int rc = 0, ended = 1;
        if (c->entered && c->open > 0)
            return 0;
        if (c->entered)
            rc = bine_check_board_step(st, rank, strand, &ended);
        if (rc != 0 || !ended)
            return rc;
        if (c->entered && (rc = finish_step(st, rank, strand)) != 0)
            return rc;
        if (c->step == st->rank[rank]->strand[strand].nsteps || is_behind(st, rank, strand))
            return 0;
        if ((rc = enter_step(st, rank, strand)) != 0)
            return rc;
    }
}

/* Strands that waited for this one can go on, too. */
static int advance(struct bine_check_state *st, int rank, uint32_t strand) {
    int rc = advance_one(st, rank, strand);
    for (uint32_t k = strand + 1; st->rank[rank]->staggered && k < st->strands && rc == 0; k++)
        rc = advance_one(st, rank, k);
    return rc;
}

/* Whether the strand's next step is local work, and it has sent and received nothing yet. */
static int is_before(const struct bine_check_state *st, int rank, uint32_t strand) {
    const struct bine_schedule *s = st->rank[rank];
    uint32_t next = st->cursor[(size_t)rank * st->strands + strand].step;
    return next < s->strand[strand].nsteps && bine_step_of(st, rank, strand)->time < 0;
}

/* Deadlock: name the first strand that waits forever, or the circle of waiting strands. */
static int stuck(struct bine_check_state *st) {
    for (int r = 0; r < st->p; r++)
        for (uint32_t k = 0; k < st->strands; k++) {
            const struct bine_schedule *s = st->rank[r];
            if (st->cursor[(size_t)r * st->strands + k].step == s->strand[k].nsteps)
                continue;
            const struct bine_step *step = bine_step_of(st, r, k);
            if (bine_check_board_stuck(st, r, k) != 0)
                return 1;
            for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
                uint32_t op;
                int peer = s->op[j].peer, sends = s->op[j].kind == BINE_OP_SEND;
                if (!bine_is_message(&s->op[j]) ||
                    !bine_queue_pop(&st->queue, sends ? r : peer, sends ? peer : r, k, r, &op))
                    continue;
                int ended = st->cursor[(size_t)peer * st->strands + k].step ==
                            st->rank[peer]->strand[k].nsteps;
                if (ended)
                    return bine_check_fail(st, r, step->time, "its message %s rank %d is never %s",
                                           sends ? "to" : "from", peer,
                                           sends ? "received" : "sent");
                return bine_check_fail(
                    st, r, step->time,
                    "deadlock: waits for rank %d, which is at step %d and waits too", peer,
                    bine_step_of(st, peer, k)->time);
            }
        }
    return bine_check_fail(st, -1, -1, "deadlock");
}

/* The local work that comes before any message, of all strands. */
static int prepare(struct bine_check_state *st, int rank) {
    int rc = 0;
    for (uint32_t k = 0; k < st->strands; k++)
        while (rc == 0 && is_before(st, rank, k)) {
            rc = enter_step(st, rank, k);
            rc = rc == 0 ? finish_step(st, rank, k) : rc;
        }
    return rc;
}

/* Run every strand as far as it goes, then the strands that this lets go on. */
static int sweep(struct bine_check_state *st) {
    int rc = 0;
    for (int r = 0; r < st->p && rc == 0; r++)
        for (uint32_t k = 0; k < st->strands && rc == 0; k++) {
            rc = advance(st, r, k);
            while (rc == 0 && st->nwork > 0) {
                uint32_t w = st->work[--st->nwork];
                rc = advance(st, (int)(w / st->strands), w % st->strands);
            }
        }
    return rc;
}

/* Work at boards opens the way for waiting ranks: sweep until nothing is done. The order of ranks
 * makes no difference, as no wait that is over begins again. */
static int execute(struct bine_check_state *st) {
    int rc = 0;
    uint64_t done;
    for (int r = 0; r < st->p && rc == 0; r++)
        rc = prepare(st, r);
    do {
        done = st->board_work;
        rc = rc == 0 ? sweep(st) : rc;
    } while (rc == 0 && st->board_work != done);
    for (int r = 0; r < st->p && rc == 0; r++)
        for (uint32_t k = 0; k < st->strands && rc == 0; k++)
            if (st->cursor[(size_t)r * st->strands + k].step != st->rank[r]->strand[k].nsteps)
                rc = stuck(st);
    return rc;
}

static int run_check(struct bine_check_state *st) {
    int rc = 0;
    bine_check_views(st);
    for (int r = 0; r < st->p; r++)
        if (bine_check_form(st, r) != 0)
            return 1;
    if (bine_check_nodes(st) != 0)
        return 1;
    bine_check_inputs(st);
    if ((rc = execute(st)) != 0)
        return rc;
    for (int r = 0; r < st->p && rc == 0; r++)
        rc = bine_check_result(st, r);
    for (int r = 0; r < st->p && rc == 0; r++)
        rc = bine_check_size_exchange(st, r);
    return rc != 0 || st->algorithm == NULL ? rc : bine_check_promises(st);
}

int bine_check(struct bine_schedule *const *rank, const struct bine_algorithm *a,
               struct bine_verdict *verdict) {
    struct bine_check_state st = {
        .rank = rank, .algorithm = a, .verdict = verdict, .p = rank[0]->p, .last_time = -1};
    size_t n = (size_t)st.p, total = 0, most = 0;
    st.strands = rank[0]->nstrands;
    *verdict = (struct bine_verdict){.rank = -1, .time = -1};
    st.view = malloc(n * BINE_SPACES * sizeof *st.view);
    st.base = malloc(n * sizeof *st.base);
    for (size_t r = 0; r < n && st.base != NULL; r++) {
        size_t count = bine_piece_count(rank[r]);
        st.base[r] = total;
        total += count;
        most = bine_max(count, most);
    }
    st.piece = calloc(total + 1, sizeof *st.piece);
    st.in_lost = calloc(n, 1);
    st.cursor = calloc(n * st.strands, sizeof *st.cursor);
    st.mark = calloc(most + 1, sizeof *st.mark);
    st.post = calloc(n * BINE_CHECK_SLOTS, sizeof *st.post);
    st.work = malloc(n * st.strands * sizeof *st.work);
    st.sent = calloc(4 * n, sizeof *st.sent);
    st.met = calloc((size_t)(rank[0]->times > 0 ? rank[0]->times : 0) + 1, 1);
    int rc = -1;
    if (bine_check_open(&st) == 0 && bine_check_hearing_open(&st) == 0 && st.view != NULL &&
        st.base != NULL && st.piece != NULL && st.in_lost != NULL && st.cursor != NULL &&
        st.mark != NULL && st.post != NULL && st.work != NULL && st.sent != NULL &&
        st.met != NULL) {
        st.received = st.sent + n;
        st.sent_early = st.received + n;
        st.received_early = st.sent_early + n;
        rc = run_check(&st);
    }
    for (size_t i = 0; i < n * st.strands && st.cursor != NULL; i++)
        free(st.cursor[i].inbox);
    for (size_t i = 0; i < n * BINE_CHECK_SLOTS && st.post != NULL; i++)
        free(st.post[i].value);
    bine_values_close(&st.values);
    free(st.post);
    free(st.view);
    free(st.base);
    free(st.piece);
    free(st.in_lost);
    free(st.heard);
    free(st.cursor);
    free(st.queue.waiting);
    bine_set_free(&st.queue.first);
    free(st.mark);
    free(st.work);
    free(st.sent);
    free(st.met);
    return rc;
}
