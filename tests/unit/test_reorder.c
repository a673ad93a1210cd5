/* Virtual ranks: every algorithm that can run in another order of the ranks is proved in several.
 */
#include "unit.h"

#include "pattern/torus.h"
#include "schedule/prove.h"

#include <stdlib.h>

static uint64_t state = 7;

static int draw(int below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)below);
}

static struct bine_lineup *shuffled(int p) {
    int32_t rank_at[64];
    for (int i = 0; i < p; i++) {
        int j = draw(i + 1);
        rank_at[i] = rank_at[j];
        rank_at[j] = i;
    }
    struct bine_lineup *o = bine_lineup_new(p, rank_at);
    assert_non_null(o);
    return o;
}

static int prove(const struct bine_algorithm *a, int layout, int p, const struct bine_shape *dims,
                 const struct bine_lineup *o) {
    struct bine_verdict v;
    char why[200];
    int rooted = bine_collective_is_rooted(a->collective);
    struct bine_spec spec = {.algorithm = a,
                             .layout = (enum bine_layout)layout,
                             .p = p,
                             .root = rooted ? draw(p) : 0,
                             .in_place = bine_collective_has_in_place(a->collective) && draw(2),
                             .dims = dims,
                             .ports = dims == NULL ? 0 : 1 + draw(bine_torus_ports(dims)),
                             .order = o};
    if (bine_spec_error(&spec, why, sizeof why) != NULL)
        return 0;
    int rc = bine_check_spec(&spec, &v);
    if (rc != 0)
        fail_msg("%s %s, layout %d, %d ranks, %d ports, root %d: rank %d: %s",
                 bine_collective_name(a->collective), a->name, layout, p, spec.ports, spec.root,
                 v.rank, rc < 0 ? "out of memory" : v.message);
    return 1;
}

static void proved_in_any_order(void **unused) {
    int proved = 0;
    (void)unused;
    for (int p = 1; p <= 33; p++) {
        struct bine_lineup *o = shuffled(p);
        for (size_t i = 0; i < bine_catalogue_size; i++)
            for (int k = 0; bine_catalogue[i].layouts[k] >= 0; k++)
                proved += prove(&bine_catalogue[i], bine_catalogue[i].layouts[k], p, NULL, o);
        bine_lineup_free(o);
    }
    assert_true(proved > 3000);
}

/* On tori whose nodes the ranks are on in any order, with one port or several. */
static void proved_on_tori(void **unused) {
    static const struct bine_shape shapes[] = {{1, {8}},       {2, {2, 2}},    {2, {4, 4}},
                                               {2, {2, 6}},    {2, {3, 5}},    {2, {4, 3}},
                                               {3, {2, 2, 2}}, {3, {4, 2, 4}}, {3, {3, 2, 3}}};
    int proved = 0;
    (void)unused;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        int p = bine_shape_nodes(&shapes[s]);
        struct bine_lineup *o = shuffled(p);
        for (size_t i = 0; i < bine_catalogue_size; i++)
            for (int k = 0; bine_catalogue[i].layouts[k] >= 0; k++)
                if (bine_algorithm_needs(&bine_catalogue[i]) == BINE_NEEDS_DIMS)
                    proved +=
                        prove(&bine_catalogue[i], bine_catalogue[i].layouts[k], p, &shapes[s], o);
        bine_lineup_free(o);
    }
    assert_true(proved > 300);
}

static void bad_orders(void **unused) {
    static const int32_t twice[] = {0, 1, 1}, beyond[] = {0, 3, 1}, negative[] = {0, -1, 1};
    (void)unused;
    assert_null(bine_lineup_new(3, twice));
    assert_null(bine_lineup_new(3, beyond));
    assert_null(bine_lineup_new(3, negative));
}

/* Who adds up in rank order, or knows the network, cannot; nor can blocks of ranks be permuted. */
static void refused(void **unused) {
    static const int32_t back[] = {3, 2, 1, 0};
    struct bine_lineup *o = bine_lineup_new(4, back);
    const struct bine_algorithm *a = bine_algorithm_find(BINE_REDUCE, "bine-ordered");
    struct bine_spec spec = {.algorithm = a, .layout = BINE_BLOCKS, .p = 4, .order = o};
    char why[200];
    (void)unused;
    assert_non_null(bine_spec_error(&spec, why, sizeof why));
    spec.algorithm = bine_algorithm_find(BINE_ALLGATHER, "bine-far");
    assert_null(bine_spec_error(&spec, why, sizeof why));
    spec.layout = BINE_PERMUTE;
    assert_non_null(bine_spec_error(&spec, why, sizeof why));
    spec.algorithm = bine_algorithm_find(BINE_ALLREDUCE, "bine-large");
    assert_null(bine_spec_error(&spec, why, sizeof why));
    bine_lineup_free(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proved_in_any_order),
        cmocka_unit_test(proved_on_tori),
        cmocka_unit_test(bad_orders),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
