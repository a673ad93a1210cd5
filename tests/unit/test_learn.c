/* Learning, on programs that are made up: times with noise, ranks whose clocks see anything,
 * networks that change. */
#include "queries.h"
#include "select/candidates.h"
#include "unit.h"

enum { RANKS = 5 };

/* Random numbers that are the same in every run. */
static uint64_t state;
static double random_share(void) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) / 9007199254740992.0;
}

struct program {
    int candidates;
    double truth[BINE_LEARN_CANDIDATES]; /* what each takes */
    double noise;                        /* share of it */
    double apart;                        /* seconds that the times of ranks differ by, at most */
    double spent;
    int used[BINE_LEARN_CANDIDATES];
};

/* Every time becomes the most over the ranks. */
static void agree(struct bine_learner l[RANKS]) {
    for (int i = 0; i < BINE_LEARN_CANDIDATES; i++)
        for (int k = 0; k < BINE_LEARN_ROUNDS; k++) {
            double t = l[0].time[i][k];
            for (int r = 1; r < RANKS; r++)
                t = l[r].time[i][k] > t ? l[r].time[i][k] : t;
            for (int r = 0; r < RANKS; r++)
                l[r].time[i][k] = t;
        }
}

/* All ranks: each measures its own; they agree when they are asked to. */
static void call(struct program *x, struct bine_learner l[RANKS]) {
    int c = bine_learner_candidate(&l[0]), asks = 0;
    double takes = x->truth[c] * (1 + x->noise * random_share());
    int slowest = (int)(random_share() * RANKS);
    x->spent += takes;
    x->used[c]++;
    for (int r = 0; r < RANKS; r++) {
        double less = r == slowest ? 0 : x->apart * random_share();
        assert_int_equal(bine_learner_candidate(&l[r]), c);
        int ask = bine_learner_called(&l[r], takes > less ? takes - less : 0);
        assert_true(r == 0 || ask == asks);
        asks = ask;
    }
    if (!asks)
        return;
    agree(l);
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
        bine_learner_start(&l[r], x->candidates);
}

static void test_fastest_wins(void **s) {
    (void)s;
    for (int best = 0; best < 4; best++) {
        struct bine_learner l[RANKS];
        struct program x = {4, {10, 10, 10, 10}, 0.05, 3, 0, {0}};
        x.truth[best] = 7;
        start(&x, l);
        run(&x, l, 200);
        assert_int_equal(bine_learner_candidate(&l[0]), best);
    }
}

static void test_ties_go_to_mpi(void **s) {
    (void)s;
    struct bine_learner l[RANKS];
    struct program x = {3, {10, 9.8, 9.9}, 0.1, 0, 0, {0}};
    start(&x, l);
    run(&x, l, 100);
    assert_int_equal(bine_learner_candidate(&l[0]), 0);
}

/* Whatever the ranks measure, each for itself, all take the same candidate in every call: `call`
 * looks at all of them. */
static void test_ranks_decide_alike(void **unused) {
    (void)unused;
    for (int seed = 1; seed <= 500; seed++) {
        struct bine_learner l[RANKS];
        struct program x = {2 + seed % 3, {10, 11, 9, 12}, 3, 40, 0, {0}};
        start(&x, l);
        state = (uint64_t)seed;
        for (int i = 0; i < BINE_LEARN_CANDIDATES; i++)
            x.truth[i] = 5 + 10 * random_share();
        run(&x, l, 100);
    }
}

/* 200 calls cost at most a tenth more than the MPI library's own, whatever the candidates are. */
static void test_cost_is_bounded(void **s) {
    (void)s;
    static const double slow[] = {1.01, 1.1, 1.2, 1.3, 1.5, 1.9, 2.1, 3};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        struct bine_learner l[RANKS];
        struct program x = {3, {10, 10 * slow[i], 10 * slow[i]}, 0.02, 0, 0, {0}};
        start(&x, l);
        run(&x, l, 200);
        assert_int_equal(bine_learner_candidate(&l[0]), 0);
        assert_true(x.spent < 200 * 10 * 1.1);
    }
}

static void test_hopeless_is_dropped_at_once(void **s) {
    (void)s;
    struct bine_learner l[RANKS];
    struct program x = {3, {10, 100, 8}, 0.02, 0, 0, {0}};
    start(&x, l);
    run(&x, l, 200);
    assert_int_equal(bine_learner_candidate(&l[0]), 2);
    assert_int_equal(x.used[1], 1);
}

/* The network changes: the next look finds it. */
static void test_looks_again(void **s) {
    (void)s;
    struct bine_learner l[RANKS];
    struct program x = {2, {10, 5}, 0.02, 0, 0, {0}};
    start(&x, l);
    run(&x, l, 100);
    assert_int_equal(bine_learner_candidate(&l[0]), 1);
    x.truth[1] = 30;
    run(&x, l, BINE_LEARN_AGAIN + 100);
    assert_int_equal(bine_learner_candidate(&l[0]), 0);
}

/* The time for trying is over: before round 3 there is no ground to leave the MPI library's own, or
 * the winner that was looked at again. */
static void test_stops(void **s) {
    (void)s;
    struct bine_learner l;
    bine_learner_start(&l, 3);
    for (int i = 0; i < 3; i++)
        bine_learner_called(&l, i == 1 ? 5 : 10);
    bine_learner_decide(&l);
    bine_learner_stop(&l);
    assert_int_equal(bine_learner_candidate(&l), 0);
    bine_learner_start(&l, 3);
    for (int i = 0; i < 9; i++)
        if (bine_learner_called(&l, bine_learner_candidate(&l) == 1 ? 8 : 10))
            bine_learner_decide(&l);
    bine_learner_stop(&l);
    assert_int_equal(bine_learner_candidate(&l), 1);
    bine_learner_settle(&l, 2, 0);
    l.next = 1;
    bine_learner_called(&l, 0);
    assert_true(bine_learner_times(&l));
    for (int i = 0; i < 3; i++)
        bine_learner_called(&l, i == 1 ? 5 : 10);
    bine_learner_decide(&l);
    bine_learner_stop(&l);
    assert_int_equal(bine_learner_candidate(&l), 2);
}

/* With patience there are more candidates, each once and MPI's own first; all that there are
 * without are among them. */
static void test_patience(void **unused) {
    (void)unused;
    struct bine_prediction a = {.count = 3};
    static const char *const names[] = {"bine-large", "bine-group", "circulant"};
    struct bine_selection few[BINE_LEARN_CANDIDATES], many[BINE_LEARN_CANDIDATES];
    struct bine_query q = query_of(BINE_BCAST, 1 << 20);
    for (int i = 0; i < 3; i++)
        a.algorithm[i] = (int32_t)(bine_algorithm_find(BINE_BCAST, names[i]) - bine_catalogue);
    q.groups = 2;
    q.levels = 1;
    int n = bine_candidates_predicted(&q, &a, few);
    assert_int_equal(n, 4);
    q.patient = 1;
    int m = bine_candidates_predicted(&q, &a, many);
    assert_true(m > n && m <= BINE_LEARN_CANDIDATES);
    for (int i = 0; i < m; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(many[i].algorithm, many[k].algorithm);
    assert_memory_equal(few, many, (size_t)n * sizeof *few);
}

static void test_one_candidate(void **s) {
    (void)s;
    struct bine_learner l;
    bine_learner_start(&l, 1);
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(bine_learner_candidate(&l), 0);
        assert_false(bine_learner_times(&l));
        assert_false(bine_learner_called(&l, 0));
    }
}

static void test_candidates(void **s) {
    (void)s;
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        for (int64_t bytes = 4096; bytes <= 1 << 24; bytes *= 2) {
            struct bine_selection f[BINE_LEARN_CANDIDATES], other[BINE_LEARN_CANDIDATES];
            struct bine_query q = query_of((enum bine_collective)c, bytes);
            int n = bine_candidates(&q, f);
            /* Not gathers and scatters of blocks below 4 KiB where groups are unknown. */
            int rooted = c == BINE_GATHER || c == BINE_SCATTER;
            if (bine_collective_is_plain(q.collective))
                assert_int_equal(bine_may_tune(&q), !rooted || bytes >= 4096 * q.p);
            assert_true(n >= 2);
            assert_int_equal(f[0].algorithm, BINE_SELECTION_MPI);
            /* The same for the whole class, and not twice. */
            q.bytes = 2 * bytes - 1;
            assert_int_equal(bine_candidates(&q, other), n);
            for (int i = 0; i < n; i++) {
                assert_int_equal(f[i].algorithm, other[i].algorithm);
                for (int k = 0; k < i; k++)
                    assert_int_not_equal(f[i].algorithm, f[k].algorithm);
            }
        }
    struct bine_query q = query_of(BINE_ALLREDUCE, 4095);
    assert_false(bine_may_tune(&q)); /* few bytes */
    q = query_of(BINE_ALLREDUCE, 4096);
    q.nodes = 1;
    assert_false(bine_may_tune(&q));
}

/* Of the others, an allgatherv without a huge block; and scans where groups are known, under MPICH.
 */
static void test_others(void **s) {
    (void)s;
    struct bine_query q = query_of(BINE_ALLGATHERV, 16384);
    assert_true(bine_may_tune(&q));
    q.uneven = 1;
    assert_false(bine_may_tune(&q));
    q = query_of(BINE_ALLGATHERV, 16383);
    assert_false(bine_may_tune(&q));
    q = query_of(BINE_SCAN, 16384);
    q.library = BINE_LIBRARY_MPICH;
    assert_false(bine_may_tune(&q));
    q.groups = 3;
    assert_true(bine_may_tune(&q));
    q.library = BINE_LIBRARY_OPENMPI;
    assert_false(bine_may_tune(&q));
    static const enum bine_collective never[] = {BINE_BARRIER, BINE_ALLTOALLV, BINE_GATHERV,
                                                 BINE_SCATTERV};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        q = query_of(never[i], 1 << 20);
        assert_false(bine_may_tune(&q));
    }
}

/* On one node with boards, from whose memory others may read: alltoallv of any ranks' sizes. */
static void test_on_a_node(void **s) {
    (void)s;
    struct bine_query q = query_of(BINE_ALLTOALLV, 0);
    struct bine_selection f[BINE_LEARN_CANDIDATES];
    q.nodes = 1;
    assert_false(bine_may_tune(&q));
    q.boards = q.exposes = 1;
    assert_true(bine_may_tune(&q));
    assert_int_equal(bine_candidates(&q, f), 2);
    assert_string_equal(bine_selection_name(&f[1]), "board-direct");
    q.groups = 3;
    assert_false(bine_may_tune(&q));
    q = query_of(BINE_SCATTERV, 0);
    q.nodes = q.boards = q.exposes = 1;
    assert_false(bine_may_tune(&q));
}

/* What a learner was told is followed, and tried again once where that is due, also if the MPI
 * library's own had won; at most one call in a hundred is a try. */
static void test_due_is_tried_again(void **unused) {
    (void)unused;
    for (int known = 0; known < 2; known++)
        for (int due = 0; due < 2; due++) {
            struct bine_learner l[RANKS];
            struct program x = {2, {10, 10}, 0.02, 0, 0, {0}};
            x.truth[!known] = 5; /* it has changed since */
            start(&x, l);
            for (int r = 0; r < RANKS; r++)
                bine_learner_settle(&l[r], known, due);
            run(&x, l, 1199);
            assert_int_equal(x.used[known], 1199);
            run(&x, l, 14);
            assert_int_equal(bine_learner_candidate(&l[0]), due ? !known : known);
            int tries = x.used[!known] + x.used[known] - 1200;
            assert_true(tries <= 14);
            assert_true(due || x.used[!known] == 0);
        }
}

/* Evidence of what was learnt: a clear winner, a tie, and candidates of which nobody knows how much
 * their times scatter, because they were tried once. */
static void test_evidence(void **unused) {
    (void)unused;
    struct bine_learner l[RANKS];
    struct program clear = {3, {10, 5, 8}, 0, 0, 0, {0}}, tie = {2, {10, 10}, 0.2, 0, 0, {0}},
                   once = {2, {10, 100}, 0, 0, 0, {0}};
    int64_t today = bine_day_today();
    start(&clear, l);
    run(&clear, l, 100);
    struct bine_evidence e = bine_learner_evidence(&l[0]);
    assert_true(e.lead > 0.374 && e.lead < 0.376 && e.spread == 0); /* 5 instead of 8 */
    assert_true(e.gain > 1.999 && e.gain < 2.001 && e.day >= today);
    assert_int_equal(e.tries,
                     6 + 6 + 3); /* 8 is dropped after three rounds, 10 is not: it is mpi */
    assert_false(bine_evidence_is_due(&e, e.day));
    start(&tie, l);
    run(&tie, l, 100);
    e = bine_learner_evidence(&l[0]);
    assert_int_equal(e.tries, 12);
    assert_true(e.lead < e.spread && bine_evidence_is_due(&e, e.day));
    start(&once, l);
    run(&once, l, 100);
    e = bine_learner_evidence(&l[0]);
    assert_int_equal(e.tries, 2);
    assert_true(bine_evidence_is_due(&e, e.day));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fastest_wins),
        cmocka_unit_test(test_ties_go_to_mpi),
        cmocka_unit_test(test_ranks_decide_alike),
        cmocka_unit_test(test_cost_is_bounded),
        cmocka_unit_test(test_hopeless_is_dropped_at_once),
        cmocka_unit_test(test_looks_again),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_one_candidate),
        cmocka_unit_test(test_candidates),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_on_a_node),
        cmocka_unit_test(test_due_is_tried_again),
        cmocka_unit_test(test_evidence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
