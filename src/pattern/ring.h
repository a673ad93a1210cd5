/* The ring and the star, any p.
 *
 * Ring: node v receives from v - 1 at step v - 1: every rank talks to its two neighbours only, for
 * p - 1 steps. Rotated to every root it is the ring allgather; backwards, the ring reduce-scatter.
 *
 * Star (linear algorithms): every node receives from the root itself, all at step 0.
 *
 * Worked example, p = 4: ring 0->1 | 1->2 | 2->3; star 0->1, 0->2, 0->3 at step 0.
 *
 * Correctness condition: immediate from the definition. */
#ifndef BINE_PATTERN_RING_H
#define BINE_PATTERN_RING_H

#include "pattern/tree.h"

struct bine_tree *bine_ring_tree(int p);
struct bine_tree *bine_star_tree(int p);

#endif
