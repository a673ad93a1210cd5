/* Several operands in one pass against one after the other. */
#include "board/reduce.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 1500, OPERANDS = 11, BYTES = ELEMENTS * 8 };

static unsigned char operand[OPERANDS][BYTES], want[BYTES], got[BYTES];

/* Numbers that do not become infinite or the same in a few operations. */
static void fill(enum bine_reduce_type type, unsigned seed) {
    for (int j = 0; j < OPERANDS; j++)
        for (size_t i = 0; i < ELEMENTS; i++) {
            seed = seed * 1664525u + 1013904223u;
            double x = 0.5 + (double)(seed >> 8) / (1 << 24);
            float f = (float)x;
            if (type == BINE_REDUCE_F64)
                memcpy(operand[j] + 8 * i, &x, 8);
            else if (type == BINE_REDUCE_F32)
                memcpy(operand[j] + 4 * i, &f, 4);
            else
                for (size_t k = 0; k < bine_reduce_size(type); k++)
                    operand[j][i * bine_reduce_size(type) + k] =
                        (unsigned char)(seed >> 24 & (k % 3 == 2 ? 0 : 0xff));
        }
}

static void one_after_the_other(bine_reduce_pass *pass, size_t size, int k, size_t n) {
    memcpy(want, operand[0], n * size);
    for (int j = 1; j < k; j++) {
        const void *two[] = {want, operand[j]};
        pass(want, two, 2, n);
    }
}

static void test_one_pass(void **state) {
    (void)state;
    for (int type = 0; type < BINE_REDUCE_TYPES; type++)
        for (int op = 0; op < BINE_REDUCE_OPERATORS; op++) {
            bine_reduce_pass *pass =
                bine_reduce_find((enum bine_reduce_type)type, (enum bine_reduce_operator)op);
            size_t size = bine_reduce_size((enum bine_reduce_type)type);
            if (pass == NULL) {
                assert_true(type >= BINE_REDUCE_F32 && op >= BINE_REDUCE_BAND);
                continue;
            }
            fill((enum bine_reduce_type)type, (unsigned)(type * 100 + op));
            for (int k = 2; k <= OPERANDS; k++)
                for (size_t n = 1; n <= ELEMENTS; n += 1 + n / 3) {
                    const void *from[OPERANDS];
                    for (int j = 0; j < k; j++)
                        from[j] = operand[j];
                    one_after_the_other(pass, size, k, n);
                    pass(got, from, k, n);
                    assert_memory_equal(got, want, n * size);
                    /* on top of one of them */
                    int own = (int)(n % (size_t)k);
                    memcpy(got, operand[own], n * size);
                    from[own] = got;
                    pass(got, from, k, n);
                    assert_memory_equal(got, want, n * size);
                }
        }
}

#define CHECK(TYPE, T, OP, A, B, WANT)                                                             \
    do {                                                                                           \
        T a[] = {A}, b[] = {B}, to[1];                                                             \
        const void *from[] = {a, b};                                                               \
        bine_reduce_find(TYPE, OP)(to, from, 2, 1);                                                \
        assert_true(to[0] == (WANT));                                                              \
    } while (0)

/* What the operators are. */
static void test_operators(void **state) {
    (void)state;
    CHECK(BINE_REDUCE_I8, int8_t, BINE_REDUCE_SUM, 100, 100, (int8_t)-56);
    CHECK(BINE_REDUCE_U8, uint8_t, BINE_REDUCE_SUM, 200, 100, 44);
    CHECK(BINE_REDUCE_U16, uint16_t, BINE_REDUCE_PROD, 65535, 65535, 1);
    CHECK(BINE_REDUCE_I32, int32_t, BINE_REDUCE_PROD, -3, 7, -21);
    CHECK(BINE_REDUCE_I64, int64_t, BINE_REDUCE_MIN, -3, 7, -3);
    CHECK(BINE_REDUCE_U64, uint64_t, BINE_REDUCE_MIN, UINT64_MAX, 7, 7);
    CHECK(BINE_REDUCE_I16, int16_t, BINE_REDUCE_MAX, -3, 7, 7);
    CHECK(BINE_REDUCE_U32, uint32_t, BINE_REDUCE_MAX, UINT32_MAX, 7, UINT32_MAX);
    CHECK(BINE_REDUCE_I32, int32_t, BINE_REDUCE_BAND, 12, 10, 8);
    CHECK(BINE_REDUCE_I32, int32_t, BINE_REDUCE_BOR, 12, 10, 14);
    CHECK(BINE_REDUCE_I32, int32_t, BINE_REDUCE_BXOR, 12, 10, 6);
    CHECK(BINE_REDUCE_I32, int32_t, BINE_REDUCE_LAND, 12, 10, 1);
    CHECK(BINE_REDUCE_I32, int32_t, BINE_REDUCE_LOR, 0, 10, 1);
    CHECK(BINE_REDUCE_I32, int32_t, BINE_REDUCE_LXOR, 12, 10, 0);
    CHECK(BINE_REDUCE_F32, float, BINE_REDUCE_SUM, 0.5f, 0.25f, 0.75f);
    CHECK(BINE_REDUCE_F64, double, BINE_REDUCE_PROD, 0.5, 0.25, 0.125);
    CHECK(BINE_REDUCE_F64, double, BINE_REDUCE_MIN, -0.5, 0.25, -0.5);
    CHECK(BINE_REDUCE_F32, float, BINE_REDUCE_MAX, -0.5f, 0.25f, 0.25f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_pass),
                                       cmocka_unit_test(test_operators)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
