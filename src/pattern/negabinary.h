/* Base -2 arithmetic on rank numbers (paper, sections 2.3.1 and 3.2.1).
 *
 * For p = 2^s ranks every residue modulo p has exactly one representation with s negabinary digits:
 * the digit string d_{s-1}..d_0 stands for the sum of d_k (-2)^k. Ranks 0..m, where m = ..0101 is
 * the largest number that s digits can hold, stand for themselves; a rank above m stands for r - p.
 *
 * Worked example, p = 8 (s = 3, m = 101 = 5):
 *     rank      0    1    2    3    4    5    6    7
 *     rank2nb  000  001  110  111  100  101  010  011
 *     nu       000  001  011  100  110  111  101  010
 *
 * Correctness condition: nb2rank(rank2nb(r)) = r for every r < p, and nu is a permutation of
 * 0..p-1; both are tested for every power of two up to 2^16.
 *
 * All functions here take p as a power of two. */
#ifndef BINE_PATTERN_NEGABINARY_H
#define BINE_PATTERN_NEGABINARY_H

#include <stdint.h>

/* The negabinary digits of a signed number, and back. */
uint32_t bine_nb_from_int(int32_t x);
int32_t bine_nb_to_int(uint32_t nb);

/* The paper's rank2nb and nb2rank. */
uint32_t bine_rank2nb(int r, int p);
int bine_nb2rank(uint32_t nb, int p);

/* The paper's h and nu: rank r of the near-first tree of root 0 receives at the step of the highest
 * bit of nu(r), and at a later step j sends to the rank whose nu differs from nu(r) in bit j. (This
 * is about that one tree: in the butterfly, rank 2 of 8 meets rank 3 at step 0.) */
uint32_t bine_h(int r, int p);
uint32_t bine_nu(int r, int p);
int bine_nu_inverse(uint32_t nu, int p);

#endif
