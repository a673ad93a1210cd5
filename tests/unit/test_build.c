/* The builder and the catalogue: proofs of few ranks, the answers to bad requests, and memory that
 * runs out at any point. */
#include "allocations.h"
#include "unit.h"

#include "schedule/build/build.h"
#include "schedule/prove.h"

#include <stdlib.h>
#include <string.h>

static struct bine_spec request(const struct bine_algorithm *a, int layout, int p, int rank,
                                int root, int in_place) {
    return (struct bine_spec){.algorithm = a,
                              .layout = (enum bine_layout)layout,
                              .p = p,
                              .rank = rank,
                              .root = root,
                              .in_place = in_place};
}

static int is_buildable(const struct bine_spec *spec) {
    char why[128];
    return bine_spec_error(spec, why, sizeof why) == NULL &&
           (!spec->in_place || bine_collective_has_in_place(spec->algorithm->collective)) &&
           (spec->root == 0 || bine_collective_is_rooted(spec->algorithm->collective));
}

/* Prove every algorithm and layout that serves p, with root 0 and another one. */
static void prove_all(int p, int other_root) {
    int proved = 0;
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int form = 0; form < BINE_LAYOUTS * 4; form++) {
            struct bine_spec spec = request(&bine_catalogue[i], form / 4, p, 0,
                                            form % 2 ? other_root : 0, form / 2 % 2);
            struct bine_verdict verdict;
            if (!is_buildable(&spec))
                continue;
            int rc = bine_check_spec(&spec, &verdict);
            if (rc != 0)
                fail_msg("%s %s %s, %d ranks, root %d, in place %d: rank %d, step %d: %s",
                         bine_collective_name(spec.algorithm->collective), spec.algorithm->name,
                         bine_layout_name(spec.layout), p, spec.root, spec.in_place, verdict.rank,
                         verdict.time, verdict.message);
            proved++;
        }
    assert_true(proved > 100);
}

/* `make check` proves larger numbers of ranks with `bine check` (tests/run); here the sanitizers
 * see builder and proof. */
static void all_roots_of_few_ranks(void **state) {
    (void)state;
    for (int p = 2; p <= UNIT_TO(17); p++)
        for (int root = 1; root < p; root++)
            prove_all(p, root);
}

static void one_rank(void **state) {
    (void)state;
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int form = 0; form < BINE_LAYOUTS * 2; form++) {
            struct bine_spec spec = request(&bine_catalogue[i], form / 2, 1, 0, 0, form % 2);
            struct bine_verdict verdict;
            if (!is_buildable(&spec))
                continue;
            assert_int_equal(bine_algorithm_steps(spec.algorithm, 1, spec.layout), 0);
            assert_int_equal(bine_check_spec(&spec, &verdict), 0);
            assert_int_equal(verdict.messages, 0);
        }
}

/* A tree shared between ranks changes nothing. */
static void shared_tree(void **state) {
    (void)state;
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int l = 0; l < BINE_LAYOUTS; l++) {
            struct bine_spec spec = request(&bine_catalogue[i], l, 16, 5, 0, 0);
            if (!is_buildable(&spec))
                continue;
            struct bine_schedule *a = bine_schedule_build(&spec);
            struct bine_tree *t = bine_spec_tree(&spec);
            spec.tree = t;
            struct bine_schedule *b = bine_schedule_build(&spec);
            assert_non_null(a);
            assert_non_null(b);
            assert_int_equal(a->nsteps, b->nsteps);
            assert_int_equal(a->nops, b->nops);
            assert_int_equal(a->nruns, b->nruns);
            if (a->nruns > 0)
                assert_memory_equal(a->run, b->run, a->nruns * sizeof *a->run);
            bine_schedule_free(a);
            bine_schedule_free(b);
            bine_tree_free(t);
        }
}

static void assert_error(struct bine_spec spec, const char *expected) {
    char why[128];
    assert_ptr_equal(bine_spec_error(&spec, why, sizeof why), why);
    assert_string_equal(why, expected);
}

static void request_errors(void **state) {
    (void)state;
    const struct bine_algorithm *small = bine_algorithm_find(BINE_BCAST, "bine-small");
    const struct bine_algorithm *two = bine_algorithm_find(BINE_ALLREDUCE, "bine-large-two");
    const struct bine_algorithm *rab = bine_algorithm_find(BINE_ALLGATHER, "recursive-doubling");
    const struct bine_algorithm *large = bine_algorithm_find(BINE_BCAST, "bine-large");
    assert_error(request(small, BINE_BLOCKS, 0, 0, 0, 0), "0 ranks: expected at least 1");
    assert_error(request(small, BINE_BLOCKS, -3, 0, 0, 0), "-3 ranks: expected at least 1");
    assert_error(request(small, BINE_BLOCKS, (1 << 24) + 1, 0, 0, 0),
                 "16777217 ranks: expected at most 16777216");
    assert_error(request(small, BINE_BLOCKS, 8, 8, 0, 0), "rank 8: expected 0 to 7");
    assert_error(request(small, BINE_BLOCKS, 8, -1, 0, 0), "rank -1: expected 0 to 7");
    assert_error(request(small, BINE_BLOCKS, 8, 0, 8, 0), "root 8: expected 0 to 7");
    assert_error(request(small, BINE_BLOCKS, 8, 0, -1, 0), "root -1: expected 0 to 7");
    assert_error(request(two, BINE_BLOCKS, 7, 0, 0, 0),
                 "allreduce bine-large-two does not take 7 ranks: expected an even number");
    assert_error(request(rab, BINE_BLOCKS, 12, 0, 0, 0),
                 "allgather recursive-doubling does not take 12 ranks: expected a power of two");
    assert_error(request(small, BINE_PERMUTE, 8, 0, 0, 0),
                 "bcast bine-small has no layout permute for 8 ranks");
    assert_error(request(large, BINE_PERMUTE, 10, 0, 0, 0),
                 "bcast bine-large has no layout permute for 10 ranks");
    char why[128];
    struct bine_spec good = request(large, BINE_PERMUTE, 16, 15, 15, 0);
    assert_null(bine_spec_error(&good, why, sizeof why));
}

static void names(void **state) {
    (void)state;
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        assert_int_equal(bine_collective_find(bine_collective_name((enum bine_collective)c)), c);
    for (int l = 0; l < BINE_LAYOUTS; l++)
        assert_int_equal(bine_layout_find(bine_layout_name((enum bine_layout)l)), l);
    assert_int_equal(bine_collective_find("reduce_scatter_block"), BINE_REDUCE_SCATTER);
    assert_int_equal(bine_collective_find("broadcast"), -1);
    assert_int_equal(bine_collective_find(""), -1);
    assert_int_equal(bine_layout_find("packed"), -1);
    assert_string_equal(bine_ranks_name(BINE_RANKS_POW2), "pow2");
}

static void lookups(void **state) {
    (void)state;
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        assert_ptr_equal(bine_algorithm_find(a->collective, a->name), a);
        if (a->alias != NULL) /* an alias never hides another row */
            assert_ptr_equal(bine_algorithm_find(a->collective, a->alias), a);
    }
    assert_null(bine_algorithm_find(BINE_BCAST, "ring"));
    assert_ptr_equal(bine_algorithm_find(BINE_GATHER, "bine"),
                     bine_algorithm_find(BINE_GATHER, "bine-near"));
    assert_ptr_equal(bine_algorithm_find(BINE_ALLGATHER, "bine-large-two"),
                     bine_algorithm_find(BINE_ALLGATHER, "bine-near"));
}

static void suggestions(void **state) {
    (void)state;
    assert_string_equal(bine_algorithm_suggest(BINE_ALLREDUCE, "bine-lage"), "bine-large");
    assert_string_equal(bine_algorithm_suggest(BINE_ALLREDUCE, "rabenseiffner"), "rabenseifner");
    assert_string_equal(bine_algorithm_suggest(BINE_ALLGATHER, "brucks"), "bruck");
    assert_null(bine_algorithm_suggest(BINE_ALLGATHER, "zzzzzzzz"));
    assert_null(bine_algorithm_suggest(BINE_ALLGATHER, ""));
}

/* Eight ranks in uneven groups. */
static struct bine_groups *some_groups(void) {
    static const int32_t name[8] = {5, 5, 1, 5, 1, 9, 5, 1};
    const int32_t *const level[] = {name};
    return bine_groups_new(8, 1, level);
}

static void every_row_is_buildable(void **state) {
    (void)state;
    static const struct bine_shape dims = {2, {2, 4}};
    struct bine_groups *groups = some_groups();
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        for (int k = 0; a->layouts[k] >= 0; k++) {
            struct bine_spec spec = request(a, a->layouts[k], 8, 3, 0, 0);
            spec.groups = bine_algorithm_needs(a) == BINE_NEEDS_BOARDS ? NULL : groups;
            spec.dims = &dims;
            assert_true(is_buildable(&spec)); /* 8 ranks are served by every row and layout */
            struct bine_schedule *s = bine_schedule_build(&spec);
            assert_non_null(s);
            assert_true(bine_schedule_bytes(s) > sizeof *s);
            bine_schedule_free(s);
        }
        assert_int_equal(bine_algorithm_layout(a, 8), a->layouts[0]);
        assert_true(strlen(a->about) > 0);
    }
    bine_groups_free(groups);
}

/* Fail one allocation after another until the build gets through. */
static void fail_each(const struct bine_spec *spec) {
    for (long n = 1;; n++) {
        long before = live;
        calls = 0;
        fail_at = n;
        struct bine_schedule *s = bine_schedule_build(spec);
        int failed = calls >= n;
        fail_at = 0;
        if (failed)
            assert_null(s);
        else
            assert_non_null(s);
        bine_schedule_free(s);
        assert_int_equal(live, before);
        if (!failed)
            return;
    }
}

static void memory_runs_out_anywhere(void **state) {
    (void)state;
    static const int ranks[] = {1, 2, 5, 8, 26, 64};
    static const struct bine_shape dims[] = {{1, {1}},    {1, {2}},     {1, {5}},
                                             {2, {2, 4}}, {2, {2, 13}}, {3, {4, 4, 4}}};
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int form = 0; form < BINE_LAYOUTS * 4; form++)
            for (size_t k = 0; k < sizeof ranks / sizeof *ranks && ranks[k] <= UNIT_MOST_RANKS; k++)
                for (int rank = 0; rank < ranks[k]; rank += ranks[k] / 2 + 1) {
                    int p = ranks[k];
                    struct bine_spec spec = request(&bine_catalogue[i], form / 4, p, rank,
                                                    form % 2 ? p - 1 : 0, form / 2 % 2);
                    spec.dims = &dims[k];
                    if (bine_algorithm_needs(spec.algorithm) == BINE_NEEDS_DIMS)
                        spec.ports = form % 2 ? bine_torus_ports(spec.dims) : 0;
                    if (is_buildable(&spec))
                        fail_each(&spec);
                }
}

/* Inside nodes, the schedules of others are built too. */
static void memory_runs_out_in_nodes(void **state) {
    (void)state;
    struct bine_groups *groups = some_groups();
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int form = 0; form < 4; form++) {
            const struct bine_algorithm *a = &bine_catalogue[i];
            int rooted = bine_collective_is_rooted(a->collective);
            struct bine_spec spec =
                request(a, bine_algorithm_layout(a, 8), 8, 2 + form % 2, rooted ? 3 : 0, form / 2);
            spec.groups = groups;
            spec.node = bine_groups_smallest(groups);
            spec.segments = a->trees > 0 ? 1 + form % 2 : 0;
            if (bine_algorithm_needs(a) == BINE_NEEDS_GROUPS && is_buildable(&spec))
                fail_each(&spec);
        }
    bine_groups_free(groups);
}

/* A plain generator, so that a failure can be repeated. */
static int draw(uint64_t *seed, int below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((*seed >> 33) % (uint64_t)below);
}

static void memory_runs_out_at_random(void **state) {
    (void)state;
    uint64_t seed = 2;
    for (int done = 0; done < 1000;) {
        int p = 1 + draw(&seed, 300);
        const struct bine_algorithm *a = &bine_catalogue[draw(&seed, (int)bine_catalogue_size)];
        struct bine_spec spec =
            request(a, draw(&seed, BINE_LAYOUTS), p, draw(&seed, p),
                    bine_collective_is_rooted(a->collective) ? draw(&seed, p) : 0, draw(&seed, 2));
        if (!is_buildable(&spec))
            continue;
        calls = 0;
        bine_schedule_free(bine_schedule_build(&spec));
        long before = live, n = 1 + draw(&seed, (int)calls);
        calls = 0;
        fail_at = n;
        assert_null(bine_schedule_build(&spec));
        fail_at = 0;
        assert_int_equal(live, before);
        done++;
    }
}

/* The proof itself says that memory ran out, and leaves nothing behind. */
static void memory_runs_out_in_a_proof(void **state) {
    (void)state;
    static const struct {
        enum bine_collective collective;
        const char *name;
    } rows[] = {{BINE_ALLREDUCE, "bine-large"},
                {BINE_ALLREDUCE, "bine-small"},
                {BINE_ALLTOALL, "bine-far"},
                {BINE_REDUCE_SCATTER, "linear"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct bine_algorithm *a = bine_algorithm_find(rows[i].collective, rows[i].name);
        struct bine_spec spec = request(a, BINE_BLOCKS, 6, 0, 0, 0);
        int rc = -1;
        for (long n = 1; rc != 0; n++) {
            struct bine_verdict verdict;
            long before = live;
            calls = 0;
            fail_at = n;
            rc = bine_check_spec(&spec, &verdict);
            fail_at = 0;
            /* A tree that could not be shared is made again for each rank, so it may get through.
             */
            assert_true(rc == -1 || rc == 0);
            if (rc == 0 && calls >= n)
                rc = -1;
            assert_int_equal(live, before);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_roots_of_few_ranks),
        cmocka_unit_test(one_rank),
        cmocka_unit_test(shared_tree),
        cmocka_unit_test(request_errors),
        cmocka_unit_test(names),
        cmocka_unit_test(lookups),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(every_row_is_buildable),
        cmocka_unit_test(memory_runs_out_anywhere),
        cmocka_unit_test(memory_runs_out_in_nodes),
        cmocka_unit_test(memory_runs_out_at_random),
        cmocka_unit_test(memory_runs_out_in_a_proof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
