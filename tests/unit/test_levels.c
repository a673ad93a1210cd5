/* Three and more levels of groups: proved, and every message crosses into the sets of each level as
 * seldom as can be. */
#include "unit.h"

#include "pattern/groups/groupings.h"
#include "schedule/build/build.h"
#include "schedule/prove.h"

#include <stdlib.h>

static void prove(const struct bine_algorithm *a, const struct bine_groups *g, int root, int few) {
    struct bine_spec spec = {.algorithm = a,
                             .layout = bine_algorithm_layout(a, g->p),
                             .p = g->p,
                             .root = bine_collective_is_rooted(a->collective) ? root : 0,
                             .segments = a->trees > 0 ? few : 0,
                             .groups = g};
    struct bine_verdict v;
    int in_place;
    char why[128];
    if (bine_spec_error(&spec, why, sizeof why) != NULL)
        return;
    if (bine_check_both(&spec, &v, &in_place) != 0)
        fail_msg("%s %s, %d ranks, root %d, in place %d: rank %d, step %d: %s",
                 bine_collective_name(a->collective), a->name, g->p, spec.root, in_place, v.rank,
                 v.time, v.message);
}

static void prove_all(const struct bine_groups *g, int root, int few) {
    for (size_t i = 0; i < bine_catalogue_size; i++)
        if (bine_algorithm_needs(&bine_catalogue[i]) == BINE_NEEDS_GROUPS)
            prove(&bine_catalogue[i], g, root, few);
}

/* Every grouping of up to five ranks inside every other one: pods, leaves and perhaps nodes. */
static void all_of_few_ranks(void **state) {
    (void)state;
    int32_t outer[BINE_GROUPINGS_LEVELS * 5], inner[BINE_GROUPINGS_LEVELS * 5];
    int nested = 0;
    for (int p = 3; p <= UNIT_TO(5); p++)
        for (int a = 0; a < bine_groupings_count(p); a++)
            for (int b = 0; b < bine_groupings_count(p); b++) {
                const int32_t *const name[] = {outer, inner};
                bine_grouping_names(p, a, outer);
                bine_grouping_names(p, b, inner);
                struct bine_groups *g = bine_groups_new(p, 2, name);
                assert_non_null(g);
                if (g->levels > 3) { /* otherwise one of the two says it all */
                    nested++;
                    for (int root = 0; root < p; root++)
                        prove_all(g, root, 1 + root % 2);
                }
                bine_groups_free(g);
            }
    assert_true(nested > 100);
}

static void drawn_levels(void **state) {
    (void)state;
    uint64_t seed = 9;
    int deepest = 0;
    for (int i = 0; i < 60; i++) {
        int p = 9 + (int)bine_draw(&seed, 56);
        struct bine_groups *g = bine_grouping_new(p, (int)bine_draw(&seed, 1 << 20));
        assert_non_null(g);
        deepest = g->levels > deepest ? g->levels : deepest;
        prove_all(g, (int)bine_draw(&seed, (uint64_t)p), 1 + (int)bine_draw(&seed, 4));
        bine_groups_free(g);
    }
    assert_int_equal(deepest, BINE_GROUPINGS_LEVELS + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_of_few_ranks),
                                       cmocka_unit_test(drawn_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
