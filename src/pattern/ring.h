/* Trees of neighbours, and stars, any p (neighbour exchange: even p).
 *
 * Ring: node v receives from v - 1 at step v - 1: every rank talks to its two neighbours only, for
 * p - 1 steps. Rotated to every root it is the ring allgather; of one root, the chain. Backwards,
 * the ring reduce-scatter (Patarasuk and Yuan, JPDC 2009): there the ring is turned, so that data
 * goes from r to r + 1 in both.
 *
 * Neighbour exchange (Chen et al., HPC Asia 2005): p/2 steps between alternating neighbours, two
 * blocks a message after the first step. Action mirror; the tree of an even root has two arms: 0->1
 * | 1->2 | 2->3 ... to p/2, and from step 1 on 0->p-1 | p-1->p-2 | ... to p/2 + 1.
 *
 * Star (linear algorithms): every node receives from the root itself, all at step 0. Pairwise: the
 * same, node v at step v - 1, so that each step is a permutation of the ranks.
 *
 * Bucket (Jain and Sabharwal, ICS 2010), on a grid of p = d1 x d2 ranks, as square as p allows: a
 * ring along the rows, then one along the columns: node (x, y) receives from (x, y - 1) at step y -
 * 1 if x = 0, else from (x - 1, y) at step d2 - 1 + x - 1; d1 + d2 - 2 steps. A prime p has one row
 * only.
 *
 * Worked example, p = 4: ring 0->1 | 1->2 | 2->3; neighbour exchange 0->1 | 1->2, 0->3; star 0->1,
 * 0->2, 0->3 at step 0; pairwise 0->1 | 0->2 | 0->3.
 *
 * Correctness condition: immediate from the definition. */
#ifndef BINE_PATTERN_RING_H
#define BINE_PATTERN_RING_H

#include "pattern/tree.h"

struct bine_tree *bine_ring_tree(int p);
/* The other way round the circle. */
struct bine_tree *bine_ring_back_tree(int p);
/* The largest divisor of p that is not above its square root. */
int bine_bucket_rows(int p);
/* p must be even or 1. */
struct bine_tree *bine_neighbour_tree(int p);
struct bine_tree *bine_bucket_tree(int p);
struct bine_tree *bine_star_tree(int p);
struct bine_tree *bine_pairwise_tree(int p);

#endif
