/* What ranks hold: worked out by hand for small cases, and complete at the end for every algorithm
 * that needs nothing but ranks. */
#include "../unit/unit.h"
#include "explorer/hold.h"

struct shown {
    struct bine_messages messages;
    struct bine_hold hold;
};

static void open_shown(struct shown *x, const struct bine_algorithm *a, int p, int root) {
    assert_non_null(a);
    struct bine_spec spec = {
        .algorithm = a, .p = p, .root = root, .layout = bine_algorithm_layout(a, p)};
    assert_int_equal(bine_messages_collect(&x->messages, &spec, 1 << 20), 0);
    assert_int_equal(bine_hold_make(&x->hold, &x->messages, 1 << 20), 0);
    assert_false(x->hold.stuck);
}

static void close_shown(struct shown *x) {
    bine_hold_free(&x->hold);
    bine_messages_free(&x->messages);
}

static int held(const struct shown *x, int rank, int cell) {
    return x->hold.count[rank * x->hold.cells + cell];
}

/* p = 8, far-first tree of root 0: 0 -> 3, then 0 -> 7 and 3 -> 4, then the rest. */
static void test_bcast(void **state) {
    (void)state;
    static const int step[8] = {-1, 2, 2, 0, 1, 2, 2, 1};
    struct shown x;
    open_shown(&x, bine_algorithm_find(BINE_BCAST, "bine-small"), 8, 0);
    for (int time = -1; time < 3; time++) {
        bine_hold_at(&x.hold, time);
        for (int r = 0; r < 8; r++)
            assert_int_equal(held(&x, r, 0), step[r] <= time);
    }
    close_shown(&x);
}

/* Recursive doubling: twice as many contributions after each step. */
static void test_sums(void **state) {
    (void)state;
    struct shown x;
    open_shown(&x, bine_algorithm_find(BINE_ALLREDUCE, "recursive-doubling"), 8, 0);
    for (int time = -1; time < 3; time++) {
        bine_hold_at(&x.hold, time);
        for (int r = 0; r < 8; r++)
            assert_int_equal(held(&x, r, 0), 1 << (time + 1));
    }
    close_shown(&x);
}

/* What is permuted at the end is not there at the beginning. */
static void test_permuted(void **state) {
    (void)state;
    struct shown x;
    open_shown(&x, bine_algorithm_find(BINE_ALLGATHER, "bine-far"), 8, 0);
    for (int time = -1; time < 3; time++) {
        int count = 0;
        bine_hold_at(&x.hold, time);
        for (int b = 0; b < 8; b++)
            count += held(&x, 5, b);
        assert_int_equal(count, 1 << (time + 1));
    }
    close_shown(&x);
}

/* Blocks of an alltoall have the sizes of what is in the slots: 10 bytes of 3 ranks are 4, 3 and 3.
 */
static void test_alltoall_bytes(void **state) {
    (void)state;
    const struct bine_algorithm *a = bine_algorithm_find(BINE_ALLTOALL, "bine-far");
    struct bine_spec spec = {.algorithm = a, .p = 3, .layout = bine_algorithm_layout(a, 3)};
    struct bine_messages m;
    struct bine_hold h;
    int64_t sum = 0;
    assert_int_equal(bine_messages_collect(&m, &spec, 10), 0);
    assert_int_equal(bine_hold_make(&h, &m, 10), 0);
    assert_non_null(h.carried);
    for (size_t i = 0; i < m.count; i++)
        sum += h.carried[i];
    assert_true(sum >= 20); /* every block but the own ones once at least: 3 * 10 - 10 */
    bine_hold_free(&h);
    bine_messages_free(&m);
}

static int must_have(const struct bine_schedule *s, int cell) {
    switch (bine_collective_kind(s->collective)) {
    case BINE_BARRIER: /* which moves nothing */
        return 0;
    case BINE_EXSCAN: /* rank 0 gets nothing */
        return s->rank > 0;
    case BINE_REDUCE:
    case BINE_GATHER:
        return s->rank == s->root;
    case BINE_SCATTER:
    case BINE_REDUCE_SCATTER:
        return cell / s->parts == s->rank;
    default:
        return 1;
    }
}

/* How many contributions there are in what a rank must have. (In an exscan the rank also holds what
 * it passes on, its own among it.) */
static int contributions(const struct bine_schedule *s) {
    if (s->collective == BINE_SCAN || s->collective == BINE_EXSCAN)
        return s->rank + (s->collective == BINE_SCAN);
    return bine_collective_reduces(s->collective) ? s->p : 1;
}

static void test_all(void **state) {
    (void)state;
    static const int ranks[] = {1, 2, 3, 6, 8, 13};
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++) {
            const struct bine_algorithm *a = &bine_catalogue[i];
            struct shown x;
            int p = ranks[k];
            if (!bine_algorithm_serves(a, p))
                continue;
            int root = bine_collective_is_rooted(a->collective) ? p / 2 : 0;
            open_shown(&x, a, p, root);
            bine_hold_at(&x.hold, x.messages.schedule[0]->times);
            for (int r = 0; r < p; r++)
                for (int c = 0; c < x.hold.cells; c++)
                    if (must_have(x.messages.schedule[r], c) &&
                        (a->collective == BINE_EXSCAN
                             ? held(&x, r, c) < contributions(x.messages.schedule[r])
                             : held(&x, r, c) != contributions(x.messages.schedule[r])))
                        fail_msg("%s %s, %d ranks: rank %d, cell %d: %d",
                                 bine_collective_name(a->collective), a->name, p, r, c,
                                 held(&x, r, c));
            close_shown(&x);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bcast),    cmocka_unit_test(test_sums),
        cmocka_unit_test(test_permuted), cmocka_unit_test(test_alltoall_bytes),
        cmocka_unit_test(test_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
