/* Groups: levels, entries, and how blocks spread. */
#include "base/numbers.h"
#include "unit.h"

#include "pattern/groups/groupings.h"
#include "schedule/build/build.h"
#include "schedule/prove.h"

#include <stdlib.h>
#include <string.h>

static struct bine_groups *grouping(int p, int number) {
    struct bine_groups *g = bine_grouping_new(p, number);
    assert_non_null(g);
    return g;
}

enum { MOST_RANKS = 64 };

/* The outer groups of a grouping alone, and their name for each rank. */
static struct bine_groups *one_level(int p, int number, int32_t outer[MOST_RANKS]) {
    int32_t all[BINE_GROUPINGS_LEVELS * MOST_RANKS];
    const int32_t *const name[] = {outer};
    bine_grouping_names(p, number, all);
    memcpy(outer, all, (size_t)p * sizeof *outer);
    struct bine_groups *g = bine_groups_new(p, 1, name);
    assert_non_null(g);
    return g;
}

/* Levels nest, and every rank is in exactly one set of each. */
static void levels_nest(void **state) {
    (void)state;
    for (int p = 1; p <= 40; p++)
        for (int n = 0; n < 20 && n < bine_groupings_count(p); n++) {
            struct bine_groups *g = grouping(p, n);
            int *seen = calloc((size_t)p, sizeof *seen);
            assert_int_equal(g->level[0].sets, 1);
            assert_int_equal(g->level[g->levels - 1].sets, p);
            for (int i = 0; i < p; i++)
                seen[g->member[i]]++;
            for (int r = 0; r < p; r++)
                assert_int_equal(seen[r], 1);
            for (int l = 0; l + 1 < g->levels; l++)
                for (int r = 0; r < p; r++) {
                    int inner = g->level[l + 1].set_of[r], outer = g->level[l].set_of[r];
                    assert_in_range(inner, g->level[l].inside[outer],
                                    g->level[l].inside[outer + 1] - 1);
                }
            free(seen);
            bine_groups_free(g);
        }
}

/* Levels that say nothing new are dropped. */
static void trivial_levels(void **state) {
    static const int32_t same[6] = {7, 7, 7, 7, 7, 7}, alone[6] = {0, 1, 2, 3, 4, 5},
                         pairs[6] = {1, 1, 0, 0, 4, 4};
    const int32_t *const a[] = {same}, *const b[] = {alone}, *const c[] = {pairs, pairs};
    (void)state;
    struct bine_groups *g = bine_groups_new(6, 1, a);
    assert_int_equal(g->levels, 2);
    bine_groups_free(g);
    g = bine_groups_new(6, 1, b);
    assert_int_equal(g->levels, 2);
    bine_groups_free(g);
    g = bine_groups_new(6, 2, c);
    assert_int_equal(g->levels, 3);
    assert_int_equal(bine_groups_count(g), 3);
    bine_groups_free(g);
}

/* Numbers of groupings: Bell's numbers. Each grouping comes once. */
static void groupings_are_all(void **state) {
    static const int bell[] = {1, 1, 2, 5, 15, 52, 203, 877, 4140};
    (void)state;
    for (int p = 1; p <= BINE_GROUPINGS_ALL; p++)
        assert_int_equal(bine_groupings_count(p), bell[p]);
    int32_t seen[52][5], all[BINE_GROUPINGS_LEVELS * 5];
    for (int n = 0; n < 52; n++) {
        assert_int_equal(bine_grouping_names(5, n, all), 1);
        memcpy(seen[n], all, sizeof seen[n]);
        for (int k = 0; k < n; k++)
            assert_memory_not_equal(seen[k], seen[n], sizeof seen[n]);
    }
}

/* The ranks of a set take about as many of the foreign blocks each. */
static void entries_are_balanced(void **state) {
    (void)state;
    for (int p = 9; p <= 64; p += 5)
        for (int n = 0; n < 8; n++) {
            struct bine_groups *g = grouping(p, n);
            for (int l = 1; l + 1 < g->levels; l++)
                for (int s = 0; s < g->level[l].sets; s++) {
                    int *taken = calloc((size_t)p, sizeof *taken), size = bine_groups_size(g, l, s);
                    for (int b = 0; b < p; b++)
                        if (g->level[l].set_of[b] != s) {
                            int e = bine_groups_entry(g, l, s, b);
                            assert_int_equal(g->level[l].set_of[e], s);
                            taken[e]++;
                        }
                    for (int i = 0; i < size; i++) {
                        int t = taken[g->member[g->level[l].begin[s] + i]];
                        assert_in_range(t, (p - size) / size, (p - size + size - 1) / size);
                    }
                    free(taken);
                }
            bine_groups_free(g);
        }
}

/* Every rank but the root gets the data once, from a rank that had it before; every set is entered
 * once from outside. */
static void check_spread(const struct bine_spread *x) {
    const struct bine_groups *g = x->groups;
    int *crossings = calloc((size_t)g->p, sizeof *crossings);
    for (int r = 0; r < g->p; r++) {
        struct bine_spread_edge from, up, kid[256];
        int arrives = bine_spread_arrival(x, r, &from);
        assert_int_equal(arrives, r != x->root);
        if (!arrives)
            continue;
        if (bine_spread_arrival(x, from.peer, &up)) /* earlier: level first, then step */
            assert_true(up.level < from.level || (up.level == from.level && up.step < from.step));
        struct bine_chain above;
        bine_spread_chain(x, from.peer, &above);
        int kids = bine_chain_edges(x, &above, &up, kid), found = 0;
        for (int k = 0; k < kids; k++)
            found += kid[k].peer == r && kid[k].level == from.level && kid[k].step == from.step;
        assert_int_equal(found, 1);
        if (g->level[1].set_of[r] != g->level[1].set_of[from.peer])
            crossings[g->level[1].set_of[r]]++;
    }
    for (int s = 0; s < bine_groups_count(g) && g->p > 1; s++)
        assert_int_equal(crossings[s], s != g->level[1].set_of[x->root]);
    free(crossings);
}

static void data_spreads(void **state) {
    (void)state;
    for (int p = 2; p <= 33; p++)
        for (int n = 0; n < 6 && n < bine_groupings_count(p); n++) {
            struct bine_groups *g = grouping(p, n);
            for (int root = 0; root < p; root++)
                for (int flat = 0; flat < 2; flat++) {
                    struct bine_spread x = {.groups = g, .root = root, .flat = flat};
                    check_spread(&x);
                }
            bine_groups_free(g);
        }
}

/* The worked example of the header. */
static void worked_example(void **state) {
    static const int32_t name[] = {0, 0, 0, 1, 1};
    static const int32_t parent[] = {4, 0, 0, 4};
    const int32_t *const level[] = {name};
    (void)state;
    struct bine_groups *g = bine_groups_new(5, 1, level);
    struct bine_spread x = {.groups = g, .root = 4};
    struct bine_spread_edge from;
    for (int r = 0; r < 4; r++) {
        assert_true(bine_spread_arrival(&x, r, &from));
        assert_int_equal(from.peer, parent[r]);
        assert_int_equal(from.level, r > 0);
    }
    bine_groups_free(g);
}

/* The steps of a collective of one segment, with G groups and up to g ranks in each. */
static int most_steps(enum bine_collective c, int inside, int outside) {
    switch (bine_collective_kind(c)) {
    case BINE_ALLGATHER:
    case BINE_REDUCE_SCATTER:
        return inside + outside;
    case BINE_SCATTER:
    case BINE_GATHER:
        return inside + (outside > 0);
    case BINE_ALLTOALL:
        return (inside > 0) + (outside > 0);
    default:
        return 2 * inside + 2 * outside;
    }
}

static void check_steps(enum bine_collective c, const struct bine_groups *g) {
    struct bine_spec spec = {.algorithm = bine_algorithm_find(c, "bine-group"),
                             .layout = BINE_PACK,
                             .p = g->p,
                             .groups = g,
                             .segments = 1};
    struct bine_schedule *s = bine_schedule_build(&spec);
    int flat = g->levels == 2; /* one group, or each rank in its own: one tree over all */
    int inside = bine_log2_ceil(flat ? g->p : g->largest),
        outside = flat ? 0 : bine_log2_ceil(bine_groups_count(g));
    assert_non_null(s);
    if (s->times > most_steps(c, inside, outside))
        fail_msg("%s, %d ranks: %d steps, at most %d", bine_collective_name(c), g->p, s->times,
                 most_steps(c, inside, outside));
    bine_schedule_free(s);
}

static void steps_are_logarithmic(void **state) {
    (void)state;
    for (int p = 2; p <= MOST_RANKS; p++)
        for (int n = 0; n < 9 && n < bine_groupings_count(p); n++) {
            int32_t outer[MOST_RANKS];
            struct bine_groups *g = one_level(p, n, outer);
            for (int c = 0; c < BINE_COLLECTIVES; c++)
                if (c != BINE_SCAN && c != BINE_EXSCAN && /* in rank order, groups may take turns */
                    c != BINE_ALLTOALLV &&                /* which sends directly */
                    bine_algorithm_find((enum bine_collective)c, "bine-group") != NULL)
                    check_steps((enum bine_collective)c, g);
            bine_groups_free(g);
        }
}

/* Alltoall: of a group of z ranks, each block for one of the p - z others is collected by one of
 * them and crosses; the rest stay inside. */
static void alltoall_crosses_once(void **state) {
    (void)state;
    for (int p = 2; p <= 24; p++)
        for (int n = 0; n < 9 && n < bine_groupings_count(p); n++) {
            int32_t outer[MOST_RANKS];
            struct bine_groups *g = one_level(p, n, outer);
            struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_ALLTOALL, "bine-group"),
                                     .layout = BINE_PACK,
                                     .p = p,
                                     .groups = g};
            struct bine_verdict v;
            uint64_t pieces = 0;
            for (int r = 0; r < p; r++) {
                uint64_t z = 0, before = 0;
                for (int q = 0; q < p; q++) {
                    z += outer[q] == outer[r];
                    before += outer[q] == outer[r] && q < r;
                }
                if (before == 0) /* a group: inside; collected; across */
                    pieces += z * (z - 1) + ((uint64_t)p - z) * (z - 1 + z);
            }
            assert_int_equal(bine_check_spec(&spec, &v), 0);
            assert_int_equal(v.pieces, pieces);
            bine_groups_free(g);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_nest),           cmocka_unit_test(trivial_levels),
        cmocka_unit_test(groupings_are_all),     cmocka_unit_test(entries_are_balanced),
        cmocka_unit_test(data_spreads),          cmocka_unit_test(worked_example),
        cmocka_unit_test(steps_are_logarithmic), cmocka_unit_test(alltoall_crosses_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
