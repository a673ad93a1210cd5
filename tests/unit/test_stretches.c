/* Stretches: every set has the whole vector, once, in the lines that it stands in. */
#include "unit.h"

#include "pattern/groups/groupings.h"
#include "pattern/groups/stretches.h"

#include <stdlib.h>
#include <string.h>

/* Count the pieces that the ranks of a set have in the lines down to its own. */
static void count_set(const struct bine_stretches *s, int level, int set, int *count) {
    const struct bine_groups *g = s->groups;
    int first = g->level[level].begin[set], end = g->level[level].begin[set + 1];
    for (int k = 0; k <= level; k++) {
        struct bine_line line;
        struct bine_interval some[BINE_LINE_PARTS];
        bine_line_make(s, k, g->level[k].set_of[g->member[first]], &line);
        for (int x = first; x < end; x++) {
            int a = bine_stretch_begin(s, &line, x), z = bine_stretch_begin(s, &line, x + 1);
            assert_true(a <= z);
            for (int i = bine_line_pieces(&line, a, z, some) - 1; i >= 0; i--)
                for (int b = 0; b < some[i].count; b++)
                    count[some[i].first + b]++;
            if (a < z)
                assert_int_equal(bine_stretch_owner(s, &line, a, first, end), x);
        }
    }
}

static void check_sets(const struct bine_stretches *s) {
    const struct bine_groups *g = s->groups;
    int *count = calloc((size_t)s->pieces, sizeof *count);
    assert_non_null(count);
    for (int level = 0; level < bine_stretch_lines(s); level++)
        for (int set = 0; set < g->level[level].sets; set++) {
            if (bine_stretch_has_root(s, level, set) && bine_line_owners(s, level, set) == 0)
                continue; /* the root alone has it */
            memset(count, 0, (size_t)s->pieces * sizeof *count);
            count_set(s, level, set, count);
            for (int b = 0; b < s->pieces; b++)
                assert_int_equal(count[b], 1);
        }
    free(count);
}

static void whole_vector(void **state) {
    (void)state;
    for (int p = 2; p <= 40; p++)
        for (int number = 0; number < 24; number++) {
            struct bine_groups *g = bine_grouping_new(p, number);
            assert_non_null(g);
            for (int kind = BINE_STRETCH_RANKS; kind <= BINE_STRETCH_HUNG; kind++) {
                struct bine_stretches s = {.groups = g,
                                           .kind = (enum bine_stretch_kind)kind,
                                           .root = number % p,
                                           .even = number % 2,
                                           .pieces = kind == BINE_STRETCH_RANKS ? p : 7 * p};
                check_sets(&s);
                s.lanes = kind == BINE_STRETCH_HUNG ? 3 : 0;
                check_sets(&s);
            }
            bine_groups_free(g);
        }
}

/* The example of stretches.h. */
static void worked_example(void **state) {
    static const int32_t names[] = {0, 0, 0, 1, 1};
    const int32_t *const name[] = {names};
    static const int begin[] = {0, 0, 1, 0, 1};
    struct bine_groups *g = bine_groups_new(5, 1, name);
    (void)state;
    assert_non_null(g);
    struct bine_stretches s = {.groups = g, .kind = BINE_STRETCH_RANKS, .pieces = 5};
    for (int r = 0; r < 5; r++) {
        struct bine_line line;
        bine_line_make(&s, 1, r / 3, &line);
        assert_int_equal(line.parts, 1);
        assert_int_equal(line.part[0].first, r < 3 ? 3 : 0);
        assert_int_equal(line.length, r < 3 ? 2 : 3);
        assert_int_equal(bine_stretch_begin(&s, &line, r), begin[r]);
    }
    bine_groups_free(g);
}

static void widths(void **state) {
    int w[BINE_ROUNDS_MOST + 1];
    (void)state;
    assert_int_equal(bine_round_widths(21, 4, w), 3); /* 21, ceil(21 / 4) = 6, 2, 1 */
    assert_int_equal(w[0], 1);
    assert_int_equal(w[1], 2);
    assert_int_equal(w[2], 6);
    assert_int_equal(w[3], 21);
    assert_int_equal(bine_round_widths(1, 4, w), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_vector),
        cmocka_unit_test(worked_example),
        cmocka_unit_test(widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
