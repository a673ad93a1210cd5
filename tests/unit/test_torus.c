/* Tori: the paper's examples (appendix D), trees, places, ports, and proofs. */
#include "unit.h"

#include "network/torus_links.h"
#include "pattern/torus.h"
#include "schedule/build/build.h"
#include "schedule/prove.h"

#include <stdlib.h>
#include <string.h>

static struct bine_shape shape_of(const char *text) {
    struct bine_shape shape;
    assert_int_equal(bine_shape_parse(text, strlen(text), &shape), 0);
    return shape;
}

static struct bine_schedule *build(enum bine_collective c, const char *name,
                                   enum bine_layout layout, const struct bine_shape *dims, int rank,
                                   int ports) {
    struct bine_spec spec = {.algorithm = bine_algorithm_find(c, name),
                             .layout = layout,
                             .p = bine_shape_nodes(dims),
                             .rank = rank,
                             .dims = dims,
                             .ports = ports};
    char why[128];
    assert_non_null(spec.algorithm);
    assert_null(bine_spec_error(&spec, why, sizeof why));
    struct bine_schedule *s = bine_schedule_build(&spec);
    assert_non_null(s);
    return s;
}

/* "Rank 0 at coordinates (0,0) first communicates with (0,3) (rank 3), then with (3,0) (rank 12),
 * then with (0,1) (rank 1), and finally with (1,0) (rank 4)." */
static void paper_partners(void **state) {
    (void)state;
    static const int expected[] = {3, 12, 1, 4};
    struct bine_shape dims = shape_of("4x4");
    struct bine_schedule *s = build(BINE_BCAST, "bine-torus-small", BINE_BLOCKS, &dims, 0, 0);
    assert_int_equal(s->nsteps, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(s->step[i].nops, 1);
        assert_int_equal(s->op[s->step[i].ops].peer, expected[i]);
    }
    bine_schedule_free(s);
}

/* "The block originally at position 10 (coordinates (2,2)) is moved to position 0, the block at
 * position 14 (coordinates (3,2)) to position 1." And every message of the root is one run. */
static void paper_post_order(void **state) {
    (void)state;
    struct bine_shape dims = shape_of("4x4");
    struct bine_schedule *s = build(BINE_SCATTER, "bine-torus", BINE_PERMUTE, &dims, 0, 0);
    assert_int_equal(bine_schedule_block(s, BINE_TMP, 0), 10);
    assert_int_equal(bine_schedule_block(s, BINE_TMP, 1), 14);
    assert_int_equal(bine_schedule_block(s, BINE_TMP, 15), 0);
    for (uint32_t i = 0; i < s->nops; i++)
        if (s->op[i].kind == BINE_OP_SEND)
            assert_int_equal(s->op[i].nruns, 1);
    bine_schedule_free(s);
}

/* Messages on the busiest link at each step. */
static void busiest(enum bine_collective c, const char *name, int64_t *most) {
    struct bine_shape dims = shape_of("8");
    struct bine_link_loads loads;
    for (int time = 0; time < 3; time++) {
        assert_int_equal(bine_link_loads_open(&loads, &dims), 0);
        for (int r = 0; r < 8; r++) {
            struct bine_schedule *s = build(c, name, BINE_BLOCKS, &dims, r, 0);
            for (uint32_t i = 0; i < s->nsteps; i++)
                for (uint32_t k = 0; k < s->step[i].nops && s->step[i].time == time; k++)
                    if (s->op[s->step[i].ops + k].kind == BINE_OP_SEND)
                        bine_link_loads_add(&loads, r, s->op[s->step[i].ops + k].peer, 1);
            bine_schedule_free(s);
        }
        most[time] = bine_link_loads_sum(&loads).busiest;
        bine_link_loads_close(&loads);
    }
}

/* On a ring of eight: 1, 1, 2 messages where binomial has 1, 2, 4. */
static void paper_links(void **state) {
    (void)state;
    int64_t most[3];
    busiest(BINE_REDUCE_SCATTER, "bine-torus", most);
    assert_true(most[0] == 1 && most[1] == 1 && most[2] == 2);
    busiest(BINE_ALLGATHER, "recursive-doubling", most);
    assert_true(most[0] == 1 && most[1] == 2 && most[2] == 4);
}

static const char *const shapes[] = {"1",     "2",     "8",     "4x4",   "2x6",     "6x6",
                                     "4x6x4", "10",    "12",    "74",    "3",       "5x3",
                                     "3x4",   "2x3x5", "1x8",   "8x1x2", "2x2x2x2", "2x1x3x4x1x2",
                                     "4x16",  "7x2x2", "2x2x8", "16x4",  "9x9"};

static int is_even(const struct bine_shape *dims) {
    for (int k = 0; k < dims->dims; k++)
        if (dims->size[k] > 1 && dims->size[k] % 2 != 0)
            return 0;
    return 1;
}

static int sum_of_logs(const struct bine_shape *dims) {
    int n = 0;
    for (int k = 0; k < dims->dims; k++)
        for (int size = 1; size < dims->size[k]; size *= 2)
            n++;
    return n;
}

/* Every node has a parent that is earlier and differs in one coordinate. */
static void assert_tree(const struct bine_tree *t) {
    const struct bine_shape *dims = &t->grid;
    for (int v = 1; v < t->p; v++) {
        int u = t->parent[v], differ = 0;
        assert_in_range(t->step[v], 0, t->steps - 1);
        assert_true(u == 0 || t->step[u] < t->step[v]);
        for (int k = dims->dims - 1, unit = 1; k >= 0; unit *= dims->size[k--])
            differ += u / unit % dims->size[k] != v / unit % dims->size[k];
        assert_int_equal(differ, 1);
    }
}

/* The action is regular: rank, node and root agree, and every rank is at every node once. */
static void assert_action(const struct bine_tree *t) {
    for (int b = 0; b < t->p; b++)
        for (int v = 0; v < t->p; v++) {
            int r = bine_tree_rank(t, b, v);
            assert_int_equal(bine_tree_node(t, b, r), v);
            assert_int_equal(bine_tree_root(t, r, v), b);
        }
}

static void trees(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct bine_shape dims = shape_of(shapes[i]);
        for (int order = BINE_NEAR_FIRST; order <= BINE_FAR_FIRST; order++)
            for (int port = 0; port < bine_torus_ports(&dims); port++) {
                if (order == BINE_NEAR_FIRST && !is_even(&dims))
                    continue;
                struct bine_tree *t =
                    bine_torus_tree(BINE_TORUS_BINE, &dims, (enum bine_order)order, port);
                assert_non_null(t);
                assert_int_equal(t->steps, sum_of_logs(&dims));
                assert_tree(t);
                assert_action(t);
                bine_tree_free(t);
            }
    }
}

static int depth(const struct bine_tree *t, int v) {
    return v == 0 ? 0 : 1 + depth(t, t->parent[v]);
}

/* The closed form of places is the post-order of the near-first tree. */
static void places(void **state) {
    (void)state;
    static const char *const powers[] = {"1", "2", "16", "4x4", "2x8", "8x2x4", "2x2x2x2", "4x1x4"};
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) {
        struct bine_shape dims = shape_of(powers[i]);
        for (int port = 0; port < bine_torus_ports(&dims); port++) {
            struct bine_torus torus = bine_torus_make(BINE_TORUS_BINE, &dims, port);
            struct bine_tree *t = bine_torus_tree(BINE_TORUS_BINE, &dims, BINE_NEAR_FIRST, port);
            assert_non_null(t);
            for (int v = 0; v < t->p; v++) {
                assert_int_equal(bine_torus_place(&torus, v), t->leave[v] - 1 - depth(t, v));
                assert_int_equal(bine_torus_rank_at(&torus, bine_torus_place(&torus, v)), v);
            }
            bine_tree_free(t);
        }
    }
}

/* In which of the 2D directions a message leaves. */
static int direction(const struct bine_shape *dims, int from, int to) {
    for (int k = dims->dims - 1, unit = 1; k >= 0; unit *= dims->size[k--]) {
        int size = dims->size[k];
        int up = (to / unit % size - from / unit % size + size) % size;
        if (up != 0)
            return 2 * k + (2 * up > size);
    }
    return -1;
}

/* "E, N, W, S" for a part, "N, W, S, E" for the next, and so on: each part goes through the
 * directions of part 0 from another one on. */
static void ports_take_turns(void **state) {
    (void)state;
    struct bine_shape dims = shape_of("4x4");
    struct bine_torus first = bine_torus_make(BINE_TORUS_BINE, &dims, 0);
    unsigned begins = 0;
    for (int port = 0; port < 4; port++) {
        struct bine_torus t = bine_torus_make(BINE_TORUS_BINE, &dims, port);
        int by = 0;
        while (by < 4 && bine_torus_partner(&t, 0, 0) != bine_torus_partner(&first, 0, by))
            by++;
        begins |= 1u << by;
        for (int s = 0; s < 4; s++)
            assert_int_equal(bine_torus_partner(&t, 0, s),
                             bine_torus_partner(&first, 0, (s + by) % 4));
    }
    assert_int_equal(begins, 15);
}

/* With all ports, every rank sends in all 2D directions at every near-first step while no dimension
 * is exhausted. */
static void ports(void **state) {
    (void)state;
    static const struct {
        const char *dims;
        int full; /* steps */
    } cases[] = {{"8", 3}, {"4x4", 4}, {"4x16", 4}, {"8x8x8", 9}, {"4x8x16", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bine_shape dims = shape_of(cases[i].dims);
        for (int r = 0; r < bine_shape_nodes(&dims); r++) {
            struct bine_schedule *s =
                build(BINE_REDUCE_SCATTER, "bine-torus", BINE_PACK, &dims, r, 2 * dims.dims);
            unsigned used[64] = {0};
            assert_int_equal(s->nstrands, 2 * dims.dims);
            for (uint32_t j = 0; j < s->nsteps; j++)
                for (uint32_t k = 0; k < s->step[j].nops; k++) {
                    const struct bine_op *op = &s->op[s->step[j].ops + k];
                    if (op->kind == BINE_OP_SEND)
                        used[s->step[j].time] |= 1u << direction(&dims, r, op->peer);
                }
            for (int time = 0; time < cases[i].full; time++)
                assert_int_equal(used[time], (1u << 2 * dims.dims) - 1);
            bine_schedule_free(s);
        }
    }
}

/* Permuted, every message is one run: all but the last permutation of a scatter, too. */
static void runs(void **state) {
    (void)state;
    static const struct {
        enum bine_collective collective;
        const char *dims;
    } cases[] = {{BINE_ALLGATHER, "4x8"}, {BINE_REDUCE_SCATTER, "2x4x4"}, {BINE_ALLREDUCE, "8x8"},
                 {BINE_BCAST, "4x2x2"},   {BINE_REDUCE, "2x16"},          {BINE_SCATTER, "3x4"},
                 {BINE_GATHER, "2x6"},    {BINE_SCATTER, "5x5"},          {BINE_GATHER, "2x3x5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bine_shape dims = shape_of(cases[i].dims);
        for (int r = 0; r < bine_shape_nodes(&dims); r++)
            for (int ports = 1; ports <= 2 * dims.dims; ports++) {
                struct bine_schedule *s =
                    build(cases[i].collective, "bine-torus", BINE_PERMUTE, &dims, r, ports);
                for (uint32_t k = 0; k < s->nops; k++)
                    if (s->op[k].kind <= BINE_OP_RECV_REDUCE)
                        assert_int_equal(s->op[k].nruns, 1);
                bine_schedule_free(s);
            }
    }
}

static void prove(const struct bine_algorithm *a, enum bine_layout l,
                  const struct bine_shape *dims) {
    struct bine_spec spec = {
        .algorithm = a, .layout = l, .p = bine_shape_nodes(dims), .dims = dims};
    struct bine_verdict verdict;
    int most = bine_torus_ports(dims);
    for (spec.ports = 1; spec.ports <= most; spec.ports += most > 1 ? most - 1 : 1)
        for (spec.in_place = 0; spec.in_place < 1 + bine_collective_has_in_place(a->collective);
             spec.in_place++) {
            spec.root = bine_collective_is_rooted(a->collective) ? spec.p * 2 / 3 : 0;
            if (bine_check_spec(&spec, &verdict) != 0)
                fail_msg("%s %s layout %s ports %d in place %d: rank %d, step %d: %s",
                         bine_collective_name(a->collective), a->name, bine_layout_name(l),
                         spec.ports, spec.in_place, verdict.rank, verdict.time, verdict.message);
        }
}

static void proofs(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct bine_shape dims = shape_of(shapes[i]);
        for (size_t k = 0; k < bine_catalogue_size && bine_shape_nodes(&dims) <= 64; k++) {
            const struct bine_algorithm *a = &bine_catalogue[k];
            if (bine_algorithm_needs(a) != BINE_NEEDS_DIMS || !bine_algorithm_takes_dims(a, &dims))
                continue;
            for (int j = 0; a->layouts[j] >= 0; j++)
                if (bine_algorithm_has_layout(a, (enum bine_layout)a->layouts[j],
                                              bine_shape_nodes(&dims)))
                    prove(a, (enum bine_layout)a->layouts[j], &dims);
        }
    }
}

/* What is refused, and why. */
static void errors(void **state) {
    (void)state;
    struct bine_shape odd = shape_of("3x4");
    struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_ALLGATHER, "bine-torus"),
                             .p = 12};
    char why[200];
    assert_string_equal(bine_spec_error(&spec, why, sizeof why),
                        "allgather bine-torus needs the dimensions of 12 ranks");
    spec.dims = &odd;
    assert_null(bine_spec_error(&spec, why, sizeof why));
    spec.ports = 5;
    assert_string_equal(bine_spec_error(&spec, why, sizeof why),
                        "5 ports: expected 1 to 4, two for each dimension");
    spec.ports = 0;
    spec.algorithm = bine_algorithm_find(BINE_ALLGATHER, "bine-torus-near");
    assert_string_equal(
        bine_spec_error(&spec, why, sizeof why),
        "allgather bine-torus-near does not take these dimensions: expected even dimensions");
    spec.algorithm = bine_algorithm_find(BINE_ALLGATHER, "ring");
    spec.ports = 2;
    assert_string_equal(bine_spec_error(&spec, why, sizeof why), "2 ports: allgather ring has one");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_partners), cmocka_unit_test(paper_post_order),
        cmocka_unit_test(paper_links),    cmocka_unit_test(trees),
        cmocka_unit_test(places),         cmocka_unit_test(ports),
        cmocka_unit_test(runs),           cmocka_unit_test(proofs),
        cmocka_unit_test(errors),         cmocka_unit_test(ports_take_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
