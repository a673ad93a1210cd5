#include "pattern/negabinary.h"

/* Adding this number carries exactly where a negative power of -2 must be borrowed. */
#define ODD_DIGITS 0xAAAAAAAAu

uint32_t bine_nb_from_int(int32_t x) {
    return ((uint32_t)x + ODD_DIGITS) ^ ODD_DIGITS;
}

int32_t bine_nb_to_int(uint32_t nb) {
    return (int32_t)((nb ^ ODD_DIGITS) - ODD_DIGITS);
}

uint32_t bine_rank2nb(int r, int p) {
    uint32_t digits = (uint32_t)p - 1;
    int32_t m = (int32_t)(digits & ~ODD_DIGITS);
    return bine_nb_from_int(r <= m ? r : r - p) & digits;
}

int bine_nb2rank(uint32_t nb, int p) {
    return (int)((uint32_t)bine_nb_to_int(nb) & ((uint32_t)p - 1));
}

uint32_t bine_h(int r, int p) {
    return bine_rank2nb(r % 2 == 0 ? (p - r) % p : r, p);
}

uint32_t bine_nu(int r, int p) {
    uint32_t h = bine_h(r, p);
    return h ^ (h >> 1);
}

int bine_nu_inverse(uint32_t nu, int p) {
    uint32_t h = nu;
    for (int shift = 1; shift < 32; shift *= 2)
        h ^= h >> shift;
    int r = bine_nb2rank(h, p);
    return r % 2 == 0 ? (p - r) % p : r;
}
