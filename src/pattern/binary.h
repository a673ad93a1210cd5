/* Binary trees for pipelined broadcast and reduction, any p.
 *
 * Node 0 is the root. Each is made to be used with a delay: block j of a pipeline runs two steps
 * behind block j - 1, so a node sends to its first child one step after it received, to its second
 * child two.
 *
 * Binary: node v has children 2v + 1 and 2v + 2.
 *
 * Double binary tree (Sanders, Speck and Träff, Parallel Computing 2009): nodes 1..p-1 form two
 * trees below the root, each for half of the blocks. With u = v - 1, n = p - 1, the first tree has
 * u's parent at u with its lowest bit moved up one place, or cleared if that is beyond n (so odd u
 * are leaves); the second is the first with u replaced by n - 1 - u (n even) or u + 1 mod n (n
 * odd), so that who has children in one is a leaf in the other, but for one node at most.
 *
 * Split binary (as in Open MPI): nodes 1..p-1 are cut into a left and a right half, each a binary
 * tree below the root for half of the blocks; at the end the i-th nodes of both halves exchange
 * what they lack. A left node without a partner gets it from the root.
 *
 * Worked example, p = 7: binary 0->1 at 0; 0->2, 1->3 at 1; 1->4, 2->5 at 2; 2->6 at 3.
 *
 * Correctness condition: parents are earlier than their children in the numbering, or (double tree)
 * in the chain of lowest bits. */
#ifndef BINE_PATTERN_BINARY_H
#define BINE_PATTERN_BINARY_H

#include "pattern/tree.h"

struct bine_tree *bine_binary_tree(int p);
/* which: 0 for even blocks, 1 for odd ones. */
struct bine_tree *bine_double_tree(int p, int which);
/* which: 0 for the half that goes down the left tree, 1 for the right one. `last`: the step after
 * which the halves may be exchanged. */
struct bine_tree *bine_split_binary_tree(int p, int which);

#endif
