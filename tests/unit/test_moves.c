/* The moves by closed form equal the moves by enumeration of the trees: the same blocks, as fresh,
 * to and from the same peers at the same times. */
#include "unit.h"

#include "pattern/bine_family.h"
#include "pattern/knomial.h"
#include "pattern/ring.h"
#include "schedule/build/moves/moves.h"

#include <stdlib.h>
#include <string.h>

/* One block of one message. */
struct record {
    int32_t time, direction, peer, block, fresh;
};

struct records {
    struct record *at;
    size_t count;
};

static int by_fields(const void *a, const void *b) {
    const int32_t *x = a, *y = b;
    for (int i = 0; i < 4; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

static int no_translation(int block, int p) {
    (void)p;
    return block;
}

static int nu_place(int place, int p) {
    return bine_place_rank(BINE_PLACE_NU, place, p);
}

static int reverse_place(int place, int p) {
    return bine_place_rank(BINE_PLACE_REVERSE, place, p);
}

static size_t count_blocks(const struct bine_moves *m) {
    size_t n = 0;
    for (uint32_t i = 0; i < m->nspans; i++)
        n += (size_t)m->span[i].count;
    return n;
}

/* Messages in the order of time, spans ascending and apart: what the builder relies on. */
static void assert_in_order(const struct bine_moves *m) {
    for (uint32_t k = 0; k < m->nmoves; k++) {
        const struct bine_move *mv = &m->move[k];
        assert_in_range(mv->time, 0, m->times - 1);
        assert_true(k == 0 || m->move[k - 1].time <= mv->time);
        assert_true(mv->nspans > 0);
        for (uint32_t i = 1; i < mv->nspans; i++) {
            const struct bine_span *x = &m->span[mv->spans + i - 1];
            assert_true(x->first + x->count <= x[1].first);
        }
    }
}

static struct records expand(const struct bine_moves *m, int p, int (*block_of)(int, int)) {
    struct records r = {malloc((count_blocks(m) + 1) * sizeof *r.at), 0};
    assert_non_null(r.at);
    assert_in_order(m);
    for (uint32_t k = 0; k < m->nmoves; k++) {
        const struct bine_move *mv = &m->move[k];
        for (uint32_t i = 0; i < mv->nspans; i++) {
            const struct bine_span *x = &m->span[mv->spans + i];
            for (int b = x->first; b < x->first + x->count; b++)
                r.at[r.count++] = (struct record){mv->time, mv->direction, mv->peer, block_of(b, p),
                                                  x->fresh != 0};
        }
    }
    qsort(r.at, r.count, sizeof *r.at, by_fields);
    return r;
}

/* Compare and free both. */
static void assert_same_moves(struct bine_moves *closed, int (*block_of)(int, int),
                              struct bine_moves *listed, int p) {
    struct records a = expand(closed, p, block_of), b = expand(listed, p, no_translation);
    assert_int_equal(closed->times, listed->times);
    assert_int_equal(a.count, b.count);
    if (a.count > 0)
        assert_memory_equal(a.at, b.at, a.count * sizeof *a.at);
    free(a.at);
    free(b.at);
    bine_moves_free(closed);
    bine_moves_free(listed);
}

/* All roots up to 40 ranks; above, both ends, both parities and one inside. */
static int takes_root(int p, int root) {
    return p <= 40 || root < 2 || root >= p - 2 || root == p / 3;
}

static void split_forms(void **state) {
    (void)state;
    for (int p = 1; p <= UNIT_TO(130); p++) {
        struct bine_tree *t = bine_split_tree(p);
        struct bine_moves a, b;
        assert_non_null(t);
        for (int root = 0; root < p; root++)
            for (int r = 0; r < p && takes_root(p, root); r++) {
                assert_int_equal(bine_moves_split_bcast(&a, p, t->action, r, root), 0);
                assert_int_equal(bine_moves_bcast(&b, t, r, root), 0);
                assert_same_moves(&a, no_translation, &b, p);
                assert_int_equal(bine_moves_split_scatter(&a, p, r, root), 0);
                assert_int_equal(bine_moves_scatter(&b, t, r, root), 0);
                assert_same_moves(&a, no_translation, &b, p);
            }
        bine_tree_free(t);
    }
}

/* The butterfly's trees at powers of two, with the scaled and the paper's distances. */
static void butterfly_trees(void **state) {
    (void)state;
    for (int p = 1; p <= 256; p *= 2)
        for (int kind = BINE_SCALED; kind <= BINE_PAPER; kind++) {
            struct bine_tree *near = bine_butterfly_tree(p, BINE_NEAR_FIRST, kind),
                             *far = bine_butterfly_tree(p, BINE_FAR_FIRST, kind);
            struct bine_moves a, b;
            assert_non_null(near);
            assert_non_null(far);
            for (int root = 0; root < p; root++)
                for (int r = 0; r < p && takes_root(p, root); r++) {
                    assert_int_equal(bine_moves_near_bcast(&a, p, r, root), 0);
                    assert_int_equal(bine_moves_bcast(&b, near, r, root), 0);
                    assert_same_moves(&a, no_translation, &b, p);
                    assert_int_equal(bine_moves_split_bcast(&a, p, far->action, r, root), 0);
                    assert_int_equal(bine_moves_bcast(&b, far, r, root), 0);
                    assert_same_moves(&a, no_translation, &b, p);
                }
            bine_tree_free(near);
            bine_tree_free(far);
        }
}

static void arcs(void **state) {
    (void)state;
    for (int p = 2; p <= UNIT_TO(300); p += 2) {
        struct bine_tree *t = bine_butterfly_tree(p, BINE_NEAR_FIRST, BINE_SCALED);
        struct bine_moves a, b;
        assert_non_null(t);
        for (int r = 0; r < p; r++) {
            assert_int_equal(bine_moves_arcs(&a, p, r), 0);
            assert_int_equal(bine_moves_allgather(&b, t, r), 0);
            assert_same_moves(&a, no_translation, &b, p);
        }
        bine_tree_free(t);
    }
}

static void rings(void **state) {
    (void)state;
    for (int p = 1; p <= UNIT_TO(60); p++)
        for (int turned = 0; turned < 2; turned++) {
            struct bine_tree *t = turned ? bine_tree_turn(bine_ring_tree(p)) : bine_ring_tree(p);
            struct bine_moves a, b;
            assert_non_null(t);
            for (int r = 0; r < p; r++) {
                assert_int_equal(bine_moves_ring(&a, p, r, turned), 0);
                assert_int_equal(bine_moves_allgather(&b, t, r), 0);
                assert_same_moves(&a, no_translation, &b, p);
            }
            bine_tree_free(t);
        }
}

/* All roots and ranks up to 40, every odd step of them above. */
static void arcs_hung(void **state) {
    (void)state;
    for (int p = 2; p <= UNIT_TO(300); p += p < 150 ? 2 : 22) {
        struct bine_tree *t = bine_butterfly_tree(p, BINE_NEAR_FIRST, BINE_SCALED);
        int step = p <= 40 ? 1 : p / 9;
        for (int root = 0; root < p; root += step)
            for (int r = 0; r < p; r += p <= 40 ? 1 : 5) {
                struct bine_moves closed, all;
                assert_int_equal(bine_moves_arcs_hung(&closed, p, r, root), 0);
                assert_int_equal(bine_moves_hung(&all, t, r, root), 0);
                assert_same_moves(&closed, no_translation, &all, p);
            }
        bine_tree_free(t);
    }
}

static void aligned_against(struct bine_tree *t, enum bine_places places,
                            int (*block_of)(int, int)) {
    struct bine_moves a, b;
    assert_non_null(t);
    for (int r = 0; r < t->p; r++) {
        assert_int_equal(bine_moves_aligned(&a, places, t->p, r), 0);
        assert_int_equal(bine_moves_allgather(&b, t, r), 0);
        assert_same_moves(&a, block_of, &b, t->p);
        for (int root = 0; root < t->p; root++) {
            if (!takes_root(t->p, root))
                continue;
            assert_int_equal(bine_moves_aligned_hung(&a, places, t->p, r, root), 0);
            assert_int_equal(bine_moves_hung(&b, t, r, root), 0);
            assert_same_moves(&a, block_of, &b, t->p);
        }
    }
    bine_tree_free(t);
}

static void aligned_bine(void **state) {
    (void)state;
    for (int p = 1; p <= 256; p *= 2)
        aligned_against(bine_butterfly_tree(p, BINE_FAR_FIRST, BINE_SCALED), BINE_PLACE_NU,
                        nu_place);
}

static void aligned_hypercube(void **state) {
    (void)state;
    for (int p = 1; p <= 128; p *= 2) {
        aligned_against(bine_hypercube_tree(p, BINE_NEAR_FIRST), BINE_PLACE_RANK, no_translation);
        aligned_against(bine_hypercube_tree(p, BINE_FAR_FIRST), BINE_PLACE_REVERSE, reverse_place);
    }
}

/* With radix 2 the digits are the bits of the hypercube. */
static void digits_of_radix_two(void **state) {
    struct bine_moves a, b;
    (void)state;
    for (int p = 1; p <= 128; p *= 2) {
        struct bine_tree *t = bine_hypercube_tree(p, BINE_FAR_FIRST);
        assert_non_null(t);
        for (int r = 0; r < p; r++) {
            assert_int_equal(bine_moves_digits(&a, 2, p, r), 0);
            assert_int_equal(bine_moves_allgather(&b, t, r), 0);
            assert_same_moves(&a, reverse_place, &b, p);
        }
        bine_tree_free(t);
    }
}

static void places_are_permutations(void **state) {
    (void)state;
    for (int p = 1; p <= 4096; p *= 2)
        for (int places = BINE_PLACE_RANK; places <= BINE_PLACE_NU; places++)
            for (int r = 0; r < p; r++) {
                int x = bine_place_of((enum bine_places)places, r, p);
                assert_in_range(x, 0, p - 1);
                assert_int_equal(bine_place_rank((enum bine_places)places, x, p), r);
            }
}

/* How often a circular walk over 0..p-1 enters the blocks of a message. */
static int circular_runs(const struct bine_moves *m, const struct bine_move *mv, int p) {
    int runs = 0,
        end = m->span[mv->spans + mv->nspans - 1].first + m->span[mv->spans + mv->nspans - 1].count;
    for (uint32_t i = 0; i < mv->nspans; i++) {
        int first = m->span[mv->spans + i].first;
        int before =
            i > 0 ? m->span[mv->spans + i - 1].first + m->span[mv->spans + i - 1].count : end - p;
        runs += first != before;
    }
    return runs;
}

/* Beyond the paper: for every even p, not only powers of two. */
static void near_first_messages_are_circular_runs(void **state) {
    (void)state;
    for (int p = 2; p <= UNIT_TO(512); p += 2) {
        struct bine_tree *t = bine_butterfly_tree(p, BINE_NEAR_FIRST, BINE_SCALED);
        struct bine_moves m;
        assert_non_null(t);
        for (int r = 0; r < p; r++) {
            assert_int_equal(bine_moves_allgather(&m, t, r), 0);
            for (uint32_t k = 0; k < m.nmoves; k++)
                assert_in_range(circular_runs(&m, &m.move[k], p), 0, 1);
            bine_moves_free(&m);
        }
        bine_tree_free(t);
    }
}

/* Every foreign block comes once and p - 1 blocks are sent: the optimal volume, at every p. */
static void allgather_volume(void **state) {
    (void)state;
    for (int p = 1; p <= UNIT_TO(200); p++)
        for (int order = BINE_NEAR_FIRST; order <= BINE_FAR_FIRST; order++) {
            struct bine_tree *t = p % 2 == 0
                                      ? bine_butterfly_tree(p, (enum bine_order)order, BINE_SCALED)
                                      : bine_split_tree(p);
            struct bine_moves m;
            assert_non_null(t);
            for (int r = 0; r < p; r += p / 7 + 1) {
                int count[2] = {0, 0};
                assert_int_equal(bine_moves_allgather(&m, t, r), 0);
                for (uint32_t k = 0; k < m.nmoves; k++)
                    for (uint32_t i = 0; i < m.move[k].nspans; i++)
                        count[m.move[k].direction] += m.span[m.move[k].spans + i].count;
                assert_int_equal(count[BINE_TO], p - 1);
                assert_int_equal(count[BINE_FROM], p - 1);
                bine_moves_free(&m);
            }
            bine_tree_free(t);
        }
}

static void one_rank(void **state) {
    (void)state;
    struct bine_moves m;
    assert_int_equal(bine_moves_arcs(&m, 1, 0), 0);
    assert_int_equal(m.nmoves, 0);
    bine_moves_free(&m);
    assert_int_equal(bine_moves_aligned_hung(&m, BINE_PLACE_NU, 1, 0, 0), 0);
    assert_int_equal(m.nmoves, 0);
    bine_moves_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_forms),
        cmocka_unit_test(butterfly_trees),
        cmocka_unit_test(arcs),
        cmocka_unit_test(rings),
        cmocka_unit_test(arcs_hung),
        cmocka_unit_test(aligned_bine),
        cmocka_unit_test(aligned_hypercube),
        cmocka_unit_test(digits_of_radix_two),
        cmocka_unit_test(places_are_permutations),
        cmocka_unit_test(near_first_messages_are_circular_runs),
        cmocka_unit_test(allgather_volume),
        cmocka_unit_test(one_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
