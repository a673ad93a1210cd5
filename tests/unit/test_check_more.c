/* The proof, of damaged barriers, scans and schedules with uneven blocks: a rank that nobody tells
 * of, an order that is not kept, a vector too many, a block where another one belongs. */
#include "damage.h"

/* Rank 0 and rank 3 do not meet at step 0, and nobody else tells them of each other. */
static void nobody_tells(void **state) {
    (void)state;
    struct all x = make(BINE_BARRIER, "bine-far", BINE_BLOCKS, 4, 0);
    for (int r = 0; r < 4; r += 3)
        for (int kind = BINE_OP_SEND; kind <= BINE_OP_RECV; kind++)
            drop(x.s[r], 0, op_at(x.s[r], (enum bine_op_kind)kind, 0));
    expect(&x, 0, -1, "leaves without having heard of rank 3");
}

/* Nobody tells the root of the tree, which tells all others. */
static void only_down(void **state) {
    (void)state;
    struct all x = make(BINE_BARRIER, "bine-tree", BINE_BLOCKS, 2, 0);
    drop(x.s[1], 0, op_at(x.s[1], BINE_OP_SEND, 0));
    drop(x.s[0], 0, op_at(x.s[0], BINE_OP_RECV, 0));
    expect(&x, 0, -1, "leaves without having heard of rank 1");
}

static void boards_unread(void **state) {
    (void)state;
    struct all x = make(BINE_BARRIER, "board-flat", BINE_BLOCKS, 4, 0);
    drop(x.s[2], 0, op_at(x.s[2], BINE_OP_READ, 0));
    expect(&x, 2, -1, "leaves without having heard of rank 3");
}

static void barrier_with_data(void **state) {
    (void)state;
    struct all x = make(BINE_BARRIER, "bruck", BINE_BLOCKS, 4, 0);
    x.s[1]->space[BINE_IN].pieces = 1;
    struct bine_op *op = op_at(x.s[1], BINE_OP_SEND, 0);
    op->runs = x.s[1]->nruns;
    op->nruns = 1;
    if (bine_schedule_room(x.s[1], 1) != NULL)
        x.s[1]->run[x.s[1]->nruns++] = bine_pieces(BINE_IN, 0, 1);
    expect(&x, 1, 0, "a barrier with data");
}

static void scan_in_another_order(void **state) {
    (void)state;
    struct all x = make(BINE_SCAN, "recursive-doubling", BINE_BLOCKS, 4, 0);
    op_at(x.s[3], BINE_OP_RECV_REDUCE, 0)->side = BINE_SIDE_RIGHT;
    expect(&x, 3, -1, "block 0 ends with the contribution of rank 2 after that of rank 3");
}

/* An exscan that has the own vector in it, and one that lacks some. */
static void scan_of_other_ranks(void **state) {
    (void)state;
    struct all x = make(BINE_EXSCAN, "board-flat", BINE_BLOCKS, 4, 0);
    op_at(x.s[1], BINE_OP_READ, 0)->peer = 1;
    expect(&x, 1, -1,
           "block 0 ends with the contribution of rank 1, of which there should be none");
    x = make(BINE_SCAN, "board-flat", BINE_BLOCKS, 4, 0);
    drop(x.s[2], 0, op_at(x.s[2], BINE_OP_READ_REDUCE, 0));
    expect(&x, 2, -1, "block 0 ends with no contribution of rank 1 (2 of 3 are there)");
}

/* Blocks of other sizes than what is put there. */
static void uneven_block_elsewhere(void **state) {
    (void)state;
    struct all x = make(BINE_ALLTOALLV, "pairwise", BINE_BLOCKS, 4, 0);
    run_of(x.s[1], op_at(x.s[1], BINE_OP_SEND, 0))->first = 3;
    expect(&x, 2, 0, "expects 698 bytes in transfer 0 from rank 1, which sends 268");
}

/* Slots of one size are no place for blocks of any. */
static void uneven_slots(void **state) {
    (void)state;
    struct all x = make(BINE_ALLTOALLV, "linear", BINE_BLOCKS, 4, 1);
    x.s[0]->space[BINE_TMP].arrangement = BINE_SLOTS;
    expect(&x, 0, -1, "tmp does not say where its blocks are");
}

/* Sizes are announced to those who get the first part of a block: a leaf gets none but its own. */
static void size_not_announced(void **state) {
    (void)state;
    struct all x = make(BINE_GATHERV, "bine-near", BINE_PACK, 4, 0);
    bine_schedule_space(x.s[1], BINE_TMP, 1, BINE_NATURAL, 0);
    expect(&x, 1, -1, "has a place for the block of rank 0, but not its size");
}

/* A message along the tree that has the part which goes directly. */
static void other_part_sent(void **state) {
    (void)state;
    struct all x = make(BINE_SCATTERV, "bine-far", BINE_PACK, 4, 0);
    run_of(x.s[0], op_at(x.s[0], BINE_OP_SEND, 0))->first ^= 1;
    expect(&x, 3, 0, "expects block 4 from rank 0, which sends block 5");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_tells),           cmocka_unit_test(only_down),
        cmocka_unit_test(boards_unread),          cmocka_unit_test(barrier_with_data),
        cmocka_unit_test(scan_in_another_order),  cmocka_unit_test(scan_of_other_ranks),
        cmocka_unit_test(uneven_block_elsewhere), cmocka_unit_test(uneven_slots),
        cmocka_unit_test(size_not_announced),     cmocka_unit_test(other_part_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
