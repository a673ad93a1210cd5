/* Every allocation fails in turn: a reason comes back, nothing is lost, and no number is wrong. */
#include "../unit/allocations.h"
#include "../unit/unit.h"

#include "traffic/traffic.h"

#include <stdlib.h>
#include <string.h>

static const char *const machines[][2] = {
    {"m", "name m\nabout text\ntopology dragonfly\nsplit g 3 n[1-40]\ngroup h m[1-9]\n"
          "pattern as<group>r<rack>\n"},
    {"m", "topology torus\ndims 5x10\nhosts n[1-50]\n"},
    {"m.map", "n[1-40] a\nm1 b\n"},
    {"t", "SwitchName=a Nodes=n[1-20]\nSwitchName=b Nodes=n[21-40]\nSwitchName=c Switches=a,b\n"},
    {"t", "SwitchName=a Nodes=n[1-20]\nSwitchName=b Nodes=\"n[15-40]\"\nSwitchName=c "
          "Switches = a,\\\nb\n"},
    {"t.yaml", "- topology: r\n  ring:\n- topology: x\n  tree:\n    switches:\n    - switch: a\n"
               "      nodes: [n1, 'n[2-20]']\n    - switch: b\n      nodes: n[21-40]\n"},
    {"t.yaml", "- topology: x\n  block:\n    blocks:\n    - block: a\n      nodes: n[1-20]\n"
               "    - block: b\n      nodes: n[21-40]\n"},
};

/* Read a machine, put a job on it, count; returns -1 if anything ran out of memory. */
static int do_all(const char *file, const char *text, int64_t *global) {
    static const char job[] = "n[1-20]\n";
    const struct bine_algorithm *g = bine_algorithm_find(BINE_ALLREDUCE, "bine-large-two");
    struct bine_spec spec = {.algorithm = g, .layout = BINE_BLOCKS, .p = 20};
    struct bine_machine_options options = {strcmp(file, "t") == 0 ? 2 : 1, 0}; /* switches */
    struct bine_traffic_options counting = {BINE_FLOWS_SCHEDULES, 1, 1};
    struct bine_reason why = {""};
    struct bine_hosts h = {0};
    struct bine_allocation a;
    struct bine_traffic t;
    struct bine_machine *m = bine_machine_read(text, strlen(text), file, &options, &why);
    int rc = m == NULL ? -1 : bine_hosts_read(&h, job, sizeof job - 1, "job", 100, &why);
    if (rc == 0)
        rc = bine_allocation_place(&a, m, &h, BINE_REORDER_GROUP, &why);
    if (rc == 0) {
        rc = bine_traffic_count(&t, &spec, 1003, &a, &counting);
        if (rc == 0) {
            *global = t.global;
            bine_traffic_free(&t);
        }
        bine_allocation_free(&a);
    } else {
        assert_non_null(strstr(why.text, "out of memory"));
    }
    bine_hosts_free(&h);
    bine_machine_free(m);
    return rc;
}

static void test_every_allocation(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        int64_t expected = -1, global = -1;
        fail_at = 0;
        assert_int_equal(do_all(machines[i][0], machines[i][1], &expected), 0);
        int rc = -1;
        for (long k = 1; rc != 0; k++) {
            long before = live;
            calls = 0;
            fail_at = k;
            rc = do_all(machines[i][0], machines[i][1], &global);
            fail_at = 0;
            assert_int_equal(live, before);
            assert_true(k < 100000);
        }
        assert_int_equal(global, expected);
    }
}

/* Counting by symmetry, in every way that it is done. */
static void test_symmetry(void **unused) {
    static const struct bine_shape dims = {2, {4, 4}};
    struct bine_allocation a;
    struct bine_reason why;
    (void)unused;
    fail_at = 0;
    assert_int_equal(bine_allocation_sizes(&a, "5,5,6", &why), 0);
    struct bine_groups *groups = bine_allocation_levels(&a);
    assert_non_null(groups);
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *g = &bine_catalogue[i];
        struct bine_spec spec = {.algorithm = g,
                                 .layout = bine_algorithm_layout(g, a.p),
                                 .p = a.p,
                                 .segments = 3,
                                 .groups = groups,
                                 .dims = &dims};
        struct bine_traffic_options options = {BINE_FLOWS_SYMMETRY, 1, 0};
        struct bine_traffic t;
        int64_t expected = 0;
        int failed = 1;
        if (bine_traffic_count(&t, &spec, 1003, &a, &options) == BINE_FLOWS_GOOD) {
            expected = t.global;
            bine_traffic_free(&t);
        }
        for (long k = 1; failed; k++) { /* until it makes fewer than k allocations */
            long before = live;
            calls = 0;
            fail_at = k;
            int rc = bine_traffic_count(&t, &spec, 1003, &a, &options);
            fail_at = 0;
            failed = calls >= k;
            if (rc == BINE_FLOWS_GOOD) {
                assert_int_equal(t.global, expected); /* it did without what failed */
                bine_traffic_free(&t);
            }
            assert_int_equal(live, before);
            assert_true(k < 1000);
        }
    }
    bine_groups_free(groups);
    bine_allocation_free(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_symmetry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
