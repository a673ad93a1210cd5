/* The trees: the paper's figures as the design restates them, appendix C, the closed forms against
 * first arrival, and what every tree must satisfy. */
#include "base/numbers.h"
#include "unit.h"

#include "pattern/bine_family.h"
#include "pattern/family.h"
#include "pattern/knomial.h"
#include "pattern/negabinary.h"
#include "pattern/ring.h"

#include <stdlib.h>
#include <string.h>

struct edge {
    int step, from, to;
};

/* The tree has exactly these edges; frees it. */
static void assert_edges(struct bine_tree *t, int p, const struct edge *edge) {
    assert_non_null(t);
    assert_int_equal(t->p, p);
    assert_int_equal(t->step[0], -1);
    assert_int_equal(t->parent[0], -1);
    for (int i = 0; i < p - 1; i++) {
        assert_int_equal(t->parent[edge[i].to], edge[i].from);
        assert_int_equal(t->step[edge[i].to], edge[i].step);
    }
    bine_tree_free(t);
}

static void assert_same_tree(const struct bine_tree *a, const struct bine_tree *b) {
    assert_int_equal(a->p, b->p);
    assert_int_equal(a->steps, b->steps);
    assert_memory_equal(a->step, b->step, (size_t)a->p * sizeof *a->step);
    assert_memory_equal(a->parent, b->parent, (size_t)a->p * sizeof *a->parent);
}

static const struct edge far2[] = {{0, 0, 1}};
static const struct edge far4[] = {{0, 0, 3}, {1, 0, 1}, {1, 3, 2}};
static const struct edge far8[] = {{0, 0, 3}, {1, 0, 7}, {1, 3, 4}, {2, 0, 1},
                                   {2, 3, 2}, {2, 4, 5}, {2, 7, 6}};
static const struct edge far16[] = {{0, 0, 11}, {1, 0, 3},   {1, 11, 8},  {2, 0, 15},  {2, 3, 4},
                                    {2, 8, 7},  {2, 11, 12}, {3, 0, 1},   {3, 3, 2},   {3, 4, 5},
                                    {3, 7, 6},  {3, 8, 9},   {3, 11, 10}, {3, 12, 13}, {3, 15, 14}};

static void figures_far_first(void **state) {
    (void)state;
    static const struct edge *const edges[] = {far2, far4, far8, far16};
    for (int s = 1; s <= 4; s++)
        for (int kind = 0; kind < 2; kind++) {
            assert_edges(
                bine_butterfly_tree(1 << s, BINE_FAR_FIRST, kind ? BINE_PAPER : BINE_SCALED),
                1 << s, edges[s - 1]);
            assert_edges(bine_split_tree(1 << s), 1 << s, edges[s - 1]);
        }
}

static void figures_near_first(void **state) {
    (void)state;
    static const struct edge near4[] = {{0, 0, 1}, {1, 0, 3}, {1, 1, 2}};
    static const struct edge near8[] = {{0, 0, 1}, {1, 0, 7}, {1, 1, 2}, {2, 0, 3},
                                        {2, 1, 6}, {2, 2, 5}, {2, 7, 4}};
    assert_edges(bine_butterfly_tree(2, BINE_NEAR_FIRST, BINE_SCALED), 2, far2);
    assert_edges(bine_butterfly_tree(4, BINE_NEAR_FIRST, BINE_SCALED), 4, near4);
    assert_edges(bine_butterfly_tree(8, BINE_NEAR_FIRST, BINE_SCALED), 8, near8);
    struct bine_tree *t = bine_butterfly_tree(8, BINE_NEAR_FIRST, BINE_SCALED);
    for (int v = 0; v < 8; v++) /* the subtree of rank 1 is {1, 2, 5, 6} */
        assert_int_equal(bine_tree_is_above(t, 1, v), v == 1 || v == 2 || v == 5 || v == 6);
    bine_tree_free(t);
}

/* Section 2.3.3: the descendants of a rank that receives at step i share its i + 1 leading digits;
 * so 16 ranks: those of 8 begin with 10. */
static void subtree_of_eight(void **state) {
    (void)state;
    struct bine_tree *t = bine_butterfly_tree(16, BINE_FAR_FIRST, BINE_SCALED);
    assert_non_null(t);
    for (int v = 0; v < 16; v++)
        assert_int_equal(bine_tree_is_above(t, 8, v), bine_rank2nb(v, 16) >> 2 == 2);
    bine_tree_free(t);
}

static void appendix_c(void **state) {
    (void)state;
    /* p = 6: at step 2 node 5 would reach 4 and 4 would reach 5; both came at step 1. */
    static const struct edge six[] = {{0, 0, 3}, {1, 0, 5}, {1, 3, 4}, {2, 0, 1}, {2, 3, 2}};
    /* p = 10: 5 is reached at step 0; from 4 at step 3 it would come too late. */
    static const struct edge ten[] = {{0, 0, 5}, {1, 0, 3}, {1, 5, 2}, {2, 0, 9}, {2, 5, 6},
                                      {2, 3, 4}, {2, 2, 1}, {3, 9, 8}, {3, 6, 7}};
    assert_edges(bine_butterfly_tree(6, BINE_FAR_FIRST, BINE_PAPER), 6, six);
    assert_edges(bine_butterfly_tree(10, BINE_FAR_FIRST, BINE_PAPER), 10, ten);
    int d[BINE_MAX_STEPS];
    assert_int_equal(bine_distance_list(6, BINE_FAR_FIRST, BINE_PAPER, d), 3);
    assert_int_equal(bine_partner(5, d[2], 6), 4);
    assert_int_equal(bine_partner(4, d[2], 6), 5);
    assert_int_equal(bine_distance_list(10, BINE_FAR_FIRST, BINE_PAPER, d), 4);
    assert_int_equal(bine_partner(4, d[3], 10), 5);
}

static void distance_lists(void **state) {
    (void)state;
    static const int d16[] = {-5, 3, -1, 1}, scaled10[] = {-3, 1, -1, 1};
    int d[BINE_MAX_STEPS], e[BINE_MAX_STEPS];
    assert_int_equal(bine_distance_list(16, BINE_FAR_FIRST, BINE_SCALED, d), 4);
    assert_memory_equal(d, d16, sizeof d16);
    assert_int_equal(bine_distance_list(10, BINE_FAR_FIRST, BINE_SCALED, d), 4);
    assert_memory_equal(d, scaled10, sizeof scaled10);
    assert_int_equal(bine_distance_list(10, BINE_FAR_FIRST, BINE_PAPER, d), 4);
    assert_memory_equal(d, d16, sizeof d16);
    assert_int_equal(bine_distance_list(1, BINE_FAR_FIRST, BINE_SCALED, d), 0);
    for (int s = 1; s <= 24; s++) {
        int sum = 0, power = 1;
        assert_int_equal(bine_distance_list(1 << s, BINE_NEAR_FIRST, BINE_PAPER, d), s);
        assert_int_equal(bine_distance_list(1 << s, BINE_NEAR_FIRST, BINE_SCALED, e), s);
        for (int j = 0; j < s; j++, power *= -2) {
            sum += power;
            assert_int_equal(d[j], sum);
            assert_int_equal(e[j], sum);
        }
        bine_distance_list(1 << s, BINE_FAR_FIRST, BINE_SCALED, e);
        for (int j = 0; j < s; j++)
            assert_int_equal(e[j], d[s - 1 - j]);
    }
}

/* Section 2.3.2: r receives at step s - u, u the number of equal digits at the low end, from the
 * rank whose s - i low digits are the opposite. */
static void closed_far(int r, int s, int *step, int *parent) {
    uint32_t nb = bine_rank2nb(r, 1 << s);
    int u = 1;
    while (u < s && (nb >> u & 1u) == (nb & 1u))
        u++;
    *step = s - u;
    *parent = bine_nb2rank(nb ^ ((1u << (s - *step)) - 1), 1 << s);
}

/* Section 3.2.2: r receives at the step of the highest bit of nu(r), from the rank without it. */
static void closed_near(int r, int s, int *step, int *parent) {
    uint32_t nu = bine_nu(r, 1 << s);
    *step = 0;
    while (nu >> (*step + 1) != 0)
        ++*step;
    *parent = bine_nu_inverse(nu ^ 1u << *step, 1 << s);
}

static void closed(enum bine_order order, int r, int s, int *step, int *parent) {
    if (order == BINE_FAR_FIRST)
        closed_far(r, s, step, parent);
    else
        closed_near(r, s, step, parent);
}

static void closed_forms_equal_first_arrival(void **state) {
    (void)state;
    for (int order = BINE_NEAR_FIRST; order <= BINE_FAR_FIRST; order++)
        for (int s = 1; s <= 16; s++) {
            struct bine_tree *t = bine_butterfly_tree(1 << s, (enum bine_order)order, BINE_SCALED);
            assert_non_null(t);
            assert_int_equal(t->steps, s);
            for (int r = 1, step, parent; r < 1 << s; r++) {
                closed((enum bine_order)order, r, s, &step, &parent);
                assert_int_equal(t->step[r], step);
                assert_int_equal(t->parent[r], parent);
            }
            bine_tree_free(t);
        }
}

/* Follow the butterfly of section 3.1 from a root, written out here anew: the partner of an even
 * rank at the step whose trees span n digits is r + (1 - (-2)^n) / 3. */
static void follow(int s, enum bine_order order, int root, int *step, int *parent) {
    int p = 1 << s;
    for (int r = 0; r < p; r++)
        step[r] = -2;
    step[root] = parent[root] = -1;
    for (int i = 0; i < s; i++) {
        int n = order == BINE_FAR_FIRST ? s - i : i + 1;
        int d = (1 - (n % 2 == 0 ? 1 << n : -(1 << n))) / 3;
        for (int r = 0; r < p; r++) {
            int q = ((r % 2 == 0 ? r + d : r - d) % p + p) % p;
            if (step[r] == -2 || step[r] == i || step[q] != -2)
                continue;
            step[q] = i;
            parent[q] = r;
        }
    }
}

static void every_root_shifts_or_mirrors(void **state) {
    (void)state;
    int step[256], parent[256];
    for (int order = BINE_NEAR_FIRST; order <= BINE_FAR_FIRST; order++)
        for (int s = 1; s <= 8; s++) {
            int p = 1 << s;
            struct bine_tree *t = bine_butterfly_tree(p, (enum bine_order)order, BINE_SCALED);
            assert_non_null(t);
            for (int root = 0; root < p; root++) {
                follow(s, (enum bine_order)order, root, step, parent);
                for (int r = 0; r < p; r++) {
                    int v = root % 2 == 0 ? (r - root + p) % p : (root - r + p) % p;
                    assert_int_equal(bine_tree_node(t, root, r), v);
                    assert_int_equal(t->step[v], step[r]);
                    if (v != 0)
                        assert_int_equal(bine_tree_rank(t, root, t->parent[v]), parent[r]);
                }
            }
            bine_tree_free(t);
        }
}

static void split_equals_butterfly(void **state) {
    (void)state;
    for (int s = 0; s <= 16; s++) {
        struct bine_tree *a = bine_split_tree(1 << s);
        struct bine_tree *b = bine_butterfly_tree(1 << s, BINE_FAR_FIRST, BINE_SCALED);
        assert_non_null(a);
        assert_non_null(b);
        assert_same_tree(a, b);
        bine_tree_free(a);
        bine_tree_free(b);
    }
}

static void split_example(void **state) {
    (void)state;
    static const struct edge five[] = {{0, 0, 2}, {1, 0, 4}, {1, 2, 3}, {2, 0, 1}};
    static const struct edge three[] = {{0, 0, 2}, {1, 0, 1}};
    assert_edges(bine_split_tree(5), 5, five);
    assert_edges(bine_split_tree(3), 3, three);
}

/* The run first .. first + count - 1 is exactly the subtree of v. */
static void assert_subtree_run(const struct bine_tree *t, int v, int first, int count) {
    assert_int_equal(t->leave[v] - t->enter[v], count);
    for (int i = 0; i < count; i++)
        assert_true(bine_tree_is_above(t, v, (first + i) % t->p));
}

static void split_find_equals_split_tree(void **state) {
    (void)state;
    for (int p = 1; p <= 600; p++) {
        struct bine_tree *t = bine_split_tree(p);
        assert_non_null(t);
        for (int v = 0; v < p; v++) {
            struct bine_split_node x;
            bine_split_find(p, v, &x);
            assert_int_equal(x.parent, t->parent[v]);
            assert_int_equal(x.step, t->step[v]);
            assert_subtree_run(t, v, x.first, x.count);
            assert_int_equal(x.kids, t->kids_at[v + 1] - t->kids_at[v]);
            for (int k = 0; k < x.kids; k++) {
                assert_int_equal(x.kid[k].node, t->kids[t->kids_at[v] + k]);
                assert_int_equal(x.kid[k].step, t->step[x.kid[k].node]);
                assert_subtree_run(t, x.kid[k].node, x.kid[k].first, x.kid[k].count);
            }
            if (v == 0)
                assert_int_equal(x.first, (p - bine_split_left(p)) % p);
        }
        bine_tree_free(t);
    }
}

/* Every node hangs below one that received earlier. */
static void assert_timed(const struct bine_tree *t) {
    for (int v = 1; v < t->p; v++) {
        assert_in_range(t->parent[v], 0, t->p - 1);
        assert_in_range(t->step[v], 0, t->steps - 1);
        assert_true(t->step[t->parent[v]] < t->step[v]);
    }
}

static void both_orders_reach_everyone(void **state) {
    (void)state;
    for (int p = 2; p <= 4096; p += 2)
        for (int order = BINE_NEAR_FIRST; order <= BINE_FAR_FIRST; order++) {
            struct bine_tree *t = bine_butterfly_tree(p, (enum bine_order)order, BINE_SCALED);
            assert_non_null(t); /* NULL if a rank were not reached */
            assert_int_equal(t->steps, bine_log2_ceil(p));
            assert_timed(t);
            bine_tree_free(t);
        }
}

static void papers_distances_reach_everyone(void **state) {
    (void)state;
    for (int p = 2; p <= 2048; p += 2) {
        struct bine_tree *t = bine_butterfly_tree(p, BINE_FAR_FIRST, BINE_PAPER);
        assert_non_null(t);
        assert_timed(t);
        bine_tree_free(t);
    }
}

/* In the allgather of rotated trees a rank has one message a step for each displacement. */
static void rotated_trees_have_few_partners(void **state) {
    (void)state;
    for (int p = 1; p <= 2049; p += 2) {
        struct bine_tree *t = bine_split_tree(p);
        assert_non_null(t);
        int found[BINE_MAX_STEPS] = {0}, displacement[BINE_MAX_STEPS][5];
        for (int v = 1; v < p; v++) {
            int s = t->step[v], d = bine_mod_sub(v, t->parent[v], p), i = 0;
            while (i < found[s] && displacement[s][i] != d)
                i++;
            if (i == found[s])
                displacement[s][found[s]++] = d;
            assert_true(found[s] <= 4);
        }
        bine_tree_free(t);
    }
}

static void partner_is_an_involution(void **state) {
    (void)state;
    int d[BINE_MAX_STEPS];
    for (int p = 2; p <= 600; p += 2)
        for (int kind = 0; kind < 2; kind++) {
            int steps = bine_distance_list(p, BINE_FAR_FIRST, (enum bine_distances)kind, d);
            for (int s = 0; s < steps; s++)
                for (int r = 0; r < p; r++) {
                    int q = bine_partner(r, d[s], p);
                    assert_in_range(q, 0, p - 1);
                    assert_int_equal((r + q) % 2, 1);
                    assert_int_equal(bine_partner(q, d[s], p), r);
                }
        }
}

static void actions_are_regular(void **state) {
    (void)state;
    static const int ranks[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 16, 31, 32, 74};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        for (int action = BINE_SHIFT; action <= BINE_XOR; action++) {
            int p = ranks[i];
            struct bine_tree t = {.p = p, .action = (enum bine_action)action};
            if ((action == BINE_XOR && !bine_is_pow2(p)) || (action == BINE_MIRROR && p % 2 == 1))
                continue;
            for (int b = 0; b < p; b++)
                for (int v = 0; v < p; v++) {
                    int r = bine_tree_rank(&t, b, v);
                    assert_in_range(r, 0, p - 1);
                    assert_int_equal(bine_tree_node(&t, b, r), v);
                    assert_int_equal(bine_tree_root(&t, r, v), b);
                    assert_true(v != 0 || r == b);
                }
        }
}

static int is_above_by_walking(const struct bine_tree *t, int v, int w) {
    while (w >= 0 && w != v)
        w = t->parent[w];
    return w == v;
}

/* Children and depth-first numbers, derived again from parent and step alone. */
static void assert_derived(const struct bine_tree *t) {
    int listed = 0;
    assert_int_equal(t->kids_at[0], 0);
    for (int v = 0; v < t->p; v++)
        for (int k = t->kids_at[v]; k < t->kids_at[v + 1]; k++, listed++) {
            int c = t->kids[k], next = k + 1 < t->kids_at[v + 1] ? t->kids[k + 1] : -1;
            assert_int_equal(t->parent[c], v);
            assert_true(next < 0 || t->step[c] <= t->step[next]);
            assert_true(next < 0 || t->leave[c] == t->enter[next]);
            assert_true(k > t->kids_at[v] || t->enter[c] == t->enter[v] + 1);
        }
    assert_int_equal(listed, t->p - 1);
    for (int v = 0; v < t->p; v++)
        for (int w = 0; w < t->p; w++)
            assert_int_equal(bine_tree_is_above(t, v, w), is_above_by_walking(t, v, w));
}

static void derived_numbers(void **state) {
    (void)state;
    for (int p = 1; p <= 75; p++)
        for (int f = BINE_FAMILY_NONE + 1; f < BINE_FAMILIES; f++)
            for (int order = BINE_NEAR_FIRST; order <= BINE_FAR_FIRST; order++) {
                if (bine_family_is_on_torus((enum bine_family)f))
                    continue;
                if (f == BINE_FAMILY_HYPERCUBE && !bine_is_pow2(p))
                    continue;
                if (f == BINE_FAMILY_NEIGHBOUR && p > 1 && p % 2 == 1)
                    continue;
                struct bine_tree *t =
                    bine_family_tree((enum bine_family)f, p, (enum bine_order)order, 3);
                assert_non_null(t);
                assert_timed(t);
                assert_derived(t);
                bine_tree_free(t);
            }
}

static void binomial_examples(void **state) {
    (void)state;
    static const struct edge doubling8[] = {{0, 0, 1}, {1, 0, 2}, {1, 1, 3}, {2, 0, 4},
                                            {2, 1, 5}, {2, 2, 6}, {2, 3, 7}};
    static const struct edge halving8[] = {{0, 0, 4}, {1, 0, 2}, {1, 4, 6}, {2, 0, 1},
                                           {2, 2, 3}, {2, 4, 5}, {2, 6, 7}};
    /* Truncated: what would be 7 of the tree of 8 is not there, everything else is. */
    static const struct edge halving7[] = {{0, 0, 4}, {1, 0, 2}, {1, 4, 6},
                                           {2, 0, 1}, {2, 2, 3}, {2, 4, 5}};
    assert_edges(bine_binomial_tree(8, BINE_NEAR_FIRST), 8, doubling8);
    assert_edges(bine_binomial_tree(8, BINE_FAR_FIRST), 8, halving8);
    assert_edges(bine_hypercube_tree(8, BINE_NEAR_FIRST), 8, doubling8);
    assert_edges(bine_hypercube_tree(8, BINE_FAR_FIRST), 8, halving8);
    assert_edges(bine_binomial_tree(7, BINE_FAR_FIRST), 7, halving7);
    assert_edges(bine_binomial_tree(7, BINE_NEAR_FIRST), 7, doubling8);
}

static void ring_and_star_examples(void **state) {
    (void)state;
    static const struct edge ring[] = {{0, 0, 1}, {1, 1, 2}, {2, 2, 3}};
    static const struct edge star[] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
    assert_edges(bine_ring_tree(4), 4, ring);
    assert_edges(bine_star_tree(4), 4, star);
}

static void one_rank(void **state) {
    (void)state;
    for (int f = BINE_FAMILY_NONE + 1; f < BINE_FAMILIES; f++)
        for (int order = BINE_NEAR_FIRST; order <= BINE_FAR_FIRST; order++) {
            if (bine_family_is_on_torus((enum bine_family)f))
                continue;
            struct bine_tree *t =
                bine_family_tree((enum bine_family)f, 1, (enum bine_order)order, 3);
            assert_non_null(t);
            assert_int_equal(t->p, 1);
            assert_int_equal(t->steps, 0);
            assert_int_equal(t->parent[0], -1);
            assert_int_equal(t->leave[0], 1);
            assert_int_equal(bine_tree_rank(t, 0, 0), 0);
            bine_tree_free(t);
        }
    struct bine_split_node x;
    bine_split_find(1, 0, &x);
    assert_int_equal(x.parent, -1);
    assert_int_equal(x.kids, 0);
    assert_int_equal(x.count, 1);
    assert_int_equal(bine_split_left(1), 0);
    bine_tree_free(NULL);
}

/* Section 2.2: d(r, q) = min(r - q mod p, q - r mod p). */
static void modular_distance(void **state) {
    (void)state;
    assert_int_equal(bine_mod_distance(0, 2, 3), 1);
    assert_int_equal(bine_mod_distance(0, 3, 8), 3);
    assert_int_equal(bine_mod_distance(0, 5, 8), 3);
    assert_int_equal(bine_mod_distance(7, 0, 8), 1);
    assert_int_equal(bine_mod_distance(4, 4, 8), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_far_first),
        cmocka_unit_test(figures_near_first),
        cmocka_unit_test(subtree_of_eight),
        cmocka_unit_test(appendix_c),
        cmocka_unit_test(distance_lists),
        cmocka_unit_test(closed_forms_equal_first_arrival),
        cmocka_unit_test(every_root_shifts_or_mirrors),
        cmocka_unit_test(split_equals_butterfly),
        cmocka_unit_test(split_example),
        cmocka_unit_test(split_find_equals_split_tree),
        cmocka_unit_test(both_orders_reach_everyone),
        cmocka_unit_test(papers_distances_reach_everyone),
        cmocka_unit_test(rotated_trees_have_few_partners),
        cmocka_unit_test(partner_is_an_involution),
        cmocka_unit_test(actions_are_regular),
        cmocka_unit_test(derived_numbers),
        cmocka_unit_test(binomial_examples),
        cmocka_unit_test(ring_and_star_examples),
        cmocka_unit_test(one_rank),
        cmocka_unit_test(modular_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
