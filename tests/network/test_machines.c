/* Machine descriptions of every format: what is read, and what is said of mistakes. */
#include "../unit/unit.h"

#include "network/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct bine_machine *read_text(const char *file, int level, const char *text) {
    struct bine_machine_options options = {level, 0};
    struct bine_reason why;
    struct bine_machine *m = bine_machine_read(text, strlen(text), file, &options, &why);
    if (m == NULL)
        fail_msg("%s", why.text);
    return m;
}

/* The group of a host, or "-". */
static const char *group_of(const struct bine_machine *m, const char *host) {
    static char text[64];
    struct bine_group_name g;
    int node;
    if (bine_machine_find(m, host, &g, &node) != 0)
        return "-";
    snprintf(text, sizeof text, "%.*s", (int)g.length, g.at);
    return text;
}

static void expect_fault(const char *file, const char *text, const char *expected) {
    struct bine_machine_options options = {2, 0};
    struct bine_reason why;
    struct bine_machine *m = bine_machine_read(text, strlen(text), file, &options, &why);
    assert_null(m);
    assert_string_equal(why.text, expected);
}

/* The larger group around that of a host, or "-". */
static const char *wider_of(const struct bine_machine *m, const char *host, int up) {
    static char text[64];
    struct bine_group_name g;
    if (bine_machine_find_wider(m, host, up, &g) != 0)
        return "-";
    snprintf(text, sizeof text, "%.*s", (int)g.length, g.at);
    return text;
}

static const char three_levels[] =
    "topology dragonfly+\nnic-gbits 100\nlevel leaf\nsplit l 2 n[1-8]\nuplink-gbits 100\n"
    "level pod\ngroup a l[1-3]\ngroup b l4\nuplink-gbits 50\noversubscription 4:1\n"
    "level island\ngroups 5\ngroup all a,b\npair-gbits 8\nlatency-global-us 7\nlatency-us 2\n";

static void test_levels(void **unused) {
    struct bine_machine *m = read_text("m", 0, three_levels);
    (void)unused;
    assert_int_equal(m->levels, 3);
    assert_int_equal(m->wider, 2);
    assert_string_equal(m->level_name, "leaf");
    assert_string_equal(m->above[0].name, "pod");
    assert_string_equal(group_of(m, "n6"), "l3");
    assert_string_equal(wider_of(m, "n6.domain", 1), "a");
    assert_string_equal(wider_of(m, "n7", 1), "b");
    assert_string_equal(wider_of(m, "n7", 2), "all");
    assert_string_equal(wider_of(m, "n7", 3), "-");
    assert_string_equal(wider_of(m, "n9", 1), "-");
    assert_true(m->rates.uplink == 100e9 / 8 && m->above[0].rates.uplink == 50e9 / 8);
    assert_true(m->above[0].oversubscription == 4 && m->oversubscription == 0);
    assert_true(m->above[1].rates.pair == 1e9 && m->rates.pair == 0);
    assert_true(m->above[1].rates.latency_far == 7e-6 && m->rates.latency_near == 2e-6);
    assert_int_equal(m->above[1].declared, 5);
    bine_machine_free(m);
    m = read_text("m", 2, three_levels); /* one level alone */
    assert_int_equal(m->wider, 0);
    assert_string_equal(group_of(m, "n6"), "a");
    assert_string_equal(m->level_name, "pod");
    assert_true(m->rates.uplink == 50e9 / 8 && m->oversubscription == 4);
    bine_machine_free(m);
    m = read_text("m", 1, three_levels);
    assert_int_equal(m->wider, 0);
    assert_string_equal(group_of(m, "n6"), "l3");
    bine_machine_free(m);
}

static void test_level_faults(void **unused) {
    (void)unused;
    expect_fault("m", "topology fat-tree\nlevel leaf\nlevel pod\n",
                 "m:3: 'level' twice ahead of all groups");
    expect_fault("m", "topology fat-tree\ngroup l1 n1\nlevel pod\ngroup a l2\n",
                 "m:4: no group 'l2': expected groups of the level before");
    expect_fault("m",
                 "topology fat-tree\nsplit l 1 n[1-2]\nlevel pod\ngroup a l[1-2]\ngroup b l1\n",
                 "m:5: group 'l1' is in 'a' already");
    expect_fault("m", "topology fat-tree\nsplit l 1 n[1-2]\nlevel pod\ngroup a l1\n",
                 "m: group 'l2' is in none of the next level, pod");
    expect_fault("m",
                 "topology fat-tree\nsplit l 1 n[1-2]\nlevel pod\nsplit a 1 l[1-2]\ngroups 1\n",
                 "m: level 'pod': 'groups 1', but 2 are listed");
    expect_fault("m", "topology fat-tree\npattern n<group>\nlevel pod\n",
                 "m:3: 'level' with 'pattern': expected groups that are listed");
    expect_fault("m", "topology torus\nlevel pod\n", "m:2: 'level' is not for a torus");
}

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

static void test_file(void **unused) {
    struct bine_machine *m = read_text(
        "x/some.machine", 1,
        "# comment\nabout One machine\ntopology fat-tree\nnodes 8\ngroups 5\nnics 2\n"
        "nic-gbits 54.4\noversubscription 2:1\nsplit s 2 n[1-5]\ngroup last m[1-2] # two\n"
        "group last m3\n");
    (void)unused;
    assert_string_equal(m->name, "some");
    assert_string_equal(m->about, "One machine");
    assert_int_equal(m->topology, BINE_FAT_TREE);
    assert_int_equal(bine_machine_nodes(m), 8);
    assert_int_equal(bine_machine_groups(m), 5);
    assert_int_equal((int)(m->nic_gbits * 10), 544);
    assert_int_equal((int)m->oversubscription, 2);
    assert_string_equal(group_of(m, "n2"), "s1");
    assert_string_equal(group_of(m, "n3"), "s2");
    assert_string_equal(group_of(m, "n5"), "s3");
    assert_string_equal(group_of(m, "m3.domain"), "last");
    assert_string_equal(group_of(m, "m4"), "-");
    bine_machine_free(m);
}

static void test_pattern(void **unused) {
    struct bine_machine *m =
        read_text("m", 1, "topology fat-tree\npattern as<group>r<rack>b<blade>\n");
    (void)unused;
    assert_string_equal(group_of(m, "as01r1b16"), "01");
    assert_string_equal(group_of(m, "as12r3b1"), "12");
    assert_string_equal(group_of(m, "as12r3"), "-");
    assert_string_equal(group_of(m, "asr3b1"), "-");
    assert_string_equal(group_of(m, "as1r3b1x"), "-");
    bine_machine_free(m);
}

static void test_torus(void **unused) {
    struct bine_machine *m =
        read_text("m", 1, "topology torus\ndims 2x3\nhosts x[0-1]y[0-2]\nnodes 6\n");
    struct bine_group_name g;
    int node;
    (void)unused;
    assert_int_equal(bine_machine_find(m, "x1y2", &g, &node), 0);
    assert_int_equal(node, 5);
    assert_int_equal(bine_machine_groups(m), 6);
    bine_machine_free(m);
}

static void test_file_faults(void **unused) {
    (void)unused;
    expect_fault("f", "topolgy map\n", "f:1: unknown key 'topolgy': did you mean 'topology'?");
    expect_fault("f", "topology dragonflie\n",
                 "f:1: unknown topology 'dragonflie': did you mean 'dragonfly'?");
    expect_fault("f", "name x\n", "f: no line 'topology ...' in it");
    expect_fault("f", "topology map\n", "f: no hosts in it: expected lines 'group NAME HOSTLIST'");
    expect_fault("f", "group a n1\n", "f:1: 'group' before 'topology'");
    expect_fault("f", "topology map\ngroup a n[1-2]\n\ngroup b n2\n",
                 "f:4: host 'n2' is in group 'a' already");
    expect_fault("f", "topology map\ngroup a n[1-\n", "f:2: '[' without ']'");
    expect_fault("f", "topology map\ngroup a\n", "f:2: expected 'group NAME HOSTLIST'");
    expect_fault("f", "topology map\ngroup\n", "f:2: 'group' has no value");
    expect_fault("f", "topology map\nnodes 3\ngroup a n1\n",
                 "f: 'nodes 3', but 1 hosts are listed");
    expect_fault("f", "topology map\nnics two\n",
                 "f:2: 'two': expected a whole number from 1 to 16777216");
    expect_fault("f", "topology map\ndims 4x4\n", "f:2: 'dims' is for a torus only");
    expect_fault("f", "topology torus\ngroup a n1\n", "f:2: 'group' is not for a torus");
    expect_fault("f", "topology torus\ndims 2x2\nhosts n[1-3]\n",
                 "f: 3 hosts do not fill a torus of 4 nodes");
    expect_fault("f", "topology map\npattern a<rack>\n",
                 "f:2: pattern 'a<rack>': expected one <group>, as in as<group>r<rack>");
    expect_fault("f", "topology map\noversubscription 2\n",
                 "f:2: '2': expected a ratio, as in 2:1");
}

static void test_map(void **unused) {
    struct bine_machine *m = read_text("a/b.map", 1, "n[1-2] rack1\nn3 rack2\nn4 rack1\n");
    (void)unused;
    assert_string_equal(group_of(m, "n4"), "rack1");
    assert_int_equal(bine_machine_groups(m), 2);
    bine_machine_free(m);
    expect_fault("b.map", "n1 a b\n", "b.map:1: expected 'HOSTLIST GROUP'");
    expect_fault("b.map", "n1 a\n\nn1 b\n", "b.map:3: host 'n1' is in group 'a' already");
    expect_fault("b.map", "n1 a\n", "b.map: no level 2: its groups have only one");
    expect_fault("b.map", "", "b.map: no hosts in it: expected lines 'HOSTLIST GROUP'");
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

/* The machines that are shipped. */
static struct bine_machine *ship(const char *name) {
    char path[1000], text[20000];
    snprintf(path, sizeof path, "%s/%s.machine", BINE_MACHINES_SOURCE, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s is not there", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return read_text(path, 1, text);
}

static void test_shipped(void **unused) {
    struct bine_machine *m = ship("leonardo");
    (void)unused;
    assert_int_equal(bine_machine_groups(m), 23);
    assert_string_equal(group_of(m, "lrdn0180"), "cell1");
    assert_string_equal(group_of(m, "lrdn0181"), "cell2");
    assert_string_equal(group_of(m, "lrdn3420"), "cell19");
    assert_string_equal(group_of(m, "lrdn3744"), "cell20");
    assert_string_equal(group_of(m, "lrdn4992"), "cell22");
    assert_string_equal(group_of(m, "lrdn4993"), "-");
    bine_machine_free(m);
    m = ship("lumi");
    assert_string_equal(group_of(m, "nid001000"), "c1");
    assert_string_equal(group_of(m, "nid003047"), "c8");
    assert_string_equal(group_of(m, "nid005123"), "g1");
    assert_string_equal(group_of(m, "nid005124"), "g2");
    assert_string_equal(group_of(m, "nid007977"), "g24");
    bine_machine_free(m);
    m = ship("marenostrum5-acc");
    assert_string_equal(group_of(m, "as07r5b32"), "07");
    bine_machine_free(m);
    m = ship("fugaku");
    assert_int_equal(bine_machine_nodes(m), 158976);
    assert_int_equal(m->hosts.count, 158976);
    bine_machine_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_level_faults),
        cmocka_unit_test(test_slurm_levels),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_file_faults),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_slurm_conf),
        cmocka_unit_test(test_slurm_yaml),
        cmocka_unit_test(test_slurm_conf_faults),
        cmocka_unit_test(test_slurm_conf_as_slurm),
        cmocka_unit_test(test_slurm_conf_doubled),
        cmocka_unit_test(test_scontrol),
        cmocka_unit_test(test_include),
        cmocka_unit_test(test_slurm_yaml_kinds),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
