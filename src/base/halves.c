#include "base/halves.h"

#include <string.h>

static float from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t to_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Without its last `n` bits, rounded. */
static uint32_t round_off(uint32_t bits, unsigned n) {
    uint32_t half = (uint32_t)1 << (n - 1), odd = bits >> n & 1;
    return (bits + half - 1 + odd) >> n;
}

float bine_half_read(uint16_t bits) {
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31;
    uint32_t fraction = bits & 1023;
    if (exponent == 0) { /* units of 2^-24 */
        float x = (float)fraction * 0x1p-24f;
        return sign != 0 ? -x : x;
    }
    exponent = exponent == 31 ? 255 : exponent + 112;
    return from_bits(sign | exponent << 23 | fraction << 13);
}

uint16_t bine_half_write(float x) {
    uint32_t bits = to_bits(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    uint32_t made;
    if (rest > 0x7f800000) /* not a number */
        made = 0x7e00;
    else if (rest >= 0x47800000) /* 2^16 and more */
        made = 0x7c00;
    else if (rest >= 0x38800000) /* 2^-14: a number rounded up may become infinite */
        made = round_off(rest - ((uint32_t)112 << 23), 13);
    else /* units of 2^-24: a float of 2^23 and more has none smaller than 1, and rounds itself */
        made = to_bits(from_bits(rest) * 0x1p24f + 0x1p23f) & 0x7fffff;
    return (uint16_t)(sign | made);
}

float bine_bfloat16_read(uint16_t bits) {
    return from_bits((uint32_t)bits << 16);
}

uint16_t bine_bfloat16_write(float x) {
    uint32_t bits = to_bits(x);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fff;
    return (uint16_t)round_off(bits, 16);
}
