/* Steps and volume of the algorithms, against the formulas under which they were published. Volumes
 * are pieces received by all ranks together: blocks of n/p (or segments, or whole vectors), as the
 * algorithm cuts them. */
#include "unit.h"

#include "schedule/build/build.h"
#include "schedule/prove.h"

#include <string.h>

static int64_t log2_up(int64_t p) {
    int64_t s = 0;
    while ((1 << s) < p)
        s++;
    return s;
}

static int64_t log_up(int64_t p, int64_t k) {
    int64_t s = 0;
    for (int64_t n = 1; n < p; n *= k)
        s++;
    return s;
}

/* Non-zero digits of all numbers below p, in base k: the hops of Bruck's alltoall. */
static int64_t digits(int64_t p, int64_t k) {
    int64_t n = 0;
    for (int64_t w = 0; w < p; w++)
        for (int64_t x = w; x > 0; x /= k)
            n += x % k != 0;
    return n;
}

/* Blocks that move in a binomial scatter over p ranks: rank v > 0 gets those of its subtree, up to
 * its lowest bit many. */
static int64_t scattered(int64_t p) {
    int64_t n = 0;
    for (int64_t v = 1; v < p; v++) {
        int64_t bit = v & -v;
        n += bit < p - v ? bit : p - v;
    }
    return n;
}

/* The deepest step of Open MPI's binary tree of p nodes, in which the second child is served a step
 * after the first. */
static int64_t binary_steps(int64_t p) {
    int64_t most = 0;
    for (int64_t v = 1; v < p; v++) {
        int64_t step = 0;
        for (int64_t u = v; u > 0;) {
            /* Level l: 2^l - 1 .. 2^(l+1) - 2. Children: 2^l and 2^(l+1) after their parent. */
            int64_t up = 1;
            while (4 * up - 1 <= u)
                up *= 2;
            int second = u - up >= 2 * up - 1;
            step += 1 + second;
            u -= up << second;
        }
        most = step > most ? step : most;
    }
    return most;
}

/* S: segments. */
#define S 5
#define L log2_up(p)

struct formula {
    const char *collective, *name;
    int powers; /* only for powers of this number; 0: whatever the algorithm takes */
    int64_t (*steps)(int64_t p);
    int64_t (*volume)(int64_t p);
};

#define DEFINE(NAME, EXPRESSION)                                                                   \
    static int64_t NAME(int64_t p) {                                                               \
        return (EXPRESSION) + 0 * p;                                                               \
    }
DEFINE(log_steps, L)
DEFINE(two_log, 2 * L)
DEFINE(one_step, 1)
DEFINE(ring_steps, p - 1)
DEFINE(two_rings, 2 * (p - 1))
DEFINE(half, p / 2)
DEFINE(each_once, p - 1)
DEFINE(up_and_down, 2 * (p - 1))
DEFINE(all_to_all, p *(p - 1))
DEFINE(twice_all, 2 * p * (p - 1))
DEFINE(chain_steps, p - 1 + S - 1)
DEFINE(segments_once, S *(p - 1))
DEFINE(segments_twice, 2 * S * (p - 1))
DEFINE(binary_pipeline, binary_steps(p) + 2 * (S - 1))
DEFINE(circulant_steps, S - 1 + L)
DEFINE(log_ring, L + p - 1)
DEFINE(tree_scatter, scattered(p))
DEFINE(scatter_all, scattered(p) + p * (p - 1))
DEFINE(halving_gather, p *(p - 1) + p / 2 * L)
DEFINE(whole_butterfly, p *L)
DEFINE(half_log, p / 2 * L)
DEFINE(log3, log_up(p, 3))
DEFINE(log4, log_up(p, 4))
DEFINE(log8, log_up(p, 8))
DEFINE(two_log3, 2 * log_up(p, 3))
DEFINE(two_log4, 2 * log_up(p, 4))
DEFINE(two_log8, 2 * log_up(p, 8))
DEFINE(multiply3, p * 2 * log_up(p, 3))
DEFINE(multiply4, p * 3 * log_up(p, 4))
DEFINE(multiply8, p * 7 * log_up(p, 8))
DEFINE(bruck2, p *digits(p, 2))
DEFINE(bruck3, p *digits(p, 3))
DEFINE(bruck4, p *digits(p, 4))
DEFINE(bruck8, p *digits(p, 8))
DEFINE(bine_alltoall, p *p / 2 * L)
DEFINE(doubling_blocks, p *(p *L - (p - 1)))
DEFINE(segmented_ring_steps, (S + 1) * (p - 1))
DEFINE(segmented_ring_volume, 2 * S * p * (p - 1))

static const struct formula formulas[] = {
    {"bcast", "bine-small", 0, log_steps, each_once},
    {"bcast", "binomial-near", 0, log_steps, each_once},
    {"bcast", "binomial-far", 0, log_steps, each_once},
    {"bcast", "linear", 0, one_step, each_once},
    {"bcast", "knomial-3", 0, log3, each_once},
    {"bcast", "bine-3", 0, log3, each_once},
    {"bcast", "bine-8", 0, log8, each_once},
    {"bcast", "knomial-8", 0, log8, each_once},
    {"bcast", "bine-large", 0, two_log, all_to_all},
    {"bcast", "bine-large-two", 0, two_log, all_to_all},
    {"bcast", "chain", 0, chain_steps, segments_once},
    {"bcast", "binary", 0, binary_pipeline, segments_once},
    {"bcast", "split-binary", 0, NULL, segments_once},
    {"bcast", "double-binary", 0, NULL, segments_once},
    {"bcast", "circulant", 0, circulant_steps, segments_once},
    {"bcast", "scatter-allgather", 0, two_log, scatter_all},
    {"bcast", "scatter-ring", 0, log_ring, scatter_all},
    {"reduce", "bine-large", 0, two_log, all_to_all},
    {"reduce", "chain", 0, chain_steps, segments_once},
    {"reduce", "circulant", 0, circulant_steps, segments_once},
    {"reduce", "knomial-4", 0, log4, each_once},
    {"reduce", "bine-4", 0, log4, each_once},
    {"reduce", "bine-large-gather", 2, two_log, halving_gather},
    {"reduce", "rabenseifner", 2, two_log, halving_gather},
    {"reduce", "rabenseifner-halves", 2, two_log, halving_gather},
    {"allreduce", "bine-small", 2, log_steps, whole_butterfly},
    {"allreduce", "recursive-doubling", 2, log_steps, whole_butterfly},
    {"allreduce", "recursive-multiplying-3", 3, log3, multiply3},
    {"allreduce", "recursive-multiplying-4", 4, log4, multiply4},
    {"allreduce", "recursive-multiplying-8", 8, log8, multiply8},
    {"allreduce", "bine-3", 3, log3, multiply3},
    {"allreduce", "bine-4", 4, log4, multiply4},
    {"allreduce", "bine-8", 8, log8, multiply8},
    {"allreduce", "bine-large", 0, two_log, twice_all},
    {"allreduce", "rabenseifner", 2, two_log, twice_all},
    {"allreduce", "rabenseifner-halves", 2, two_log, twice_all},
    {"allreduce", "rabenseifner-4", 4, two_log4, twice_all},
    {"allreduce", "rabenseifner-8", 8, two_log8, twice_all},
    {"allreduce", "trivance", 0, two_log3, twice_all},
    {"allreduce", "trivance-small", 3, log3, multiply3},
    {"allreduce", "swing", 0, two_log, twice_all},
    {"allreduce", "circulant", 0, two_log, twice_all},
    {"allreduce", "ring", 0, two_rings, twice_all},
    {"allreduce", "ring-segmented", 0, segmented_ring_steps, segmented_ring_volume},
    {"allreduce", "bucket", 0, NULL, twice_all},
    {"allreduce", "reduce-bcast", 0, two_log, up_and_down},
    {"allreduce", "double-binary", 0, NULL, segments_twice},
    {"allgather", "bine-far", 0, log_steps, all_to_all},
    {"allgather", "bruck", 0, log_steps, all_to_all},
    {"allgather", "bruck-3", 0, log3, all_to_all},
    {"allgather", "bine-3", 0, log3, all_to_all},
    {"allgather", "sparbit", 0, log_steps, all_to_all},
    {"allgather", "swing", 0, log_steps, all_to_all},
    {"allgather", "circulant", 0, log_steps, all_to_all},
    {"allgather", "recursive-doubling", 0, log_steps, all_to_all},
    {"allgather", "neighbour-exchange", 0, half, all_to_all},
    {"allgather", "ring", 0, ring_steps, all_to_all},
    {"allgather", "bucket", 0, NULL, all_to_all},
    {"allgather", "linear", 0, one_step, all_to_all},
    {"reduce_scatter", "bine-near", 0, log_steps, all_to_all},
    {"reduce_scatter", "recursive-halving", 0, log_steps, all_to_all},
    {"reduce_scatter", "recursive-doubling", 0, log_steps, doubling_blocks},
    {"reduce_scatter", "pairwise", 0, ring_steps, all_to_all},
    {"reduce_scatter", "ring", 0, ring_steps, all_to_all},
    {"reduce_scatter", "circulant", 0, log_steps, all_to_all},
    {"reduce_scatter", "swing", 0, log_steps, all_to_all},
    {"gather", "binomial-near", 0, log_steps, tree_scatter},
    {"gather", "bine-near", 2, log_steps, half_log},
    {"gather", "linear", 0, one_step, each_once},
    {"scatter", "binomial-far", 0, log_steps, tree_scatter},
    {"scatter", "bine-far", 2, log_steps, half_log},
    {"scatter", "linear", 0, one_step, each_once},
    {"alltoall", "bine-far", 2, log_steps, bine_alltoall},
    {"alltoall", "bruck", 0, log_steps, bruck2},
    {"alltoall", "bruck-3", 0, log3, bruck3},
    {"alltoall", "bruck-4", 0, log4, bruck4},
    {"alltoall", "bruck-8", 0, log8, bruck8},
    {"alltoall", "pairwise", 0, ring_steps, all_to_all},
    {"alltoall", "linear", 0, one_step, all_to_all},
};

static int is_power(int p, int of) {
    while (of > 0 && p % of == 0)
        p /= of;
    return of == 0 || p == 1;
}

static void check_formula(const struct formula *f, int p) {
    enum bine_collective c = (enum bine_collective)bine_collective_find(f->collective);
    const struct bine_algorithm *a = bine_algorithm_find(c, f->name);
    struct bine_spec spec = {.algorithm = a, .layout = BINE_BLOCKS, .p = p, .segments = S};
    struct bine_verdict v;
    assert_non_null(a);
    if (!bine_algorithm_serves(a, p) || !is_power(p, f->powers))
        return;
    assert_int_equal(bine_check_spec(&spec, &v), 0);
    struct bine_schedule *s = bine_schedule_build(&spec);
    assert_non_null(s);
    if (f->steps != NULL)
        assert_int_equal(s->times, f->steps(p));
    assert_int_equal(v.pieces, f->volume(p));
    bine_schedule_free(s);
}

static void published(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        for (int p = 2; p <= 40; p++)
            check_formula(&formulas[i], p);
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        check_formula(&formulas[i], 64);
}

/* Two dimensions: rings of rows and columns. */
static void bucket_steps(void **state) {
    (void)state;
    const struct bine_algorithm *a = bine_algorithm_find(BINE_ALLGATHER, "bucket");
    assert_int_equal(bine_algorithm_steps(a, 16, BINE_BLOCKS), 6);  /* 4 x 4 */
    assert_int_equal(bine_algorithm_steps(a, 12, BINE_BLOCKS), 5);  /* 3 x 4 */
    assert_int_equal(bine_algorithm_steps(a, 13, BINE_BLOCKS), 12); /* 1 x 13 */
}

/* Logarithmic depth: the double tree adds two steps a level, and one for the root, on top of its
 * pipeline. */
static void double_tree_depth(void **state) {
    (void)state;
    const struct bine_algorithm *a = bine_algorithm_find(BINE_BCAST, "double-binary");
    for (int p = 2; p <= 130; p++) {
        struct bine_spec spec = {.algorithm = a, .layout = BINE_BLOCKS, .p = p, .segments = 2};
        struct bine_schedule *s = bine_schedule_build(&spec);
        assert_non_null(s);
        assert_true(s->times <= 2 * log2_up(p) + 2);
        bine_schedule_free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published),
        cmocka_unit_test(bucket_steps),
        cmocka_unit_test(double_tree_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
