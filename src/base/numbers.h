/* Small arithmetic that every room uses: logarithms, powers of two, bits, sizes as people write
 * them. */
#ifndef BINE_BASE_NUMBERS_H
#define BINE_BASE_NUMBERS_H

#include <stdint.h>

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
