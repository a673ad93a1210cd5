/* The proof, of schedules whose form is damaged: numbers, times, strands and buffers that are wrong
 * before anything is executed. */
#include "damage.h"

#include <stdio.h>
#include <stdlib.h>

/* p = 8, far-first broadcast: 0->3 | 0->7, 3->4 | 0->1, 3->2, 4->5, 7->6. */

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

/* The root of a broadcast serves its children in the opposite order: everybody gets the vector, but
 * later than promised. */
static void steps_swapped(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    swap_steps(x.s[0], 0, 2);
    expect(&x, 0, 1, "step 1 after step 2");
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
    expect(&x, 3, -1, "a message before the first step");
}

static void extra_step(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    add_message(x.s[1], 3, BINE_OP_SEND, 2, BINE_OUT, 1);
    add_message(x.s[2], 3, BINE_OP_RECV, 1, BINE_OUT, 1);
    expect(&x, 1, 3, "a message at step 3, but 3 steps were promised");
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

static void write_to_in(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    run_of(x.s[5], op_at(x.s[5], BINE_OP_RECV_REDUCE, 1))->space = BINE_IN;
    expect(&x, 5, 1, "writes to in");
}

static void no_side(void **state) {
    (void)state;
    struct all x = make(BINE_REDUCE, "bine-ordered", BINE_BLOCKS, 8, 0);
    op_at(x.s[2], BINE_OP_RECV_REDUCE, 2)->side = BINE_SIDE_ANY;
    expect(&x, 2, 2, "a reduction without sides, for an operator that need not commute");
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
    expect(&x, 3, 2, "operation of kind 10");
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

static void list_that_is_not_there(void **state) {
    (void)state;
    struct all x = make_torus(BINE_ALLGATHER, BINE_PERMUTE, 0);
    x.s[4]->space[BINE_TMP].base = (int32_t)x.s[4]->nruns;
    expect(&x, 4, -1, "tmp does not say where its blocks are");
    x = make(BINE_GATHER, "bine-near", BINE_BLOCKS, 8, 0);
    assert_int_equal(x.s[3]->space[BINE_TMP].arrangement, BINE_SUBSET);
    x.s[3]->space[BINE_TMP].pieces++;
    expect(&x, 3, -1, "tmp does not say where its blocks are");
    x = make_torus(BINE_REDUCE_SCATTER, BINE_PERMUTE, 0);
    x.s[4]->run[x.s[4]->space[BINE_TMP].base + 1].first = 1000000;
    expect(&x, 4, -1, "tmp does not say where its blocks are");
    x = make(BINE_REDUCE_SCATTER, "bine-near", BINE_BLOCKS, 8, 0);
    x.s[3]->space[BINE_TMP].pieces = 9; /* of 8 blocks */
    expect(&x, 3, -1, "tmp does not say where its blocks are");
}

static void steps_that_are_not_there(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "ring", BINE_BLOCKS, 4, 0);
    x.s[1]->strand[0].nsteps += 1000;
    expect(&x, 1, -1, "strand 0 has steps that are not there");
    x = make(BINE_ALLGATHER, "ring", BINE_BLOCKS, 4, 0);
    step_at(x.s[1], 2)->nops += 1000;
    expect(&x, 1, 2, "operations that are not there");
}

/* In place, the part that is through first writes out, which lies on top of all of in. */
static void strand_that_reads_in_late(void **state) {
    (void)state;
    struct all x = make_torus(BINE_REDUCE_SCATTER, BINE_BLOCKS, 1);
    struct bine_op *op = op_at(x.s[5], BINE_OP_SEND, 0);
    run_of(x.s[5], op)->space = BINE_IN; /* as it was before it was copied to tmp */
    expect(&x, 5, 0, "a strand reads in while another may write out, which lies on top of it");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partner_that_is_oneself),
        cmocka_unit_test(partner_that_does_not_exist),
        cmocka_unit_test(steps_swapped),
        cmocka_unit_test(one_time_used_twice),
        cmocka_unit_test(message_before_the_first_step),
        cmocka_unit_test(extra_step),
        cmocka_unit_test(two_messages),
        cmocka_unit_test(write_to_in),
        cmocka_unit_test(no_side),
        cmocka_unit_test(place_out_of_range),
        cmocka_unit_test(operands_that_do_not_fit),
        cmocka_unit_test(strands_that_share_a_piece),
        cmocka_unit_test(list_that_is_not_there),
        cmocka_unit_test(steps_that_are_not_there),
        cmocka_unit_test(strand_that_reads_in_late),
        cmocka_unit_test(schedules_that_do_not_belong_together),
        cmocka_unit_test(schedule_of_another_rank),
        cmocka_unit_test(in_place_at_some_ranks),
        cmocka_unit_test(buffers_that_are_not_the_callers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
