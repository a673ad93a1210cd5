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
    for (int r = 0; r < h.p; r++) {
        strcat(all, r == 0 ? "" : " ");
        strcat(all, bine_hosts_text(&h, r));
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

/* Several ranks on a host. */
static void test_shared_hosts(void **unused) {
    (void)unused;
    expect_list("n[1-2]*2,m", "n1 n1 n2 n2 m");
    expect_list("n1,n2,n1", "n1 n2 n1");
    expect_list("n[1-2,x[3-4]]*1", "n1 n2 nx3 nx4");
    expect_fault("n1*", "a number of ranks behind '*'");
    expect_fault("n1*0", "a number of ranks behind '*'");
    expect_fault("n1*2*2", "a number of ranks behind '*'");
    expect_fault("*2", "empty");
    expect_fault("n[1-10]*101", "more than 1000 ranks");
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
}

static void test_job_files(void **unused) {
    static const char good[] = "# a job\r\nn01\r\n\r\n  n[03-04]  # two\nn02";
    static const char empty[] = "\n# nothing\n", bad[] = "n1\nn[\n";
    struct bine_hosts h = {0};
    struct bine_reason why;
    (void)unused;
    assert_int_equal(bine_hosts_read(&h, good, sizeof good - 1, "job", 100, &why), 0);
    assert_int_equal(h.names.count, 4);
    assert_string_equal(bine_names_text(&h.names, 3), "n02");
    bine_hosts_free(&h);
    assert_int_equal(bine_hosts_read(&h, bad, sizeof bad - 1, "job", 100, &why), -1);
    assert_string_equal(why.text, "job:2: '[' without ']'");
    bine_hosts_free(&h);
    assert_int_equal(bine_hosts_read(&h, empty, sizeof empty - 1, "job", 100, &why), -1);
    assert_string_equal(why.text, "job: no hosts in it");
    bine_hosts_free(&h);
}

/* Read a file; the hosts of the ranks, or the reason. */
static void expect_file(const char *text, const char *expected) {
    struct bine_hosts h = {0};
    struct bine_reason why;
    char all[400] = "";
    int rc = bine_hosts_read(&h, text, strlen(text), "job", 100, &why);
    for (int r = 0; r < h.p && rc == 0; r++) {
        strcat(all, r == 0 ? "" : " ");
        strcat(all, bine_hosts_text(&h, r));
    }
    assert_string_equal(rc == 0 ? all : why.text, expected);
    bine_hosts_free(&h);
}

static void test_slots(void **unused) {
    (void)unused;
    expect_file("n1 slots=2\nn[2-3] slots=1 max_slots=4\nn1\n", "n1 n1 n2 n3 n1");
    expect_file("n1 slots=two\n",
                "job:1: 'slots=two' behind a host: expected slots=K, or one host a line");
    expect_file("n1 n2\n", "job:1: 'n2' behind a host: expected slots=K, or one host a line");
    expect_file("n1*2 slots=2\n", "job:1: both '*' and 'slots=': expected one of them");
    expect_file("n1 slots=101\n", "job:1: more than 100 ranks");
}

/* What "srun -l" prints is in no order. */
static void test_labels(void **unused) {
    (void)unused;
    expect_file("2: n7\n0: n5\n1: n5\n", "n5 n5 n7");
    expect_file(" 1: n7\n\n 0: n5\n", "n5 n7");
    expect_file("0: n5\nn6\n", "job:2: expected 'RANK: HOST', as in the lines before");
    expect_file("0: n5\n0: n6\n", "job: two lines of rank 0");
    expect_file("0: n5\n2: n6\n", "job: a line of rank 2 among 2 lines: expected the ranks 0 to 1");
    expect_file("0: n[1-2]\n", "job:1: expected one host behind 'RANK:'");
}

static void test_fill(void **unused) {
    struct bine_hosts h = {0};
    struct bine_reason why;
    (void)unused;
    assert_int_equal(bine_hosts_add(&h, "n[1-2]", 6, 100, &why), 0);
    assert_int_equal(bine_hosts_fill(&h, 51, 100, &why), -1);
    assert_string_equal(why.text, "more than 100 ranks");
    assert_int_equal(bine_hosts_fill(&h, 3, 100, &why), 0);
    assert_int_equal(h.p, 6);
    assert_string_equal(bine_hosts_text(&h, 3), "n2");
    assert_int_equal(bine_hosts_fill(&h, 3, 100, &why), -1);
    assert_string_equal(why.text, "the hosts say how many ranks each of them has");
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

/* Nodes are a level of their own where ranks share them, and stay with their ranks when sorted. */
static void test_nodes(void **unused) {
    struct bine_allocation a;
    int most;
    (void)unused;
    place(&a, "n12,n2,n10,n1", BINE_REORDER_OFF);
    assert_null(a.inner);
    assert_int_equal(bine_allocation_nodes(&a, &most), 4);
    assert_int_equal(most, 1);
    bine_allocation_free(&a);
    place(&a, "n12*2,n2*3,n12", BINE_REORDER_HOSTNAME); /* n2 n2 n2 n12 n12 n12 */
    assert_int_equal(bine_allocation_nodes(&a, &most), 2);
    assert_int_equal(most, 3);
    assert_int_equal(a.inner[2], 1);
    assert_int_equal(a.inner[3], 0);
    struct bine_groups *g = bine_allocation_levels(&a);
    assert_non_null(g);
    bine_groups_free(g);
    bine_allocation_free(&a);
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

/* The groups of all ranks at a level, as text: "0012". */
static void expect_level(const struct bine_allocation *a, int level, const char *expected) {
    char text[40] = "";
    int count;
    const int32_t *group = bine_allocation_level(a, level, &count);
    for (int r = 0; r < a->p; r++)
        text[r] = (char)('0' + group[r]);
    assert_string_equal(text, expected);
}

static void test_nested_sizes(void **unused) {
    struct bine_allocation a;
    struct bine_reason why;
    static const char *const bad[] = {"(3,2",     "3,2)",      ")3(", "(3,2)(1)", "()",
                                      "(3,),(2)", "(3,0),(2)", ",3",  "(3 ,2)",   "((((((1))))))"};
    (void)unused;
    assert_int_equal(bine_allocation_sizes(&a, "(3,2),(1,1),2", &why), 0);
    assert_int_equal(a.wider, 1);
    assert_int_equal(a.outer[0].level, 2);
    expect_level(&a, 0, "000112344");
    expect_level(&a, 1, "000001122");
    bine_allocation_free(&a);
    assert_int_equal(bine_allocation_sizes(&a, "((1,1),2),((1,1))", &why), 0);
    assert_int_equal(a.wider, 2);
    expect_level(&a, 0, "012234");
    expect_level(&a, 1, "001122");
    expect_level(&a, 2, "000011");
    struct bine_groups *g = bine_allocation_levels(&a);
    assert_int_equal(g->levels, 5); /* all, three levels, single ranks */
    bine_groups_free(g);
    assert_int_equal(bine_allocation_keep_level(&a, 2, &why), 0);
    assert_int_equal(a.wider, 0);
    expect_level(&a, 0, "001122");
    bine_allocation_free(&a);
    assert_int_equal(bine_allocation_sizes(&a, "(3,2)", &why),
                     0); /* one larger group says nothing */
    assert_int_equal(a.wider, 0);
    assert_int_equal(bine_allocation_keep_level(&a, 2, &why), -1);
    assert_string_equal(why.text, "no level 2: its groups have only one");
    bine_allocation_free(&a);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(bine_allocation_sizes(&a, bad[i], &why), -1);
}

static int read_columns(struct bine_allocation *a, const char *text, struct bine_reason *why) {
    return bine_allocation_read(a, text, strlen(text), "g", why);
}

/* Larger groups first; groups of one name in two of them are two; nodes behind a slash. */
static void test_columns(void **unused) {
    struct bine_allocation a;
    struct bine_reason why;
    (void)unused;
    assert_int_equal(read_columns(&a, "q x/1\np x/1\n\nq y/1\np x/2\nq x/1\n", &why), 0);
    assert_int_equal(a.wider, 1);
    expect_level(&a, 0, "01210");
    expect_level(&a, 1, "01010");
    assert_string_equal(bine_names_text(&a.names, 1), "p/x");
    assert_non_null(a.inner);
    assert_true(a.inner[0] == a.inner[4] && a.inner[1] != a.inner[3] && a.inner[0] != a.inner[1]);
    assert_int_equal(bine_allocation_sort(&a, &why), 0); /* p x, p x, q x, q x, q y */
    expect_level(&a, 0, "00112");
    expect_level(&a, 1, "00111");
    assert_string_equal(bine_names_text(&a.names, 0), "p/x");
    bine_allocation_free(&a);
    assert_int_equal(read_columns(&a, "p x\nq x\nq y\np x\n", &why), 0);
    assert_null(a.inner);
    bine_allocation_free(&a);
    assert_int_equal(read_columns(&a, "p x\nq\n", &why), -1);
    assert_string_equal(why.text, "g:2: expected 2 words, the names of the rank's groups");
    assert_int_equal(read_columns(&a, "a b c d e f\n", &why), -1);
    assert_string_equal(why.text, "g:1: more than 5 names of groups");
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
        cmocka_unit_test(test_shared_hosts), cmocka_unit_test(test_slots),
        cmocka_unit_test(test_labels),       cmocka_unit_test(test_fill),
        cmocka_unit_test(test_nodes),        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bad_lists),    cmocka_unit_test(test_fold),
        cmocka_unit_test(test_job_files),    cmocka_unit_test(test_reorder),
        cmocka_unit_test(test_unknown),      cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_torus),        cmocka_unit_test(test_nested_sizes),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
