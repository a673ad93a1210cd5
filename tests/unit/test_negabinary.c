/* Negabinary arithmetic against the paper's numbers (sections 2.3.1 and 3.2.1, appendix A) and
 * against the definition of base -2, evaluated digit by digit. */
#include "base/numbers.h"
#include "unit.h"

#include "pattern/negabinary.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_POWER = 16 };

/* The sum of digit_k (-2)^k, the definition itself. */
static int64_t value_of(uint32_t nb) {
    int64_t sum = 0, power = 1;
    for (; nb != 0; nb >>= 1, power *= -2)
        sum += (int64_t)(nb & 1u) * power;
    return sum;
}

/* Read a string of binary digits as the paper prints it. */
static uint32_t digits(const char *s) {
    uint32_t x = 0;
    for (; *s != '\0'; s++)
        x = 2 * x + (uint32_t)(*s - '0');
    return x;
}

static int64_t modulo(int64_t x, int64_t p) {
    return (x % p + p) % p;
}

static void paper_numbers(void **state) {
    (void)state;
    assert_int_equal(bine_nb_from_int(2), digits("110"));
    assert_int_equal(bine_nb_from_int(-1), digits("11"));
    assert_int_equal(bine_nb_to_int(digits("110")), 2);
    assert_int_equal(bine_nb_to_int(digits("011")), -1);
    assert_int_equal(bine_nb_to_int(digits("010101")), 21); /* m on six bits */
    assert_int_equal(bine_rank2nb(2, 8), digits("110"));
    assert_int_equal(bine_rank2nb(6, 8), digits("010"));
    assert_int_equal(bine_rank2nb(8, 16), digits("1000"));
    assert_int_equal(bine_rank2nb(7, 16), digits("1011"));
    assert_int_equal(bine_nu(2, 8), digits("011"));
    assert_int_equal(bine_nu(5, 8), digits("111"));
    assert_int_equal(bine_nu(1, 8), digits("001"));
}

static void table_of_eight(void **state) {
    (void)state;
    static const char *const nb[] = {"000", "001", "110", "111", "100", "101", "010", "011"};
    static const char *const nu[] = {"000", "001", "011", "100", "110", "111", "101", "010"};
    for (int r = 0; r < 8; r++) {
        assert_int_equal(bine_rank2nb(r, 8), digits(nb[r]));
        assert_int_equal(bine_nb2rank(digits(nb[r]), 8), r);
        assert_int_equal(bine_nu(r, 8), digits(nu[r]));
        assert_int_equal(bine_nu_inverse(digits(nu[r]), 8), r);
    }
}

/* Appendix A's figures: h on 12 bits, and the steps that its runs of ones tell. */
static void appendix_figures(void **state) {
    (void)state;
    uint32_t odd = digits("000111000011"), even = digits("011000111100");
    int q = (int)modulo(value_of(odd), 4096);
    assert_int_equal(q % 2, 1);
    assert_int_equal(bine_h(q, 4096), odd);
    assert_int_equal(bine_nu(q, 4096), 1u << 1 | 1u << 5 | 1u << 8);
    q = (int)modulo(-value_of(even), 4096);
    assert_int_equal(q % 2, 0);
    assert_int_equal(bine_h(q, 4096), even);
    assert_int_equal(bine_nu(q, 4096), 1u << 1 | 1u << 5 | 1u << 8 | 1u << 10);
}

static void signed_numbers(void **state) {
    (void)state;
    for (int32_t x = -70000; x <= 70000; x++) {
        assert_int_equal(value_of(bine_nb_from_int(x)), x);
        assert_int_equal(bine_nb_to_int(bine_nb_from_int(x)), x);
    }
    for (uint32_t nb = 0; nb < 1u << 17; nb++)
        assert_int_equal(bine_nb_to_int(nb), value_of(nb));
}

/* Ranks up to m = ..0101 stand for themselves, ranks above for r - p. */
static void ranks_are_residues(void **state) {
    (void)state;
    for (int s = 0; s <= LARGEST_POWER; s++) {
        int p = 1 << s, m = 0;
        for (int k = 0; k < s; k += 2)
            m += 1 << k;
        for (int r = 0; r < p; r++) {
            uint32_t nb = bine_rank2nb(r, p);
            assert_true(nb < (uint32_t)p);
            assert_int_equal(value_of(nb), r <= m ? r : r - p);
            assert_int_equal(bine_nb2rank(nb, p), r);
        }
    }
}

static void nb2rank_is_onto(void **state) {
    (void)state;
    for (int s = 0; s <= LARGEST_POWER; s++)
        for (int64_t nb = 0, p = 1 << s; nb < p; nb++) {
            assert_int_equal(bine_nb2rank((uint32_t)nb, (int)p), modulo(value_of((uint32_t)nb), p));
            assert_int_equal(bine_rank2nb(bine_nb2rank((uint32_t)nb, (int)p), (int)p), nb);
        }
}

static void nu_is_a_permutation(void **state) {
    (void)state;
    char *seen = malloc(1u << LARGEST_POWER);
    assert_non_null(seen);
    for (int s = 0; s <= LARGEST_POWER; s++) {
        int p = 1 << s;
        memset(seen, 0, (size_t)p);
        for (int r = 0; r < p; r++) {
            uint32_t h = bine_h(r, p), nu = bine_nu(r, p);
            /* The definition: h(0) = 0, h(r) = rank2nb(p - r) for even, rank2nb(r) for odd r. */
            assert_int_equal(modulo(value_of(h), p), modulo(r % 2 == 0 ? -r : r, p));
            assert_int_equal(nu, h ^ h >> 1);
            assert_true(nu < (uint32_t)p);
            assert_false(seen[nu]);
            seen[nu] = 1;
            assert_int_equal(bine_nu_inverse(nu, p), r);
        }
    }
    free(seen);
}

static void reversing(void **state) {
    (void)state;
    assert_int_equal(bine_bits_reverse(digits("001"), 3), digits("100"));
    assert_int_equal(bine_bits_reverse(digits("110"), 3), digits("011"));
    assert_int_equal(bine_bits_reverse(digits("1101"), 4), digits("1011"));
    assert_int_equal(bine_bits_reverse(0, 0), 0);
    assert_int_equal(bine_bits_reverse(1, 32), 1u << 31);
    for (int s = 1; s <= LARGEST_POWER; s++)
        for (uint32_t x = 0; x < 1u << s; x++) {
            uint32_t y = bine_bits_reverse(x, s);
            assert_int_equal(bine_bits_reverse(y, s), x);
            for (int k = 0; k < s; k += 5) /* a sample of the bits */
                assert_int_equal(x >> k & 1u, y >> (s - 1 - k) & 1u);
        }
}

static void logarithms(void **state) {
    (void)state;
    static const int expected[] = {0, 0, 1, 2, 2, 3, 3, 3, 3, 4, 4};
    for (int p = 1; p <= 10; p++)
        assert_int_equal(bine_log2_ceil(p), expected[p]);
    for (int s = 1; s < 30; s++) {
        assert_int_equal(bine_log2_ceil(1 << s), s);
        assert_int_equal(bine_log2_ceil((1 << s) + 1), s + 1);
        assert_true(bine_is_pow2(1 << s));
        assert_false(bine_is_pow2((1 << s) + (s == 1 ? 1 : 2)));
    }
    assert_int_equal(bine_log2_ceil(INT32_MAX), 31);
    assert_true(bine_is_pow2(1));
    assert_false(bine_is_pow2(0));
    assert_false(bine_is_pow2(-4));
}

static void one_rank(void **state) {
    (void)state;
    assert_int_equal(bine_rank2nb(0, 1), 0);
    assert_int_equal(bine_nb2rank(0, 1), 0);
    assert_int_equal(bine_nu(0, 1), 0);
    assert_int_equal(bine_nu_inverse(0, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_numbers),       cmocka_unit_test(table_of_eight),
        cmocka_unit_test(appendix_figures),    cmocka_unit_test(signed_numbers),
        cmocka_unit_test(ranks_are_residues),  cmocka_unit_test(nb2rank_is_onto),
        cmocka_unit_test(nu_is_a_permutation), cmocka_unit_test(reversing),
        cmocka_unit_test(logarithms),          cmocka_unit_test(one_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
