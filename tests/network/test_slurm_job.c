/* What Slurm says in the environment: of the ranks of a job, and of where a node is. */
#include "../unit/unit.h"

#include "network/address.h"
#include "network/slurm/slurm_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const variables[] = {
    "SLURM_STEP_NODELIST",
    "SLURM_JOB_NODELIST",
    "SLURM_NODELIST",
    "SLURM_TASKS_PER_NODE",
    "SLURM_STEP_TASKS_PER_NODE",
    "SLURM_DISTRIBUTION",
    "SLURM_DIST_PLANESIZE",
    "SLURM_HOSTFILE",
    "SLURM_STEP_ID",
};

/* The hosts of the ranks in an environment of "NAME=VALUE NAME=VALUE", or the reason. */
static void expect_ranks(const char *environment, int one_each, const char *expected) {
    struct bine_slurm_job job;
    struct bine_hosts h = {0};
    struct bine_reason why;
    char words[400], all[400] = "";
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    snprintf(words, sizeof words, "%s", environment);
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        char *equals = strchr(word, '=');
        *equals = '\0';
        setenv(word, equals + 1, 1);
    }
    bine_slurm_job_find(&job);
    assert_non_null(job.nodes);
    int rc = bine_slurm_job_hosts(&job, one_each, &h, &why);
    for (int r = 0; r < h.p && rc == 0; r++) {
        strcat(all, r == 0 ? "" : " ");
        strcat(all, bine_hosts_text(&h, r));
    }
    assert_string_equal(rc == 0 ? all : why.text, expected);
    bine_hosts_free(&h);
}

/* The environments are those of a Slurm 22.05. */
static void test_ranks(void **unused) {
    (void)unused;
    expect_ranks("SLURM_JOB_NODELIST=n[1-3]", 0, "n1 n2 n3");
    expect_ranks("SLURM_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=3,1", 0, "n1 n1 n1 n2");
    expect_ranks("SLURM_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=3,1", 1, "n1 n2");
    expect_ranks("SLURM_JOB_NODELIST=n[1-4] SLURM_STEP_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=1(x2) "
                 "SLURM_STEP_TASKS_PER_NODE=1(x2) SLURM_DISTRIBUTION=cyclic SLURM_STEP_ID=0",
                 0, "n1 n2");
    expect_ranks("SLURM_STEP_NODELIST=n[1-3] SLURM_STEP_TASKS_PER_NODE=4,2,1 "
                 "SLURM_DISTRIBUTION=cyclic:block",
                 0, "n1 n2 n3 n1 n2 n1 n1");
    expect_ranks("SLURM_STEP_NODELIST=n[1-2] SLURM_STEP_TASKS_PER_NODE=4,2 "
                 "SLURM_DISTRIBUTION=plane SLURM_DIST_PLANESIZE=2",
                 0, "n1 n1 n2 n2 n1 n1");
    expect_ranks("SLURM_STEP_NODELIST=n[1-2] SLURM_STEP_TASKS_PER_NODE=3(x2) "
                 "SLURM_DISTRIBUTION=plane=2",
                 0, "n1 n1 n2 n2 n1 n2");
    /* A shell that salloc has started as a step of its own is one task; the job is meant. */
    expect_ranks("SLURM_JOB_NODELIST=n[1-2] SLURM_STEP_NODELIST=n1 SLURM_TASKS_PER_NODE=2,1 "
                 "SLURM_STEP_TASKS_PER_NODE=1 SLURM_STEP_ID=4294967290",
                 0, "n1 n1 n2");
}

static void test_order_in_a_file(void **unused) {
    char file[] = "/tmp/bine-hostfile-XXXXXX", environment[200];
    (void)unused;
    int fd = mkstemp(file);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "n3\nn1\nn3\nn2\n", 12), 12);
    close(fd);
    snprintf(environment, sizeof environment,
             "SLURM_STEP_NODELIST=n[1-3] SLURM_STEP_TASKS_PER_NODE=1(x2),2 "
             "SLURM_DISTRIBUTION=arbitrary SLURM_HOSTFILE=%s",
             file);
    expect_ranks(environment, 0, "n3 n1 n3 n2");
    unlink(file);
    expect_ranks(
        "SLURM_STEP_NODELIST=n1 SLURM_STEP_TASKS_PER_NODE=1 "
        "SLURM_DISTRIBUTION=arbitrary SLURM_HOSTFILE=/nowhere",
        0,
        "SLURM_DISTRIBUTION=arbitrary: the order of ranks is in SLURM_HOSTFILE (/nowhere), "
        "which cannot be read: expected --hosts");
}

static void test_faults(void **unused) {
    (void)unused;
    expect_ranks("SLURM_JOB_NODELIST=n[1-", 0, "SLURM_JOB_NODELIST=n[1-: '[' without ']'");
    expect_ranks("SLURM_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=3", 0,
                 "SLURM_TASKS_PER_NODE=3: expected the tasks of 2 nodes, as in 4(x2),3");
    expect_ranks("SLURM_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=3(x", 0,
                 "SLURM_TASKS_PER_NODE=3(x: expected the tasks of 2 nodes, as in 4(x2),3");
    expect_ranks("SLURM_NODELIST=n[1-2] SLURM_TASKS_PER_NODE=1(x3)", 0,
                 "SLURM_TASKS_PER_NODE=1(x3): expected the tasks of 2 nodes, as in 4(x2),3");
    expect_ranks(
        "SLURM_NODELIST=n1 SLURM_TASKS_PER_NODE=2 SLURM_DISTRIBUTION=wild", 0,
        "SLURM_DISTRIBUTION=wild: expected block, cyclic, plane or arbitrary; --hosts says "
        "where ranks are");
}

static void expect_group(const char *address, const char *pattern, int level,
                         const char *expected) {
    struct bine_group_name g = {"-", 1};
    char text[64];
    int rc = bine_address_group(address, pattern, level, &g);
    snprintf(text, sizeof text, "%.*s", rc == 0 ? (int)g.length : 1, rc == 0 ? g.at : "-");
    assert_string_equal(text, expected);
}

/* Patterns of Slurm's plugins for trees, blocks, nothing, and of those that know no groups. */
static void test_patterns(void **unused) {
    (void)unused;
    expect_group("core.leaf1.n1", "switch.switch.node", 1, "core.leaf1");
    expect_group("core.leaf1.n1", "switch.switch.node", 2, "core");
    expect_group("core.leaf1.n1", "switch.switch.node", 3, "-");
    expect_group("core.leaf1.n1.site.org", "switch.switch.node", 1, "core.leaf1");
    expect_group("b8.tux1", "block.node", 1, "b8");
    expect_group("r8:2.tux1", "ring:position.node", 1, "-");
    expect_group("t:0:1:2.tux1", "torus:x:y:z.node", 1, "-");
    expect_group("n1", "node", 1, "-");
    expect_group("n1", "switch.node", 1, "-");
    expect_group(".n1", "switch.node", 1, "-");
    expect_group("core.leaf1.n1", NULL, 1, "core.leaf1");
    expect_group("n1", NULL, 1, "-");
}

static void test_several_switches(void **unused) {
    char text[] = "core.leaf[1-2].n3,core.leaf2.n[4-5]\na[1,7].b[03-04].n1";
    (void)unused;
    assert_int_equal(bine_address_settle(text), 3);
    assert_string_equal(text, "core.leaf1.n3,core.leaf2.n[4-5]\na1.b03.n1");
}

/* A launcher that was started with the right value starts a program with a copy of another's. */
static void expect_own(const char *copy, const char *host, const char *expected, int launcher) {
    char program[400], line[200] = "", self[300];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = '\0';
    snprintf(program, sizeof program,
             "BINE_TEST_ADDR=core.leaf2.n5 sh -c 'BINE_TEST_ADDR=%s %s own %s; true'", copy, self,
             host);
    FILE *f = popen(program, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    pclose(f);
    line[strcspn(line, "\n")] = '\0';
    char want[200];
    snprintf(want, sizeof want, "%s %d", expected, launcher);
    assert_string_equal(line, want);
}

static void test_own(void **unused) {
    (void)unused;
    expect_own("core.leaf1.n1", "n5", "core.leaf2.n5", 1);
    expect_own("core.leaf1.n1", "n1", "core.leaf1.n1", 0); /* it is the host's own */
    expect_own("core.leaf1.n1", "n1.site.org", "core.leaf1.n1", 0);
    expect_own("core.leaf2.n5", "other", "core.leaf2.n5", 0); /* the launcher says the same */
}

static int print_own(const char *host) {
    char value[BINE_ADDRESS_ROOM];
    int from_launcher;
    if (bine_slurm_own("BINE_TEST_ADDR", host, value, sizeof value, &from_launcher) != 0)
        return 1;
    printf("%s %d\n", value, from_launcher);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_order_in_a_file),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_several_switches),
        cmocka_unit_test(test_own),
    };
    if (argc == 3 && strcmp(argv[1], "own") == 0)
        return print_own(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
