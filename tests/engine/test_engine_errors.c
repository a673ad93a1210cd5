/* Errors over the loopback: receives that fail, messages longer than their receives, receives that
 * never end. Every call comes to its end on every rank, and the next one is right. */
#include "ranks.h"
#include "unit.h"

#include "schedule/catalogue.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS = 5 };

/* The call that fails, and the one after it. */
static struct test_call calls[2];
/* Of the first one, by rank; the number of wrong elements of the second one. */
static int result[RANKS], wrong[RANKS];
/* A rank that expects fewer elements than others send, or -1 for each but the root; and how many.
 */
static int expects_less, expected_count;
static atomic_int first_over; /* ranks: faults are for the first call */

static const char *const failing[][2] = {
    {"bcast", "bine-small"},         {"bcast", "chain"},       {"allreduce", "bine-large"},
    {"allreduce", "ring"},           {"reduce", "bine-small"}, {"gather", "bine-near"},
    {"scatter", "binomial-far"},     {"allgather", "ring"},    {"alltoall", "pairwise"},
    {"reduce_scatter", "bine-near"},
};

static struct test_call call_of(const char *collective, const char *algorithm, int count,
                                size_t segment) {
    int c = bine_collective_find(collective);
    struct test_call t = {.algorithm = bine_algorithm_find((enum bine_collective)c, algorithm),
                          .p = RANKS,
                          .count = count,
                          .segment = segment,
                          .salt = 9};
    if (t.algorithm == NULL)
        fail_msg("no %s %s", collective, algorithm);
    t.layout = bine_algorithm_layout(t.algorithm, RANKS);
    t.root = bine_collective_is_rooted(t.algorithm->collective) ? 2 : 0;
    assert_true(call_is_possible(&t));
    return t;
}

static void run_both(bine_comm_handle comm, void *with) {
    struct member m;
    struct rank_call c;
    int self = bine_loopback_self(comm), nonblocking = *(int *)((struct test_world *)with)->with;
    member_open(&m, with, comm, NULL);
    for (int k = 0; k < 2; k++) {
        struct test_call t = calls[k];
        if (k == 0 && expected_count >= 0 &&
            (self == expects_less || (expects_less < 0 && self != t.root)))
            t.count = expected_count;
        bine_channel_count(&m.channel);
        int rc = rank_call_make(&c, &t, &m);
        if (rc == BINE_OK)
            rc = rank_call_run(&c, comm, nonblocking);
        if (k == 0) {
            result[self] = rc;
            atomic_fetch_add(&first_over, 1);
            while (atomic_load(&first_over) < RANKS && bine_loopback_pause(comm) == BINE_OK) {
            }
        } else
            wrong[self] = rc != BINE_OK ? -rc : rank_call_check(&c);
        rank_call_end(&c);
    }
    member_close(&m);
}

/* Returns the number of ranks on which the first call failed. */
static int run(struct bine_loopback_setup setup, int nonblocking) {
    struct test_world w;
    int failed = 0;
    setup.p = RANKS;
    setup.messages = 1000;
    struct bine_loopback *loopback = bine_loopback_new(&setup);
    assert_non_null(loopback);
    world_open(&w, RANKS, 0, 0);
    w.with = &nonblocking;
    atomic_store(&first_over, 0);
    assert_int_equal(bine_loopback_run(loopback, run_both, &w), 0);
    assert_int_equal(bine_loopback_pending(loopback), 0);
    for (int k = 0; k < RANKS; k++) {
        failed += result[k] != BINE_OK;
        assert_int_equal(wrong[k], 0);
    }
    bine_loopback_free(loopback);
    return failed;
}

/* The first receives of a call fail in turn: one rank at least gets the error. */
static void test_failing_receives(void **state) {
    (void)state;
    expected_count = -1;
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++)
        for (int way = 0; way < 4; way++) {
            calls[0] = call_of(failing[i][0], failing[i][1], 40, way % 2 == 0 ? 64 : 1 << 20);
            calls[1] = call_of("allreduce", "bine-small", 7, 64);
            for (int k = 0; k < RANKS; k++) { /* no such call has fewer messages than RANKS - 1 */
                struct bine_loopback_setup setup = {.seed = (uint64_t)k + 1, .fails_at = k};
                int failed = run(setup, way / 2), other = 0;
                for (int r = 0; r < RANKS; r++)
                    other += result[r] == BINE_ERR_OTHER;
                assert_int_equal(other, failed);
                assert_int_equal(failed > 0, k > 0);
            }
        }
}

/* The root of a broadcast sends more than the others take. */
static void test_truncation(void **state) {
    (void)state;
    for (int way = 0; way < 8; way++) {
        struct bine_loopback_setup setup = {.seed = (uint64_t)way + 1, .threads = way % 2};
        calls[0] = call_of("bcast", "linear", 50, 1 << 20);
        calls[1] = call_of("allgather", "ring", 7, 64);
        expects_less = -1;
        expected_count = 49;
        assert_int_equal(run(setup, way / 4), RANKS - 1);
        for (int k = 0; k < RANKS; k++)
            assert_int_equal(result[k], k == calls[0].root ? BINE_OK : BINE_ERR_TRUNCATE);
        expects_less = 4;
        assert_int_equal(run(setup, way / 4), 1);
        assert_int_equal(result[4], BINE_ERR_TRUNCATE);
    }
}

/* A receive that never ends: its rank gives up, and leaves its memory to the channel. */
static void test_broken_receives(void **state) {
    (void)state;
    expected_count = -1;
    calls[1] = call_of("allreduce", "bine-small", 7, 64);
    for (int way = 0; way < 8; way++)
        for (int k = 1; k < RANKS; k++) {
            struct bine_loopback_setup setup = {
                .seed = (uint64_t)way + 1, .threads = way % 2, .breaks_at = k};
            calls[0] = call_of("bcast", "linear", 50, 1 << 20);
            assert_int_equal(run(setup, way / 4), 1);
            assert_int_equal(result[calls[0].root], BINE_OK);
            setup.breaks_at = RANKS - 1; /* nobody waits for its receiver */
            calls[0] = call_of("reduce", "linear", 50, way % 2 == 0 ? 64 : 1 << 20);
            if (way % 2 == 0) { /* in parts: the last one breaks */
                setup.breaks_at = 0;
                assert_int_equal(run(setup, way / 4), 0);
                continue;
            }
            assert_int_equal(run(setup, way / 4), 1);
            assert_int_not_equal(result[calls[0].root], BINE_OK);
        }
}

/* Allgather of blocks whose sizes are the callers' own: one rank takes less than another sends. */
static int took[RANKS], given[RANKS];

static void run_uneven(bine_comm_handle comm, void *with) {
    struct member m;
    int self = bine_loopback_self(comm), counts[RANKS], at[RANKS], all = 0;
    int64_t in[RANKS + 1], out[RANKS * (RANKS + 1)];
    struct bine_workspace workspace = {.kept = NULL};
    static _Thread_local struct bine_bound *none;
    struct bine_bound *bound = calloc(1, sizeof *none);
    struct bine_type type;
    member_open(&m, with, comm, NULL);
    bine_channel_count(&m.channel);
    bine_type_describe(BINE_BYTE, &type);
    for (int k = 0; k < RANKS; k++) {
        counts[k] = 8 * (k + 1 - (k == 3 && self == 1)); /* rank 1 takes less from rank 3 */
        at[k] = all;
        all += counts[k];
    }
    for (int i = 0; i <= self; i++)
        in[i] = 100 * self + i;
    memset(out, 0, sizeof out);
    struct bine_blocks blocks = {.counts = {.narrow = counts}, .displs = {.narrow = at}};
    struct bine_call call = {.collective = BINE_ALLGATHERV,
                             .sendbuf = in,
                             .recvbuf = out,
                             .sendcount = 8 * (self + 1),
                             .sendtype = type,
                             .recvtype = type,
                             .recv_blocks = blocks,
                             .op = BINE_NO_OP,
                             .commutative = 1,
                             .bytes = all};
    struct bine_spec spec = {
        .algorithm = bine_algorithm_find(BINE_ALLGATHERV, "linear"), .p = RANKS, .rank = self};
    spec.layout = bine_algorithm_layout(spec.algorithm, RANKS);
    struct bine_plan *plan = bine_plan_new(&spec);
    int rc = bine_bind(bound, plan, &call, &m.channel, 64, &workspace);
    took[self] = rc == BINE_OK ? bine_bound_run(bound) : rc;
    given[self] = 1;
    for (int k = 0; k < RANKS; k++)
        for (int i = 0; i <= k && !(k == 3 && self == 1); i++)
            given[self] &= out[at[k] / 8 + i] == 100 * k + i;
    bine_plan_free(plan);
    bine_workspace_free(&workspace);
    free(bound);
    member_close(&m);
}

static void test_uneven_truncation(void **state) {
    (void)state;
    for (int way = 0; way < 6; way++) {
        struct test_world w;
        struct bine_loopback_setup setup = {
            .p = RANKS, .seed = (uint64_t)way + 1, .threads = way % 2, .messages = 1000};
        struct bine_loopback *loopback = bine_loopback_new(&setup);
        assert_non_null(loopback);
        world_open(&w, RANKS, 0, 0);
        assert_int_equal(bine_loopback_run(loopback, run_uneven, &w), 0);
        for (int k = 0; k < RANKS; k++) {
            assert_int_equal(took[k], k == 1 ? BINE_ERR_TRUNCATE : BINE_OK);
            assert_true(given[k]);
        }
        assert_int_equal(bine_loopback_pending(loopback), 0);
        bine_loopback_free(loopback);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failing_receives),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_broken_receives),
        cmocka_unit_test(test_uneven_truncation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
