/* k-nomial trees, any p and radix k >= 2, and the hypercube, powers of two. Radix 2 is the binomial
 * tree.
 *
 * Write v in base k, with S = ceil(log_k p) digits. The k-nomial tree of root 0 is
 *
 *     near-first:  v receives from v with its highest digit cleared, at the step of that digit
 *                  (k = 2: as in Open MPI's broadcast);
 *     far-first:   v receives from v with its lowest non-zero digit, digit j, cleared, at step
 *                  S - 1 - j (k = 2: as in MPICH's broadcast).
 *
 * A node has up to k - 1 children at one step. Any other root rotates the tree (action shift):
 * rooted collectives truncate it for any p; the alltoall of the rotated near-first tree is Bruck's
 * (Bruck et al., TPDS 1997, with any radix), and so is the allgather, the other way round the
 * circle as in Open MPI and MPICH; the allgather of the far-first binomial tree is sparbit's (Loch
 * and Koslovski, 2021). The hypercube is the binomial tree for p = 2^S carried by v xor b instead:
 * recursive doubling and halving (Thakur, Rabenseifner and Gropp, IJHPCA 2005).
 *
 * Worked example:
 *
 *     p = 8, k = 2, near-first   0->1 | 0->2, 1->3 | 0->4, 1->5, 2->6, 3->7
 *     p = 8, k = 2, far-first    0->4 | 0->2, 4->6 | 0->1, 2->3, 4->5, 6->7
 *     p = 9, k = 3, near-first   0->1, 0->2 | 0->3, 1->4, 2->5, 0->6, 1->7, 2->8
 *
 * Correctness condition: clearing a digit of v < p stays below p, and a node's own step comes after
 * its parent's, because its digit is above (near-first) or below (far-first) all non-zero digits of
 * the parent. */
#ifndef BINE_PATTERN_KNOMIAL_H
#define BINE_PATTERN_KNOMIAL_H

#include "pattern/tree.h"

struct bine_tree *bine_knomial_tree(int p, enum bine_order order, int radix);
/* The other way round the circle. */
struct bine_tree *bine_knomial_back_tree(int p, enum bine_order order, int radix);
struct bine_tree *bine_binomial_tree(int p, enum bine_order order);
/* p must be a power of two. */
struct bine_tree *bine_hypercube_tree(int p, enum bine_order order);

#endif
