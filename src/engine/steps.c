/* The executor by steps: messages, boards, and calls in rounds. */
#include "engine/walk.h"
#include "schedule/alone.h"

enum { WINDOW = BINE_PARTS_PENDING };
static const uint32_t TAKEN = UINT32_MAX; /* no place: it was completed before */

/* --- Posting */

static uint32_t take_slot(struct bine_strand_state *st) {
    return st->free_slots > 0 ? st->free_slot[--st->free_slots] : st->nslots++;
}

static void free_slot(struct bine_strand_state *st, uint32_t k) {
    st->slot[k].open = 0;
    st->free_slot[st->free_slots++] = k;
    st->lane[st->slot[k].lane].open--;
}

/* Move a position n elements on; it may come to rest at the end of a run. */
static void advance(const struct bine_execution *x, const struct bine_run *runs, uint32_t *at,
                    int64_t *done, int64_t n) {
    *done += n;
    for (int64_t length; *done > 0 && *done >= (length = bine_elements_of_run(x, &runs[*at]));
         (*at)++)
        *done -= length;
}

static char *address_of(const struct bine_strand_state *st, const struct bine_location *a) {
    return bine_at(a->base == BINE_BASE_SCRATCH ? st->scratch : st->send_staging, a->offset);
}

static void post(struct bine_execution *x, struct bine_strand_state *st, struct bine_lane *l,
                 int64_t n) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_op *op = l->op;
    uint32_t k = take_slot(st);
    struct bine_slot *slot = &st->slot[k];
    int tag = x->tag + (int)(st - x->strand), rc;
    *slot = (struct bine_slot){
        .lane = (uint32_t)(l - st->lane), .open = 1, .part = l->next, .posted = bine_taped_now(x)};
    slot->part.count = n;
    slot->data = bine_location_beyond(x, l->aside, l->at);
    st->request[k] = BINE_NO_REQUEST;
    char *at = op->nruns == 0 ? NULL
               : l->is_aside  ? address_of(st, &slot->data)
                              : bine_address_of_run(x, &s->run[op->runs + slot->part.run],
                                                    slot->part.run_done);
    l->at += n;
    l->open++;
    l->posted = l->at == l->total;
    if (!l->posted) {
        advance(x, &s->run[op->runs], &l->next.run, &l->next.run_done, n);
        if (op->nwith > 0)
            advance(x, &s->run[op->with], &l->next.with, &l->next.with_done, n);
    }
    bine_execution_note(x, bine_on_device_settle(&x->on_device));
    bine_execution_note(x, bine_copy_in_need(&x->copy_in, at, (size_t)(n * x->type.size)));
    if (op->kind == BINE_OP_SEND)
        rc = bine_transport.isend(at, (int)n, x->type.handle, op->peer, tag, x->comm,
                                  &st->request[k]);
    else
        rc = bine_transport.irecv(at, (int)n, x->type.handle, op->peer, tag, x->comm,
                                  &st->request[k]);
    bine_execution_note(x, rc);
    if (rc != BINE_OK) /* there is nothing to wait for */
        free_slot(st, k);
}

/* Post the next messages of a lane: whole transfers without limit, parts of one in a window. */
static void post_more(struct bine_execution *x, struct bine_strand_state *st, struct bine_lane *l) {
    const struct bine_schedule *s = x->plan->schedule;
    while (!l->posted) {
        int64_t whole = l->total, left = l->total - l->at;
        if (s->layout != BINE_PACK && l->op->nruns > 0) {
            while ((whole = bine_elements_of_run(x, &s->run[l->op->runs + l->next.run])) == 0)
                l->next.run++; /* nothing to transfer: dropped at both ends */
            left = whole - l->next.run_done;
        }
        if (whole > x->segment) {
            st->in_parts = 1;
            if (l->open >= WINDOW)
                return;
        }
        post(x, st, l, left < x->segment ? left : x->segment);
    }
}

/* Give a lane scratch to receive in. Return 0 if there is no room until messages that are pending
 * have been used up. The scratch of held lanes comes first and is theirs until the end of the step.
 */
static int take_scratch(const struct bine_execution *x, struct bine_strand_state *st,
                        struct bine_lane *l) {
    size_t *used = (l->flags & BINE_OP_HELD) ? &st->held_used : &st->scratch_used,
           room = bine_type_room(&x->type, l->total);
    if (used == &st->scratch_used && *used > st->held && *used + room > x->scratch_room)
        return 0;
    l->aside = bine_location_take(&x->type, BINE_BASE_SCRATCH, used, l->total);
    return 1;
}

/* Begin with a lane if there is room for its scratch. */
static void open_lane(struct bine_execution *x, struct bine_strand_state *st, struct bine_lane *l) {
    l->is_aside = (uint8_t)bine_manner_of(x->plan, l->op).aside;
    if (l->is_aside && l->op->kind == BINE_OP_SEND) {
        struct bine_op_walk w = bine_op_walk_now(x, st);
        l->aside = bine_location_take(&x->type, BINE_BASE_STAGING, &st->send_used, l->total);
        uint64_t begin = bine_taped_now(x);
        bine_op_walk_pack(&w, l->op, l->aside);
        bine_taped_copy(x, st, l->total, begin);
    } else if (l->is_aside && !take_scratch(x, st, l)) {
        st->in_parts = st->waiting = 1;
        return;
    }
    l->opened = 1;
    post_more(x, st, l);
}

static void open_lanes(struct bine_execution *x, struct bine_strand_state *st) {
    st->waiting = 0;
    for (uint32_t i = 0; i < st->nlanes; i++)
        if (!st->lane[i].opened)
            open_lane(x, st, &st->lane[i]);
}

/* --- Steps */

static void enter_step(struct bine_execution *x, struct bine_strand_state *st) {
    const struct bine_schedule *s = x->plan->schedule;
    const struct bine_step *step = bine_step_of(x, st);
    st->in_step = 1;
    st->entered = bine_taped_now(x);
    st->nlanes = st->nslots = st->free_slots = 0;
    st->in_parts = st->waiting = 0;
    st->held = st->held_used = st->send_used = 0;
    if (x->board.node != NULL) {
        st->board = (struct bine_board_cursor){.phase = BINE_BOARD_PUBLISHES};
        bine_board_pass(x);
    }
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        int64_t total = bine_op_is_message(op) ? bine_elements_of_op(x, op) : 0;
        if (total == 0 && !bine_op_is_signal(op))
            continue;
        st->lane[st->nlanes++] =
            (struct bine_lane){.op = op, .flags = x->plan->flags[j], .total = total};
        if (x->plan->flags[j] & BINE_OP_HELD)
            st->held += bine_type_room(&x->type, total);
    }
    st->scratch_used = st->held;
    open_lanes(x, st);
}

/* Whether a lane has local work for the messages that have come, before its step is complete. */
static int is_used_early(const struct bine_lane *l) {
    enum bine_op_kind kind = l->op->kind;
    return kind == BINE_OP_RECV || (kind == BINE_OP_RECV_REDUCE && (l->flags & BINE_OP_EARLY));
}

/* A part has come or gone. Use it now, unless it must wait for the other messages of the step. More
 * of its lane comes meanwhile. */
static void complete_slot(struct bine_execution *x, struct bine_strand_state *st, uint32_t k) {
    struct bine_slot slot = st->slot[k];
    struct bine_lane *l = &st->lane[slot.lane];
    if (x->tape != NULL)
        bine_taped_message(x, st, l->op, &slot);
    free_slot(st, k);
    post_more(x, st, l);
    if (is_used_early(l)) {
        struct bine_op_walk w = bine_op_walk_now(x, st);
        uint64_t begin = bine_taped_now(x);
        bine_op_walk_use(&w, l->op, &slot.part, l->is_aside ? &slot.data : NULL);
        bine_taped_use(x, st, l, slot.part.count, begin);
    }
}

/* Nothing is pending; or, while lanes are waiting for scratch, nothing that uses scratch. They may
 * not wait for this rank's sends, which may wait for theirs at the other end. */
static int is_quiet(const struct bine_strand_state *st) {
    for (uint32_t i = 0; i < st->nlanes; i++) {
        const struct bine_lane *l = &st->lane[i];
        int counts = !st->waiting || (l->op->kind != BINE_OP_SEND && !(l->flags & BINE_OP_HELD));
        if (l->opened && counts && (l->open > 0 || !l->posted))
            return 0;
    }
    return 1;
}

/* Add up the deferred operands, in the order listed. */
static void reduce_late(struct bine_op_walk *w, struct bine_strand_state *st) {
    for (uint32_t i = 0; i < st->nlanes; i++) {
        struct bine_lane *l = &st->lane[i];
        if (l->op->kind != BINE_OP_RECV_REDUCE || !l->opened || (l->flags & BINE_OP_EARLY) ||
            (st->waiting && (l->flags & BINE_OP_HELD)))
            continue;
        uint64_t begin = bine_taped_now(w->x);
        bine_op_walk_use_all(w, l->op, l->is_aside ? &l->aside : NULL);
        bine_taped_use(w->x, st, l, l->total, begin);
        l->flags |= BINE_OP_EARLY; /* done with */
    }
}

static void do_local(struct bine_execution *x, struct bine_op_walk *w,
                     const struct bine_strand_state *st, const struct bine_step *step) {
    uint64_t begin = bine_taped_now(x);
    if (x->board.local)
        bine_board_local(x, step);
    else
        bine_op_walk_local(w, step);
    if (x->tape != NULL)
        bine_taped_local(x, st, step, begin);
}

/* All is quiet: use the received data, and begin with lanes that had no room. Returns whether the
 * step is complete. */
static int settle(struct bine_execution *x, struct bine_strand_state *st) {
    struct bine_op_walk w = bine_op_walk_now(x, st);
    reduce_late(&w, st);
    if (st->waiting) {
        st->scratch_used = st->held;
        open_lanes(x, st);
        return 0;
    }
    do_local(x, &w, st, bine_step_of(x, st));
    if (x->tape != NULL)
        bine_taped_step(x, st);
    return 1;
}

/* Whether a step's messages, or its operations on boards, are complete as far as they can be. */
static int is_through(struct bine_execution *x, struct bine_strand_state *st) {
    const struct bine_step *step = bine_step_of(x, st);
    if (!bine_step_is_on_boards(x->plan->schedule, step))
        return is_quiet(st);
    int through = bine_board_step(x, st, step);
    x->board.waiting += !through;
    return through;
}

/* --- Strands */

/* Whether a strand has to let the one before it go first. */
static int is_behind(const struct bine_execution *x, const struct bine_strand_state *st) {
    uint32_t k = (uint32_t)(st - x->strand);
    return k > 0 && bine_strand_waits(x->plan->schedule, k, st->step, st[-1].step);
}

/* Take a strand as far as it goes without waiting. */
static void advance_strand(struct bine_execution *x, struct bine_strand_state *st) {
    const struct bine_strand *strand = &x->plan->schedule->strand[st - x->strand];
    while (st->step < strand->nsteps) {
        if (!st->in_step && is_behind(x, st))
            return;
        if (!st->in_step)
            enter_step(x, st);
        if (!is_through(x, st))
            return;
        if (settle(x, st)) {
            st->in_step = 0;
            if (++st->step == strand->nsteps)
                x->running--;
            if (x->board.node != NULL && x->nstrands > 1)
                bine_board_pass(x);
        }
    }
}

static void begin(struct bine_execution *x) {
    x->begun = 1;
    x->running = 0;
    for (uint32_t k = 0; k < x->nstrands; k++) {
        x->running += x->plan->schedule->strand[k].nsteps > 0;
        x->strand[k].step = 0;
        x->strand[k].in_step = 0;
        x->strand[k].nslots = 0;
        x->strand[k].board.exposed = 0;
    }
}

/* The local work at the beginning of all strands comes before any message. */
static void prepare(struct bine_execution *x) {
    const struct bine_schedule *s = x->plan->schedule;
    for (uint32_t k = 0; k < x->nstrands; k++) {
        struct bine_strand_state *st = &x->strand[k];
        struct bine_op_walk w = bine_op_walk_now(x, st);
        uint32_t nsteps = s->strand[k].nsteps;
        for (; st->step < nsteps && bine_step_of(x, st)->time < 0; st->step++) {
            do_local(x, &w, st, bine_step_of(x, st));
            x->running -= st->step + 1 == nsteps;
        }
    }
}

/* --- Waiting */

static void give_up(struct bine_execution *x) {
    for (uint32_t k = 0; k < x->nstrands; k++) {
        struct bine_strand_state *st = &x->strand[k];
        for (uint32_t i = 0; st->in_step && i < st->nslots; i++)
            bine_transport.withdraw(&st->request[i],
                                    st->lane[st->slot[i].lane].op->kind == BINE_OP_SEND);
    }
    bine_execution_give_up(x);
}

/* Where the two ends of a message have its size from their callers, it may be longer than expected.
 * The caller gets that error: MPI's functions on several requests do not return it. */
static int looks_at_each(const struct bine_execution *x) {
    return x->plan->schedule->uneven && !x->plan->schedule->exchanges_sizes;
}

/* Wait for all of a step's messages at once: the usual case of one strand and nothing in parts.
 * Return whether they are over. */
static int wait_all(struct bine_execution *x, struct bine_strand_state *st) {
    uint32_t n = st->nslots;
    uint64_t begin = bine_taped_now(x);
    int over = 1, rc = looks_at_each(x) ? bine_transport.wait_each((int)n, st->request)
                                        : bine_transport.wait_all((int)n, st->request);
    if (rc != BINE_OK)
        bine_execution_note(x, bine_transport.wait_rest((int)n, st->request, rc));
    bine_taped_wait(x, begin);
    for (uint32_t k = 0; k < n; k++)
        over = over && st->request[k] == BINE_NO_REQUEST;
    for (uint32_t k = 0; k < n && over; k++)
        if (st->slot[k].open)
            complete_slot(x, st, k);
    return over;
}

/* List the pending requests in all strands, without the empty slots between them: MPICH polls the
 * network once for every few requests that it is shown, null ones included. */
static int list_pending(struct bine_execution *x) {
    int n = 0;
    for (uint32_t k = 0; k < x->nstrands; k++) {
        const struct bine_strand_state *st = &x->strand[k];
        for (uint32_t i = 0; st->in_step && i < st->nslots; i++)
            if (st->request[i] != BINE_NO_REQUEST) {
                x->pending[n] = st->request[i];
                x->place[n++] = k * x->slot_room + i;
            }
    }
    return n;
}

/* Whether there is work with what has come: data that came to its place makes none. */
static int makes_work(const struct bine_lane *l) {
    return is_used_early(l) && (l->is_aside || l->op->kind == BINE_OP_RECV_REDUCE);
}

/* Complete those that are over of the n that were listed: what makes work, or the others. The
 * latter come first: peers wait for more while this rank adds up. Returns how many. */
static int complete_found(struct bine_execution *x, int n, int work) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (x->pending[i] != BINE_NO_REQUEST || x->place[i] == TAKEN)
            continue;
        struct bine_strand_state *st = &x->strand[x->place[i] / x->slot_room];
        uint32_t k = x->place[i] % x->slot_room;
        if (makes_work(&st->lane[st->slot[k].lane]) == work) {
            x->place[i] = TAKEN;
            complete_slot(x, st, k);
            found++;
        }
    }
    return found;
}

/* Wait for some of the pending messages, of all strands: how many are over, well or not. */
static int wait_some(struct bine_execution *x, int wait) {
    if (x->starting)
        return 0;
    int n = list_pending(x);
    uint64_t begin = wait ? bine_taped_now(x) : 0;
    int rc = looks_at_each(x) ? bine_transport.some_of_each(n, x->pending, wait)
                              : bine_transport.some(n, x->pending, x->index, wait);
    if (wait)
        bine_taped_wait(x, begin);
    bine_execution_note(x, rc);
    for (int i = 0; i < n; i++)
        x->request[x->place[i]] = x->pending[i];
    int found = complete_found(x, n, 0) + complete_found(x, n, 1);
    if (rc != BINE_OK && found == 0)
        give_up(x);
    return found;
}

/* Take all strands as far as they go, from their first steps on. */
static void advance_all(struct bine_execution *x) {
    x->board.waiting = 0;
    if (!x->begun) {
        begin(x);
        if (x->nstrands > 1)
            prepare(x);
    }
    for (uint32_t k = 0; k < x->nstrands; k++)
        advance_strand(x, &x->strand[k]);
}

/* The schedule is done: begin with it again for the next round. Returns whether there is one. */
static int next_round(struct bine_execution *x) {
    if (x->board.node == NULL || x->board.round + 1 == x->board.rounds)
        return 0;
    bine_board_round(x, x->board.round + 1);
    x->begun = 0;
    return 1;
}

/* Some strand is at a board: look at the messages of the others, and wait there for a moment.
 * Returns whether to go on. */
static int wait_at_boards(struct bine_execution *x, int wait) {
    struct bine_board_use *b = &x->board;
    int came = b->moved || (x->nstrands > 1 && wait_some(x, 0) > 0);
    b->moved = 0;
    if (came)
        b->looks = 0;
    if (x->nstrands > 1)
        b->node->boards->sleep.awaited = -1;
    if (!came && !wait)
        bine_boards_wake(b->node->boards);
    uint64_t begin = bine_taped_now(x);
    int rc = !came && wait ? bine_wait_once(&b->node->wait, &b->looks) : BINE_OK;
    if (!came && wait)
        bine_taped_wait(x, begin);
    bine_execution_note(x, rc);
    if (rc != BINE_OK) /* MPI does not go on: nor will others */
        give_up(x);
    return came || wait;
}

/* Until something has come. Returns whether to go on: something has, or may have. */
static int wait_for_more(struct bine_execution *x, int wait) {
    if (x->board.waiting > 0)
        return wait_at_boards(x, wait);
    if (!wait || x->nstrands > 1 || x->strand->in_parts)
        return wait_some(x, wait) > 0;
    if (!wait_all(x, x->strand))
        give_up(x);
    return 1;
}

static int progress(struct bine_execution *x, int wait) {
    while (!x->given_up) {
        advance_all(x);
        if (x->running == 0 && !next_round(x))
            return 1;
        if (x->begun && !wait_for_more(x, wait) && !x->given_up) /* else the next round begins */
            return 0;
    }
    return 1;
}

static void start(struct bine_execution *x) {
    if (x->board.node != NULL)
        bine_board_begin(x);
}

static void finish(struct bine_execution *x) {
    if (x->board.node != NULL && x->given_up)
        bine_board_give_up(x);
    else if (x->board.node != NULL)
        bine_board_end(x);
}

const struct bine_executor bine_by_steps = {start, progress, finish};
