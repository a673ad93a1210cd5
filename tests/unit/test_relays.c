/* Relays between groups: no link carries more than it must, and whoever relays has what it relays.
 */
#include "unit.h"

#include "pattern/groups/groupings.h"
#include "pattern/groups/relays.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* Pieces from each group to each other one, counted one by one. */
static void count_pairs(const struct bine_relays *r, const struct bine_groups *g,
                        int pair[MOST][MOST]) {
    int groups = bine_groups_count(g);
    memset(pair, 0, MOST * sizeof pair[0]);
    for (int from = 0; from < groups; from++)
        for (int b = 0; b < bine_groups_size(g, 1, from) * r->cut; b++)
            for (int into = 0; into < groups; into++) {
                int count, first, by = bine_relays_sender(r, from, b, into, &count);
                assert_true(count > 0);
                if (into == from)
                    continue;
                assert_int_not_equal(by, into);
                if (by != from) { /* the relay has it directly, and it is in a zone */
                    assert_int_equal(bine_relays_sender(r, from, b, by, &first), from);
                    assert_true(b < bine_relays_zones(r, from));
                }
                pair[by][into]++;
            }
}

/* The bounds, in pieces: of a group's link, and of one between two groups. */
static void check_bounds(const struct bine_groups *g, int cut) {
    static int pair[MOST][MOST];
    struct bine_relays r;
    int groups = bine_groups_count(g), least = g->p;
    assert_int_equal(bine_relays_open(&r, g, cut), 0);
    for (int i = 0; i < groups; i++)
        least = bine_groups_size(g, 1, i) < least ? bine_groups_size(g, 1, i) : least;
    int most = (g->p - least) * cut, each = (most + groups - 2) / (groups - 1);
    count_pairs(&r, g, pair);
    for (int i = 0; i < groups; i++) {
        int out = 0, in = 0;
        for (int k = 0; k < groups; k++) {
            assert_in_range(pair[i][k], 0, each);
            out += pair[i][k];
            in += pair[k][i];
        }
        assert_in_range(out, 0, most);
        assert_int_equal(in, (g->p - bine_groups_size(g, 1, i)) * cut);
    }
    bine_relays_close(&r);
}

static void links_carry_the_least(void **state) {
    (void)state;
    for (int p = 3; p <= MOST; p++)
        for (int n = 0; n < 60 && n < bine_groupings_count(p); n++) {
            struct bine_groups *g = bine_grouping_new(p, n);
            assert_non_null(g);
            if (g->levels > 2 && bine_groups_count(g) > 1)
                check_bounds(g, bine_relays_cut(g) > 1 ? bine_relays_cut(g) : 4);
            bine_groups_free(g);
        }
}

static struct bine_groups *of_sizes(const int *size, int groups) {
    static int32_t name[1024];
    const int32_t *const level[] = {name};
    int p = 0;
    for (int i = 0; i < groups; i++)
        for (int k = 0; k < size[i]; k++)
            name[p++] = i;
    return bine_groups_new(p, 1, level);
}

/* One group with nearly all ranks, and groups of sizes that do not divide. */
static void extreme_sizes(void **state) {
    static const int size[][12] = {{100, 1, 1, 1, 1, 1, 1, 1, 1},
                                   {60, 50, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
                                   {33, 32, 31, 2, 2, 2, 1},
                                   {7, 7, 7, 7, 7, 6},
                                   {2, 1, 1},
                                   {90, 5, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        int groups = 0;
        while (groups < 12 && size[i][groups] > 0)
            groups++;
        struct bine_groups *g = of_sizes(size[i], groups);
        assert_non_null(g);
        check_bounds(g, bine_relays_cut(g));
        bine_groups_free(g);
    }
}

/* The worked example of the header. */
static void worked_example(void **state) {
    static const int size[] = {9, 4, 3};
    static const int expected[3][3] = {{0, 26, 26}, {16, 0, 26}, {12, 22, 0}};
    static int pair[MOST][MOST];
    struct bine_groups *g = of_sizes(size, 3);
    struct bine_relays r;
    (void)state;
    assert_int_equal(bine_relays_cut(g), 4);
    assert_int_equal(bine_relays_open(&r, g, 4), 0);
    count_pairs(&r, g, pair);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_int_equal(pair[i][k], expected[i][k]);
    bine_relays_close(&r);
    bine_groups_free(g);
}

/* With two groups, with groups of one size and with too many, nothing is relayed. */
static void nothing_to_relay(void **state) {
    static const int two[] = {9, 4}, even[] = {4, 4, 4};
    int many[BINE_RELAY_GROUPS + 1];
    (void)state;
    for (int i = 0; i <= BINE_RELAY_GROUPS; i++)
        many[i] = 1 + i % 3;
    const int *const size[] = {two, even, many};
    const int groups[] = {2, 3, BINE_RELAY_GROUPS + 1};
    for (int i = 0; i < 3; i++) {
        struct bine_groups *g = of_sizes(size[i], groups[i]);
        struct bine_relays r;
        assert_int_equal(bine_relays_cut(g), 1);
        assert_int_equal(bine_relays_open(&r, g, 4), 0);
        assert_int_equal(r.groups, 0);
        bine_relays_close(&r);
        bine_groups_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_carry_the_least),
        cmocka_unit_test(extreme_sizes),
        cmocka_unit_test(worked_example),
        cmocka_unit_test(nothing_to_relay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
