/* Topologies as Slurm describes them: topology.conf, topology.yaml, scontrol, addresses. */
#include "machines.h"

#include <stdlib.h>
#include <unistd.h>

/* Switches above switches, as far as each has one above it. */
static void test_slurm_levels(void **unused) {
    struct bine_machine *m =
        read_text("topology.conf", 0,
                  "SwitchName=l1 Nodes=n[1-2]\nSwitchName=l2 Nodes=n3\nSwitchName=l3 Nodes=n4\n"
                  "SwitchName=p Switches=l[1-2]\nSwitchName=core Switches=p,l3\n");
    (void)unused;
    assert_int_equal(m->wider, 2);
    assert_string_equal(group_of(m, "n3"), "l2");
    assert_string_equal(wider_of(m, "n3", 1), "p");
    assert_string_equal(wider_of(m, "n4", 1), "core");
    assert_string_equal(wider_of(m, "n1", 2), "core");
    bine_machine_free(m);
    m = read_text("topology.conf", 0,
                  "SwitchName=l1 Nodes=n1\nSwitchName=l2 Nodes=n2\nSwitchName=s1 Switches=l[1-2]\n"
                  "SwitchName=s2 Switches=l[1-2]\n");
    assert_int_equal(m->wider, 0); /* leaves below two spines each */
    bine_machine_free(m);
    struct bine_reason why;
    m = bine_machine_addresses("switch.switch.switch.node", 0, &why);
    assert_non_null(m);
    assert_int_equal(m->wider, 2);
    assert_string_equal(group_of(m, "c.p1.l2.n3"), "c.p1.l2");
    assert_string_equal(wider_of(m, "c.p1.l2.n3", 1), "c.p1");
    assert_string_equal(wider_of(m, "c.p1.l2.n3", 2), "c");
    bine_machine_free(m);
}

static const char tree_conf[] = "# Slurm\nswitchname=s0 nodes=n[0-1]\nSwitchName=s1 Nodes=n[2-3] "
                                "LinkSpeed=100\nSwitchName=s2 Nodes=n4,n5\n"
                                "SwitchName=a Switches=s[0-1]\nSwitchName=b Switches=s2\n"
                                "SwitchName=top \\\n  Switches=a,b\n";

static void test_slurm_conf(void **unused) {
    struct bine_machine *m = read_text("topology.conf", 1, tree_conf);
    (void)unused;
    assert_string_equal(group_of(m, "n1"), "s0");
    assert_string_equal(group_of(m, "n5"), "s2");
    bine_machine_free(m);
    m = read_text("topology.conf", 2, tree_conf);
    assert_string_equal(group_of(m, "n1"), "a");
    assert_string_equal(group_of(m, "n3"), "a");
    assert_string_equal(group_of(m, "n5"), "b");
    bine_machine_free(m);
    m = read_text("topology.conf", 3, tree_conf);
    assert_string_equal(group_of(m, "n1"), "top");
    bine_machine_free(m);
    m = read_text("t", 1, "BlockName=b1 Nodes=n[1-4]\nBlockName=b2 Nodes=n[5-8]\nBlockSizes=4,8\n");
    assert_string_equal(group_of(m, "n5"), "b2");
    bine_machine_free(m);
}

static void test_slurm_conf_faults(void **unused) {
    (void)unused;
    expect_fault("t", "SwitchName=s1 Node=n1\n",
                 "t:1: unknown parameter 'Node': did you mean 'Nodes'?");
    expect_fault("t", "SwitchName=s1\n", "t: no hosts in it");
    expect_fault("t", "SwitchName=s1 Nodes=n1 Switches=s2\n",
                 "t:1: 's1': expected nodes or switches below it, and not both");
    expect_fault("t", "SwitchName=s1 Nodes=n1\nSwitchName=s1 Nodes=n2\n",
                 "t:2: 's1' is defined twice");
    expect_fault("t", "BlockName=s1 Nodes=n1\nBlockName=s2 Nodes=n1\n",
                 "t:2: host 'n1' is in group 's1' already");
    expect_fault("t", "SwitchName=s1 Nodes=n1\n\nSwitchName=s3 Switches=s1,s2\n",
                 "t:3: switch 's2' is below another, but never defined");
    expect_fault("t", "SwitchName=a Switches=b\nSwitchName=b Switches=a\nSwitchName=c Nodes=n1\n",
                 "t:1: switch 'a' is below itself: it is below 'b'");
    expect_fault("t", "SwitchName=a Switches=a\n", "t:1: switch 'a' is below itself");
    expect_fault("t", "SwitchName=s Nodes=n1\nSwitchName=a Switches=s\nSwitchName=b Switches=s\n",
                 "t:1: switch 's' is below several others: level 2 is not one group");
    expect_fault("t", "SwitchName=s Nodes=n1 \\\n",
                 "t:1: the last line is continued, but nothing follows");
    expect_fault("d/topology.conf", "\nhello world\n",
                 "d/topology.conf:2: 'hello': expected Name=Value");
    expect_fault("topology.conf", "=x\n", "topology.conf:1: '=x': expected Name=Value");
    expect_fault("topology.conf", "Nodes=n1\n",
                 "topology.conf:1: expected SwitchName= or BlockName=");
    expect_fault("topology.conf", "SwitchName=\"s1 Nodes=n1\n",
                 "topology.conf:1: a quote that does not end");
    expect_fault("topology.conf", "SwitchName=a \\\n Nodes=n[1 \\\n LinkSpeed=1\n",
                 "topology.conf:1: '[' without ']'");
    expect_fault("topology.conf", "SwitchName=a Nodes=n1\nInclude nowhere.conf\n",
                 "topology.conf:2: Include: there is no file 'nowhere.conf' that can be read");
    expect_fault("d/topology.conf", "include /\n",
                 "d/topology.conf:1: Include: there is no file '/' that can be read");
}

/* What slurmctld reads, too: blanks, quotes, comments anywhere, lines that go on inside a value. */
static void test_slurm_conf_as_slurm(void **unused) {
    struct bine_machine *m =
        read_text("t", 1,
                  "switchname = s1 NODES = \"n[1-2],n5\"#comment\n"
                  "SwitchName=s2 Nodes=n[3-\\\n4],\\  \nn6 LinkSpeed=10\nSwitchName=empty\n"
                  "SwitchName=top Switches=\"s1,s2,empty\"\n");
    (void)unused;
    assert_string_equal(group_of(m, "n5"), "s1");
    assert_string_equal(group_of(m, "n4"), "s2");
    assert_string_equal(group_of(m, "n6"), "s2");
    assert_null(m->note);
    bine_machine_free(m);
}

/* A node in several leaves, and what is said of it. */
static void test_slurm_conf_doubled(void **unused) {
    struct bine_machine *m =
        read_text("t", 1, "SwitchName=s1 Nodes=n[1-2],n1\nSwitchName=s2 Nodes=n[2-3]\n");
    (void)unused;
    assert_string_equal(group_of(m, "n2"), "s1");
    assert_string_equal(group_of(m, "n3"), "s2");
    assert_string_equal(m->note, "t:2: node 'n2' is below 's2', too: 's1' counts");
    bine_machine_free(m);
    m = read_text("t", 1, "SwitchName=s1 Nodes=n[1-4]\nSwitchName=s2 Nodes=n[1-5]\n");
    assert_string_equal(m->note,
                        "t:2: node 'n1' is below 's2', too: 's1' counts (and so for 3 more)");
    bine_machine_free(m);
}

/* What "scontrol show topology" prints: nodes above leaves, too. */
static void test_scontrol(void **unused) {
    static const char tree[] = "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[1-4] \n"
                               "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=n[5-8] \n"
                               "SwitchName=core Level=1 LinkSpeed=1 Nodes=n[1-8] "
                               "Switches=leaf[1-2] \n";
    struct bine_machine *m = read_text("printed", 1, tree);
    (void)unused;
    assert_string_equal(group_of(m, "n5"), "leaf2");
    bine_machine_free(m);
    m = read_text("printed", 2, tree);
    assert_string_equal(group_of(m, "n5"), "core");
    bine_machine_free(m);
    m = read_text("printed", 1,
                  "BlockName=b1 BlockIndex=0 Nodes=n[1-4] BlockSize=4\n"
                  "BlockName=b2 BlockIndex=1 Nodes=n[5-8] BlockSize=4\n"
                  "AggregatedBlock=b[1-2] BlockIndex=2 Nodes=n[1-8] BlockSize=8\n");
    assert_string_equal(group_of(m, "n5"), "b2");
    assert_int_equal(bine_machine_groups(m), 2);
    bine_machine_free(m);
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    fclose(f);
}

/* Files that a file includes, found beside it; what is wrong in them is said of them. */
static void test_include(void **unused) {
    struct bine_machine_options options = {1, 0};
    struct bine_reason why;
    char folder[] = "/tmp/bine-include-XXXXXX", file[100], expected[200];
    static const char text[] = "INCLUDE leaves.conf\nSwitchName=top Switches=s1,s2\n";
    (void)unused;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/topology.conf", folder);
    write_file(folder, "leaves.conf", "SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n2\n");
    struct bine_machine *m = read_text(file, 1, text);
    assert_string_equal(group_of(m, "n2"), "s2");
    bine_machine_free(m);
    write_file(folder, "leaves.conf", "\nSwitchName=s1 Node=n1\n");
    snprintf(expected, sizeof expected,
             "%s/leaves.conf:2: unknown parameter 'Node': did you mean 'Nodes'?", folder);
    assert_null(bine_machine_read(text, sizeof text - 1, file, &options, &why));
    assert_string_equal(why.text, expected);
    write_file(folder, "leaves.conf", "\nSwitchName=s1 Switches=s3\nSwitchName=s2\n");
    snprintf(expected, sizeof expected,
             "%s/leaves.conf:2: switch 's3' is below another, but never defined", folder);
    assert_null(bine_machine_read(text, sizeof text - 1, file, &options, &why));
    assert_string_equal(why.text, expected);
    write_file(folder, "leaves.conf", "Include leaves.conf\n");
    snprintf(expected, sizeof expected, "%s/leaves.conf:1: Include in Include, more than 8 deep",
             folder);
    assert_null(bine_machine_read(text, sizeof text - 1, file, &options, &why));
    assert_string_equal(why.text, expected);
    snprintf(file, sizeof file, "%s/leaves.conf", folder);
    unlink(file);
    rmdir(folder);
}

static const char yaml[] =
    "---\n- topology: blocks\n  block:\n    block_sizes:\n      - 2\n      - 4\n    blocks:\n"
    "      - block: b1\n        nodes: n[1-2]\n      - block: b2\n        nodes: n[3-4]\n"
    "- topology: tree # this one\n  cluster_default: true\n  tree:\n    switches:\n"
    "      - switch: top\n        children: s[1-2]\n      - switch: s1\n        nodes: \"n1\"\n"
    "      - switch: s2\n        nodes: 'n[2-4]'\n";

static void test_slurm_yaml(void **unused) {
    struct bine_machine *m = read_text("topology.yaml", 1, yaml);
    (void)unused;
    assert_string_equal(group_of(m, "n1"), "s1");
    assert_string_equal(group_of(m, "n2"), "s2");
    bine_machine_free(m);
    m = read_text("topology.yaml", 2, yaml);
    assert_string_equal(group_of(m, "n1"), "top");
    bine_machine_free(m);
    m = read_text("y", 1,
                  "- topology: a\n  block:\n    blocks:\n    - block: b1\n      nodes: n1\n");
    assert_string_equal(group_of(m, "n1"), "b1");
    bine_machine_free(m);
    expect_fault("t.yaml", "- topology: a\n  flat: true\n",
                 "t.yaml:1: topology 'a' is of kind 'flat', which tells of no groups: expected a "
                 "tree or blocks");
    expect_fault("t.yaml", "- topology: a\n  tree:\n    swiches:\n",
                 "t.yaml:3: unknown key 'swiches': did you mean 'switches'?");
    expect_fault("t.yaml", "- topology: a\n  nodes: n1\n",
                 "t.yaml:2: nodes or children of no switch or block");
    expect_fault("t.yaml", "- topology: a\n  tree:\n  - switch: s\n    nodes: n[\n",
                 "t.yaml:3: '[' without ']'");
}

/* Lists in brackets; kinds that tell of no groups, beside others and alone. */
static void test_slurm_yaml_kinds(void **unused) {
    static const char kinds[] = "- topology: r\n  cluster_default: true\n  ring:\n    rings:\n"
                                "      - ring: r1\n        nodes: n[1-8]\n        - 7\n"
                                "- topology: nothing\n  flat: true\n"
                                "- topology: t\n  tree:\n    switches:\n      - switch: s1\n"
                                "        nodes: [n1, \"n2\"]\n      - switch: s2\n"
                                "        nodes: [ 'n[3-4]' ]\n      - switch: top\n"
                                "        children: [s1,s2]\n";
    struct bine_machine *m = read_text("t.yaml", 1, kinds);
    (void)unused;
    assert_string_equal(group_of(m, "n2"), "s1");
    assert_string_equal(group_of(m, "n4"), "s2");
    assert_string_equal(m->note, "t.yaml:1: topology 'r' is of kind 'ring', which tells of no "
                                 "groups: topology 't' counts");
    bine_machine_free(m);
    m = read_text("t.yaml", 2, kinds);
    assert_string_equal(group_of(m, "n2"), "top");
    bine_machine_free(m);
    m = read_text("t.yaml", 1,
                  "- topology: b\n  block:\n    block_sizes: [2, 4]\n    blocks:\n"
                  "    - block: b1\n      nodes: n1\n- topology: r\n  torus3d:\n    any: thing\n");
    assert_string_equal(group_of(m, "n1"), "b1");
    assert_null(m->note);
    bine_machine_free(m);
    m = read_text("t.yaml", 1,
                  "---\n- topology: a\n  flat:\n    alpha_step_rank: true\n    nodes: x\n"
                  "  cluster_default: True\n- topology: b\n  tree:\n    switches:\n"
                  "    - switch: s1\n      nodes: n1\n    - switch: s2\n      nodes: []\n");
    assert_string_equal(group_of(m, "n1"), "s1");
    assert_string_equal(m->note, "t.yaml:2: topology 'a' is of kind 'flat', which tells of no "
                                 "groups: topology 'b' counts");
    bine_machine_free(m);
    expect_fault("t.yaml",
                 "- topology: topology/tree\n  cluster_default: true\n  tree:\n"
                 "    switches: []\n",
                 "t.yaml: no hosts in it");
    expect_fault("t.yaml", "- topology: a\n  ring:\n    rings:\n",
                 "t.yaml:1: topology 'a' is of kind 'ring', which tells of no groups: expected a "
                 "tree or blocks");
    expect_fault("t.yaml", "- topology: a\n  tre:\n",
                 "t.yaml:2: unknown key 'tre': did you mean 'tree'?");
    expect_fault("t.yaml", "- topology: a\n  tree:\n    switches: [{switch: s1, nodes: n1}]\n",
                 "t.yaml:3: '[{switch: s1, nodes: n1}]': expected a key and its value in a line "
                 "each");
    expect_fault("t.yaml",
                 "- topology: a\n  tree:\n    switches:\n      - {switch: s1, nodes: n1}\n",
                 "t.yaml:4: '{switch: s1, nodes: n1}': expected 'key: value'");
    expect_fault("t.yaml", "- topology: a\n  tree:\n  - switch: s\n    nodes: [n1,\n      n2]\n",
                 "t.yaml:4: '[n1,': a list in brackets must end in its line");
    expect_fault("t.yaml", "- topology: a\n  tree:\n  - switch: s\n    children: t\n",
                 "t.yaml:3: switch 't' is below another, but never defined");
}

static void test_addresses(void **unused) {
    struct bine_reason why;
    struct bine_machine *m = bine_machine_addresses(NULL, 1, &why);
    (void)unused;
    assert_string_equal(group_of(m, "top.leaf1.n1"), "top.leaf1");
    assert_string_equal(group_of(m, "n1"), "-");
    bine_machine_free(m);
    m = bine_machine_addresses(NULL, 2, &why);
    assert_string_equal(group_of(m, "top.leaf1.n1"), "top");
    assert_string_equal(group_of(m, "leaf1.n1"), "-");
    bine_machine_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slurm_levels),
        cmocka_unit_test(test_slurm_conf),
        cmocka_unit_test(test_slurm_yaml),
        cmocka_unit_test(test_slurm_conf_faults),
        cmocka_unit_test(test_slurm_conf_as_slurm),
        cmocka_unit_test(test_slurm_conf_doubled),
        cmocka_unit_test(test_scontrol),
        cmocka_unit_test(test_include),
        cmocka_unit_test(test_slurm_yaml_kinds),
        cmocka_unit_test(test_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
