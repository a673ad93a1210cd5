/* The statistics against values worked out by hand and from printed tables. */
#include "cli/output/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void expect(double got, double wanted) {
    if (fabs(got - wanted) > 1e-9 * fabs(wanted))
        fail_msg("got %.12g, expected %.12g", got, wanted);
}

/* n samples 1..n, given backwards: sample k is the k-th. */
static struct bine_summary first_numbers(size_t n) {
    static double x[4000];
    for (size_t i = 0; i < n; i++)
        x[i] = (double)(n - i);
    return bine_summary_of(x, n);
}

static void medians(void **state) {
    (void)state;
    expect(first_numbers(1).median, 1);
    expect(first_numbers(2).median, 1.5);
    expect(first_numbers(7).median, 4);
    expect(first_numbers(10).median, 5.5);
    assert_int_equal(bine_summary_of(NULL, 0).samples, 0);
}

/* Which samples the ends are, from the table of the sign test (two-sided, 5 %): for n samples the
 * critical number of signs is the end minus one. */
static void intervals(void **state) {
    static const int table[][2] = {{6, 1},  {7, 1},  {8, 1},  {9, 2},   {10, 2},  {12, 3},
                                   {15, 4}, {20, 6}, {25, 8}, {30, 10}, {50, 18}, {100, 40}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct bine_summary s = first_numbers((size_t)table[i][0]);
        expect(s.low, table[i][1]);
        expect(s.high, table[i][0] + 1 - table[i][1]);
    }
    for (size_t n = 1; n < 6; n++) { /* too few for 95 %: the ends of all */
        expect(first_numbers(n).low, 1);
        expect(first_numbers(n).high, (double)n);
    }
}

/* Where the normal distribution takes over, nothing jumps. */
static void many(void **state) {
    (void)state;
    expect(first_numbers(1000).low, 469);
    for (size_t n = 900; n < 1100; n++) {
        double step = first_numbers(n + 1).low - first_numbers(n).low;
        assert_true(step == 0 || step == 1);
    }
}

static void ties(void **state) {
    struct bine_summary a = {7, 10, 9.8, 10.2}, over = {7, 10.3, 10.1, 10.5};
    struct bine_summary near = {7, 10.09, 10.085, 10.095}, exact = {7, 10, 9.999, 10.001};
    struct bine_summary far = {7, 10.11, 10.105, 10.115}, touching = {7, 10.4, 10.2, 10.6};
    (void)state;
    assert_true(bine_summary_tie(&a, &over));
    assert_true(bine_summary_tie(&over, &a));
    assert_true(bine_summary_tie(&a, &touching));
    assert_true(bine_summary_tie(&exact, &near));
    assert_false(bine_summary_tie(&exact, &far));
    assert_false(bine_summary_tie(&far, &exact));
}

static void means(void **state) {
    struct bine_geometric g = {0};
    static const double sorted[] = {1, 2, 3, 4, 10};
    (void)state;
    expect(bine_geometric_mean(&g), 0);
    bine_geometric_add(&g, 2);
    bine_geometric_add(&g, 8);
    expect(bine_geometric_mean(&g), 4);
    expect(bine_quantile(sorted, 5, 0.25), 2);
    expect(bine_quantile(sorted, 5, 0.5), 3);
    expect(bine_quantile(sorted, 4, 0.5), 2.5);
    expect(bine_quantile(sorted, 5, 1), 10);
    expect(bine_quantile(sorted, 1, 0.75), 1);
}

static void spread(void **state) {
    struct bine_summary s = {9, 100, 99, 103}, t = {9, 100, 96, 103};
    (void)state;
    expect(bine_summary_spread(&s), 0.03);
    expect(bine_summary_spread(&t), 0.04);
}

/* The factor of the standard error for n samples, as tables of Student's t have it. */
static void student(void **state) {
    static const struct {
        size_t n;
        double t;
    } table[] = {{2, 12.706}, {3, 4.303}, {5, 2.776}, {17, 2.120}, {31, 2.042}, {101, 1.984}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double x[101], n = (double)table[i].n, mean = floor(n / 2) / n;
        for (size_t k = 0; k < table[i].n; k++)
            x[k] = (double)(k % 2);
        double error = sqrt(mean * (1 - mean) / (n - 1)); /* of zeros and ones */
        struct bine_mean m = bine_mean_of(x, table[i].n);
        expect(m.mean, mean);
        assert_true(fabs(m.half / error - table[i].t) < 1e-3);
    }
    const double one = 4;
    expect(bine_mean_of(&one, 1).half, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(medians), cmocka_unit_test(intervals),
                                       cmocka_unit_test(many),    cmocka_unit_test(ties),
                                       cmocka_unit_test(means),   cmocka_unit_test(spread),
                                       cmocka_unit_test(student)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
