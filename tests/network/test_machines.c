/* Machine files, maps and the machines that are shipped: what is read, and faults found. */
#include "machines.h"

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
        cmocka_unit_test(test_file),   cmocka_unit_test(test_pattern),
        cmocka_unit_test(test_levels), cmocka_unit_test(test_level_faults),
        cmocka_unit_test(test_torus),  cmocka_unit_test(test_file_faults),
        cmocka_unit_test(test_map),    cmocka_unit_test(test_shipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
