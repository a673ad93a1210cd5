/* Numbers of 2 bytes against their definition: sign, exponent and fraction. */
#include "unit.h"

#include "base/halves.h"

#include <math.h>
#include <stdlib.h>

static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double x = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -x : x;
}

static void every_half_is_read_and_written(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        uint16_t x = (uint16_t)bits;
        if ((x >> 10 & 31) == 31)
            continue;
        assert_true((double)bine_half_read(x) == half_value(x));
        assert_int_equal(bine_half_write(bine_half_read(x)), x);
    }
    assert_true(isinf(bine_half_read(0x7c00)) && isinf(bine_half_read(0xfc00)));
    assert_true(isnan(bine_half_read(bine_half_write(NAN))));
}

/* Between two neighbours: to the nearer one, and from the middle to the even one. */
static void halves_are_rounded_to_the_nearest(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits < 0x7bff; bits++) {
        double a = half_value((uint16_t)bits), b = half_value((uint16_t)(bits + 1));
        float middle = (float)((a + b) / 2);
        uint32_t even = bits + (bits & 1);
        assert_int_equal(bine_half_write(middle), even);
        assert_int_equal(bine_half_write(-middle), even | 0x8000);
        assert_int_equal(bine_half_write(nextafterf(middle, 0)), bits);
        assert_int_equal(bine_half_write(nextafterf(middle, 1e9f)), bits + 1);
    }
    assert_int_equal(bine_half_write(65519.0f), 0x7bff);
    assert_int_equal(bine_half_write(65520.0f), 0x7c00);
    assert_int_equal(bine_half_write(1e30f), 0x7c00);
    assert_int_equal(bine_half_write(-INFINITY), 0xfc00);
}

static void bfloat16_is_the_upper_half(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits < 0x7f7f; bits++) {
        float a = bine_bfloat16_read((uint16_t)bits), b = bine_bfloat16_read((uint16_t)(bits + 1));
        float middle = (float)(((double)a + (double)b) / 2);
        assert_int_equal(bine_bfloat16_write(a), bits);
        assert_int_equal(bine_bfloat16_write(middle), bits + (bits & 1));
        assert_int_equal(bine_bfloat16_write(nextafterf(middle, 0)), bits);
    }
    assert_true(bine_bfloat16_read(0x3f80) == 1.0f && bine_bfloat16_read(0xc040) == -3.0f);
    assert_true(isnan(bine_bfloat16_read(bine_bfloat16_write(NAN))));
    assert_true(isinf(bine_bfloat16_read(bine_bfloat16_write(INFINITY))));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_half_is_read_and_written),
        cmocka_unit_test(halves_are_rounded_to_the_nearest),
        cmocka_unit_test(bfloat16_is_the_upper_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
