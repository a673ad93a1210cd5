/* The model of sequences: its states, and the moves in each. */
#include "schedule/check/sequence_state.h"
#include "base/numbers.h"
#include "schedule/check/check_state.h"

#include <stdio.h>
#include <string.h>

/* Of a call of a rank: three cells before the cells of its strands. */
enum { BASE, ROUND, ENDED, STRANDS };

static bine_sequence_cell *rank_of(const struct bine_sequence_shape *x,
                                   const bine_sequence_cell *state, int rank) {
    return (bine_sequence_cell *)state + (size_t)rank * x->of_rank;
}

static int started(const struct bine_sequence_shape *x, const bine_sequence_cell *state, int rank) {
    return rank_of(x, state, rank)[0];
}

/* The call that a rank starts as its n-th, counted from 0. */
static int nth_call(const struct bine_sequence_shape *x, int rank, int n) {
    return x->q->order != NULL ? x->q->order[rank][n] : n;
}

static int has_started(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                       int rank, int call) {
    for (int i = 0; i < started(x, state, rank); i++)
        if (nth_call(x, rank, i) == call)
            return 1;
    return 0;
}

/* Two cells: the number of the publication there, and the call that it is of. */
static bine_sequence_cell *slot_of(const struct bine_sequence_shape *x,
                                   const bine_sequence_cell *state, int rank, int call,
                                   int number) {
    int slot = x->boards[call] * x->q->slots + number % x->q->slots;
    return rank_of(x, state, rank) + 1 + 2 * (size_t)slot;
}

static bine_sequence_cell *call_of(const struct bine_sequence_shape *x,
                                   const bine_sequence_cell *state, int rank, int call) {
    return rank_of(x, state, rank) + x->at_call[call];
}

static struct bine_strand_position *place_of(const struct bine_sequence_shape *x,
                                             const bine_sequence_cell *state, int rank, int call,
                                             uint32_t strand) {
    return (struct bine_strand_position *)(call_of(x, state, rank, call) + STRANDS) + strand;
}

struct bine_sequence_shape bine_sequence_shape_of(const struct bine_sequence *q) {
    struct bine_sequence_shape x = {.q = q, .sets = 1};
    int most = 0;
    for (int c = 0; c < q->calls; c++) {
        x.boards[c] = q->flaw == BINE_FLAW_SHARED ? 0 : q->call[c].request;
        x.sets = bine_max(x.sets, x.boards[c] + 1);
    }
    x.of_rank = 1 + 2 * (size_t)(x.sets * q->slots);
    for (int c = 0; c < q->calls; c++) {
        const struct bine_schedule *s = q->call[c].rank[0];
        x.strands[c] = s->nstrands;
        x.at_call[c] = x.of_rank;
        x.of_rank += STRANDS + 3 * (size_t)s->nstrands;
        int numbers = q->call[c].rounds * s->times * (int)s->nstrands;
        most = numbers > most ? numbers : most;
    }
    /* From call to call as in board.h: a multiple of the slots, and 3. */
    x.stride = (most + q->slots - 1) / q->slots * q->slots + 3;
    x.cells = x.of_rank * (size_t)q->p;
    return x;
}

void bine_sequence_begin(const struct bine_sequence_shape *x, bine_sequence_cell *state) {
    memset(state, 0, x->cells * sizeof *state);
}

static const struct bine_step *step_of(const struct bine_schedule *s, uint32_t strand,
                                       uint32_t step) {
    return &s->step[s->strand[strand].steps + step];
}

/* The number of a time of the round that a call is in. */
static int number_at(const struct bine_sequence_shape *x, const bine_sequence_cell *state, int rank,
                     int call, uint32_t strand, int time) {
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    const bine_sequence_cell *c = call_of(x, state, rank, call);
    return c[BASE] + (c[ROUND] * s->times + (time < 0 ? 0 : time)) * (int)s->nstrands + (int)strand;
}

/* The least number that a strand has not finished with. */
static int strand_passed(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                         int rank, int call, uint32_t strand) {
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    const struct bine_strand_position *at = place_of(x, state, rank, call, strand);
    int early = x->q->flaw == BINE_FLAW_PASSED ? BINE_AT_READS : BINE_AT_END;
    int time = s->times;
    if (at->step < s->strand[strand].nsteps)
        time = step_of(s, strand, at->step)->time + (at->phase >= early);
    return number_at(x, state, rank, call, strand, time);
}

/* The numbers before those of the next call of a rank on some boards. */
static int next_base(const struct bine_sequence_shape *x, const bine_sequence_cell *state, int rank,
                     int boards) {
    int base = 1; /* 0: nothing in the slot */
    for (int i = 0; i < started(x, state, rank); i++)
        if (x->boards[nth_call(x, rank, i)] == boards)
            base += x->stride;
    return base;
}

/* The least number that a rank has not finished with, over its calls on some boards. */
static int passed_by(const struct bine_sequence_shape *x, const bine_sequence_cell *state, int rank,
                     int boards) {
    int least = next_base(x, state, rank, boards);
    for (int i = 0; i < started(x, state, rank); i++) {
        int c = nth_call(x, rank, i);
        int counts = x->boards[c] == boards && !call_of(x, state, rank, c)[ENDED];
        for (uint32_t k = 0; counts && k < x->strands[c]; k++) {
            int passed = strand_passed(x, state, rank, c, k);
            least = bine_min(passed, least);
        }
    }
    return least;
}

/* Whether every rank of the node has passed a number of a call. */
static int all_passed(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                      int rank, int call, int number) {
    struct bine_schedule *const *s = x->q->call[call].rank;
    int all = x->q->p - (x->q->flaw == BINE_FLAW_MISSED);
    for (int r = 0; r < all; r++)
        if (s[r]->node == s[rank]->node && passed_by(x, state, r, x->boards[call]) <= number)
            return 0;
    return 1;
}

/* The next operation of a step that reads, from the one at hand on; nops: none. */
static uint32_t next_reading(const struct bine_schedule *s, const struct bine_step *step,
                             uint32_t op) {
    while (op < step->nops && !bine_reads_board(&s->op[step->ops + op]))
        op++;
    return op;
}

static int has_messages(const struct bine_schedule *s, const struct bine_step *step) {
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (bine_is_message(&s->op[j]))
            return 1;
    return 0;
}

static int exposes(const struct bine_schedule *s, const struct bine_step *step) {
    const struct bine_op *op = bine_publication(s, step);
    return op != NULL && op->kind == BINE_OP_EXPOSE;
}

/* Whether a peer has come to the messages of a time in a round, or is past them. */
static int has_posted(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                      int peer, int call, uint32_t strand, int round, int time) {
    const struct bine_schedule *s = x->q->call[call].rank[peer];
    const bine_sequence_cell *c = call_of(x, state, peer, call);
    const struct bine_strand_position *at = place_of(x, state, peer, call, strand);
    if (!has_started(x, state, peer, call))
        return 0;
    if (c[ENDED] || c[ROUND] != round)
        return c[ENDED] || c[ROUND] > round;
    if (at->step == s->strand[strand].nsteps)
        return 1;
    const struct bine_step *step = step_of(s, strand, at->step);
    return step->time > time ||
           (step->time == time && has_messages(s, step) && at->phase > BINE_AT_BEGIN);
}

static int messages_meet(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                         int rank, int call, uint32_t strand, const struct bine_step *step) {
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    int round = call_of(x, state, rank, call)[ROUND];
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (bine_is_message(&s->op[j]) &&
            !has_posted(x, state, s->op[j].peer, call, strand, round, step->time))
            return 0;
    return 1;
}

/* Whether a strand has something to publish yet in this round. */
static int strand_publishes(const struct bine_schedule *s, uint32_t strand,
                            const struct bine_strand_position *at) {
    for (uint32_t i = at->step; i < s->strand[strand].nsteps; i++)
        if (bine_publication(s, step_of(s, strand, i)) != NULL &&
            (i > at->step || at->phase == BINE_AT_BEGIN))
            return 1;
    return 0;
}

/* Whether a call that a rank has started will publish something yet. */
static int publishes(const struct bine_sequence_shape *x, const bine_sequence_cell *state, int rank,
                     int call) {
    static const struct bine_strand_position begin = {0, BINE_AT_BEGIN, 0};
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    const bine_sequence_cell *c = call_of(x, state, rank, call);
    int more = c[ROUND] + 1 < x->q->call[call].rounds;
    for (uint32_t k = 0; k < s->nstrands && !c[ENDED]; k++)
        if (strand_publishes(s, k, place_of(x, state, rank, call, k)) ||
            (more && strand_publishes(s, k, &begin)))
            return 1;
    return 0;
}

/* Whether a rank may write the slot of a number. */
static int can_publish(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                       int rank, int call, int number) {
    int there = *slot_of(x, state, rank, call, number), before = number - x->q->slots;
    for (int i = 0; x->q->flaw != BINE_FLAW_ORDER && nth_call(x, rank, i) != call; i++) {
        int older = nth_call(x, rank, i);
        if (x->boards[older] == x->boards[call] && publishes(x, state, rank, older))
            return 0;
    }
    if (before >= call_of(x, state, rank, call)[BASE])
        there = before;
    return all_passed(x, state, rank, call, there - (x->q->flaw == BINE_FLAW_EARLY));
}

/* Whether a strand can go on. */
static int can_go_on(const struct bine_sequence_shape *x, const bine_sequence_cell *state, int rank,
                     int call, uint32_t strand) {
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    const struct bine_strand_position *at = place_of(x, state, rank, call, strand);
    if (at->step == s->strand[strand].nsteps)
        return 0;
    const struct bine_step *step = step_of(s, strand, at->step);
    int number = number_at(x, state, rank, call, strand, step->time);
    if (at->phase == BINE_AT_BEGIN) {
        if (strand > 0 && bine_strand_waits(s, strand, at->step, at[-1].step))
            return 0;
        return bine_publication(s, step) == NULL || can_publish(x, state, rank, call, number);
    }
    if (at->phase == BINE_AT_READING)
        return 1;
    if (at->phase == BINE_AT_END)
        return !exposes(s, step) || x->q->flaw == BINE_FLAW_LEFT ||
               all_passed(x, state, rank, call, number);
    if (has_messages(s, step))
        return messages_meet(x, state, rank, call, strand, step);
    uint32_t op = next_reading(s, step, at->op);
    return op == step->nops ||
           *slot_of(x, state, s->op[step->ops + op].peer, call, number) == number;
}

size_t bine_sequence_moves_most(const struct bine_sequence_shape *x) {
    size_t n = 1;
    for (int c = 0; c < x->q->calls; c++)
        n += x->strands[c];
    return n * (size_t)x->q->p;
}

/* Whether a rank starts its next call only when this one has ended: it blocks, or both are of
 * one request. */
static int is_waited_for(const struct bine_sequence *q, int call, int next) {
    return q->call[call].blocks ||
           (q->call[call].request > 0 && q->call[call].request == q->call[next].request);
}

size_t bine_sequence_moves(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                           struct bine_sequence_move *list) {
    const struct bine_sequence *q = x->q;
    size_t n = 0;
    for (int r = 0; r < q->p; r++) {
        int begun = started(x, state, r), waits = begun == q->calls;
        for (int i = 0; i < begun; i++) {
            int c = nth_call(x, r, i), ended = call_of(x, state, r, c)[ENDED];
            waits = waits || (!ended && is_waited_for(q, c, nth_call(x, r, begun)));
            if (ended || (q->flaw == BINE_FLAW_NEWEST && i + 1 < begun))
                continue;
            for (uint32_t k = 0; k < x->strands[c]; k++)
                if (can_go_on(x, state, r, c, k))
                    list[n++] = (struct bine_sequence_move){r, c, (int)k};
        }
        if (!waits)
            list[n++] = (struct bine_sequence_move){r, nth_call(x, r, begun), -1};
    }
    return n;
}

static int fail(struct bine_verdict *v, int rank, int call, const char *text, int peer) {
    *v = (struct bine_verdict){.rank = rank, .time = call};
    snprintf(v->message, sizeof v->message, text, peer);
    return 1;
}

/* Whether a peer that exposed its memory at a time of this round has ended that step. */
static int has_left(const struct bine_sequence_shape *x, const bine_sequence_cell *state, int rank,
                    int call, uint32_t strand, int time, int peer) {
    const struct bine_schedule *s = x->q->call[call].rank[peer];
    const bine_sequence_cell *c = call_of(x, state, peer, call);
    int same_round = !c[ENDED] && c[ROUND] == call_of(x, state, rank, call)[ROUND];
    for (uint32_t i = 0; i < s->strand[strand].nsteps; i++) {
        const struct bine_step *step = step_of(s, strand, i);
        if (step->time == time && exposes(s, step))
            return !same_round || place_of(x, state, peer, call, strand)->step != i;
    }
    return 0;
}

/* The end of a reading: the data must still be there, and be this call's. */
static int end_reading(const struct bine_sequence_shape *x, bine_sequence_cell *state, int rank,
                       int call, uint32_t strand, struct bine_verdict *verdict) {
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    struct bine_strand_position *at = place_of(x, state, rank, call, strand);
    const struct bine_step *step = step_of(s, strand, at->step);
    int peer = s->op[step->ops + at->op].peer;
    int number = number_at(x, state, rank, call, strand, step->time);
    const bine_sequence_cell *slot = slot_of(x, state, peer, call, number);
    if (slot[0] != number)
        return fail(verdict, rank, call, "reads from rank %d what is written over meanwhile", peer);
    if (slot[1] != call)
        return fail(verdict, rank, call, "reads from rank %d what is of another call", peer);
    if (has_left(x, state, rank, call, strand, step->time, peer))
        return fail(verdict, rank, call, "reads from the memory of rank %d, which has gone on",
                    peer);
    at->op++;
    at->phase = BINE_AT_READS;
    return 0;
}

/* Moves without a decision: steps of local work, the end of the readings, of a round and of a call.
 */
static void settle(const struct bine_sequence_shape *x, bine_sequence_cell *state, int rank,
                   int call) {
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    bine_sequence_cell *c = call_of(x, state, rank, call);
    uint32_t ended = 0;
    for (uint32_t k = 0; k < s->nstrands; k++) {
        struct bine_strand_position *at = place_of(x, state, rank, call, k);
        for (;; *at = (struct bine_strand_position){(bine_sequence_cell)(at->step + 1), 0, 0}) {
            if (at->step == s->strand[k].nsteps)
                break;
            const struct bine_step *step = step_of(s, k, at->step);
            int boards = bine_is_board_step(s, step);
            if (boards && at->phase == BINE_AT_READS &&
                (at->op = (bine_sequence_cell)next_reading(s, step, at->op)) == step->nops)
                at->phase = BINE_AT_END;
            if (boards ? at->phase != BINE_AT_END || exposes(s, step) : has_messages(s, step))
                break;
        }
        ended += at->step == s->strand[k].nsteps;
    }
    if (ended < s->nstrands)
        return;
    memset(c + STRANDS, 0, 3 * (size_t)s->nstrands * sizeof *c);
    if (++c[ROUND] == x->q->call[call].rounds)
        c[ENDED] = 1;
    else
        settle(x, state, rank, call);
}

static void start(const struct bine_sequence_shape *x, bine_sequence_cell *state, int rank,
                  int call) {
    bine_sequence_cell *c = call_of(x, state, rank, call);
    int base = next_base(x, state, rank, x->boards[call]);
    for (int i = 0; i < started(x, state, rank) && x->q->flaw == BINE_FLAW_COUNT; i++)
        if (!call_of(x, state, rank, nth_call(x, rank, i))[ENDED])
            base -= x->stride;
    c[BASE] = (bine_sequence_cell)base;
    rank_of(x, state, rank)[0]++;
    settle(x, state, rank, call);
}

int bine_sequence_make(const struct bine_sequence_shape *x, bine_sequence_cell *state,
                       struct bine_sequence_move move, struct bine_verdict *verdict) {
    int rank = move.rank, call = move.call;
    if (move.strand < 0) {
        start(x, state, rank, call);
        return 0;
    }
    uint32_t strand = (uint32_t)move.strand;
    const struct bine_schedule *s = x->q->call[call].rank[rank];
    struct bine_strand_position *at = place_of(x, state, rank, call, strand);
    const struct bine_step *step = step_of(s, strand, at->step);
    int number = number_at(x, state, rank, call, strand, step->time);
    if (at->phase == BINE_AT_READING) {
        if (end_reading(x, state, rank, call, strand, verdict) != 0)
            return 1;
    } else if (at->phase == BINE_AT_BEGIN) {
        if (bine_publication(s, step) != NULL) {
            bine_sequence_cell *slot = slot_of(x, state, rank, call, number);
            slot[0] = (bine_sequence_cell)number;
            slot[1] = (bine_sequence_cell)call;
        }
        at->phase = BINE_AT_READS;
    } else if (at->phase == BINE_AT_READS && !has_messages(s, step)) {
        at->phase = BINE_AT_READING;
    } else {
        *at = (struct bine_strand_position){(bine_sequence_cell)(at->step + 1), 0, 0};
    }
    settle(x, state, rank, call);
    return 0;
}

int bine_sequence_ended(const struct bine_sequence_shape *x, const bine_sequence_cell *state,
                        struct bine_verdict *verdict) {
    for (int r = 0; r < x->q->p; r++)
        for (int c = 0; c < x->q->calls; c++)
            if (!has_started(x, state, r, c) || !call_of(x, state, r, c)[ENDED])
                return fail(verdict, r, c, "deadlock: rank %d waits for ever", r);
    return 0;
}
