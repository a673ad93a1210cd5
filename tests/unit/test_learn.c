/* Learning, on programs that are made up: times with noise, ranks that are late, networks that
 * change. */
#include "choose/learn.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>

enum { RANKS = 5 };

/* Random numbers that are the same in every run. */
static uint64_t state;
static double random_share(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

struct program {
    int candidates, rooted;
    double truth[BINE_LEARN_CANDIDATES]; /* what each takes */
    double noise;                        /* share of it */
    double late; /* seconds that a random rank comes late by; the others wait for it */
    double spent;
    int used[BINE_LEARN_CANDIDATES];
};

/* All ranks: each measures its own; they agree when they are asked to. */
static void call(struct program *x, struct bine_learner l[RANKS]) {
    int c = bine_learner_candidate(&l[0]), agree = 0;
    double takes = x->truth[c] * (1 + x->noise * random_share());
    int late = (int)(random_share() * RANKS);
    x->spent += takes;
    x->used[c]++;
    for (int r = 0; r < RANKS; r++) {
        double waits = r == late ? 0 : x->late * random_share();
        assert_int_equal(bine_learner_candidate(&l[r]), c);
        int asks = bine_learner_called(&l[r], takes + waits);
        assert_true(r == 0 || asks == agree);
        agree = asks;
    }
    if (!agree)
        return;
    for (int i = 0; i < BINE_LEARN_CANDIDATES; i++)
        for (int k = 0; k < BINE_LEARN_ROUNDS; k++) {
            double t = l[0].time[i][k];
            for (int r = 1; r < RANKS; r++) {
                double other = l[r].time[i][k];
                t = (x->rooted ? other > t : other < t) ? other : t;
            }
            for (int r = 0; r < RANKS; r++)
                l[r].time[i][k] = t;
        }
    for (int r = 0; r < RANKS; r++)
        bine_learner_decide(&l[r]);
}

static void run(struct program *x, struct bine_learner l[RANKS], int calls) {
    for (int i = 0; i < calls; i++)
        call(x, l);
}

static void start(const struct program *x, struct bine_learner l[RANKS]) {
    state = 1;
    for (int r = 0; r < RANKS; r++)
        bine_learner_start(&l[r], x->candidates, x->rooted);
}

static void test_fastest_wins(void **s) {
    (void)s;
    for (int best = 0; best < 4; best++)
        for (int rooted = 0; rooted < 2; rooted++) {
            struct bine_learner l[RANKS];
            struct program x = {4, rooted, {10, 10, 10, 10}, 0.05, 0, 0, {0}};
            x.truth[best] = 7;
            start(&x, l);
            run(&x, l, 200);
            assert_int_equal(bine_learner_candidate(&l[0]), best);
        }
}

static void test_ties_go_to_mpi(void **s) {
    (void)s;
    struct bine_learner l[RANKS];
    struct program x = {3, 0, {10, 9.8, 9.9}, 0.1, 0, 0, {0}};
    start(&x, l);
    run(&x, l, 100);
    assert_int_equal(bine_learner_candidate(&l[0]), 0);
}

/* A rank that is late makes the others wait, whichever candidate runs. */
static void test_skew_is_no_fault(void **s) {
    (void)s;
    struct bine_learner l[RANKS];
    struct program x = {3, 0, {10, 12, 7}, 0.02, 500, 0, {0}};
    start(&x, l);
    run(&x, l, 100);
    assert_int_equal(bine_learner_candidate(&l[0]), 2);
}

/* 200 calls cost at most a tenth more than the MPI library's own, whatever the candidates are. */
static void test_cost_is_bounded(void **s) {
    (void)s;
    static const double slow[] = {1.01, 1.1, 1.2, 1.3, 1.5, 1.9, 2.1, 3};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        struct bine_learner l[RANKS];
        struct program x = {3, 0, {10, 10 * slow[i], 10 * slow[i]}, 0.02, 0, 0, {0}};
        start(&x, l);
        run(&x, l, 200);
        assert_int_equal(bine_learner_candidate(&l[0]), 0);
        assert_true(x.spent < 200 * 10 * 1.1);
    }
}

static void test_hopeless_is_dropped_at_once(void **s) {
    (void)s;
    struct bine_learner l[RANKS];
    struct program x = {3, 0, {10, 100, 8}, 0.02, 0, 0, {0}};
    start(&x, l);
    run(&x, l, 200);
    assert_int_equal(bine_learner_candidate(&l[0]), 2);
    assert_int_equal(x.used[1], 2); /* once untimed, once timed */
}

/* The network changes: the next look finds it. */
static void test_looks_again(void **s) {
    (void)s;
    struct bine_learner l[RANKS];
    struct program x = {2, 0, {10, 5}, 0.02, 0, 0, {0}};
    start(&x, l);
    run(&x, l, 100);
    assert_int_equal(bine_learner_candidate(&l[0]), 1);
    x.truth[1] = 30;
    run(&x, l, 3000);
    assert_int_equal(bine_learner_candidate(&l[0]), 0);
}

static void test_one_candidate(void **s) {
    (void)s;
    struct bine_learner l;
    bine_learner_start(&l, 1, 0);
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(bine_learner_candidate(&l), 0);
        assert_false(bine_learner_times(&l));
        assert_false(bine_learner_called(&l, 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fastest_wins),
        cmocka_unit_test(test_ties_go_to_mpi),
        cmocka_unit_test(test_skew_is_no_fault),
        cmocka_unit_test(test_cost_is_bounded),
        cmocka_unit_test(test_hopeless_is_dropped_at_once),
        cmocka_unit_test(test_looks_again),
        cmocka_unit_test(test_one_candidate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
