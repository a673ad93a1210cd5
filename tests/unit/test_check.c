/* The proof itself: schedules are damaged in one place, and the verdict must say where and how.
 *
 * Every test takes schedules that are proved first, so that the damage is all that can be wrong. */
#include "unit.h"

#include "schedule/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 40 };

struct all {
    struct bine_schedule *s[MOST_RANKS];
    const struct bine_algorithm *algorithm;
    int p;
};

static struct all make_from(struct bine_request rq) {
    struct all x = {.algorithm = rq.algorithm, .p = rq.p};
    struct bine_verdict verdict;
    assert_non_null(x.algorithm);
    for (rq.rank = 0; rq.rank < rq.p; rq.rank++) {
        x.s[rq.rank] = bine_schedule_build(&rq);
        assert_non_null(x.s[rq.rank]);
    }
    assert_int_equal(bine_check(x.s, x.algorithm, &verdict), 0);
    return x;
}

static struct all make(enum bine_collective c, const char *name, enum bine_layout layout, int p,
                       int in_place) {
    return make_from((struct bine_request){
        .algorithm = bine_algorithm_find(c, name), .layout = layout, .p = p, .in_place = in_place});
}

/* On a torus of 4 x 4, through all ports at once. */
static struct all make_torus(enum bine_collective c, enum bine_layout layout) {
    struct bine_shape dims = {2, {4, 4}};
    return make_from((struct bine_request){.algorithm = bine_algorithm_find(c, "bine-torus"),
                                           .layout = layout,
                                           .p = 16,
                                           .dims = &dims,
                                           .ports = 4});
}

/* The damaged schedules fail at this rank and time, for this reason. Frees them. */
static void expect(struct all *x, int rank, int time, const char *reason) {
    struct bine_verdict verdict;
    assert_int_equal(bine_check(x->s, x->algorithm, &verdict), 1);
    assert_string_equal(verdict.message, reason);
    assert_int_equal(verdict.rank, rank);
    assert_int_equal(verdict.time, time);
    for (int r = 0; r < x->p; r++)
        bine_schedule_free(x->s[r]);
}

static struct bine_step *step_at(struct bine_schedule *s, int time) {
    for (uint32_t i = 0; i < s->nsteps; i++)
        if (s->step[i].time == time)
            return &s->step[i];
    fail_msg("no step %d", time);
    return NULL;
}

static struct bine_op *op_at(struct bine_schedule *s, enum bine_op_kind kind, int time) {
    struct bine_step *step = step_at(s, time);
    for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
        if (s->op[j].kind == kind)
            return &s->op[j];
    fail_msg("no such operation at step %d", time);
    return NULL;
}

static struct bine_run *run_of(struct bine_schedule *s, const struct bine_op *op) {
    return &s->run[op->runs];
}

/* Take an operation out of its step. */
static void drop(struct bine_schedule *s, int time, struct bine_op *op) {
    struct bine_step *step = step_at(s, time);
    size_t after = (size_t)(&s->op[step->ops + step->nops] - op) - 1;
    memmove(op, op + 1, after * sizeof *op);
    step->nops--;
}

/* Append a run to a list of runs, which moves to the end of all. */
static void lengthen(struct bine_schedule *s, uint32_t *runs, uint32_t *count,
                     struct bine_run more) {
    struct bine_run *room = bine_schedule_room(s, *count + 1);
    assert_non_null(room);
    memcpy(room, &s->run[*runs], *count * sizeof *room);
    room[*count] = more;
    *runs = s->nruns;
    s->nruns += ++*count;
}

/* Append a message of one piece, in a new step. */
static void add_message(struct bine_schedule *s, int time, enum bine_op_kind kind, int peer,
                        int space, int place) {
    bine_schedule_step(s, time);
    bine_schedule_op(s, kind, BINE_SIDE_ANY, peer);
    bine_schedule_run(s, space, place, 1, 0);
}

/* p = 8, far-first broadcast: 0->3 | 0->7, 3->4 | 0->1, 3->2, 4->5, 7->6. */

static void wrong_partner(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    op_at(x.s[0], BINE_OP_SEND, 0)->peer = 5;
    expect(&x, 0, 0, "deadlock: waits for rank 5, which is at step 2 and waits too");
}

static void partner_that_is_oneself(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    op_at(x.s[4], BINE_OP_SEND, 2)->peer = 4;
    expect(&x, 4, 2, "a message to or from rank 4");
}

static void partner_that_does_not_exist(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    op_at(x.s[4], BINE_OP_SEND, 2)->peer = 8;
    expect(&x, 4, 2, "a message to or from rank 8");
}

static void missing_receive(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    drop(x.s[5], 2, op_at(x.s[5], BINE_OP_RECV, 2));
    expect(&x, 4, 2, "its message to rank 5 is never received");
}

static void missing_send(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    drop(x.s[7], 2, op_at(x.s[7], BINE_OP_SEND, 2));
    expect(&x, 6, 2, "its message from rank 7 is never sent");
}

static void message_left_out_at_both_ends(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    drop(x.s[7], 2, op_at(x.s[7], BINE_OP_SEND, 2));
    drop(x.s[6], 2, op_at(x.s[6], BINE_OP_RECV, 2));
    expect(&x, 6, -1, "block 0 of out is never written");
}

/* p = 8, far-first allgather, blocks: 0 meets 3 | 7 | 1, and at step 2 sends 0, 3..4, 7. */

static void dropped_block_at_one_end(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    struct bine_op *op = op_at(x.s[0], BINE_OP_SEND, 2);
    x.s[0]->run[op->runs + 1].count--;
    expect(&x, 1, 2, "expects 2 pieces in transfer 1 from rank 0, which sends 1");
}

static void dropped_block_in_a_packed_message(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_PACK, 8, 0);
    struct bine_op *op = op_at(x.s[0], BINE_OP_SEND, 2);
    x.s[0]->run[op->runs + 1].count--;
    expect(&x, 1, 2, "expects 4 pieces from rank 0, which sends 3");
}

static void dropped_block_at_both_ends(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    op_at(x.s[0], BINE_OP_SEND, 2)->nruns--;
    op_at(x.s[1], BINE_OP_RECV, 2)->nruns--;
    expect(&x, 1, -1, "block 7 of out is never written");
}

/* p = 5: 0->2 | 0->4, 2->3 | 0->1; rank 4 gets the vector once more at the last step. */
static void block_sent_twice(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 5, 0);
    bine_schedule_op(x.s[0], BINE_OP_SEND, BINE_SIDE_ANY, 4);
    bine_schedule_run(x.s[0], BINE_IN, 0, 1, 0);
    add_message(x.s[4], 2, BINE_OP_RECV, 0, BINE_OUT, 0);
    expect(&x, 4, -1, "receives 2 pieces, but 1 were promised");
}

static void swap_steps(struct bine_schedule *s, int a, int b) {
    struct bine_step *x = step_at(s, a), *y = step_at(s, b), old = *x;
    *x = *y;
    *y = old;
}

/* Exchange what two steps do, but leave their times. */
static void swap_work(struct bine_schedule *s, int a, int b) {
    swap_steps(s, a, b);
    step_at(s, a)->time = -2;
    step_at(s, b)->time = a;
    step_at(s, -2)->time = b;
}

/* The root of a broadcast serves its children in the opposite order: everybody gets the vector, but
 * later than promised. */
static void steps_swapped(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    swap_steps(x.s[0], 0, 2);
    expect(&x, 0, 1, "step 1 after step 2");
}

static void work_of_steps_swapped(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    swap_work(x.s[0], 0, 2);
    expect(&x, 1, 2, "its message from rank 0 meets one of step 0");
    /* At all ranks, so that the times agree: but what the messages carry has not come yet. */
    x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    for (int r = 0; r < 8; r++)
        swap_work(x.s[r], 0, 1);
    expect(&x, 1, 0, "reads place 6 of out before it is written");
}

static void one_time_used_twice(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    add_message(x.s[2], 2, BINE_OP_SEND, 6, BINE_OUT, 2);
    add_message(x.s[6], 2, BINE_OP_RECV, 2, BINE_OUT, 2);
    expect(&x, 2, 2, "step 2 after step 2");
}

static void message_before_the_first_step(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    step_at(x.s[3], 0)->time = -1;
    expect(&x, 3, -1, "a message at step -1");
}

static void times_that_differ(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    step_at(x.s[6], 2)->time = 1;
    expect(&x, 7, 2, "its message to rank 6 meets one of step 1");
}

static void wrong_run_at_one_end(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 0))->first = 5; /* which it does not have */
    expect(&x, 0, 0, "reads place 5 of out before it is written");
    x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 1))->first = 3; /* 0, 3 becomes 3, 3 */
    expect(&x, 7, 1, "expects block 0 from rank 0, which sends block 3");
}

static void wrong_run_at_both_ends(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 1))->first = 3;
    run_of(x.s[7], op_at(x.s[7], BINE_OP_RECV, 1))->first = 3;
    expect(&x, 7, 1, "place 3 of out is received again while it is being received");
}

/* p = 8, near-first allgather: at step 1 rank 0 sends blocks 0 and 1 to rank 7, in one run. */
static void run_that_ends_at_the_wrong_piece(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-near", BINE_BLOCKS, 8, 0);
    run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 1))->count++;
    run_of(x.s[7], op_at(x.s[7], BINE_OP_RECV, 1))->count++;
    expect(&x, 0, 1, "reads place 2 of out before it is written");
    x = make(BINE_ALLGATHER, "bine-near", BINE_BLOCKS, 8, 0);
    run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 1))->count--;
    run_of(x.s[7], op_at(x.s[7], BINE_OP_RECV, 1))->count--;
    expect(&x, 7, 2, "reads place 1 of out before it is written");
}

/* At step 2 rank 0 sends blocks 0, 1 and 6, 7 to rank 3, in two runs; let them overlap. */
static void runs_that_overlap(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-near", BINE_BLOCKS, 8, 0);
    struct bine_op *send = op_at(x.s[0], BINE_OP_SEND, 2), *recv = op_at(x.s[3], BINE_OP_RECV, 2);
    assert_int_equal(x.s[0]->run[send->runs + 1].first, 6);
    x.s[0]->run[send->runs + 1].first = 1;
    x.s[3]->run[recv->runs + 1].first = 1;
    expect(&x, 3, 2, "place 1 of out is received again while it is being received");
}

/* Two places of a permuted buffer change their blocks, inside a run that is sent as a whole. */
static void blocks_swapped_inside_a_run(void **state) {
    (void)state;
    struct all x = make_torus(BINE_ALLGATHER, BINE_PERMUTE);
    const struct bine_schedule *s = x.s[0];
    const struct bine_run *sent = run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 3));
    assert_int_equal(s->space[BINE_TMP].arrangement, BINE_LISTED);
    assert_int_equal(sent->count, 8);
    struct bine_run *list = &s->run[s->space[BINE_TMP].base + sent->first + 2], block = list[0];
    assert_int_equal(block.first, 8);
    list[0].first = list[1].first;
    list[1].first = block.first;
    expect(&x, 0, 2, "expects block 4 from rank 1, which sends block 8");
}

static void cut_differently(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-near", BINE_BLOCKS, 8, 0);
    /* 0 and 1 exchange four blocks in some runs at step 2; cut the first run of 0's in two. */
    struct bine_schedule *s = x.s[0];
    struct bine_op *op = op_at(s, BINE_OP_SEND, 2);
    struct bine_run first = *run_of(s, op);
    uint32_t runs = op->nruns, at = s->nruns;
    assert_true(first.count > 1);
    bine_schedule_step(s, 2);
    bine_schedule_op(s, BINE_OP_SEND, BINE_SIDE_ANY, op_at(s, BINE_OP_SEND, 2)->peer);
    bine_schedule_run(s, BINE_OUT, first.first, 1, 0);
    bine_schedule_run(s, BINE_OUT, first.first + 1, first.count - 1, 0);
    op = op_at(s, BINE_OP_SEND, 2);
    for (uint32_t i = 1; i < runs; i++)
        bine_schedule_run(s, BINE_OUT, s->run[op->runs + i].first, s->run[op->runs + i].count, 0);
    op->runs = at;
    op->nruns = runs + 1;
    s->nsteps--; /* the step was only a way to append runs */
    s->strand[0].nsteps--;
    char reason[96];
    snprintf(reason, sizeof reason, "expects %u transfers from rank 0, which sends %u", runs,
             runs + 1);
    expect(&x, op->peer, 2, reason);
}

/* Two ranks, each of which sends first and receives then: nobody ever receives. */
static struct all crossed(int p) {
    struct all x = {.algorithm = bine_algorithm_find(BINE_ALLGATHER, "ring"), .p = p};
    for (int r = 0; r < p; r++) {
        struct bine_schedule *s = x.s[r] = bine_schedule_new();
        assert_non_null(s);
        s->collective = BINE_ALLGATHER;
        s->p = s->blocks = p;
        s->rank = r;
        s->times = 2;
        s->space[BINE_IN] = (struct bine_space){1, BINE_ONE, r, 0};
        s->space[BINE_OUT] = (struct bine_space){p, BINE_NATURAL, 0, 0};
        add_message(s, 0, BINE_OP_SEND, (r + 1) % p, BINE_IN, 0);
        add_message(s, 1, BINE_OP_RECV, (r + p - 1) % p, BINE_OUT, (r + p - 1) % p);
    }
    return x;
}

static void cyclic_wait(void **state) {
    (void)state;
    struct all x = crossed(2);
    expect(&x, 0, 0, "deadlock: waits for rank 1, which is at step 0 and waits too");
    x = crossed(5);
    expect(&x, 0, 0, "deadlock: waits for rank 1, which is at step 0 and waits too");
}

static void read_before_written(void **state) {
    (void)state;
    /* Rank 3 gathers 2, 3, 4, 5 in tmp; without the copy its own block is not there. */
    struct all x = make(BINE_GATHER, "bine-near", BINE_BLOCKS, 8, 0);
    drop(x.s[3], -1, op_at(x.s[3], BINE_OP_COPY, -1));
    expect(&x, 3, 2, "reads place 1 of tmp before it is written");
}

static void write_to_in(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    run_of(x.s[5], op_at(x.s[5], BINE_OP_RECV_REDUCE, 1))->space = BINE_IN;
    expect(&x, 5, 1, "writes to in");
}

static void received_over_what_is_sent(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[4], op_at(x.s[4], BINE_OP_RECV, 0))->first = 4;
    expect(&x, 4, 0, "place 4 of out is sent while it is being received");
}

static void contributed_twice(void **state) {
    (void)state;
    struct all x = make(BINE_REDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    bine_schedule_op(x.s[0], BINE_OP_REDUCE, BINE_SIDE_ANY, -1);
    bine_schedule_run(x.s[0], BINE_OUT, 0, 1, 0);
    bine_schedule_with(x.s[0], BINE_IN, 0, 1);
    expect(&x, 0, -1, "block 0 ends with the contribution of rank 0 twice");
}

/* At step 1 rank 0 adds blocks 0 and 1 from rank 7 to its own; let the second come twice. */
static void piece_of_a_run_added_twice(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-large-two", BINE_BLOCKS, 8, 0);
    struct bine_op *send = op_at(x.s[7], BINE_OP_SEND, 1),
                   *recv = op_at(x.s[0], BINE_OP_RECV_REDUCE, 1);
    struct bine_run again = {1, 1, BINE_OUT};
    lengthen(x.s[7], &send->runs, &send->nruns, again);
    lengthen(x.s[0], &recv->runs, &recv->nruns, again);
    lengthen(x.s[0], &recv->with, &recv->nwith, again);
    expect(&x, 0, -1, "block 1 ends with the contribution of rank 7 twice");
}

/* The operand of blocks 6 and 7 begins one piece too early. */
static void operand_off_by_one(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-large-two", BINE_BLOCKS, 8, 0);
    struct bine_op *op = op_at(x.s[0], BINE_OP_RECV_REDUCE, 0);
    assert_int_equal(x.s[0]->run[op->with + 1].first, 6);
    x.s[0]->run[op->with + 1].first = 5;
    expect(&x, 0, 0, "adds block 6 to block 5");
}

static void contribution_left_out(void **state) {
    (void)state;
    /* Rank 3 sends its own vector instead of its subtree's sum. */
    struct all x = make(BINE_REDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    run_of(x.s[3], op_at(x.s[3], BINE_OP_SEND, 2))->space = BINE_IN;
    expect(&x, 0, -1, "block 0 ends with no contribution of rank 2 (5 of 8 are there)");
}

static void wrong_side(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "recursive-doubling", BINE_BLOCKS, 8, 0);
    struct bine_op *op = op_at(x.s[2], BINE_OP_RECV_REDUCE, 0); /* 2 meets 3 */
    assert_int_equal(op->side, BINE_SIDE_RIGHT);
    op->side = BINE_SIDE_LEFT;
    expect(&x, 0, -1, "block 0 ends with the contribution of rank 2 after that of rank 3");
}

static void no_side(void **state) {
    (void)state;
    struct all x = make(BINE_REDUCE, "bine-ordered", BINE_BLOCKS, 8, 0);
    op_at(x.s[2], BINE_OP_RECV_REDUCE, 2)->side = BINE_SIDE_ANY;
    expect(&x, 2, 2, "a reduction without sides, for an operator that need not commute");
}

/* A commutative operator gives the right sum either way, but perhaps not the same bits. */
static void added_up_in_another_order(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    struct bine_op *op = op_at(x.s[6], BINE_OP_RECV_REDUCE, 2);
    op->side = op->side == BINE_SIDE_LEFT ? BINE_SIDE_RIGHT : BINE_SIDE_LEFT;
    expect(&x, 6, -1, "block 0 is added up in another order than on rank 0");
}

static void extra_step(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    add_message(x.s[1], 3, BINE_OP_SEND, 2, BINE_OUT, 1);
    add_message(x.s[2], 3, BINE_OP_RECV, 1, BINE_OUT, 1);
    expect(&x, 1, 3, "a message at step 3, but 3 steps were promised");
}

/* The schedules themselves may claim more steps; the catalogue does not. */
static void extra_step_that_is_claimed(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    for (int r = 0; r < 8; r++)
        x.s[r]->times = 4;
    step_at(x.s[7], 2)->time = 3;
    step_at(x.s[6], 2)->time = 3;
    expect(&x, -1, -1, "takes 4 steps, but 3 were promised");
}

static void place_out_of_range(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[3], op_at(x.s[3], BINE_OP_RECV, 0))->first = 8;
    expect(&x, 3, 0, "places 8 to 8 of out, which has 8 pieces");
    x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[3], op_at(x.s[3], BINE_OP_RECV, 0))->first = -1;
    expect(&x, 3, 0, "places -1 to -1 of out, which has 8 pieces");
    x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[3], op_at(x.s[3], BINE_OP_RECV, 0))->space = 3;
    expect(&x, 3, 0, "a run in space 3");
    x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    op_at(x.s[3], BINE_OP_RECV, 0)->runs = x.s[3]->nruns;
    char reason[64];
    snprintf(reason, sizeof reason, "runs %u to %u, but there are %u", x.s[3]->nruns,
             x.s[3]->nruns + 1, x.s[3]->nruns);
    expect(&x, 3, 0, reason);
}

static void operands_that_do_not_fit(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-large", BINE_BLOCKS, 8, 0);
    struct bine_op *op = op_at(x.s[3], BINE_OP_RECV_REDUCE, 2); /* one block */
    x.s[3]->run[op->with].first = 0;
    x.s[3]->run[op->with].count = 2;
    expect(&x, 3, 2, "operands of 1 and 2 pieces");
    x = make(BINE_ALLREDUCE, "bine-large", BINE_BLOCKS, 8, 0);
    op_at(x.s[3], BINE_OP_SEND, 2)->nruns = 0;
    expect(&x, 3, 2, "an operation on no pieces");
    x = make(BINE_ALLREDUCE, "bine-large", BINE_BLOCKS, 8, 0);
    op_at(x.s[3], BINE_OP_SEND, 2)->kind = BINE_OP_KINDS;
    expect(&x, 3, 2, "operation of kind 6");
}

static void adds_one_block_to_another(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-large", BINE_BLOCKS, 8, 0);
    struct bine_op *op = op_at(x.s[3], BINE_OP_RECV_REDUCE, 2);
    assert_int_equal(run_of(x.s[3], op)->first, 3);
    x.s[3]->run[op->with] = bine_pieces(BINE_IN, 5, 1);
    expect(&x, 3, 2, "adds block 3 to block 5");
}

/* In place, the out of a reduce-scatter lies on top of its in. */
static void in_read_after_out_was_written(void **state) {
    (void)state;
    struct all x = make(BINE_REDUCE_SCATTER, "bine-near", BINE_BLOCKS, 8, 1);
    /* The last step has written out; now look at in again. */
    bine_schedule_op(x.s[2], BINE_OP_COPY, BINE_SIDE_ANY, -1);
    bine_schedule_run(x.s[2], BINE_TMP, 0, 1, 0);
    bine_schedule_with(x.s[2], BINE_IN, 0, 1);
    expect(&x, 2, 2, "reads in after out, which lies on top of it, was written");
}

static void in_sent_while_out_is_received(void **state) {
    (void)state;
    struct all x = make(BINE_REDUCE_SCATTER, "linear", BINE_BLOCKS, 4, 1);
    *run_of(x.s[1], op_at(x.s[1], BINE_OP_RECV, 0)) = bine_pieces(BINE_OUT, 0, 1);
    expect(&x, 1, 0, "sends in while out, which lies on top of it, is being received");
}

/* Right with two buffers; in place, what is received lands on what is still to be sent. */
static void lost_by_aliasing(void **state) {
    (void)state;
    struct all x = make(BINE_ALLTOALL, "bine-far", BINE_BLOCKS, 4, 0);
    for (int r = 0; r < 4; r++)
        x.s[r]->in_place = 1;
    expect(&x, 0, 0, "place 3 of in is sent while it is being received");
}

static void strands_that_share_a_piece(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 4, 0);
    for (int r = 0; r < 4; r++) {
        struct bine_schedule *s = x.s[r];
        struct bine_strand *two = realloc(s->strand, 2 * sizeof *two);
        assert_non_null(two);
        s->strand = two;
        s->strand[1] = (struct bine_strand){s->nsteps, 0};
        s->nstrands = 2;
        bine_schedule_step(s, -1);
        bine_schedule_op(s, BINE_OP_COPY, BINE_SIDE_ANY, -1);
        bine_schedule_run(s, BINE_OUT, r, 1, 0); /* strand 0 copies its own block there as well */
        bine_schedule_with(s, BINE_IN, 0, 1);
    }
    expect(&x, 0, -1, "place 0 of out is touched by strands 0 and 1");
}

/* Strands are told apart by their number alone. */
static void strands_in_another_order(void **state) {
    (void)state;
    struct all x = make_torus(BINE_ALLGATHER, BINE_PERMUTE);
    struct bine_strand *strand = x.s[0]->strand, first = strand[0];
    strand[0] = strand[1];
    strand[1] = first;
    expect(&x, 12, 1, "its message from rank 0 meets one of step 0");
}

static void block_in_the_wrong_place(void **state) {
    (void)state;
    /* Rank 3 of a scatter keeps another block of its subtree {2, 3, 4, 5} than its own. */
    struct all x = make(BINE_SCATTER, "bine-far", BINE_BLOCKS, 8, 0);
    struct bine_schedule *s = x.s[3];
    struct bine_op *op = &s->op[s->nops - 1];
    assert_int_equal(op->kind, BINE_OP_COPY);
    assert_int_equal(s->run[op->with].first, 1);
    s->run[op->with].first = 2;
    expect(&x, 3, 2, "puts block 4 where block 3 belongs (place 0 of out)");
}

static void blocks_that_change_places(void **state) {
    (void)state;
    struct all x = make(BINE_ALLTOALL, "linear", BINE_BLOCKS, 4, 0);
    struct bine_schedule *s = x.s[2];
    struct bine_run *a = run_of(s, op_at(s, BINE_OP_RECV, 0)), *b = a;
    while (b->space != BINE_OUT || b->first == a->first)
        b++;
    int first = a->first;
    a->first = b->first;
    b->first = first;
    expect(&x, 2, -1, "block 0 of out is wrong");
}

/* Blocks of an alltoall have the same size, but not their parts. */
static void parts_that_change_places(void **state) {
    (void)state;
    struct all x = make_torus(BINE_ALLTOALL, BINE_BLOCKS);
    int peer = op_at(x.s[0], BINE_OP_SEND, 0)->peer;
    struct bine_run *sent = run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 0));
    sent->first += sent->space == BINE_IN ? 1 : x.s[0]->space[BINE_TMP].pieces / 4;
    expect(&x, peer, 0, "expects part 0 from rank 0, which sends part 1");
    x = make_torus(BINE_ALLTOALL, BINE_BLOCKS);
    x.s[0]->space[BINE_TMP].pieces--;
    expect(&x, 0, -1, "tmp does not say where its blocks are");
}

static void list_that_is_not_there(void **state) {
    (void)state;
    struct all x = make_torus(BINE_ALLGATHER, BINE_PERMUTE);
    x.s[4]->space[BINE_TMP].base = (int32_t)x.s[4]->nruns;
    expect(&x, 4, -1, "tmp does not say where its blocks are");
    x = make(BINE_GATHER, "bine-near", BINE_BLOCKS, 8, 0);
    assert_int_equal(x.s[3]->space[BINE_TMP].arrangement, BINE_SUBSET);
    x.s[3]->space[BINE_TMP].pieces++;
    expect(&x, 3, -1, "tmp does not say where its blocks are");
}

static void own_block_forgotten(void **state) {
    (void)state;
    struct all x = make(BINE_ALLTOALL, "bine-far", BINE_BLOCKS, 8, 0);
    struct bine_schedule *s = x.s[6];
    assert_int_equal(s->op[s->nops - 1].kind, BINE_OP_COPY);
    s->step[s->nsteps - 1].nops--;
    expect(&x, 6, -1, "block 6 of out is never written");
}

static void permutation_of_a_part(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_PERMUTE, 8, 0);
    struct bine_schedule *s = x.s[1];
    struct bine_op *op = &s->op[s->nops - 1];
    assert_int_equal(op->kind, BINE_OP_PERMUTE);
    s->run[op->runs].count = s->run[op->with].count = 7;
    expect(&x, 1, -1, "permutes part of a space");
}

static void schedules_that_do_not_belong_together(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    x.s[5]->root = 1;
    expect(&x, 5, -1, "not a schedule of the same collective as rank 0's");
}

static void schedule_of_another_rank(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    struct bine_schedule *s = x.s[5];
    x.s[5] = x.s[6];
    x.s[6] = s;
    expect(&x, 5, -1, "the schedule of rank 6");
}

/* Of a rooted collective, only the root can be in place; of others, all ranks or none. */
static void in_place_at_some_ranks(void **state) {
    (void)state;
    struct all x = make(BINE_REDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    x.s[3]->in_place = 1;
    expect(&x, 3, -1, "not a schedule of the same collective as rank 0's");
    x = make(BINE_ALLREDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    x.s[3]->in_place = 1;
    expect(&x, 3, -1, "not a schedule of the same collective as rank 0's");
}

/* The caller's buffers are what the collective says, whatever the schedule makes of them. */
static void buffers_that_are_not_the_callers(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    x.s[3]->space[BINE_IN].base = 4; /* a block of another size */
    expect(&x, 3, -1, "in is not 1 pieces from block 3 on");
    x = make(BINE_ALLREDUCE, "bine-large", BINE_BLOCKS, 8, 0);
    x.s[3]->space[BINE_IN].pieces = 9;
    expect(&x, 3, -1, "in is not 8 pieces from block 0 on");
    x = make(BINE_ALLTOALL, "bine-far", BINE_BLOCKS, 8, 0);
    x.s[3]->space[BINE_OUT].arrangement = BINE_NU_PLACES;
    expect(&x, 3, -1, "out is not 8 pieces from block 0 on");
    x = make(BINE_GATHER, "bine-near", BINE_BLOCKS, 8, 0);
    x.s[3]->space[BINE_OUT] = (struct bine_space){8, BINE_NATURAL, 0, 0};
    expect(&x, 3, -1, "out is not 0 pieces from block 0 on");
}

static void room_that_is_missing(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-small", BINE_BLOCKS, 1, 1);
    x.s[0]->space[BINE_OUT].pieces = 0;
    expect(&x, 0, -1, "out has 0 pieces, expected 1");
}

/* In a linear allgather rank 0 receives from all others at one step; let it expect two messages
 * from rank 2. */
static void two_messages(void **state) {
    (void)state;
    for (int p = 4; p <= MOST_RANKS; p += MOST_RANKS - 4) {
        struct all x = make(BINE_ALLGATHER, "linear", BINE_BLOCKS, p, 0);
        struct bine_step *step = step_at(x.s[0], 0);
        for (uint32_t j = step->ops; j < step->ops + step->nops; j++)
            if (x.s[0]->op[j].kind == BINE_OP_RECV && x.s[0]->op[j].peer == 1)
                x.s[0]->op[j].peer = 2;
        expect(&x, 0, 0, "two messages from rank 2 in one step");
    }
}

/* What is not damage: a verdict counts what was moved. */
static void counts(void **state) {
    (void)state;
    struct bine_request rq = {.algorithm = bine_algorithm_find(BINE_ALLREDUCE, "bine-large"),
                              .layout = BINE_PERMUTE,
                              .p = 8};
    struct bine_verdict verdict;
    assert_int_equal(bine_check_request(&rq, &verdict), 0);
    assert_int_equal(verdict.pieces, 8 * 2 * 7);   /* every rank receives 7 blocks, twice */
    assert_int_equal(verdict.messages, 8 * 2 * 3); /* one run a step */
    assert_int_equal(verdict.rank, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_partner),
        cmocka_unit_test(partner_that_is_oneself),
        cmocka_unit_test(partner_that_does_not_exist),
        cmocka_unit_test(missing_receive),
        cmocka_unit_test(missing_send),
        cmocka_unit_test(message_left_out_at_both_ends),
        cmocka_unit_test(dropped_block_at_one_end),
        cmocka_unit_test(dropped_block_in_a_packed_message),
        cmocka_unit_test(dropped_block_at_both_ends),
        cmocka_unit_test(block_sent_twice),
        cmocka_unit_test(steps_swapped),
        cmocka_unit_test(work_of_steps_swapped),
        cmocka_unit_test(one_time_used_twice),
        cmocka_unit_test(message_before_the_first_step),
        cmocka_unit_test(times_that_differ),
        cmocka_unit_test(wrong_run_at_one_end),
        cmocka_unit_test(wrong_run_at_both_ends),
        cmocka_unit_test(run_that_ends_at_the_wrong_piece),
        cmocka_unit_test(runs_that_overlap),
        cmocka_unit_test(blocks_swapped_inside_a_run),
        cmocka_unit_test(cut_differently),
        cmocka_unit_test(cyclic_wait),
        cmocka_unit_test(read_before_written),
        cmocka_unit_test(write_to_in),
        cmocka_unit_test(received_over_what_is_sent),
        cmocka_unit_test(contributed_twice),
        cmocka_unit_test(piece_of_a_run_added_twice),
        cmocka_unit_test(operand_off_by_one),
        cmocka_unit_test(contribution_left_out),
        cmocka_unit_test(wrong_side),
        cmocka_unit_test(no_side),
        cmocka_unit_test(added_up_in_another_order),
        cmocka_unit_test(extra_step),
        cmocka_unit_test(extra_step_that_is_claimed),
        cmocka_unit_test(place_out_of_range),
        cmocka_unit_test(operands_that_do_not_fit),
        cmocka_unit_test(adds_one_block_to_another),
        cmocka_unit_test(in_read_after_out_was_written),
        cmocka_unit_test(in_sent_while_out_is_received),
        cmocka_unit_test(lost_by_aliasing),
        cmocka_unit_test(strands_that_share_a_piece),
        cmocka_unit_test(strands_in_another_order),
        cmocka_unit_test(block_in_the_wrong_place),
        cmocka_unit_test(blocks_that_change_places),
        cmocka_unit_test(parts_that_change_places),
        cmocka_unit_test(list_that_is_not_there),
        cmocka_unit_test(own_block_forgotten),
        cmocka_unit_test(permutation_of_a_part),
        cmocka_unit_test(schedules_that_do_not_belong_together),
        cmocka_unit_test(schedule_of_another_rank),
        cmocka_unit_test(in_place_at_some_ranks),
        cmocka_unit_test(buffers_that_are_not_the_callers),
        cmocka_unit_test(room_that_is_missing),
        cmocka_unit_test(two_messages),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
