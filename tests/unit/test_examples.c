/* The examples of docs/architecture.md, which no algorithm of the catalogue is made of.
 *
 * The ternary family: every composition along trees must be right for it too, with several children
 * at one step that no order of the ranks favours. The allreduce of gathered vectors: it must be
 * right for every family. */
#include "unit.h"

#include "pattern/family.h"
#include "schedule/prove.h"

enum { MOST_RANKS = 80 };

#define TERNARY(COLLECTIVE, MAKE, STEPS)                                                           \
    {                                                                                              \
        .collective = BINE_##COLLECTIVE, .name = #MAKE, .family = "ternary",                       \
        .about = "for this test", .composition = BINE_MAKE_##MAKE, .tree = BINE_FAMILY_TERNARY,    \
        .order = BINE_NEAR_FIRST, .radix = 3, .commutative = 1,                                    \
        .layouts = {BINE_BLOCKS, BINE_PACK, -1}, .steps = BINE_STEPS_##STEPS                       \
    }

static const struct bine_algorithm algorithms[] = {
    TERNARY(BCAST, BCAST, RADIX),          TERNARY(REDUCE, REDUCE, RADIX),
    TERNARY(SCATTER, SCATTER, RADIX),      TERNARY(GATHER, GATHER, RADIX),
    TERNARY(ALLGATHER, ALLGATHER, RADIX),  TERNARY(REDUCE_SCATTER, REDUCE_SCATTER, RADIX),
    TERNARY(ALLREDUCE, ALLREDUCE, GROUPS), /* twice as many: no word says so, the schedule does */
    TERNARY(BCAST, BCAST_HUNG, GROUPS),    TERNARY(REDUCE, REDUCE_HUNG, GROUPS),
    TERNARY(ALLTOALL, ALLTOALL, RADIX),
};

/* A pipeline whose segments all go along the one tree, a stride of its steps apart, so that sends
 * of different segments never fall on one step. */
static const struct bine_algorithm pipelines[] = {
    {.collective = BINE_BCAST,
     .name = "pipeline",
     .composition = BINE_MAKE_PIPELINE,
     .tree = BINE_FAMILY_TERNARY,
     .order = BINE_NEAR_FIRST,
     .layouts = {BINE_BLOCKS, -1},
     .steps = BINE_STEPS_PIPELINE,
     .trees = 1,
     .stride = 5},
    {.collective = BINE_REDUCE,
     .name = "pipeline",
     .composition = BINE_MAKE_PIPELINE_REDUCE,
     .tree = BINE_FAMILY_TERNARY,
     .order = BINE_NEAR_FIRST,
     .commutative = 1,
     .layouts = {BINE_BLOCKS, -1},
     .steps = BINE_STEPS_PIPELINE,
     .trees = 1,
     .stride = 5},
};

/* Both layouts, two roots, in place and not; returns how many fail. */
static int prove(const struct bine_algorithm *a, int p) {
    int failed = 0, roots = bine_collective_is_rooted(a->collective) && p > 1 ? 2 : 1;
    for (int i = 0; a->layouts[i] >= 0; i++)
        for (int k = 0; k < roots; k++) {
            struct bine_spec spec = {.algorithm = a,
                                     .layout = (enum bine_layout)a->layouts[i],
                                     .p = p,
                                     .root = k * (p / 2)};
            struct bine_verdict verdict;
            int in_place, rc = bine_check_both(&spec, &verdict, &in_place);
            assert_int_not_equal(rc, -1);
            if (rc != 0 && failed++ == 0)
                print_message("%s, %d ranks, root %d, rank %d: %s\n", a->name, p, spec.root,
                              verdict.rank, verdict.message);
        }
    return failed;
}

static void every_composition(void **state) {
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        for (int p = 1; p <= MOST_RANKS; p++)
            failed += prove(&algorithms[i], p);
    assert_int_equal(failed, 0);
}

static void pipelined(void **state) {
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++)
        for (int p = 1; p <= MOST_RANKS; p++)
            failed += prove(&pipelines[i], p);
    assert_int_equal(failed, 0);
}

#define GATHERED(TREE, ORDER, RANKS, STEPS)                                                        \
    {                                                                                              \
        .collective = BINE_ALLREDUCE, .name = "gathered " #TREE, .family = "any",                  \
        .about = "for this test", .composition = BINE_MAKE_ALLREDUCE_GATHERED,                     \
        .tree = BINE_FAMILY_##TREE, .order = BINE_##ORDER##_FIRST, .radix = 3,                     \
        .ranks = BINE_RANKS_##RANKS, .layouts = {BINE_BLOCKS, BINE_PACK, -1},                      \
        .steps = BINE_STEPS_##STEPS                                                                \
    }

/* In rank order: none of these says that the operator must be commutative. */
static const struct bine_algorithm gathered[] = {
    GATHERED(BINE, FAR, ANY, LOG),       GATHERED(BINE, NEAR, EVEN, LOG),
    GATHERED(BINOMIAL, NEAR, ANY, LOG),  GATHERED(HYPERCUBE, NEAR, POW2, LOG),
    GATHERED(KNOMIAL, NEAR, ANY, RADIX), GATHERED(TERNARY, NEAR, ANY, RADIX),
    GATHERED(RING, NEAR, ANY, RING),     GATHERED(STAR, NEAR, ANY, ONE),
};

static void gathered_in_order(void **state) {
    int failed = 0;
    (void)state;
    for (size_t i = 0; i < sizeof gathered / sizeof *gathered; i++)
        for (int p = 1; p <= MOST_RANKS / 2; p++)
            if (bine_algorithm_takes(&gathered[i], p))
                failed += prove(&gathered[i], p);
    assert_int_equal(failed, 0);
}

/* The worked example of ternary.c, ranks -1 .. -4 being 8 .. 5. */
static void nine_ranks(void **state) {
    static const int parent[] = {-1, 0, 8, 0, 1, 8, 0, 1, 0}, step[] = {-1, 0, 1, 1, 1, 1, 1, 1, 0};
    struct bine_tree *t = bine_family_tree(BINE_FAMILY_TERNARY, 9, BINE_NEAR_FIRST, 0);
    (void)state;
    assert_non_null(t);
    assert_int_equal(t->steps, 2);
    for (int v = 0; v < 9; v++) {
        assert_int_equal(t->parent[v], parent[v]);
        assert_int_equal(t->step[v], step[v]);
    }
    bine_tree_free(t);
}

/* ceil(log_3 p) steps, and never more than two children at one of them. */
static void two_children_a_step(void **state) {
    (void)state;
    for (int p = 1; p <= 1000; p++) {
        struct bine_tree *t = bine_family_tree(BINE_FAMILY_TERNARY, p, BINE_NEAR_FIRST, 0);
        assert_non_null(t);
        for (int v = 1; v < p; v++)
            assert_in_range(t->step[v], t->step[t->parent[v]] + 1, t->steps - 1);
        for (int v = 0; v < p; v++)
            for (int k = t->kids_at[v]; k + 2 < t->kids_at[v + 1]; k++)
                assert_true(t->step[t->kids[k]] < t->step[t->kids[k + 2]]);
        bine_tree_free(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_ranks),        cmocka_unit_test(two_children_a_step),
        cmocka_unit_test(every_composition), cmocka_unit_test(pipelined),
        cmocka_unit_test(gathered_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
