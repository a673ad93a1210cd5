/* Binary trees for pipelined broadcast and reduction, any p.
 *
 * Node 0 is the root. In a pipeline block j runs two steps behind block j - 1. So a node sends to
 * its first child one step after it received, and to its second child two steps after.
 *
 * Binary (as in Open MPI): level l is the nodes 2^l - 1 .. 2^(l+1) - 2; node v of it has the
 * children v + 2^l and v + 2^(l+1). So odd nodes are below node 1 and even ones below node 2.
 *
 * Double binary tree (Sanders, Speck and Träff, Parallel Computing 2009): nodes 1..p-1 form two
 * trees below the root, each for half of the blocks. With u = v - 1, n = p - 1, the first tree has
 * u's parent at u with its lowest bit moved up one place, or cleared if that is beyond n (so odd u
 * are leaves). The second is the first with u replaced by n - 1 - u (n even) or u + 1 mod n (n
 * odd): a node that has children in one of them is a leaf in the other, with at most one exception.
 *
 * Split binary (as in Open MPI): half of the blocks go down the binary tree to the odd nodes, the
 * others to the even ones; at the end nodes 2i - 1 and 2i exchange the other half. An odd node
 * without a partner gets it from the root.
 *
 * Worked example, p = 7, step by step:
 *
 *     binary                 0->1 | 0->2, 1->3 | 1->5, 2->4 | 2->6
 *     split binary, first    0->1 | 1->3 | 1->5 | 1->2, 3->4, 5->6
 *     split binary, second   0->2 | 2->4 | 2->6 | 2->1, 4->3, 6->5
 *
 * Correctness condition: parents are earlier than their children in the numbering, or (double tree)
 * in the chain of lowest bits. */
#ifndef BINE_PATTERN_BINARY_H
#define BINE_PATTERN_BINARY_H

#include "pattern/tree.h"

struct bine_tree *bine_binary_tree(int p);
/* The double binary tree: one for even blocks, one for odd ones. */
struct bine_tree *bine_double_first_tree(int p);
struct bine_tree *bine_double_second_tree(int p);
/* Split binary: one for the half that goes to the odd nodes first, one for the other half. The
 * exchange is the last step, at which the even nodes receive in the first tree, the odd ones in the
 * second. */
struct bine_tree *bine_split_binary_first_tree(int p);
struct bine_tree *bine_split_binary_second_tree(int p);

#endif
