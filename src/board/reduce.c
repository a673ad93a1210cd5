#include "board/reduce.h"

#include <stdint.h>

/* Elements are worked on in chunks that stay in the first cache, with up to four operands at once;
 * the sum so far lies in memory of its own, because `to` may be an operand that comes later. The
 * last operands go straight to `to`: there each element is read before it is written, also where
 * the compiler takes several at a time, as `to` overlaps operands from the same element on or not
 * at all. That is what ivdep says. */
enum { CHUNK = 2048 /* bytes */, AT_ONCE = 4 };

#define LOOP _Pragma("GCC ivdep") for (size_t i = 0; i < n; i++)

/* One (type, operator): `few` takes two to four operands, the other one any number. */
#define PASS(NAME, T, OP)                                                                          \
    static void NAME##_few(T *to, const T *a, const T *b, const T *c, const T *d, size_t n) {      \
        if (d != NULL)                                                                             \
            LOOP to[i] = OP(T, OP(T, OP(T, a[i], b[i]), c[i]), d[i]);                              \
        else if (c != NULL)                                                                        \
            LOOP to[i] = OP(T, OP(T, a[i], b[i]), c[i]);                                           \
        else                                                                                       \
            LOOP to[i] = OP(T, a[i], b[i]);                                                        \
    }                                                                                              \
    static void NAME##_chunk(T *to, const void *const *from, int k, size_t at, size_t n) {         \
        T sum[CHUNK / sizeof(T)];                                                                  \
        const T *x[AT_ONCE] = {(const T *)from[0] + at};                                           \
        for (int done = 1; done < k;) {                                                            \
            for (int j = 1; j < AT_ONCE; j++)                                                      \
                x[j] = done < k ? (const T *)from[done++] + at : NULL;                             \
            NAME##_few(done < k ? sum : to, x[0], x[1], x[2], x[3], n);                            \
            x[0] = sum;                                                                            \
        }                                                                                          \
    }                                                                                              \
    static void NAME(void *to, const void *const *from, int k, size_t n) {                         \
        if (n == 1) {                                                                              \
            T sum = *(const T *)from[0];                                                           \
            for (int j = 1; j < k; j++)                                                            \
                sum = OP(T, sum, *(const T *)from[j]);                                             \
            *(T *)to = sum;                                                                        \
            return;                                                                                \
        }                                                                                          \
        for (size_t at = 0, some; at < n; at += some) {                                            \
            some = n - at < CHUNK / sizeof(T) ? n - at : CHUNK / sizeof(T);                        \
            NAME##_chunk((T *)to + at, from, k, at, some);                                         \
        }                                                                                          \
    }

/* Narrow types are computed with as ints; the casts back wrap around. 1u: the product of two
 * 16-bit numbers may not fit an int. */
#define DO_SUM(T, a, b) ((T)((a) + (b)))
#define DO_PROD(T, a, b) ((T)((T)1u * (a)*1u * (b)))
#define DO_REAL_PROD(T, a, b) ((a) * (b))
#define DO_MIN(T, a, b) least_##T(a, b)
#define DO_MAX(T, a, b) greatest_##T(a, b)
#define DO_BAND(T, a, b) ((T)((a) & (b)))
#define DO_BOR(T, a, b) ((T)((a) | (b)))
#define DO_BXOR(T, a, b) ((T)((a) ^ (b)))
#define DO_LAND(T, a, b) ((T)((a) != 0 && (b) != 0))
#define DO_LOR(T, a, b) ((T)((a) != 0 || (b) != 0))
#define DO_LXOR(T, a, b) ((T)(((a) != 0) != ((b) != 0)))

#define ORDERED(T)                                                                                 \
    static inline T least_##T(T a, T b) {                                                          \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    static inline T greatest_##T(T a, T b) {                                                       \
        return a > b ? a : b;                                                                      \
    }                                                                                              \
    PASS(min_##T, T, DO_MIN)                                                                       \
    PASS(max_##T, T, DO_MAX)

/* These come out with equal bits for signed and unsigned numbers; unsigned ones may wrap. */
#define BITWISE(T)                                                                                 \
    PASS(sum_##T, T, DO_SUM)                                                                       \
    PASS(prod_##T, T, DO_PROD)                                                                     \
    PASS(band_##T, T, DO_BAND)                                                                     \
    PASS(bor_##T, T, DO_BOR)                                                                       \
    PASS(bxor_##T, T, DO_BXOR)                                                                     \
    PASS(land_##T, T, DO_LAND)                                                                     \
    PASS(lor_##T, T, DO_LOR)                                                                       \
    PASS(lxor_##T, T, DO_LXOR)

#define REAL(T)                                                                                    \
    PASS(sum_##T, T, DO_SUM)                                                                       \
    PASS(prod_##T, T, DO_REAL_PROD)

BITWISE(uint8_t)
BITWISE(uint16_t)
BITWISE(uint32_t)
BITWISE(uint64_t)
REAL(float)
REAL(double)
ORDERED(int8_t)
ORDERED(uint8_t)
ORDERED(int16_t)
ORDERED(uint16_t)
ORDERED(int32_t)
ORDERED(uint32_t)
ORDERED(int64_t)
ORDERED(uint64_t)
ORDERED(float)
ORDERED(double)

#define ROW_INT(T, U)                                                                              \
    {                                                                                              \
        sum_##U, prod_##U, min_##T, max_##T, band_##U, bor_##U, bxor_##U, land_##U, lor_##U,       \
            lxor_##U                                                                               \
    }
#define ROW_REAL(T)                                                                                \
    { sum_##T, prod_##T, min_##T, max_##T }

static const struct {
    size_t size;
    bine_reduce_pass *pass[BINE_REDUCE_OPERATORS];
} table[BINE_REDUCE_TYPES] = {
    {1, ROW_INT(int8_t, uint8_t)},
    {1, ROW_INT(uint8_t, uint8_t)},
    {2, ROW_INT(int16_t, uint16_t)},
    {2, ROW_INT(uint16_t, uint16_t)},
    {4, ROW_INT(int32_t, uint32_t)},
    {4, ROW_INT(uint32_t, uint32_t)},
    {8, ROW_INT(int64_t, uint64_t)},
    {8, ROW_INT(uint64_t, uint64_t)},
    {4, ROW_REAL(float)},
    {8, ROW_REAL(double)},
};

bine_reduce_pass *bine_reduce_find(enum bine_reduce_type type, enum bine_reduce_operator op) {
    return table[type].pass[op];
}

size_t bine_reduce_size(enum bine_reduce_type type) {
    return table[type].size;
}
