/* The proof, of schedules whose operations on boards are damaged: read before they are published,
 * or never, or the wrong blocks; slots that nobody lets go; what is exposed and written. */
#include "damage.h"

static struct all make_board(enum bine_collective c, const char *name, int p, int in_place) {
    return make(c, name, BINE_BLOCKS, p, in_place);
}

static void never_published(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLGATHER, "board-flat", 4, 0);
    drop(x.s[2], 0, op_at(x.s[2], BINE_OP_PUBLISH, 0));
    expect(&x, 0, 0, "reads what rank 2 has not published at this step");
}

/* It is published a step after it is read. */
static void read_before_publication(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLREDUCE, "board-shared", 4, 0);
    step_at(x.s[3], 0)->time = 1;
    x.s[3]->step[1].time = 2;
    for (int r = 0; r < 4; r++)
        x.s[r]->times = 3;
    expect(&x, 0, 0, "reads what rank 3 has not published at this step");
}

static void wrong_first_block(void **state) {
    (void)state;
    struct all x = make_board(BINE_GATHER, "board-levels", 9, 0);
    op_at(x.s[0], BINE_OP_READ, 1)->first = 2;
    expect(&x, 0, 1, "reads what rank 3 publishes from block 2 on, which is from block 3 on");
    x = make_board(BINE_ALLGATHER, "board-flat", 4, 0);
    op_at(x.s[1], BINE_OP_PUBLISH, 0)->first = 0;
    expect(&x, 1, 0, "a publication to rank -1 from block 0 on");
    x = make_board(BINE_ALLGATHER, "board-flat", 4, 0);
    op_at(x.s[1], BINE_OP_PUBLISH, 0)->first = op_at(x.s[1], BINE_OP_PUBLISH, 0)->block = 0;
    expect(&x, 1, 0, "publishes block 1 in place of 0");
}

static void blocks_that_are_not_published(void **state) {
    (void)state;
    struct all x = make_board(BINE_GATHER, "board-levels", 9, 0);
    run_of(x.s[0], op_at(x.s[0], BINE_OP_READ, 1))->count++;
    expect(&x, 0, 1, "reads blocks 3 to 6 of rank 3, which publishes 3 to 5");
    x = make_board(BINE_SCATTER, "board-flat", 4, 0);
    op_at(x.s[2], BINE_OP_READ, 0)->block = 1;
    expect(&x, 2, 0, "reads block 1 to where block 2 belongs (place 0 of out)");
    x = make_board(BINE_ALLTOALL, "board-flat", 4, 0);
    op_at(x.s[2], BINE_OP_READ, 0)->block = 1;
    expect(&x, 2, -1, "block 3 of out is wrong");
}

static void publication_with_a_gap(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLGATHER, "board-levels", 9, 0);
    run_of(x.s[4], op_at(x.s[4], BINE_OP_PUBLISH, 1))->first = 4;
    expect(&x, 4, 1, "publishes block 4 in place of 3");
}

static void more_than_slots_hold(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLGATHER, "board-levels", 9, 0);
    for (int r = 0; r < 9; r++)
        x.s[r]->board_blocks = 2;
    expect(&x, 0, 1, "publishes 3 blocks, where slots are for 2");
    x = make_board(BINE_ALLGATHER, "board-flat", 4, 0);
    x.s[2]->board_blocks = 3;
    expect(&x, 2, -1, "slots are for 3 blocks, on rank 0 for 1");
}

static void two_publications(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLREDUCE, "board-shared", 4, 0);
    op_at(x.s[1], BINE_OP_READ, 1)->kind = BINE_OP_PUBLISH;
    expect(&x, 1, 1, "two publications at one step");
}

/* The step of time 0 comes again: its number is that of another publication. */
static void two_steps_of_one_time(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLREDUCE, "board-shared", 4, 0);
    step_at(x.s[1], 1)->time = 0;
    expect(&x, 1, 0, "step 0 after step 0");
}

/* A reader that waits for what never comes keeps the slots of others. */
static void slot_that_is_not_let_go(void **state) {
    (void)state;
    struct all x = make_board(BINE_BCAST, "board-flat", 2, 0);
    for (int t = 1; t < 3; t++) {
        bine_schedule_step(x.s[0], t);
        bine_schedule_publish(x.s[0], 0);
        bine_schedule_run(x.s[0], BINE_IN, 0, 1, 0);
    }
    x.s[0]->times = x.s[1]->times = 3;
    op_at(x.s[1], BINE_OP_READ, 0)->peer = 1;
    expect(&x, 0, 2, "deadlock: waits until rank 1 has passed what its slot holds");
    x = make_board(BINE_BCAST, "board-direct", 3, 0);
    op_at(x.s[2], BINE_OP_READ, 0)->peer = 2;
    expect(&x, 0, 0, "deadlock: waits until rank 2 has passed what it exposes");
}

/* A message of step 0 comes after what waits on boards for it. */
static void boards_after_messages(void **state) {
    (void)state;
    struct all x = make_board(BINE_BCAST, "board-flat", 2, 0);
    bine_schedule_step(x.s[0], 0);
    bine_schedule_op(x.s[0], BINE_OP_SEND, BINE_SIDE_ANY, 1);
    bine_schedule_run(x.s[0], BINE_IN, 0, 1, 0);
    bine_schedule_step(x.s[0], 0);
    bine_schedule_publish(x.s[0], 0);
    bine_schedule_run(x.s[0], BINE_IN, 0, 1, 0);
    expect(&x, 0, 0, "step 0 after step 0");
    x = make_board(BINE_BCAST, "board-flat", 2, 0);
    bine_schedule_op(x.s[0], BINE_OP_SEND, BINE_SIDE_ANY, 1);
    bine_schedule_run(x.s[0], BINE_IN, 0, 1, 0);
    expect(&x, 0, 0, "messages and operations on boards in one step");
}

static void another_node(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLREDUCE, "board-flat", 4, 0);
    x.s[2]->node = 1;
    expect(&x, 0, 0, "reads from rank 2 of another node");
}

static void nodes_that_do_not_agree(void **state) {
    (void)state;
    struct all x = make_board(BINE_BCAST, "board-flat", 4, 0);
    drop(x.s[2], 0, op_at(x.s[2], BINE_OP_READ, 0));
    x.s[2]->boards = 0;
    expect(&x, 2, -1, "does not use boards, rank 0 of its node does");
}

/* In place, the own block of an allgather is in `out`. */
static void exposed_and_written(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLGATHER, "board-direct", 4, 1);
    struct bine_op *op = op_at(x.s[1], BINE_OP_READ, 0);
    op->block = 1;
    op->first = 1;
    op->peer = 1;
    run_of(x.s[1], op)->first = 1;
    expect(&x, 1, 0, "place 1 of out is written while it is exposed");
    x = make_board(BINE_ALLTOALL, "board-direct", 4, 1);
    run_of(x.s[3], op_at(x.s[3], BINE_OP_EXPOSE, 0))->space = BINE_IN;
    expect(&x, 3, 0, "place 0 of out is written while it is exposed");
}

static void exposed_in_pieces(void **state) {
    (void)state;
    struct all x = make_board(BINE_SCATTER, "board-direct", 4, 0);
    struct bine_schedule *s = x.s[0];
    struct bine_op *op = op_at(s, BINE_OP_EXPOSE, 0);
    op->runs = s->nruns;
    op->nruns = 0;
    for (int k = 0; k < 4; k++) {
        struct bine_run *r = bine_schedule_room(s, 1);
        *r = bine_pieces(BINE_IN, k, 1);
        s->nruns++;
        op->nruns++;
    }
    expect(&x, 0, 0, "exposes 4 runs of pieces");
}

/* A rank that adds up in another order has other bits. */
static void another_order(void **state) {
    (void)state;
    struct all x = make_board(BINE_ALLREDUCE, "board-flat", 4, 0);
    struct bine_op *op = op_at(x.s[2], BINE_OP_READ_REDUCE, 0);
    op->side = BINE_SIDE_LEFT;
    expect(&x, 2, -1, "block 0 ends with the contribution of rank 0 after that of rank 1");
}

static void missed_operand(void **state) {
    (void)state;
    struct all x = make_board(BINE_REDUCE, "board-levels", 9, 0);
    drop(x.s[3], 0, op_at(x.s[3], BINE_OP_READ_REDUCE, 0));
    expect(&x, 0, -1, "block 0 ends with no contribution of rank 4 (8 of 9 are there)");
}

static void more_readings_than_promised(void **state) {
    (void)state;
    struct all x = make_board(BINE_BCAST, "board-flat", 4, 0);
    bine_schedule_read(x.s[2], 0, 0, 0);
    bine_schedule_run(x.s[2], BINE_OUT, 0, 1, 0);
    expect(&x, 2, -1, "receives 2 pieces, but 1 were promised");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_published),
        cmocka_unit_test(read_before_publication),
        cmocka_unit_test(wrong_first_block),
        cmocka_unit_test(blocks_that_are_not_published),
        cmocka_unit_test(publication_with_a_gap),
        cmocka_unit_test(more_than_slots_hold),
        cmocka_unit_test(two_publications),
        cmocka_unit_test(two_steps_of_one_time),
        cmocka_unit_test(slot_that_is_not_let_go),
        cmocka_unit_test(boards_after_messages),
        cmocka_unit_test(another_node),
        cmocka_unit_test(nodes_that_do_not_agree),
        cmocka_unit_test(exposed_and_written),
        cmocka_unit_test(exposed_in_pieces),
        cmocka_unit_test(another_order),
        cmocka_unit_test(missed_operand),
        cmocka_unit_test(more_readings_than_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
