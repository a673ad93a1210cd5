/* Trees and butterflies of any radix, base -r, and postal trees: the examples of
 * pattern/bine_family.h, radix 2 against the definition of the split tree, how far messages go, the
 * bytes between groups, and that no tree tells all ranks earlier than a postal one. */
#include "unit.h"

#include "base/numbers.h"
#include "pattern/bine_family.h"
#include "pattern/knomial.h"

#include <stdlib.h>

enum { LEAST_RADIX = 2, MOST_RADIX = 8 };

/* The split tree as the head of bine_family.h defines it, with two halves: written down again here,
 * without a radix. */
struct halves {
    int p, steps;
    int32_t *parent, *step;
};

static int halves_left(int n, int k) {
    return n < 2 ? 0 : halves_left((n + 1) / 2, k - 1) + (k % 2 == 0 ? n / 2 : 0);
}

static void halves_fill(struct halves *h, int root, int n, int k, int mirrored) {
    for (; n > 1; n = (n + 1) / 2, k--) {
        int own = (n + 1) / 2, far = n / 2, left = halves_left(own, k - 1);
        /* The other half is mirrored: the nodes left of its root are now on the right. */
        int inner = halves_left(far, k - 1), right = k % 2 != 0;
        int by = right ? own - left + far - 1 - inner : -(left + 1 + inner);
        int child = root + (mirrored ? -by : by), c = ((child % h->p) + h->p) % h->p;
        h->parent[c] = ((root % h->p) + h->p) % h->p;
        h->step[c] = h->steps - k;
        halves_fill(h, child, far, k - 1, !mirrored);
    }
}

static void radix_two_is_the_split_tree(void **state) {
    (void)state;
    enum { MOST = 1100 };
    int32_t parent[MOST], step[MOST];
    for (int p = 1; p <= MOST; p++) {
        struct halves h = {p, bine_log2_ceil(p), parent, step};
        struct bine_tree *t = bine_radix_tree(p, BINE_FAR_FIRST, 2), *s = bine_split_tree(p);
        assert_non_null(t);
        assert_non_null(s);
        halves_fill(&h, 0, p, h.steps, 0);
        assert_int_equal(t->action, s->action);
        for (int v = 1; v < p; v++) {
            assert_int_equal(t->parent[v], parent[v]);
            assert_int_equal(t->step[v], step[v]);
            assert_int_equal(s->parent[v], parent[v]);
        }
        bine_tree_free(t);
        bine_tree_free(s);
    }
}

static void assert_kids(const struct bine_tree *t, int v, int kids, const int *kid) {
    int found = 0;
    for (int i = 0; i < kids; i++)
        for (int k = t->kids_at[v]; k < t->kids_at[v + 1]; k++)
            found += t->kids[k] == kid[i];
    assert_int_equal(found, kids);
}

static void worked_examples(void **state) {
    (void)state;
    static const int first[] = {14, 5, 10}, then[] = {1, 2, 3}, below[] = {15, 13, 12};
    static const int ends[] = {15, 4, 11}, digits[] = {4, 12, 8}, last[] = {5, 13, 9};
    static const int near[] = {15, 1, 2}, postal[] = {6, 10, 3, 13, 2, 14, 1, 15};
    struct bine_tree *t = bine_radix_tree(16, BINE_FAR_FIRST, 4);
    assert_int_equal(t->steps, 2);
    assert_kids(t, 0, 3, first);
    assert_kids(t, 0, 3, then);
    assert_kids(t, 14, 3, below);
    assert_int_equal(t->step[14], 0);
    assert_int_equal(t->step[15], 1);
    bine_tree_free(t);
    t = bine_ends_tree(16, BINE_FAR_FIRST, 4);
    assert_kids(t, 0, 3, ends);
    bine_tree_free(t);
    t = bine_radix_tree(16, BINE_NEAR_FIRST, 4);
    assert_kids(t, 0, 3, near);
    assert_kids(t, 0, 3, digits);
    assert_kids(t, 1, 3, last);
    assert_int_equal(t->step[15], 0);
    bine_tree_free(t);
    t = bine_postal_tree(16, BINE_FAR_FIRST, 4);
    assert_non_null(t);
    assert_int_equal(t->steps, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(t->kids[t->kids_at[0] + i], postal[i]);
    assert_int_equal(t->kids_at[1] - t->kids_at[0], 8);
    bine_tree_free(t);
}

/* Parents before children, all ranks, ceil(log_r p) steps, at most r - 1 messages a step, and
 * subtrees that are circular runs. */
static void assert_far_first(const struct bine_tree *t, int radix) {
    assert_int_equal(t->steps, bine_log_ceil(t->p, radix));
    for (int v = 0; v < t->p; v++) {
        int ends = 0, count[BINE_MAX_STEPS] = {0};
        assert_true(v == 0 || t->step[t->parent[v]] < t->step[v]);
        for (int k = t->kids_at[v]; k < t->kids_at[v + 1]; k++)
            assert_true(++count[t->step[t->kids[k]]] < radix);
        for (int w = 0; w < t->p; w++)
            ends += bine_tree_is_above(t, v, w) && !bine_tree_is_above(t, v, (w + 1) % t->p);
        assert_true(ends == (v == 0 ? 0 : 1));
    }
}

static void far_first_trees(void **state) {
    (void)state;
    for (int radix = LEAST_RADIX; radix <= MOST_RADIX; radix++)
        for (int p = 1; p <= UNIT_TO(200); p++) {
            struct bine_tree *t = bine_radix_tree(p, BINE_FAR_FIRST, radix);
            assert_non_null(t);
            assert_far_first(t, radix);
            bine_tree_free(t);
            t = bine_ends_tree(p, BINE_FAR_FIRST, radix);
            assert_non_null(t);
            assert_far_first(t, radix);
            bine_tree_free(t);
        }
}

/* Rotated to every root, a rank has one partner for each displacement of a step. */
static void near_first_has_radix_partners(void **state) {
    (void)state;
    for (int radix = LEAST_RADIX; radix <= MOST_RADIX; radix++)
        for (int p = 1; p <= UNIT_TO(600); p++) {
            struct bine_tree *t = bine_radix_tree(p, BINE_NEAR_FIRST, radix);
            int found[BINE_MAX_STEPS] = {0}, by[BINE_MAX_STEPS][MOST_RADIX];
            assert_non_null(t);
            assert_int_equal(t->steps, bine_log_ceil(p, radix));
            for (int v = 1; v < p; v++) {
                int s = t->step[v], d = bine_mod_sub(v, t->parent[v], p), i = 0;
                assert_true(t->step[t->parent[v]] < s);
                while (i < found[s] && by[s][i] != d)
                    i++;
                by[s][i] = d;
                found[s] += i == found[s];
                assert_true(found[s] < radix);
            }
            bine_tree_free(t);
        }
}

static double distance(struct bine_tree *t, int weighted) {
    double sum = 0;
    assert_non_null(t);
    for (int v = 1; v < t->p; v++)
        sum += bine_mod_distance(v, t->parent[v], t->p) *
               (weighted ? (double)(t->leave[v] - t->enter[v]) : 1.0);
    bine_tree_free(t);
    return sum;
}

/* Over the k-nomial tree of the same radix: 0.56 to 0.74 where each message counts once, and by
 * bytes less far with the roots at the ends than without, 0.507 to 0.831. Of 64 ranks and radix 8,
 * the seven next to the root are all on its right, and so 28 away in all instead of 16: 261 / 352
 * where it would be 249 / 352. */
static void distances_over_knomial(void **state) {
    (void)state;
    static const int p[] = {64, 100, 128, 256, 512, 1000, 1024};
    for (int radix = LEAST_RADIX; radix <= MOST_RADIX; radix++)
        for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
            double of[2], ends;
            for (int w = 0; w < 2; w++)
                of[w] = distance(bine_radix_tree(p[i], BINE_FAR_FIRST, radix), w) /
                        distance(bine_knomial_tree(p[i], BINE_FAR_FIRST, radix), w);
            ends = distance(bine_ends_tree(p[i], BINE_FAR_FIRST, radix), 1) /
                   distance(bine_knomial_tree(p[i], BINE_FAR_FIRST, radix), 1);
            assert_true(of[0] > 0.555 && of[0] < (radix == 8 && p[i] == 64 ? 0.745 : 0.735));
            assert_true(of[1] > 0.55 && of[1] < 0.905);
            assert_true(ends > 0.5 && ends < 0.835 && ends < of[1]);
        }
}

/* A node sends one message in each unit of time, to its children in their order, and each arrives
 * `lag` later: the time when the last node is told. */
static int told_at(const struct bine_tree *t, int v, int at, int lag) {
    int last = at;
    for (int k = t->kids_at[v]; k < t->kids_at[v + 1]; k++) {
        int kid = told_at(t, t->kids[k], at + (k - t->kids_at[v]) + lag, lag);
        last = kid > last ? kid : last;
    }
    return last;
}

/* How many nodes can be told until a time: each that knows tells a further one in every unit. */
static int most_told(int until, int lag) {
    int told[300] = {1}, all = 1; /* how many are told at each time */
    for (int t = lag; t <= until; t++) {
        for (int s = 0; s <= t - lag; s++)
            told[t] += told[s];
        all += told[t];
    }
    return all;
}

/* Subtrees are circular runs. */
static void assert_runs(const struct bine_tree *t) {
    for (int v = 0; v < t->p; v++) {
        int ends = 0;
        for (int w = 0; w < t->p; w++)
            ends += bine_tree_is_above(t, v, w) && !bine_tree_is_above(t, v, (w + 1) % t->p);
        assert_true(ends == (v == 0 ? 0 : 1));
    }
}

/* A child a step, or a level a step; no more steps than are said. */
static void assert_steps(const struct bine_tree *t, int by_levels, int steps) {
    int most = -1;
    assert_int_equal(t->steps, steps);
    for (int v = 0; v < t->p; v++) {
        most = t->step[v] > most ? t->step[v] : most;
        assert_true(!by_levels || v == 0 || t->step[v] == t->step[t->parent[v]] + 1);
        for (int k = t->kids_at[v] + 1; k < t->kids_at[v + 1]; k++)
            assert_true(by_levels || t->step[t->kids[k]] > t->step[t->kids[k - 1]]);
    }
    assert_int_equal(most, steps - 1);
}

static void postal_trees_are_the_earliest(void **state) {
    (void)state;
    for (int lag = 2; lag <= 16; lag++)
        for (int p = 1; p <= UNIT_TO(150); p++) {
            struct bine_tree *all[] = {bine_postal_tree(p, BINE_FAR_FIRST, lag),
                                       bine_postal_levels_tree(p, BINE_FAR_FIRST, lag),
                                       bine_postal_ends_tree(p, BINE_FAR_FIRST, lag)};
            for (int i = 0; i < 3; i++) {
                struct bine_tree *t = all[i];
                assert_non_null(t);
                int last = told_at(t, 0, 0, lag);
                assert_runs(t);
                assert_steps(t, i > 0,
                             i > 0 ? bine_postal_levels(p, lag) : bine_postal_steps(p, lag));
                assert_true(most_told(last, lag) >= p);
                assert_true(p == 1 || most_told(last - 1, lag) < p);
                bine_tree_free(t);
            }
        }
}

/* Messages between groups of `size` ranks, of the trees of all roots. */
static double crossings(struct bine_tree *t, int size) {
    double sum = 0;
    assert_non_null(t);
    for (int root = 0; root < t->p; root++)
        for (int v = 1; v < t->p; v++)
            sum +=
                bine_tree_rank(t, root, v) / size != bine_tree_rank(t, root, t->parent[v]) / size;
    sum /= t->p;
    bine_tree_free(t);
    return sum;
}

/* 1,024 ranks in groups of 160, radix 8: the least is one message into each of the six others. */
static void bytes_between_groups(void **state) {
    (void)state;
    double knomial = crossings(bine_knomial_tree(1024, BINE_FAR_FIRST, 8), 160) / 6;
    double bine = crossings(bine_radix_tree(1024, BINE_FAR_FIRST, 8), 160) / 6;
    assert_true(knomial > 10.3 && knomial < 10.5);
    assert_true(bine > 5.9 && bine < 6.1);
}

static void distances_of_butterflies(void **state) {
    (void)state;
    static const int two[] = {1, 1, 3, 5, 11, 21}, three[] = {1, 2, 7, 20, 61},
                     four[] = {1, 3, 13, 51};
    struct bine_rounds r2 = bine_rounds_of(64, 2), r3 = bine_rounds_of(243, 3),
                       r4 = bine_rounds_of(256, 4);
    for (int j = 0; j < 6; j++)
        assert_int_equal(bine_round_circle(&r2, j, 0).distance, two[j]);
    for (int j = 0; j < 5; j++)
        assert_int_equal(bine_round_circle(&r3, j, 0).distance, three[j]);
    for (int j = 0; j < 4; j++)
        assert_int_equal(bine_round_circle(&r4, j, 0).distance, four[j]);
}

/* Radix 2 meets the partners of the near-first butterfly. */
static void radix_two_is_the_butterfly(void **state) {
    (void)state;
    for (int p = 2; p <= 1024; p *= 2) {
        int d[BINE_MAX_STEPS], steps = bine_distance_list(p, BINE_NEAR_FIRST, BINE_PAPER, d);
        struct bine_rounds r = bine_rounds_of(p, 2);
        assert_int_equal(r.members, p);
        assert_int_equal(r.steps, steps);
        for (int j = 0; j < steps; j++)
            for (int x = 0; x < p; x++) {
                struct bine_circle c = bine_round_circle(&r, j, x);
                assert_int_equal(bine_circle_member(&c, x, !c.position), bine_partner(x, d[j], p));
            }
    }
}

/* Rows are rows for all of their members, and near-first a rank hears of everyone once. */
static void rows_partition(void **state) {
    (void)state;
    enum { MOST = 343 };
    static char heard[MOST][MOST], after[MOST][MOST];
    for (int radix = LEAST_RADIX; radix <= MOST_RADIX; radix++)
        for (int p = 1; p <= UNIT_TO(MOST); p += p < 100 ? 1 : 27) {
            struct bine_rounds r = bine_rounds_of(p, radix);
            assert_true(r.members <= p && r.members > p / radix);
            for (int x = 0; x < r.members; x++)
                for (int y = 0; y < r.members; y++)
                    heard[x][y] = x == y;
            for (int j = 0; j < r.steps; j++) {
                for (int x = 0; x < r.members; x++) {
                    struct bine_circle c = bine_round_circle(&r, j, x);
                    assert_int_equal(bine_circle_member(&c, x, c.position), x);
                    for (int y = 0; y < r.members; y++)
                        after[x][y] = 0;
                    for (int i = 0; i < c.radix; i++) {
                        int q = bine_circle_member(&c, x, i);
                        struct bine_circle other = bine_round_circle(&r, j, q);
                        assert_int_equal(other.position, i);
                        assert_int_equal(bine_circle_member(&other, q, c.position), x);
                        for (int y = 0; y < r.members; y++)
                            after[x][y] = (char)(after[x][y] + heard[q][y]);
                    }
                }
                for (int x = 0; x < r.members; x++)
                    for (int y = 0; y < r.members; y++) {
                        assert_in_range(after[x][y], 0, 1);
                        heard[x][y] = after[x][y];
                    }
            }
            for (int x = 0; x < r.members; x++)
                for (int y = 0; y < r.members; y++)
                    assert_int_equal(heard[x][y], 1);
        }
}

/* The trees of Trivance: a node receives from the one without its lowest digit other than 0, in
 * balanced ternary, at the step of that digit from the top. For powers of three that is radix 3. */
static void radix_three_is_balanced_ternary(void **state) {
    (void)state;
    for (int p = 3, steps = 1; p <= 729; p *= 3, steps++) {
        struct bine_tree *t = bine_radix_tree(p, BINE_FAR_FIRST, 3);
        assert_non_null(t);
        for (int v = 1; v < p; v++) {
            int u = v <= p / 2 ? v : v - p, unit = 1, step = steps - 1;
            for (; u / unit % 3 == 0; unit *= 3)
                step--;
            int digit = (u / unit % 3 + 4) % 3 - 1; /* -1 or 1 */
            assert_int_equal(t->parent[v], (u - digit * unit + p) % p);
            assert_int_equal(t->step[v], step);
        }
        bine_tree_free(t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radix_two_is_the_split_tree),
        cmocka_unit_test(worked_examples),
        cmocka_unit_test(far_first_trees),
        cmocka_unit_test(near_first_has_radix_partners),
        cmocka_unit_test(distances_over_knomial),
        cmocka_unit_test(postal_trees_are_the_earliest),
        cmocka_unit_test(bytes_between_groups),
        cmocka_unit_test(distances_of_butterflies),
        cmocka_unit_test(radix_two_is_the_butterfly),
        cmocka_unit_test(rows_partition),
        cmocka_unit_test(radix_three_is_balanced_ternary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
