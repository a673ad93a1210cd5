/* Counting: by symmetry as from the schedules, never below the bound, and the paper's example. */
#include "../unit/unit.h"

#include "schedule/piece_bytes.h"
#include "traffic/levels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 20250801;

/* xorshift: the same numbers everywhere. */
static int draw(int below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)below);
}

/* Uneven groups, in runs and scattered. */
static void make_groups(struct bine_allocation *a, int p) {
    struct bine_reason why;
    char *text = malloc((size_t)p * 16 + 1);
    size_t n = 0;
    int groups = 1 + draw(p < 24 ? p : 24), scattered = draw(3) == 0, group = 0;
    int nested = draw(2);
    assert_non_null(text);
    for (int r = 0; r < p; r++) {
        if (scattered || draw(p / groups + 1) == 0)
            group = draw(groups);
        n += (size_t)sprintf(text + n, nested ? "g%d/%d\n" : "g%d\n", group, draw(3));
    }
    if (bine_allocation_read(a, text, n, "made up", &why) != 0)
        fail_msg("%s", why.text);
    free(text);
}

/* Every rank in a group of its own. */
static void make_alone(struct bine_allocation *a, int p) {
    struct bine_reason why;
    char text[800];
    size_t n = 0;
    for (int r = 0; r < p; r++)
        n += (size_t)sprintf(text + n, "g%d\n", r);
    if (bine_allocation_read(a, text, n, "alone", &why) != 0)
        fail_msg("%s", why.text);
}

static struct bine_spec request(const struct bine_algorithm *a, enum bine_layout l, int p,
                                int root) {
    return (struct bine_spec){.algorithm = a, .layout = l, .p = p, .root = root};
}

static int serves(const struct bine_spec *spec) {
    char why[128];
    return bine_spec_error(spec, why, sizeof why) == NULL;
}

static const char *title(const struct bine_spec *spec, int64_t bytes) {
    static char text[200];
    snprintf(text, sizeof text, "%s %s %s, %d ranks, root %d, %lld bytes",
             bine_collective_name(spec->algorithm->collective), spec->algorithm->name,
             bine_layout_name(spec->layout), spec->p, spec->root, (long long)bytes);
    return text;
}

static void count(struct bine_traffic *t, const struct bine_spec *spec, int64_t bytes,
                  const struct bine_allocation *a, enum bine_flow_method method) {
    struct bine_traffic_options o = {method, 1, 1};
    int rc = bine_traffic_count(t, spec, bytes, a, &o);
    if (rc != BINE_FLOWS_GOOD)
        fail_msg("%s: not counted (%d)", title(spec, bytes), rc);
}

static int64_t some_bytes(int p) {
    switch (draw(4)) {
    case 0:
        return (int64_t)1 << 30;
    case 1:
        return (int64_t)p * (1 + draw(1000));
    case 2:
        return draw(2 * p + 2); /* fewer bytes than blocks, also none */
    default:
        return draw(1 << 30);
    }
}

/* Both ways of counting one request; returns whether there were two. */
static int compare(const struct bine_spec *spec, int64_t bytes, const struct bine_allocation *a) {
    struct bine_traffic_options o = {BINE_FLOWS_SYMMETRY, 1, 1};
    struct bine_traffic x, y;
    size_t groups = (size_t)bine_allocation_groups(a);
    int rc = bine_traffic_count(&x, spec, bytes, a, &o);
    if (rc == BINE_FLOWS_NOT_SYMMETRIC)
        return 0;
    assert_int_equal(rc, BINE_FLOWS_GOOD);
    count(&y, spec, bytes, a, BINE_FLOWS_SCHEDULES);
    if (x.total != y.total || x.global != y.global ||
        memcmp(x.pair, y.pair, groups * groups * sizeof *x.pair) != 0)
        fail_msg("%s: by symmetry %lld of %lld, schedules say %lld of %lld (or pairs differ)",
                 title(spec, bytes), (long long)x.global, (long long)x.total, (long long)y.global,
                 (long long)y.total);
    bine_traffic_free(&x);
    bine_traffic_free(&y);
    return 1;
}

static void compare_all(int p, int *compared) {
    struct bine_allocation a;
    make_groups(&a, p);
    struct bine_groups *groups = bine_allocation_levels(&a);
    assert_non_null(groups);
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int l = 0; l < BINE_LAYOUTS; l++) {
            struct bine_spec spec = request(&bine_catalogue[i], (enum bine_layout)l, p, 0);
            if (bine_collective_is_rooted(spec.algorithm->collective))
                spec.root = draw(p);
            spec.segments = 1 + draw(9);
            spec.groups = groups;
            if (p > 300 && spec.layout != bine_algorithm_layout(spec.algorithm, p))
                continue; /* layouts differ in no more than smaller ones have shown */
            if (serves(&spec))
                *compared += compare(&spec, some_bytes(p), &a);
        }
    bine_groups_free(groups);
    bine_allocation_free(&a);
}

static void test_symmetry_small(void **unused) {
    int compared = 0;
    (void)unused;
    for (int p = 1; p <= UNIT_TO(40); p++)
        compare_all(p, &compared);
    assert_true(compared > 500);
}

static void test_symmetry_large(void **unused) {
    static const int some[] = {66, 74, 100, 128, 257, 511, 512};
    int compared = 0;
    (void)unused;
    if (some[0] > UNIT_MOST_RANKS)
        skip();
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        compare_all(some[i], &compared);
    assert_true(compared > 100); /* what knows groups goes along stretches: no symmetry */
}

/* Where sizes are announced: the bytes of the words that cross, one for each rank in another group
 * than the root. */
static int64_t words(const struct bine_spec *spec, const struct bine_allocation *a) {
    int64_t n = 0;
    for (int r = 0; r < spec->p && spec->algorithm->exchanges_sizes; r++)
        n += a->group[r] != a->group[spec->root];
    return n * BINE_WORD_BYTES;
}

/* The lower bound holds for every algorithm, nothing else would be a bound; and those that know the
 * groups reach it. */
static void test_bound(void **unused) {
    int checked = 0;
    (void)unused;
    for (int round = 0; round < 200; round++) {
        struct bine_allocation a;
        int p = 1 + draw(UNIT_TO(80));
        int64_t bytes = some_bytes(p);
        if (round % 10 == 9)
            make_alone(&a, p);
        else
            make_groups(&a, p);
        struct bine_groups *groups = bine_allocation_levels(&a);
        for (size_t i = 0; i < bine_catalogue_size; i++) {
            const struct bine_algorithm *g = &bine_catalogue[i];
            struct bine_spec spec = request(g, bine_algorithm_layout(g, p), p, 0);
            struct bine_traffic t;
            spec.groups = groups;
            if (bine_collective_is_rooted(g->collective))
                spec.root = draw(p);
            if (!serves(&spec))
                continue;
            count(&t, &spec, bytes, &a, BINE_FLOWS_BEST);
            int64_t bound = bine_traffic_bound(g->collective, bytes, spec.root, &a);
            if (t.global < bound || t.total < t.global)
                fail_msg("%s: %lld bytes between groups, the bound is %lld", title(&spec, bytes),
                         (long long)t.global, (long long)bound);
            /* Scans keep the order of ranks, in which groups may take turns. */
            int ordered = g->collective == BINE_SCAN || g->collective == BINE_EXSCAN;
            if (bine_algorithm_needs(g) == BINE_NEEDS_GROUPS && !ordered &&
                t.global != bound + words(&spec, &a))
                fail_msg("%s: %lld bytes between groups, above the bound of %lld",
                         title(&spec, bytes), (long long)t.global, (long long)bound);
            bine_traffic_free(&t);
            checked++;
        }
        bine_groups_free(groups);
        bine_allocation_free(&a);
    }
    assert_true(checked > 5000);
}

/* Pods of leaves, perhaps of nodes, in any order. */
static void make_pods(struct bine_allocation *a, int p) {
    struct bine_reason why;
    char *text = malloc((size_t)p * 32 + 1);
    size_t n = 0;
    int islands = draw(3) == 0, pods = 1 + draw(4), leaves = 1 + draw(5), nodes = draw(2);
    int scattered = draw(2), at[3] = {0};
    assert_non_null(text);
    for (int r = 0; r < p; r++) {
        for (int k = 0; k < 3; k++)
            at[k] = scattered || draw(4) == 0 ? draw(k == 0 ? 2 : k == 1 ? pods : leaves) : at[k];
        if (islands)
            n += (size_t)sprintf(text + n, "i%d ", at[0]);
        n += (size_t)sprintf(text + n, "p%d l%d", at[1], at[2]);
        n += (size_t)sprintf(text + n, nodes ? "/%d\n" : "\n", draw(2));
    }
    if (bine_allocation_read(a, text, n, "pods", &why) != 0)
        fail_msg("%s", why.text);
    free(text);
}

/* The bounds hold at every level, and algorithms that know the groups reach all of them at once. */
static void test_levels(void **unused) {
    int checked = 0, deep = 0, levels;
    (void)unused;
    for (int round = 0; round < 150; round++) {
        struct bine_allocation a;
        int p = 2 + draw(UNIT_TO(63));
        int64_t bytes = some_bytes(p);
        make_pods(&a, p);
        struct bine_groups *groups = bine_allocation_levels(&a);
        for (size_t i = 0; i < bine_catalogue_size; i++) {
            const struct bine_algorithm *g = &bine_catalogue[i];
            struct bine_spec spec = request(g, bine_algorithm_layout(g, p), p, 0);
            struct bine_level_traffic level[BINE_TRAFFIC_LEVELS_MOST];
            spec.groups = groups;
            if (bine_collective_is_rooted(g->collective))
                spec.root = draw(p);
            if (!serves(&spec) || g->exchanges_sizes)
                continue;
            assert_int_equal(bine_traffic_levels(&spec, bytes, &a, level, &levels),
                             BINE_FLOWS_GOOD);
            int ordered = g->collective == BINE_SCAN || g->collective == BINE_EXSCAN;
            int knows = bine_algorithm_needs(g) == BINE_NEEDS_GROUPS && !ordered;
            for (int k = 0; k < levels; k++) {
                if (level[k].bytes < level[k].least || (knows && level[k].bytes > level[k].least))
                    fail_msg("%s: level %d: %lld bytes, the bound is %lld", title(&spec, bytes),
                             level[k].level, (long long)level[k].bytes, (long long)level[k].least);
                if (knows && level[k].busiest.uplink < level[k].bound.uplink)
                    fail_msg("%s: level %d: %lld bytes on the busiest uplink, the bound is %lld",
                             title(&spec, bytes), level[k].level,
                             (long long)level[k].busiest.uplink, (long long)level[k].bound.uplink);
            }
            checked++;
        }
        deep += a.wider > 1;
        bine_groups_free(groups);
        bine_allocation_free(&a);
    }
    assert_true(checked > 3000 && deep > 5);
}

/* The example: pods of three leaves and of one. */
static void test_level_bounds(void **unused) {
    const struct bine_algorithm *g = bine_algorithm_find(BINE_ALLGATHER, "ring");
    struct bine_allocation a;
    struct bine_reason why;
    struct bine_level_traffic level[BINE_TRAFFIC_LEVELS_MOST];
    int levels;
    (void)unused;
    assert_int_equal(bine_allocation_sizes(&a, "(2,2,2),(2)", &why), 0);
    struct bine_spec spec = request(g, bine_algorithm_layout(g, a.p), a.p, 0);
    assert_int_equal(bine_traffic_levels(&spec, 4800, &a, level, &levels), BINE_FLOWS_GOOD);
    assert_int_equal(level[0].least, 3 * 4800);
    assert_int_equal(level[0].bound.uplink, 4400); /* 0.917 */
    assert_int_equal(level[0].bytes, 4 * 7 * 600);
    assert_int_equal(level[1].level, 2);
    assert_int_equal(level[1].least, 4800);
    assert_int_equal(level[1].bound.uplink, 3600);
    assert_int_equal(level[1].bytes, 2 * 7 * 600);
    bine_allocation_free(&a);
}

static int64_t global_of(enum bine_collective c, const char *name, int64_t bytes,
                         const struct bine_allocation *a) {
    const struct bine_algorithm *g = bine_algorithm_find(c, name);
    struct bine_spec spec = request(g, bine_algorithm_layout(g, a->p), a->p, 0);
    struct bine_traffic t;
    count(&t, &spec, bytes, a, BINE_FLOWS_BEST);
    int64_t global = t.global;
    bine_traffic_free(&t);
    return global;
}

/* The paper's introduction: eight nodes in pairs, a broadcast of n bytes. */
static void test_introduction(void **unused) {
    struct bine_allocation a;
    struct bine_reason why;
    (void)unused;
    assert_int_equal(bine_allocation_sizes(&a, "2,2,2,2", &why), 0);
    assert_int_equal(global_of(BINE_BCAST, "binomial-near", 1000, &a), 6000);
    assert_int_equal(global_of(BINE_BCAST, "binomial-far", 1000, &a), 3000);
    assert_int_equal(bine_traffic_bound(BINE_BCAST, 1000, 0, &a), 3000);
    bine_allocation_free(&a);
}

/* The numbers of FACTS, measured with uplink counters: 16 hosts in leaves of 4, n bytes. */
static void test_measured(void **unused) {
    struct bine_allocation a;
    struct bine_reason why;
    int64_t n = 1 << 20;
    (void)unused;
    assert_int_equal(bine_allocation_sizes(&a, "4,4,4,4", &why), 0);
    assert_int_equal(global_of(BINE_BCAST, "bine-large", n, &a), 4 * n);
    assert_int_equal(global_of(BINE_BCAST, "binomial-far", n, &a), 3 * n);
    assert_int_equal(global_of(BINE_BCAST, "bine-small", n, &a), 5 * n);
    assert_int_equal(global_of(BINE_ALLREDUCE, "rabenseifner", n, &a), 6 * n);
    assert_int_equal(global_of(BINE_ALLREDUCE, "bine-large", n, &a), 8 * n);
    assert_int_equal(global_of(BINE_ALLGATHER, "recursive-doubling", n, &a), 12 * n);
    assert_int_equal(global_of(BINE_ALLGATHER, "bine-far", n, &a), 4 * n);
    assert_int_equal(global_of(BINE_REDUCE_SCATTER, "recursive-halving", n, &a), 12 * n);
    assert_int_equal(global_of(BINE_REDUCE_SCATTER, "bine-near", n, &a), 4 * n);
    bine_allocation_free(&a);
    assert_int_equal(bine_allocation_sizes(&a, "5,5,6", &why), 0);
    assert_int_equal(global_of(BINE_ALLREDUCE, "rabenseifner", n, &a), 19 * n / 2);
    assert_int_equal(global_of(BINE_ALLREDUCE, "bine-large", n, &a), 8 * n);
    bine_allocation_free(&a);
}

static void test_saving(void **unused) {
    int64_t big = INT64_MAX / 3;
    (void)unused;
    assert_int_equal(bine_traffic_saving(2, 3), 3333);
    assert_int_equal(bine_traffic_saving(4, 3), -3333);
    assert_int_equal(bine_traffic_saving(3, 3), 0);
    assert_int_equal(bine_traffic_saving(0, 3), 10000);
    assert_int_equal(bine_traffic_saving(big / 4, big), 7500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symmetry_small), cmocka_unit_test(test_symmetry_large),
        cmocka_unit_test(test_bound),          cmocka_unit_test(test_introduction),
        cmocka_unit_test(test_measured),       cmocka_unit_test(test_saving),
        cmocka_unit_test(test_levels),         cmocka_unit_test(test_level_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
