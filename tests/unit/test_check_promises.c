/* The proof, of schedules that do what they must, and more than the catalogue promises: steps, and
 * pieces that move. */
#include "damage.h"

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

/* 9 ranks, 2 steps in base 3 and in base 4; 12 and 11 digits that are not 0, over all of 0..8. */
static void more_data_than_promised(void **state) {
    (void)state;
    struct all x = make(BINE_ALLTOALL, "bruck-3", BINE_BLOCKS, 9, 0);
    x.algorithm = bine_algorithm_find(BINE_ALLTOALL, "bruck-4");
    expect(&x, -1, -1, "108 pieces are received, but 99 were promised");
}

/* Rank 1 is done at step 0, and so is rank 3. */
static void block_that_goes_astray(void **state) {
    (void)state;
    struct all x = make(BINE_GATHER, "binomial-near", BINE_BLOCKS, 8, 0);
    bine_schedule_space(x.s[3], BINE_TMP, 1, BINE_ONE, 1);
    add_message(x.s[1], 1, BINE_OP_SEND, 3, BINE_IN, 0);
    add_message(x.s[3], 1, BINE_OP_RECV, 1, BINE_TMP, 0);
    expect(&x, 1, -1, "sends 2 pieces and receives 0, 1 of them its own");
}

/* Between two ranks that do nothing at the last step, a block moves that nobody needs. */
static void add_redundant(struct all *x) {
    int time = x->s[0]->times - 1, idle[2], n = 0;
    for (int r = 0; r < x->p && n < 2; r++) {
        int busy = 0;
        for (uint32_t i = 0; i < x->s[r]->nsteps; i++)
            busy |= x->s[r]->step[i].time == time;
        if (!busy)
            idle[n++] = r;
    }
    assert_int_equal(n, 2);
    bine_schedule_space(x->s[idle[1]], BINE_TMP, x->s[0]->blocks, BINE_NATURAL, 0);
    add_message(x->s[idle[0]], time, BINE_OP_SEND, idle[1], BINE_IN, 0);
    add_message(x->s[idle[1]], time, BINE_OP_RECV, idle[0], BINE_TMP, 0);
}

/* Up and down a tree of 6 ranks; 4 members with 4 blocks, and 2 more vectors that are handed over:
 * 8 blocks, then 12 in the reduce-scatter and 4 in the gather. */
static void redundant_messages(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-ordered", BINE_BLOCKS, 6, 0);
    add_redundant(&x);
    expect(&x, -1, -1, "11 pieces are received, but 10 were promised");
    x = make(BINE_REDUCE, "rabenseifner", BINE_BLOCKS, 6, 0);
    add_redundant(&x); /* one may go to a root that is not a member */
    add_redundant(&x);
    expect(&x, -1, -1, "26 pieces are received, but 24 were promised");
}

/* Two groups of 3: every rank collects for one of the other group, and so receives 2 blocks from
 * each of its own and 3 from the other. Inside the group nothing is sent in the last step. */
static void redundant_between_groups(void **state) {
    (void)state;
    struct all x = make_groups(BINE_ALLTOALL, BINE_BLOCKS, 6);
    int slot = x.s[1]->space[BINE_TMP].pieces++;
    bine_schedule_op(x.s[0], BINE_OP_SEND, BINE_SIDE_ANY, 1);
    bine_schedule_run(x.s[0], BINE_IN, 0, 1, 0);
    bine_schedule_op(x.s[1], BINE_OP_RECV, BINE_SIDE_ANY, 0);
    bine_schedule_run(x.s[1], BINE_TMP, slot, 1, 0);
    expect(&x, 0, -1, "sends 8 pieces and receives 7, 0 of them its own");
}

/* Two ranks: 0 sends both blocks first and gets both back, instead of one each way each time. */
static void phases_out_of_balance(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-large", BINE_BLOCKS, 2, 0);
    for (int r = 0; r < 2; r++) {
        struct bine_schedule *s = bine_schedule_new();
        assert_non_null(s);
        s->collective = BINE_ALLREDUCE;
        s->p = s->blocks = s->times = 2;
        s->rank = r;
        bine_schedule_space(s, BINE_IN, 2, BINE_NATURAL, 0);
        bine_schedule_space(s, BINE_OUT, 2, BINE_NATURAL, 0);
        bine_schedule_step(s, 0);
        bine_schedule_op(s, r == 0 ? BINE_OP_SEND : BINE_OP_RECV_REDUCE, BINE_SIDE_ANY, 1 - r);
        bine_schedule_run(s, r == 0 ? BINE_IN : BINE_OUT, 0, 2, 0);
        if (r == 1)
            bine_schedule_with(s, BINE_IN, 0, 2);
        bine_schedule_step(s, 1);
        bine_schedule_op(s, r == 0 ? BINE_OP_RECV : BINE_OP_SEND, BINE_SIDE_ANY, 1 - r);
        bine_schedule_run(s, BINE_OUT, 0, 2, 0);
        bine_schedule_free(x.s[r]);
        x.s[r] = s;
    }
    expect(&x, 0, -1, "sends 2 and receives 0 of its pieces in the first half");
}

/* Every step at ten times its number. */
static void stretch(struct all *x) {
    for (int r = 0; r < x->p; r++) {
        struct bine_schedule *s = x->s[r];
        for (uint32_t i = 0; i < s->nsteps; i++)
            if (s->step[i].time >= 0)
                s->step[i].time = 10 * s->step[i].time + 9;
        s->times *= 10;
    }
}

/* 4 segments down a chain of 5 ranks: 4 steps, and 3 more. */
static void pipeline_that_takes_longer(void **state) {
    (void)state;
    struct all x = make(BINE_BCAST, "chain", BINE_BLOCKS, 5, 0);
    stretch(&x);
    expect(&x, -1, -1, "takes 70 steps, but 7 were promised");
    x = make(BINE_REDUCE, "circulant", BINE_BLOCKS, 5, 0);
    stretch(&x);
    expect(&x, -1, -1, "takes 60 steps, but 6 were promised");
    x = make_groups(BINE_ALLREDUCE, BINE_BLOCKS, 8);
    stretch(&x);
    expect(&x, -1, 0, "a step without a message");
}

/* Near-first, rank 0 adds up 0, 1, 6, 7 and then the others; rank 1 adds up 0, 1, 2, 3. The row
 * says that bits may differ; that of the far-first butterfly, which has as many steps, does not. */
static void bits_that_differ(void **state) {
    (void)state;
    struct all x = make(BINE_ALLREDUCE, "bine-small-near", BINE_BLOCKS, 8, 0);
    x.algorithm = bine_algorithm_find(BINE_ALLREDUCE, "bine-small");
    expect(&x, 1, -1, "block 0 is added up in another order than on rank 0");
}

static void steps_that_ranks_do_not_agree_on(void **state) {
    (void)state;
    struct all x = make(BINE_ALLGATHER, "bine-far", BINE_BLOCKS, 8, 0);
    x.s[3]->times++;
    expect(&x, 3, -1, "has 4 steps, rank 0 has 3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extra_step_that_is_claimed),
        cmocka_unit_test(more_data_than_promised),
        cmocka_unit_test(block_that_goes_astray),
        cmocka_unit_test(redundant_messages),
        cmocka_unit_test(redundant_between_groups),
        cmocka_unit_test(phases_out_of_balance),
        cmocka_unit_test(pipeline_that_takes_longer),
        cmocka_unit_test(bits_that_differ),
        cmocka_unit_test(steps_that_ranks_do_not_agree_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
