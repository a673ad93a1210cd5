#include "engine/run.h"

#include "engine/code.h"
#include "engine/tags.h"

#include <string.h>

/* Parts of a message that may be under way at once, when it comes in parts. */
#define WINDOW 4

static size_t aligned(size_t n) {
    return (n + 15) & ~(size_t)15;
}

static uint32_t slots_of(const struct bine_plan *plan) {
    return plan->max_transfers + WINDOW * plan->max_messages;
}

size_t bine_run_bytes(const struct bine_plan *plan) {
    size_t slots = slots_of(plan), strands = plan->schedule->nstrands;
    struct bine_strand_run *one = NULL;
    return aligned(strands * sizeof *one) +
           strands * (aligned(plan->max_messages * sizeof *one->lane) +
                      aligned(slots * sizeof *one->slot) + aligned(slots * sizeof *one->free_slot) +
                      2 * aligned(slots * sizeof(MPI_Request)) + 2 * aligned(slots * sizeof(int)));
}

void bine_run_place(struct bine_run_state *run, char *memory) {
    const struct bine_plan *plan = run->plan;
    size_t slots = slots_of(plan);
    run->nstrands = plan->schedule->nstrands;
    run->slot_room = (uint32_t)slots;
    run->strand = (struct bine_strand_run *)memory;
    memory += aligned(run->nstrands * sizeof *run->strand);
    run->request = (MPI_Request *)memory;
    memory += run->nstrands * aligned(slots * sizeof *run->request);
    run->under_way = (MPI_Request *)memory;
    memory += run->nstrands * aligned(slots * sizeof *run->under_way);
    run->index = (int *)memory;
    memory += run->nstrands * aligned(slots * sizeof *run->index);
    run->place = (uint32_t *)memory;
    memory += run->nstrands * aligned(slots * sizeof *run->place);
    for (uint32_t k = 0; k < run->nstrands; k++) {
        struct bine_strand_run *x = &run->strand[k];
        x->lane = (struct bine_lane *)memory;
        memory += aligned(plan->max_messages * sizeof *x->lane);
        x->slot = (struct bine_slot *)memory;
        memory += aligned(slots * sizeof *x->slot);
        x->free_slot = (uint32_t *)memory;
        memory += aligned(slots * sizeof *x->free_slot);
        x->request = run->request + k * slots;
    }
}

static uint32_t take_slot(struct bine_strand_run *x) {
    return x->free_slots > 0 ? x->free_slot[--x->free_slots] : x->nslots++;
}

/* Move a position n elements on; it may come to rest at the end of a run. */
static void advance(const struct bine_run_state *run, const struct bine_run *runs, uint32_t *at,
                    int64_t *done, int64_t n) {
    *done += n;
    for (int64_t length; *done > 0 && *done >= (length = bine_run_run_elements(run, &runs[*at]));
         (*at)++)
        *done -= length;
}

static int post(struct bine_run_state *run, struct bine_strand_run *x, struct bine_lane *l,
                int64_t n) {
    const struct bine_schedule *s = run->plan->schedule;
    const struct bine_op *op = l->op;
    uint32_t k = take_slot(x);
    struct bine_slot *slot = &x->slot[k];
    int tag = BINE_TAG_STRAND + (int)(x - run->strand);
    *slot = l->next;
    slot->count = n;
    x->request[k] = MPI_REQUEST_NULL;
    char *at = l->staged != NULL
                   ? bine_at(l->staged, l->at * run->type.extent)
                   : bine_run_address(run, &s->run[op->runs + slot->run], slot->run_done);
    slot->data = l->staged != NULL ? at : NULL;
    l->at += n;
    l->open++;
    l->posted = l->at == l->total;
    if (!l->posted) {
        advance(run, &s->run[op->runs], &l->next.run, &l->next.run_done, n);
        if (op->nwith > 0)
            advance(run, &s->run[op->with], &l->next.with, &l->next.with_done, n);
    }
    if (op->kind == BINE_OP_SEND)
        return PMPI_Isend(at, (int)n, run->type.handle, op->peer, tag, run->comm, &x->request[k]);
    return PMPI_Irecv(at, (int)n, run->type.handle, op->peer, tag, run->comm, &x->request[k]);
}

/* Post what may be under way of a lane: whole transfers without limit, parts of one in a window. */
static int post_more(struct bine_run_state *run, struct bine_strand_run *x, struct bine_lane *l) {
    const struct bine_schedule *s = run->plan->schedule;
    int rc = MPI_SUCCESS;
    while (!l->posted && rc == MPI_SUCCESS) {
        int64_t whole = l->total, left = l->total - l->at;
        if (s->layout != BINE_PACK) {
            while ((whole = bine_run_run_elements(run, &s->run[l->op->runs + l->next.run])) == 0)
                l->next.run++; /* nothing to transfer: dropped at both ends */
            left = whole - l->next.run_done;
        }
        if (whole > run->segment) {
            x->in_parts = 1;
            if (l->open >= WINDOW)
                return MPI_SUCCESS;
        }
        rc = post(run, x, l, left < run->segment ? left : run->segment);
    }
    return rc;
}

/* Whether an operation's data must be received elsewhere than in its places. */
static int needs_scratch(const struct bine_schedule *s, const struct bine_lane *l) {
    if (l->op->kind == BINE_OP_RECV_REDUCE)
        return (l->flags & BINE_OP_DIRECT) == 0;
    return s->layout == BINE_PACK && l->op->nruns > 1;
}

/* Where a lane may receive; NULL if there is no room until what is under way has been used up. The
 * scratch of held lanes comes first and is theirs until the end of the step. */
static char *take_scratch(const struct bine_run_state *run, struct bine_strand_run *x,
                          const struct bine_lane *l) {
    size_t *used = (l->flags & BINE_OP_HELD) ? &x->held_used : &x->scratch_used, at = *used,
           room = bine_type_room(&run->type, l->total);
    if (used == &x->scratch_used && at > x->held && at + room > run->scratch_room)
        return NULL;
    *used += room;
    return bine_at(x->scratch + at, bine_type_shift(&run->type, l->total));
}

/* Begin with a lane if there is room for what it needs. */
static int open_lane(struct bine_run_state *run, struct bine_strand_run *x, struct bine_lane *l) {
    int rc = MPI_SUCCESS;
    if (needs_scratch(run->plan->schedule, l) && l->op->kind == BINE_OP_SEND) {
        l->staged = bine_at(x->send_staging + x->send_used, bine_type_shift(&run->type, l->total));
        x->send_used += bine_type_room(&run->type, l->total);
        rc = bine_run_pack(run, l->op, l->staged);
    } else if (needs_scratch(run->plan->schedule, l)) {
        l->staged = take_scratch(run, x, l);
        if (l->staged == NULL) {
            x->in_parts = x->waiting = 1;
            return MPI_SUCCESS;
        }
    }
    l->opened = 1;
    return rc == MPI_SUCCESS ? post_more(run, x, l) : rc;
}

static int open_lanes(struct bine_run_state *run, struct bine_strand_run *x) {
    int rc = MPI_SUCCESS;
    x->waiting = 0;
    for (uint32_t i = 0; i < x->nlanes && rc == MPI_SUCCESS; i++)
        if (!x->lane[i].opened)
            rc = open_lane(run, x, &x->lane[i]);
    return rc;
}

static int enter_step(struct bine_run_state *run, struct bine_strand_run *x) {
    const struct bine_schedule *s = run->plan->schedule;
    const struct bine_step *step = &s->step[s->strand[x - run->strand].steps + x->step];
    x->in_step = 1;
    x->nlanes = x->nslots = x->free_slots = 0;
    if (run->board.node != NULL) {
        x->board = (struct bine_board_cursor){.phase = BINE_BOARD_PUBLISHES};
        bine_board_pass(run, x, bine_board_number(run, x, step));
    }
    x->in_parts = 0;
    x->held = x->held_used = x->send_used = 0;
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        int64_t total = bine_op_is_message(op) ? bine_run_elements(run, op) : 0;
        if (total == 0)
            continue;
        uint32_t lane = x->nlanes++;
        x->lane[lane] = (struct bine_lane){
            .op = op, .flags = run->plan->flags[j], .total = total, .next = {.lane = lane}};
        if (run->plan->flags[j] & BINE_OP_HELD)
            x->held += bine_type_room(&run->type, total);
    }
    x->scratch_used = x->held;
    return open_lanes(run, x);
}

/* A part has come or gone. */
static int complete_slot(struct bine_run_state *run, struct bine_strand_run *x, uint32_t k) {
    struct bine_slot *slot = &x->slot[k];
    struct bine_lane *l = &x->lane[slot->lane];
    int rc = MPI_SUCCESS;
    x->free_slot[x->free_slots++] = k;
    l->open--;
    if (l->op->kind == BINE_OP_RECV_REDUCE && (l->flags & BINE_OP_EARLY))
        rc = bine_run_reduce(run, l->op, slot);
    else if (l->op->kind == BINE_OP_RECV && l->staged != NULL)
        rc = bine_run_unpack(run, l->op, slot);
    return rc == MPI_SUCCESS ? post_more(run, x, l) : rc;
}

/* Nothing is under way; or, while lanes are waiting for scratch, nothing that uses what they wait
 * for. They may not wait for this rank's sends, which may wait for theirs at the other end. */
static int is_quiet(const struct bine_strand_run *x) {
    for (uint32_t i = 0; i < x->nlanes; i++) {
        const struct bine_lane *l = &x->lane[i];
        int counts = !x->waiting || (l->op->kind != BINE_OP_SEND && !(l->flags & BINE_OP_HELD));
        if (l->opened && counts && (l->open > 0 || !l->posted))
            return 0;
    }
    return 1;
}

/* Add up what had to wait, in the order listed. */
static int reduce_late(struct bine_run_state *run, struct bine_strand_run *x) {
    int rc = MPI_SUCCESS;
    for (uint32_t i = 0; i < x->nlanes && rc == MPI_SUCCESS; i++) {
        struct bine_lane *l = &x->lane[i];
        if (l->op->kind != BINE_OP_RECV_REDUCE || !l->opened || (l->flags & BINE_OP_EARLY) ||
            (x->waiting && (l->flags & BINE_OP_HELD)))
            continue;
        rc = bine_run_reduce_all(run, l->op, l->staged, l->total);
        l->flags |= BINE_OP_EARLY; /* done with */
    }
    return rc;
}

/* All is quiet: use what has come, and begin with lanes that had no room. Returns through *over
 * whether the step is. */
static int settle(struct bine_run_state *run, struct bine_strand_run *x, int *over) {
    const struct bine_schedule *s = run->plan->schedule;
    const struct bine_step *step = &s->step[s->strand[x - run->strand].steps + x->step];
    int rc = reduce_late(run, x);
    *over = !x->waiting;
    if (x->waiting && rc == MPI_SUCCESS) {
        x->scratch_used = x->held;
        return open_lanes(run, x);
    }
    for (uint32_t j = step->ops; j < step->ops + step->nops && rc == MPI_SUCCESS; j++)
        if (!bine_op_is_message(&s->op[j]))
            rc = bine_run_local(run, &s->op[j]);
    return rc;
}

/* Whether a strand has to let the one before it go first. */
static int is_behind(const struct bine_run_state *run, const struct bine_strand_run *x) {
    uint32_t k = (uint32_t)(x - run->strand);
    return k > 0 && bine_strand_waits(run->plan->schedule, k, x->step, x[-1].step);
}

/* How a step goes: it waits for others; it has begun with messages that had no room; it is over. */
enum step_state { STEP_WAITS, STEP_GOES_ON, STEP_OVER };

/* A step's messages, or what it does on boards, then its local operations. */
static int take_step(struct bine_run_state *run, struct bine_strand_run *x,
                     enum step_state *state) {
    const struct bine_schedule *s = run->plan->schedule;
    const struct bine_step *step = &s->step[s->strand[x - run->strand].steps + x->step];
    int over = 0, rc;
    *state = STEP_WAITS;
    if (bine_step_is_on_boards(s, step)) {
        rc = bine_board_step(run, x, step, &over);
        run->board.waiting += !over;
        *state = over ? STEP_OVER : STEP_WAITS;
        return rc;
    }
    if (!is_quiet(x))
        return MPI_SUCCESS;
    rc = settle(run, x, &over);
    *state = over ? STEP_OVER : STEP_GOES_ON;
    return rc;
}

/* Take a strand as far as it goes without waiting. */
static int advance_strand(struct bine_run_state *run, struct bine_strand_run *x) {
    const struct bine_strand *strand = &run->plan->schedule->strand[x - run->strand];
    enum step_state state = STEP_OVER;
    int rc = MPI_SUCCESS;
    while (rc == MPI_SUCCESS && state != STEP_WAITS && x->step < strand->nsteps) {
        if (!x->in_step && is_behind(run, x))
            return rc;
        if (!x->in_step)
            rc = enter_step(run, x);
        if (rc == MPI_SUCCESS)
            rc = take_step(run, x, &state);
        if (rc == MPI_SUCCESS && state == STEP_OVER) {
            x->in_step = 0;
            if (++x->step == strand->nsteps)
                run->running--;
        }
    }
    return rc;
}

/* The local work at the beginning of all strands comes before any message. */
static int prepare(struct bine_run_state *run) {
    const struct bine_schedule *s = run->plan->schedule;
    int rc = MPI_SUCCESS;
    for (uint32_t k = 0; k < run->nstrands; k++) {
        struct bine_strand_run *x = &run->strand[k];
        uint32_t nsteps = s->strand[k].nsteps;
        for (; x->step < nsteps && s->step[s->strand[k].steps + x->step].time < 0; x->step++) {
            const struct bine_step *step = &s->step[s->strand[k].steps + x->step];
            for (uint32_t j = step->ops; j < step->ops + step->nops && rc == MPI_SUCCESS; j++)
                rc = bine_run_local(run, &s->op[j]);
            run->running -= x->step + 1 == nsteps;
        }
    }
    return rc;
}

/* All of a step's messages at once: the usual case of one strand and nothing in parts. */
static int wait_all(struct bine_run_state *run, struct bine_strand_run *x) {
    uint32_t n = x->nslots;
    int rc = PMPI_Waitall((int)n, x->request, MPI_STATUSES_IGNORE);
    for (uint32_t k = 0; k < n && rc == MPI_SUCCESS; k++)
        rc = complete_slot(run, x, k);
    return rc;
}

/* What is under way in all strands, without the slots between: MPICH polls the network once for
 * every few requests that it is shown, whether or not they are any. */
static int list_under_way(struct bine_run_state *run) {
    int n = 0;
    for (uint32_t k = 0; k < run->nstrands; k++) {
        const struct bine_strand_run *x = &run->strand[k];
        for (uint32_t i = 0; x->in_step && i < x->nslots; i++)
            if (x->request[i] != MPI_REQUEST_NULL) {
                run->under_way[n] = x->request[i];
                run->place[n++] = k * run->slot_room + i;
            }
    }
    return n;
}

/* Some of the messages under way, of all strands. */
static int wait_some(struct bine_run_state *run, int wait, int *found) {
    int n = list_under_way(run), done = 0, rc;
    rc = wait ? PMPI_Waitsome(n, run->under_way, &done, run->index, MPI_STATUSES_IGNORE)
              : PMPI_Testsome(n, run->under_way, &done, run->index, MPI_STATUSES_IGNORE);
    for (int i = 0; i < n; i++) /* also those that an error has ended */
        run->request[run->place[i]] = run->under_way[i];
    *found = rc == MPI_SUCCESS && done != MPI_UNDEFINED && done > 0;
    for (int i = 0; *found && i < done && rc == MPI_SUCCESS; i++) {
        uint32_t k = run->place[run->index[i]];
        rc = complete_slot(run, &run->strand[k / run->slot_room], k % run->slot_room);
    }
    return rc;
}

/* After an error nothing may be left under way that points into the caller's buffers. */
static void give_up(struct bine_run_state *run) {
    for (uint32_t k = 0; k < run->nstrands; k++) {
        struct bine_strand_run *x = &run->strand[k];
        for (uint32_t i = 0; i < x->nslots; i++)
            if (x->request[i] != MPI_REQUEST_NULL) {
                PMPI_Cancel(&x->request[i]);
                PMPI_Request_free(&x->request[i]);
            }
    }
    if (run->board.begun)
        bine_board_give_up(run);
    run->running = 0;
}

/* Begin with the first step of all strands; of the next round, if there is one. */
static void begin_steps(struct bine_run_state *run) {
    run->begun = 0;
    run->running = 0;
    for (uint32_t k = 0; k < run->nstrands; k++) {
        run->running += run->plan->schedule->strand[k].nsteps > 0;
        run->strand[k].step = 0;
        run->strand[k].in_step = 0;
        run->strand[k].nslots = 0;
        run->strand[k].board.exposed = 0;
    }
}

/* Take all strands as far as they go. */
static int advance_all(struct bine_run_state *run, int *state) {
    int rc = MPI_SUCCESS;
    run->board.waiting = 0;
    if (!run->begun && run->nstrands > 1)
        rc = prepare(run);
    run->begun = 1;
    for (uint32_t k = 0; k < run->nstrands && rc == MPI_SUCCESS; k++)
        rc = advance_strand(run, &run->strand[k]);
    *state = run->running > 0 ? BINE_RUN_PENDING : BINE_RUN_DONE;
    return rc;
}

/* A round is done: begin with the next one, or be done with all of them. */
static int next_round(struct bine_run_state *run) {
    if (run->board.node == NULL)
        return 0;
    if (run->board.round + 1 == run->board.rounds) {
        bine_board_end(run);
        return 0;
    }
    bine_board_round(run, run->board.round + 1);
    begin_steps(run);
    return 1;
}

/* Some strand is at a board: look at the messages of the others, and wait there for a moment. */
static int wait_at_boards(struct bine_run_state *run, int wait, int *found) {
    struct bine_board_run *b = &run->board;
    int rc = MPI_SUCCESS, came = 0;
    if (run->nstrands > 1)
        rc = wait_some(run, 0, &came);
    if (b->moved || came)
        b->looks = 0;
    else if (wait && rc == MPI_SUCCESS)
        rc = bine_wait_once(&b->node->wait, &b->looks);
    *found = wait || came || b->moved;
    b->moved = 0;
    return rc;
}

/* Until something has come; *found: something has, or may have. */
static int wait_for_more(struct bine_run_state *run, int wait, int *found) {
    *found = 1;
    if (run->board.waiting > 0)
        return wait_at_boards(run, wait, found);
    if (wait && run->nstrands == 1 && !run->strand->in_parts)
        return wait_all(run, run->strand);
    return wait_some(run, wait, found);
}

void bine_run_start(struct bine_run_state *run) {
    if (run->board.node != NULL)
        bine_board_begin(run);
    begin_steps(run);
}

int bine_run_progress(struct bine_run_state *run, int wait, int *state) {
    int rc = MPI_SUCCESS, found = 1;
    *state = BINE_RUN_DONE;
    if (wait && run->code != NULL && !run->begun) {
        rc = bine_code_run(run);
        if (rc == MPI_SUCCESS)
            return rc;
    }
    while (rc == MPI_SUCCESS && found) {
        rc = advance_all(run, state);
        if (rc == MPI_SUCCESS && *state == BINE_RUN_DONE) {
            if (!next_round(run))
                break;
        } else if (rc == MPI_SUCCESS) {
            rc = wait_for_more(run, wait, &found);
        }
    }
    if (rc == MPI_SUCCESS)
        return rc;
    give_up(run);
    *state = BINE_RUN_DONE;
    return rc == MPI_ERR_IN_STATUS ? MPI_ERR_OTHER : rc;
}
