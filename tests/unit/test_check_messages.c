/* The proof, of schedules whose messages are damaged: those that meet nobody, or another one than
 * meant, or land on each other. */
#include "damage.h"

#include <stdio.h>

/* p = 8, far-first broadcast: 0->3 | 0->7, 3->4 | 0->1, 3->2, 4->5, 7->6. */

static void wrong_partner(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    op_at(x.s[0], BINE_OP_SEND, 0)->peer = 5;
    expect(&x, 0, 0, "deadlock: waits for rank 5, which is at step 2 and waits too");
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

/* Exchange what two steps do, but leave their times. */
static void swap_work(struct bine_schedule *s, int a, int b) {
    swap_steps(s, a, b);
    step_at(s, a)->time = -2;
    step_at(s, b)->time = a;
    step_at(s, -2)->time = b;
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
    struct all x = make_torus(BINE_ALLGATHER, BINE_PERMUTE, 0);
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

/* Blocks of an alltoall have the same size, but not their parts. */
static void parts_that_change_places(void **state) {
    (void)state;
    struct all x = make_torus(BINE_ALLTOALL, BINE_BLOCKS, 0);
    int peer = op_at(x.s[0], BINE_OP_SEND, 0)->peer;
    struct bine_run *sent = run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 0));
    sent->first += sent->space == BINE_IN ? 1 : x.s[0]->space[BINE_TMP].pieces / 4;
    expect(&x, peer, 0, "expects part 0 from rank 0, which sends part 1");
    x = make_torus(BINE_ALLTOALL, BINE_BLOCKS, 0);
    x.s[0]->space[BINE_TMP].pieces--;
    expect(&x, 0, -1, "tmp does not say where its blocks are");
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

static void received_over_what_is_sent(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    run_of(x.s[4], op_at(x.s[4], BINE_OP_RECV, 0))->first = 4;
    expect(&x, 4, 0, "place 4 of out is sent while it is being received");
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

/* Strands are told apart by their number alone. */
static void strands_in_another_order(void **state) {
    (void)state;
    struct all x = make_torus(BINE_ALLGATHER, BINE_PERMUTE, 0);
    struct bine_strand *strand = x.s[0]->strand, first = strand[0];
    strand[0] = strand[1];
    strand[1] = first;
    /* Ports go through the dimensions in turn: the first two strands are of different ones. */
    expect(&x, 3, 1, "its message from rank 0 meets one of step 0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_partner),
        cmocka_unit_test(missing_receive),
        cmocka_unit_test(missing_send),
        cmocka_unit_test(dropped_block_at_one_end),
        cmocka_unit_test(dropped_block_in_a_packed_message),
        cmocka_unit_test(work_of_steps_swapped),
        cmocka_unit_test(times_that_differ),
        cmocka_unit_test(wrong_run_at_one_end),
        cmocka_unit_test(wrong_run_at_both_ends),
        cmocka_unit_test(runs_that_overlap),
        cmocka_unit_test(blocks_swapped_inside_a_run),
        cmocka_unit_test(parts_that_change_places),
        cmocka_unit_test(cut_differently),
        cmocka_unit_test(cyclic_wait),
        cmocka_unit_test(received_over_what_is_sent),
        cmocka_unit_test(in_sent_while_out_is_received),
        cmocka_unit_test(lost_by_aliasing),
        cmocka_unit_test(strands_in_another_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
