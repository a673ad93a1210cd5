/* The proof, of schedules that move or add up the wrong data: what is read, and what a rank ends
 * with. */
#include "damage.h"

#include "schedule/prove.h"

#include <string.h>

/* p = 8, far-first broadcast: 0->3 | 0->7, 3->4 | 0->1, 3->2, 4->5, 7->6. */

static void message_left_out_at_both_ends(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "bine-small", BINE_BLOCKS, 8, 0);
    drop(x.s[7], 2, op_at(x.s[7], BINE_OP_SEND, 2));
    drop(x.s[6], 2, op_at(x.s[6], BINE_OP_RECV, 2));
    expect(&x, 6, -1, "block 0 of out is never written");
}

/* p = 8, far-first allgather, blocks: 0 meets 3 | 7 | 1, and at step 2 sends 0, 3..4, 7. */

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

static void read_before_written(void **state) {
    (void)state;
    /* Rank 3 gathers 2, 3, 4, 5 in tmp; without the copy its own block is not there. */
    struct all x = make(BINE_GATHER, "bine-near", BINE_BLOCKS, 8, 0);
    drop(x.s[3], -1, op_at(x.s[3], BINE_OP_COPY, -1));
    expect(&x, 3, 2, "reads place 1 of tmp before it is written");
}

static void contributed_twice(void **state) {
    (void)state;
    struct all x = make(BINE_REDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    bine_schedule_op(x.s[0], BINE_OP_REDUCE, BINE_SIDE_ANY, -1);
    bine_schedule_run(x.s[0], BINE_OUT, 0, 1, 0);
    bine_schedule_with(x.s[0], BINE_IN, 0, 1);
    expect(&x, 0, -1, "block 0 ends with the contribution of rank 0 twice");
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

/* A commutative operator gives the right sum either way, but perhaps not the same bits. */
static void added_up_in_another_order(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-small", BINE_BLOCKS, 8, 0);
    struct bine_op *op = op_at(x.s[6], BINE_OP_RECV_REDUCE, 2);
    op->side = op->side == BINE_SIDE_LEFT ? BINE_SIDE_RIGHT : BINE_SIDE_LEFT;
    expect(&x, 6, -1, "block 0 is added up in another order than on rank 0");
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

static void room_that_is_missing(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-small", BINE_BLOCKS, 1, 1);
    x.s[0]->space[BINE_OUT].pieces = 0;
    expect(&x, 0, -1, "out has 0 pieces, expected 1");
}

/* What is not damage: a verdict counts what was moved. */
static void counts(void **state) {
    (void)state;
    struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_ALLREDUCE, "bine-large"),
                             .layout = BINE_PERMUTE,
                             .p = 8};
    struct bine_verdict verdict;
    assert_int_equal(bine_check_spec(&spec, &verdict), 0);
    assert_int_equal(verdict.pieces, 8 * 2 * 7);   /* every rank receives 7 blocks, twice */
    assert_int_equal(verdict.messages, 8 * 2 * 3); /* one run a step */
    assert_int_equal(verdict.rank, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_left_out_at_both_ends),
        cmocka_unit_test(dropped_block_at_both_ends),
        cmocka_unit_test(block_sent_twice),
        cmocka_unit_test(run_that_ends_at_the_wrong_piece),
        cmocka_unit_test(read_before_written),
        cmocka_unit_test(contributed_twice),
        cmocka_unit_test(piece_of_a_run_added_twice),
        cmocka_unit_test(operand_off_by_one),
        cmocka_unit_test(contribution_left_out),
        cmocka_unit_test(wrong_side),
        cmocka_unit_test(added_up_in_another_order),
        cmocka_unit_test(adds_one_block_to_another),
        cmocka_unit_test(in_read_after_out_was_written),
        cmocka_unit_test(block_in_the_wrong_place),
        cmocka_unit_test(blocks_that_change_places),
        cmocka_unit_test(own_block_forgotten),
        cmocka_unit_test(permutation_of_a_part),
        cmocka_unit_test(room_that_is_missing),
        cmocka_unit_test(counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
