/* Circulant graphs, any p (Träff, "Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms",
 * 2024; "Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast,
 * All-Broadcast, Reduction and All-Reduction", ACM TOPC 2025).
 *
 * With q = ceil(log2 p), the skips are s(q) = p and s(k - 1) = ceil(s(k) / 2), so s(0) = 1.
 *
 * Allgather: the tree of root 0 gives node v, s(k) <= v < s(k + 1), its block from v - s(k) at step
 * k: q steps, p - 1 blocks, one peer to send to and one to receive from at each step. Backwards,
 * the reduce-scatter. Worked example, p = 5: skips 1, 2, 3, 5: 0->1 | 0->2 | 0->3, 1->4.
 *
 * Broadcast of n blocks in n - 1 + q rounds: in round i, with k = i mod q, every rank r (counted
 * from the root) sends to r + s(k) and receives from r - s(k). The receive schedule of r says which
 * block, relative to the blocks that the root has sent so far, round k brings.
 *
 * Worked example, p = 9 (skips 1, 2, 3, 5, 9), rank 5: the receive schedule is -4, -2, -3, 3. In
 * the first four rounds rank 5 gets block 3 only, in round 3, from the root (s(3) = 5). In the next
 * four rounds it gets the blocks 0, 2, 1 and 7.
 *
 * Correctness condition: the sender of a block has received it in an earlier round, and q rounds
 * bring q different blocks. The proof of the schedules checks both. */
#ifndef BINE_PATTERN_CIRCULANT_H
#define BINE_PATTERN_CIRCULANT_H

#include "pattern/bine_family.h"

/* s[0..q]; returns q. */
int bine_circulant_skips(int p, int s[BINE_MAX_STEPS + 1]);

struct bine_tree *bine_circulant_tree(int p);

/* block[k]: the block that rank r (counted from the root, r > 0) receives in round k. */
void bine_circulant_receives(int p, int r, int block[BINE_MAX_STEPS]);

#endif
