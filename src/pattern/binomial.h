/* Binomial trees, any p, and the hypercube, powers of two.
 *
 * With S = ceil(log2 p), the binomial tree of root 0 is
 *
 *     near-first (as in Open MPI's broadcast):  v receives from v - 2^j at step j, 2^j the highest
 * bit of v; far-first  (as in MPICH's broadcast):     v receives from v - 2^j at step S - 1 - j,
 * 2^j the lowest bit of v.
 *
 * Any other root rotates it (action shift): rooted collectives truncate it for any p; the allgather
 * of the rotated near-first tree is Bruck's, of the far-first tree sparbit's. The hypercube is the
 * same tree for p = 2^S carried by v xor b instead: recursive doubling and halving.
 *
 * Worked example, p = 8: near-first 0->1 | 0->2, 1->3 | 0->4, 1->5, 2->6, 3->7; far-first 0->4 |
 * 0->2, 4->6 | 0->1, 2->3, 4->5, 6->7.
 *
 * Correctness condition: clearing one bit of v < p stays below p, and a node's own step comes after
 * its parent's, because its bit is above (near-first) or below (far-first) all bits of the parent.
 */
#ifndef BINE_PATTERN_BINOMIAL_H
#define BINE_PATTERN_BINOMIAL_H

#include "pattern/tree.h"

struct bine_tree *bine_binomial_tree(int p, enum bine_order order);
/* p must be a power of two. */
struct bine_tree *bine_hypercube_tree(int p, enum bine_order order);

#endif
