/* Quotas of control groups, in a tree of files as the system shows them. */
#include "base/quota.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/bine-quota-XXXXXX";

/* A file of the tree, and the folders that it is in. */
static void put(const char *path, const char *text) {
    char whole[300];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *at = whole + strlen(root); (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(whole, 0700);
        *at = '/';
    }
    FILE *f = fopen(whole, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void begin(const char *groups, const char *mounts) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", root);
    assert_int_equal(system(command), 0);
    put("/proc/self/cgroup", groups);
    put("/proc/self/mountinfo", mounts);
}

static uint64_t cores(void) {
    return bine_quota_find(root).cores;
}

#define V2 "22 1 0:20 / / rw - ext4 /dev/sda rw\n31 22 0:26 / /cg rw,nosuid - cgroup2 cgroup2 rw\n"

/* The tightest on the way up; the owner is the group that has it. */
static void test_second(void **state) {
    (void)state;
    begin("0::/job/step\n", V2);
    assert_int_equal(cores(), 0);
    put("/cg/job/step/cpu.max", "max 100000\n");
    assert_int_equal(cores(), 0);
    put("/cg/job/cpu.max", "250000 100000\n");
    assert_int_equal(cores(), 2500);
    struct bine_quota whole = bine_quota_find(root);
    put("/cg/job/step/cpu.max", "400000 100000\n");
    assert_int_equal(cores(), 2500);
    assert_true(bine_quota_find(root).owner == whole.owner);
    put("/cg/job/step/cpu.max", "50000 100000\n");
    assert_int_equal(cores(), 500);
    assert_true(bine_quota_find(root).owner != whole.owner);
    put("/cg/cpu.max", "1 100000\n"); /* less than a thousandth is not none */
    assert_int_equal(cores(), 1);
}

/* A container has a part of the tree, whether it sees its own path or not. */
static void test_container(void **state) {
    (void)state;
    begin("0::/docker/a/b\n", "31 22 0:26 /docker/a /cg rw - cgroup2 cgroup2 rw\n");
    put("/cg/b/cpu.max", "300000 100000\n");
    assert_int_equal(cores(), 3000);
    begin("0::/\n", V2);
    put("/cg/cpu.max", "200000 100000\n");
    assert_int_equal(cores(), 2000);
    begin("0::/../other\n", V2);
    put("/cg/cpu.max", "100000 100000\n");
    assert_int_equal(cores(), 1000);
    begin("0::/docker/ab\n", "31 22 0:26 /docker/a /cg rw - cgroup2 cgroup2 rw\n");
    put("/cg/cpu.max", "400000 100000\n");
    put("/cg/b/cpu.max", "100000 100000\n"); /* of another one */
    assert_int_equal(cores(), 4000);
}

#define V1                                                                                         \
    "40 31 0:30 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n"                                       \
    "41 31 0:31 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"

static void test_first(void **state) {
    (void)state;
    begin("9:cpuset:/x\n4:cpuacct,cpu:/job\n0::/\n", V1);
    put("/cg/cpu/job/cpu.cfs_quota_us", "-1\n");
    put("/cg/cpu/job/cpu.cfs_period_us", "50000\n");
    assert_int_equal(cores(), 0);
    put("/cg/cpu/job/cpu.cfs_quota_us", "75000\n");
    assert_int_equal(cores(), 1500);
    put("/cg/cpuset/x/cpu.cfs_quota_us", "50000\n"); /* not its hierarchy */
    assert_int_equal(cores(), 1500);
}

/* What cannot be read is no limit. */
static void test_nothing(void **state) {
    (void)state;
    begin("", "");
    assert_int_equal(cores(), 0);
    begin("nonsense\n0:\n0::\n", "- -\nx - cgroup2\n");
    assert_int_equal(cores(), 0);
    begin("0::/\n", V2);
    put("/cg/cpu.max", "");
    assert_int_equal(cores(), 0);
    put("/cg/cpu.max", "100 0");
    assert_int_equal(cores(), 0);
    assert_int_equal(bine_quota_find("/nowhere/at/all").cores, 0);
}

static int remove_root(void **state) {
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second), cmocka_unit_test(test_container),
        cmocka_unit_test(test_first), cmocka_unit_test(test_nothing)};
    if (mkdtemp(root) == NULL)
        return 1;
    return cmocka_run_group_tests(tests, NULL, remove_root);
}
