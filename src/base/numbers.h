/* Small arithmetic that every room uses: the smaller and the larger of two numbers, logarithms,
 * powers of two, bits, sizes as people write them. */
#ifndef BINE_BASE_NUMBERS_H
#define BINE_BASE_NUMBERS_H

#include <stdint.h>

/* bine_min(a, b) and bine_max(a, b), for numbers of any type: that of a + b. Each argument is
 * evaluated once. */
#define BINE_EXTREMES(name, type)                                                                  \
    static inline type bine_min_##name(type a, type b) {                                           \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    static inline type bine_max_##name(type a, type b) {                                           \
        return a > b ? a : b;                                                                      \
    }
BINE_EXTREMES(int, int)
BINE_EXTREMES(unsigned, unsigned)
BINE_EXTREMES(long, long)
BINE_EXTREMES(ulong, unsigned long)
BINE_EXTREMES(llong, long long)
BINE_EXTREMES(ullong, unsigned long long)
BINE_EXTREMES(double, double)
#undef BINE_EXTREMES
/* clang-format off */
#define BINE_EXTREME(which, a, b)                                                                  \
    _Generic((a) + (b),                                                                            \
             int: which##int, unsigned: which##unsigned,                                           \
             long: which##long, unsigned long: which##ulong,                                       \
             long long: which##llong, unsigned long long: which##ullong,                           \
             double: which##double)((a), (b))
/* clang-format on */
#define bine_min(a, b) BINE_EXTREME(bine_min_, a, b)
#define bine_max(a, b) BINE_EXTREME(bine_max_, a, b)

/* Least s with 2^s >= p: the number of steps of a tree over p ranks. */
int bine_log2_ceil(int p);
int bine_is_pow2(int p);
/* Least s with radix^s >= p. */
int bine_log_ceil(int p, int radix);
/* Largest s with radix^s <= p. */
int bine_log_floor(int p, int radix);

/* The s lowest bits of x in reverse order. */
uint32_t bine_bits_reverse(uint32_t x, int s);

/* 256K and such; 0 or -1. */
int bine_size_parse(const char *text, int64_t *bytes);

/* "1.23 us", "45.6 ms", "7.89 s" */
enum { BINE_SECONDS_TEXT = 24 };
const char *bine_seconds_text(double seconds, char text[BINE_SECONDS_TEXT]);

#endif
