#include "engine/plan.h"

#include "engine/code_cache.h"
#include "schedule/alone.h"

#include <stdlib.h>

static int sends_something(const struct bine_schedule *s, const struct bine_step *step) {
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (s->op[j].kind == BINE_OP_SEND)
            return 1;
    return 0;
}

static uint8_t op_flags(const struct bine_schedule *s, const struct bine_step *step,
                        const struct bine_op *op, int sends) {
    uint8_t late = sends ? BINE_OP_HELD : 0;
    if (op->kind != BINE_OP_RECV_REDUCE)
        return 0;
    if (!bine_op_is_alone(s, step, op))
        return late;
    /* Direct: every piece's own operand must be in `in`, and the sums elsewhere. */
    for (uint32_t i = op->with; i < op->with + op->nwith; i++)
        if (s->run[i].space != BINE_IN)
            return BINE_OP_EARLY;
    int elsewhere = bine_space_memory(s, BINE_IN) != s->run[op->runs].space;
    int one_transfer = s->layout != BINE_PACK || op->nruns == 1;
    return elsewhere && one_transfer && op->side != BINE_SIDE_LEFT ? BINE_OP_EARLY | BINE_OP_DIRECT
                                                                   : BINE_OP_EARLY;
}

static int32_t pieces_of(const struct bine_schedule *s, const struct bine_op *op) {
    int32_t n = 0;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        n += s->run[i].count;
    return n;
}

static void measure_step(struct bine_plan *plan, const struct bine_step *step) {
    const struct bine_schedule *s = plan->schedule;
    uint32_t messages = 0, transfers = 0, held = 0;
    int32_t staged = 0;
    int sends = sends_something(s, step);
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
        const struct bine_op *op = &s->op[j];
        plan->flags[j] = op_flags(s, step, op, sends);
        held += (plan->flags[j] & BINE_OP_HELD) != 0;
        if (!bine_op_is_message(op))
            continue;
        int32_t pieces = pieces_of(s, op);
        messages++;
        transfers += s->layout == BINE_PACK ? 1 : op->nruns;
        if (op->kind == BINE_OP_SEND && s->layout == BINE_PACK && op->nruns > 1)
            staged += pieces;
        if (op->kind != BINE_OP_SEND && pieces > plan->max_recv_staged)
            plan->max_recv_staged = pieces;
    }
    plan->max_held = held > plan->max_held ? held : plan->max_held;
    plan->max_messages = messages > plan->max_messages ? messages : plan->max_messages;
    plan->max_transfers = transfers > plan->max_transfers ? transfers : plan->max_transfers;
    plan->max_send_staged = staged > plan->max_send_staged ? staged : plan->max_send_staged;
}

static int same_runs(const struct bine_schedule *s, uint32_t a, uint32_t na, uint32_t b,
                     uint32_t nb) {
    for (uint32_t i = 0; i < na && na == nb; i++)
        if (s->run[a + i].first != s->run[b + i].first ||
            s->run[a + i].count != s->run[b + i].count ||
            s->run[a + i].space != s->run[b + i].space)
            return 0;
    return na == nb;
}

/* Whether an operation adds to all that the one before it has read. */
static int is_chained(const struct bine_schedule *s, const struct bine_op *op) {
    const struct bine_op *before = op - 1;
    return op->kind == BINE_OP_READ_REDUCE &&
           (before->kind == BINE_OP_READ || before->kind == BINE_OP_READ_REDUCE) &&
           same_runs(s, op->runs, op->nruns, op->with, op->nwith) &&
           same_runs(s, op->runs, op->nruns, before->runs, before->nruns);
}

/* Operations that can take the caller's elements as they lie. */
static void note_touched(struct bine_plan *plan, const struct bine_op *op) {
    const struct bine_schedule *s = plan->schedule;
    if (op->kind == BINE_OP_PUBLISH || op->kind == BINE_OP_READ || op->kind == BINE_OP_COPY)
        return;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        plan->as_it_lies[s->run[i].space] = 0;
    for (uint32_t i = op->with; i < op->with + op->nwith; i++)
        plan->as_it_lies[s->run[i].space] = 0;
}

static void measure_boards(struct bine_plan *plan) {
    const struct bine_schedule *s = plan->schedule;
    plan->as_it_lies[BINE_IN] = plan->as_it_lies[BINE_OUT] = 1;
    for (uint32_t k = 0; k < s->nstrands; k++)
        for (uint32_t i = 0; i < s->strand[k].nsteps; i++) {
            const struct bine_step *step = &s->step[s->strand[k].steps + i];
            uint64_t number = (uint64_t)(step->time > 0 ? step->time : 0) * s->nstrands + k;
            for (uint32_t j = step->ops; j < step->ops + step->nops; j++) {
                const struct bine_op *op = &s->op[j];
                note_touched(plan, op);
                if (j > step->ops && is_chained(s, op))
                    plan->flags[j] |= BINE_OP_CHAINED;
                if ((op->kind == BINE_OP_PUBLISH || op->kind == BINE_OP_EXPOSE) &&
                    number >= plan->publishes)
                    plan->publishes = number + 1;
            }
        }
}

/* The blocks of a permuted space, so that calls need not compute them. 0 when out of memory. All
 * permutations of a schedule are of one space. */
static int list_permuted(struct bine_plan *plan) {
    const struct bine_schedule *s = plan->schedule;
    for (uint32_t j = 0; j < s->nops && plan->permuted == NULL; j++) {
        if (s->op[j].kind != BINE_OP_PERMUTE)
            continue;
        int space = bine_plan_permuted_space(s, &s->op[j]), pieces = s->space[space].pieces;
        plan->permuted = malloc(((size_t)pieces + 1) * sizeof *plan->permuted);
        if (plan->permuted == NULL)
            return 0;
        for (int k = 0; k < pieces; k++)
            plan->permuted[k] = bine_schedule_block(s, space, k);
    }
    return 1;
}

/* Room for the plan's code. 0 when out of memory. */
static int make_cache(struct bine_plan *plan) {
    size_t room = bine_code_room(plan->schedule);
    if (room > 0)
        plan->cache = malloc(sizeof *plan->cache + room * sizeof *plan->cache->code);
    if (plan->cache != NULL) {
        plan->cache->valid = 0;
        plan->cache->written = 0;
        atomic_init(&plan->cache->held, 0);
    }
    return room == 0 || plan->cache != NULL;
}

struct bine_plan *bine_plan_new(const struct bine_spec *request) {
    struct bine_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return NULL;
    plan->algorithm = request->algorithm;
    plan->schedule = bine_schedule_build(request);
    if (plan->schedule != NULL)
        plan->flags = calloc(plan->schedule->nops + 1, 1);
    if (plan->schedule == NULL || plan->flags == NULL || !list_permuted(plan) ||
        !make_cache(plan)) {
        bine_plan_free(plan);
        return NULL;
    }
    for (uint32_t i = 0; i < plan->schedule->nsteps; i++)
        measure_step(plan, &plan->schedule->step[i]);
    if (plan->schedule->boards)
        measure_boards(plan);
    return plan;
}

void bine_plan_retain(struct bine_plan *plan) {
    atomic_fetch_add(&plan->holds, 1);
}

void bine_plan_free(struct bine_plan *plan) {
    if (plan == NULL || atomic_fetch_sub(&plan->holds, 1) > 0)
        return;
    bine_schedule_free(plan->schedule);
    free(plan->flags);
    free(plan->permuted);
    free(plan->cache);
    free(plan);
}
