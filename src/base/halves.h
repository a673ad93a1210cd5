/* Numbers of 2 bytes, as bits: IEEE half precision (5 bits of exponent, 10 of fraction) and
 * bfloat16 (8 and 7, the upper half of a float). A float is wide enough that a sum or a product of
 * two, rounded to float and then to the type, equals one rounding. */
#ifndef BINE_BASE_HALVES_H
#define BINE_BASE_HALVES_H

#include <stdint.h>

float bine_half_read(uint16_t bits);
uint16_t bine_half_write(float x); /* the nearest; of two, the even one */
float bine_bfloat16_read(uint16_t bits);
uint16_t bine_bfloat16_write(float x);

#endif
