/* Host lists, job files and where ranks end up. */
#include "../unit/unit.h"

#include "network/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_list(const char *list, const char *expected) {
    struct bine_hosts h = {0};
    struct bine_reason why;
    char all[4096] = "";
    if (bine_hosts_add(&h, list, strlen(list), 1000, &why) != 0)
        fail_msg("%s: %s", list, why.text);
    for (int i = 0; i < h.names.count; i++) {
        strcat(all, i == 0 ? "" : " ");
        strcat(all, bine_names_text(&h.names, i));
    }
    assert_string_equal(all, expected);
    bine_hosts_free(&h);
}

static void expect_fault(const char *list, const char *what) {
    struct bine_hosts h = {0};
    struct bine_reason why;
    assert_int_equal(bine_hosts_add(&h, list, strlen(list), 1000, &why), -1);
    if (strstr(why.text, what) == NULL)
        fail_msg("%s: expected a complaint about '%s', got '%s'", list, what, why.text);
    bine_hosts_free(&h);
}

static void test_lists(void **unused) {
    (void)unused;
    expect_list("n1", "n1");
    expect_list("n1,n2,login", "n1 n2 login");
    expect_list("n[1-3]", "n1 n2 n3");
    expect_list("n[08-11]", "n08 n09 n10 n11");
    expect_list("n[8-11]", "n8 n9 n10 n11");
    expect_list("n[1,3-4,07]x", "n1x n3x n4x n07x");
    expect_list("r[1-2]b[01-02]", "r1b01 r1b02 r2b01 r2b02");
    expect_list("n[1-2,x[3-4]],m", "n1 n2 nx3 nx4 m");
    expect_list("n[000-001].domain", "n000.domain n001.domain");
    expect_list("[1-2]", "1 2");
}

static void test_bad_lists(void **unused) {
    (void)unused;
    expect_fault("", "empty");
    expect_fault(",", "empty");
    expect_fault("n1,,n2", "empty");
    expect_fault("n[1-3", "'[' without ']'");
    expect_fault("n1]", "']' without '['");
    expect_fault("n[]", "nothing between");
    expect_fault("n[1,]", "nothing between");
    expect_fault("n[3-1]", "goes down");
    expect_fault("n[1-010]", "padded");
    expect_fault("n[a]", "expected a number");
    expect_fault("n[1-]", "expected a number");
    expect_fault("n[1-2-3]", "expected a number");
    expect_fault("n[1-2000]", "too many");
    expect_fault("n[1-9999999999999999999]", "digits");
    expect_fault("n 1", "unexpected character");
    expect_fault("n1,n1", "twice");
    expect_fault("n[1-3],n[3-4]", "'n3' is there twice: it is rank 2");
}

static void test_job_files(void **unused) {
    static const char good[] = "# a job\r\nn01\r\n\r\n  n[03-04]  # two\nn02";
    static const char twice[] = "n1\nn2\nn1\n", empty[] = "\n# nothing\n", bad[] = "n1\nn[\n";
    struct bine_hosts h = {0};
    struct bine_reason why;
    (void)unused;
    assert_int_equal(bine_hosts_read(&h, good, sizeof good - 1, "job", 100, &why), 0);
    assert_int_equal(h.names.count, 4);
    assert_string_equal(bine_names_text(&h.names, 3), "n02");
    bine_hosts_free(&h);
    assert_int_equal(bine_hosts_read(&h, twice, sizeof twice - 1, "job", 100, &why), -1);
    assert_string_equal(why.text, "job:3: host 'n1' is there twice: it is rank 0 already");
    bine_hosts_free(&h);
    assert_int_equal(bine_hosts_read(&h, bad, sizeof bad - 1, "job", 100, &why), -1);
    assert_string_equal(why.text, "job:2: '[' without ']'");
    bine_hosts_free(&h);
    assert_int_equal(bine_hosts_read(&h, empty, sizeof empty - 1, "job", 100, &why), -1);
    assert_string_equal(why.text, "job: no hosts in it");
    bine_hosts_free(&h);
}

static void expect_fold(const char *list, const char *expected) {
    struct bine_hosts h = {0};
    struct bine_reason why;
    int32_t all[100];
    assert_int_equal(bine_hosts_add(&h, list, strlen(list), 100, &why), 0);
    for (int i = 0; i < h.names.count; i++)
        all[i] = i;
    char *folded = bine_hostlist_fold(&h.names, all, (size_t)h.names.count);
    assert_non_null(folded);
    assert_string_equal(folded, expected);
    free(folded);
    bine_hosts_free(&h);
}

static void test_fold(void **unused) {
    (void)unused;
    expect_fold("n1,n2,n3", "n[1-3]");
    expect_fold("n08,n09,n10,n12", "n[08-10,12]");
    expect_fold("n9,n10", "n[9-10]");
    expect_fold("n09,n010", "n[09,010]");
    expect_fold("r[1-2]b[1-2],login", "r1b[1-2],r2b[1-2],login");
    expect_fold("a,b", "a,b");
}

static const char machine_text[] = "name m\ntopology dragonfly\ngroup b n[1-2]\ngroup a n[10-12]\n";

static void place(struct bine_allocation *a, const char *list, enum bine_reorder reorder) {
    struct bine_machine_options options = {1, 0};
    struct bine_reason why;
    struct bine_hosts h = {0};
    struct bine_machine *m =
        bine_machine_read(machine_text, sizeof machine_text - 1, "m", &options, &why);
    assert_non_null(m);
    assert_int_equal(bine_hosts_add(&h, list, strlen(list), 100, &why), 0);
    if (bine_allocation_place(a, m, &h, reorder, &why) != 0)
        fail_msg("%s", why.text);
    bine_hosts_free(&h);
    bine_machine_free(m);
}

static void expect_groups(const char *list, enum bine_reorder reorder, const char *expected) {
    struct bine_allocation a;
    char all[100] = "";
    place(&a, list, reorder);
    for (int r = 0; r < a.p; r++)
        strcat(all, bine_names_text(&a.names, a.group[r]));
    assert_string_equal(all, expected);
    bine_allocation_free(&a);
}

static void test_reorder(void **unused) {
    (void)unused;
    expect_groups("n12,n2,n10,n1", BINE_REORDER_OFF, "abab");
    expect_groups("n12,n2,n10,n1", BINE_REORDER_HOSTNAME, "bbaa"); /* n1 n2 n10 n12 */
    expect_groups("n12,n2,n10,n1", BINE_REORDER_GROUP, "aabb");
}

static void test_unknown(void **unused) {
    struct bine_machine_options options = {1, 0};
    struct bine_reason why;
    struct bine_hosts h = {0};
    struct bine_allocation a;
    struct bine_machine *m =
        bine_machine_read(machine_text, sizeof machine_text - 1, "m", &options, &why);
    (void)unused;
    assert_int_equal(bine_hosts_add(&h, "n1,viz07", 8, 100, &why), 0);
    assert_int_equal(bine_allocation_place(&a, m, &h, BINE_REORDER_OFF, &why), -1);
    assert_string_equal(why.text, "unknown host 'viz07' (rank 1): it is not in machine 'm'");
    bine_hosts_free(&h);
    bine_machine_free(m);
}

static void test_sizes(void **unused) {
    struct bine_allocation a;
    struct bine_reason why;
    (void)unused;
    assert_int_equal(bine_allocation_sizes(&a, "5,5,6", &why), 0);
    assert_int_equal(a.p, 16);
    assert_int_equal(bine_allocation_groups(&a), 3);
    assert_int_equal(a.group[10], 2);
    bine_allocation_free(&a);
    assert_int_equal(bine_allocation_sizes(&a, "5,0", &why), -1);
    assert_int_equal(bine_allocation_sizes(&a, "5,", &why), -1);
    assert_int_equal(bine_allocation_sizes(&a, "", &why), -1);
    assert_int_equal(bine_allocation_sizes(&a, "999999999", &why), -1);
    assert_int_equal(bine_allocation_read(&a, "x\ny z\n", 6, "g", &why), -1);
    assert_string_equal(why.text, "g:2: expected one word, the name of the rank's group");
    assert_int_equal(bine_allocation_read(&a, "x\ny\nx\n", 6, "g", &why), 0);
    assert_int_equal(a.group[2], 0);
    bine_allocation_free(&a);
}

static void test_torus(void **unused) {
    struct bine_shape s;
    struct bine_link_loads l;
    (void)unused;
    assert_int_equal(bine_shape_parse("4x4", 3, &s), 0);
    assert_int_equal(bine_torus_hops(&s, 0, 15), 2); /* the paper's appendix D: 2 hops, not 1 */
    assert_int_equal(bine_torus_hops(&s, 0, 2), 2);
    assert_int_equal(bine_torus_hops(&s, 0, 10), 4);
    assert_int_equal(bine_link_loads_open(&l, &s), 0);
    bine_link_loads_add(&l, 0, 15, 7); /* down in dimension 0 to 12, then down to 15 */
    assert_int_equal(l.load[(0 * 2 + 0) * 2 + 1], 7);
    assert_int_equal(l.load[(12 * 2 + 1) * 2 + 1], 7);
    bine_link_loads_add(&l, 0, 2, 1); /* both ways are two hops: up */
    assert_int_equal(l.load[(0 * 2 + 1) * 2 + 0], 1);
    assert_int_equal(l.hop_bytes, 16);
    assert_int_equal(bine_link_loads_sum(&l).used, 4);
    assert_int_equal(bine_link_loads_sum(&l).busiest, 7);
    bine_link_loads_close(&l);
    assert_int_equal(bine_shape_parse("4x", 2, &s), -1);
    assert_int_equal(bine_shape_parse("0x4", 3, &s), -1);
    assert_int_equal(bine_shape_parse("9999x9999", 9, &s), -1);
    assert_int_equal(bine_shape_parse("1x1x1x1x1x1x1x1x1", 17, &s), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),   cmocka_unit_test(test_bad_lists),
        cmocka_unit_test(test_fold),    cmocka_unit_test(test_job_files),
        cmocka_unit_test(test_reorder), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_sizes),   cmocka_unit_test(test_torus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
