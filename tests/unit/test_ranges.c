/* Over which calls a choice holds: against the choices themselves. */
#include "select/select.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "{\"bine\": 1, \"rules\": ["
    "{\"collective\": \"bcast\", \"bytes\": {\"from\": \"3K\", \"below\": \"5K\"}, \"algorithm\": "
    "\"mpi\"},"
    "{\"collective\": \"gather\", \"ranks\": \"2-5\", \"algorithm\": \"linear\"},"
    "{\"collective\": \"scatter\", \"commutative\": false, \"algorithm\": \"mpi\"},"
    "{\"collective\": \"allgather\", \"nodes\": \"2-\", \"groups\": \"unknown\", \"algorithm\": "
    "\"ring\"},"
    "{\"collective\": \"alltoall\", \"algorithm\": \"mpi\"}]}";

static struct bine_rules mine;

static void load(void) {
    char why[200];
    assert_int_equal(bine_rules_parse("text", strdup(text), &mine, why, sizeof why), 0);
}

static struct bine_choice choose(const struct bine_rules *rules, const struct bine_query *q) {
    const struct bine_selector s = {
        .program = bine_selection_none(), .setting = bine_selection_none(), .rules = rules};
    struct bine_decision d;
    bine_select(&s, q, &d);
    return d.choice;
}

static const int64_t sizes[] = {0,       1,       100,    3000,    3072,    4095,    4096,
                                5000,    5120,    8191,   8192,    16384,   65535,   65536,
                                1 << 17, 1 << 18, 300000, 1 << 19, 1 << 21, 5 << 20, 1 << 30};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A choice is the same at the first, at the last, and at some byte of its range; not beyond. */
static void test_range(void **state) {
    (void)state;
    const struct bine_rules *both[] = {NULL, &mine};
    for (int k = 0; k < 2 * BINE_COLLECTIVES * SIZES; k++) {
        const struct bine_rules *rules = both[k % 2];
        struct bine_query q = {.collective = (enum bine_collective)(k / 2 % BINE_COLLECTIVES),
                               .p = 16,
                               .bytes = sizes[k / 2 / BINE_COLLECTIVES],
                               .commutative = 1,
                               .drop_in = 1,
                               .library = BINE_LIBRARY_OPENMPI,
                               .nodes = 1,
                               .per_node = 16};
        struct bine_choice here = choose(rules, &q);
        struct bine_byte_range range = bine_rules_range(rules, q.collective, q.bytes);
        assert_true(range.from <= q.bytes && q.bytes < range.below);
        q.bytes = range.from;
        assert_ptr_equal(choose(rules, &q).reason, here.reason);
        q.bytes = range.below == INT64_MAX ? INT64_C(1) << 40 : range.below - 1;
        assert_ptr_equal(choose(rules, &q).reason, here.reason);
    }
}

/* Whether all communicators of some of these ranks are forwarded to MPI, by trying. */
static int is_detached(const struct bine_rules *rules, const struct bine_query *most,
                       int none_grouped) {
    int low = most->groups > 0, high = most->groups > 0 || none_grouped ? most->groups : 3;
    struct bine_query q = *most;
    for (q.p = 2; q.p <= most->p; q.p++)
        for (q.nodes = 1; q.nodes <= most->nodes; q.nodes++)
            for (q.groups = low; q.groups <= high; q.groups++)
                for (int i = 0; i < 2 * SIZES; i++) {
                    q.levels = q.groups > 1;
                    q.commutative = i % 2;
                    q.bytes = sizes[i / 2];
                    if (choose(rules, &q).algorithm != NULL)
                        return 0;
                }
    return 1;
}

/* What is said to be left is left; and on one node what is left is known. */
static void test_never(void **state) {
    (void)state;
    const struct bine_rules *both[] = {NULL, &mine};
    static const int ranks[] = {2, 4, 7, 8, 16}, nodes[] = {1, 2, 3, 15, 16}, groups[] = {0, 1, 2};
    int left = 0, found = 0;
    for (int k = 0; k < BINE_COLLECTIVES * 5 * 5 * 3 * 2 * 2 * 2 * 2; k++) {
        int i = k / BINE_COLLECTIVES;
        struct bine_query q = {.collective = (enum bine_collective)(k % BINE_COLLECTIVES),
                               .p = ranks[i % 5],
                               .nodes = nodes[i / 5 % 5],
                               .per_node = ranks[i % 5],
                               .boards = 1,
                               .exposes = 1,
                               .groups = groups[i / 25 % 3],
                               .drop_in = 1,
                               .library = i / 75 % 2 + 1,
                               .always = i / 150 % 2};
        int none_grouped = i / 300 % 2;
        const struct bine_rules *rules = both[i / 600 % 2];
        const char *reason = bine_rules_never_intercept(rules, &q, none_grouped, 0);
        if (reason != NULL)
            assert_true(is_detached(rules, &q, none_grouped));
        else if (q.nodes == 1 && rules == NULL && q.p <= 8)
            assert_false(is_detached(rules, &q, none_grouped));
        found += reason != NULL;
        left += reason != NULL && rules != NULL;
    }
    assert_true(found > 100 && left > 20);
}

/* The drop-in library as it comes, on one node. */
static void test_default(void **state) {
    (void)state;
    struct bine_query q = {.collective = BINE_BCAST,
                           .p = 16,
                           .nodes = 1,
                           .per_node = 16,
                           .boards = 1,
                           .drop_in = 1,
                           .library = BINE_LIBRARY_OPENMPI};
    assert_null(bine_rules_never_intercept(NULL, &q, 1, 0)); /* boards */
    q.crowded = 1;
    assert_null(bine_rules_never_intercept(NULL, &q, 1, 3));
    q.leaves_crowded = 1; /* some of the ranks may have cores enough */
    assert_null(bine_rules_never_intercept(NULL, &q, 1, 0));
    assert_null(bine_rules_never_intercept(NULL, &q, 1, 4)); /* four of them have */
    assert_non_null(
        bine_rules_never_intercept(NULL, &q, 1, 3)); /* too few for boards to be faster */
    q.crowded = 0;
    assert_null(bine_rules_never_intercept(NULL, &q, 1, 3));
    q.leaves_crowded = 0;
    q.p = 3; /* too few for boards to be faster */
    assert_non_null(bine_rules_never_intercept(NULL, &q, 1, 0));
    assert_null(bine_rules_never_intercept(NULL, &q, 0, 0)); /* some ranks know their groups */
    q.always = 1;
    assert_null(bine_rules_never_intercept(NULL, &q, 1, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_range), cmocka_unit_test(test_never),
                                       cmocka_unit_test(test_default)};
    load();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    bine_rules_free(&mine);
    return failed;
}
