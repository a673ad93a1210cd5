/* The Bine family: butterflies for even p, split trees for every p.
 *
 * Butterfly, even p. At step j rank r exchanges with
 *
 *     partner(r, j) = r + d(j) mod p   for even r,      r - d(j) mod p   for odd r,
 *
 * an involution because every d(j) is odd. To get the tree of a root, follow the partners in the
 * order of steps. The first arrival wins: this trims the ranks that would be reached twice when p
 * is not a power of two.
 *
 * The paper's distances are d(j) = sum of (-2)^k for k = 0..j: 1, -1, 3, -5, 11, ... near-first
 * (appendix A). The scaled distances fit every even p: far-first, start with n = p, take 2
 * floor(n/6) + 1, go on with n = ceil(n/2) until n = 1; signs alternate so that the last is +1.
 * They are the paper's for powers of two.
 *
 * Worked example, far-first:
 *
 *     p = 16    -5, 3, -1, 1 (both lists)
 *     p = 10    scaled -3, 1, -1, 1; the paper's -5, 3, -1, 1
 *     p = 8     3, -1, 1, so the tree of root 0 is 0->3 | 0->7, 3->4 | 0->1, 3->2, 4->5, 7->6
 *
 * Correctness condition: in either order the tree reaches all p ranks (tested for every even p up
 * to 4096); then every rank receives every foreign block exactly once, in ceil(log2 p) steps.
 *
 * Split tree, every p. A tree of order k over n ranks (n <= 2^k) is a tree of order k - 1 over
 * ceil(n/2) ranks around the root, plus a mirrored tree of order k - 1 over floor(n/2) ranks beside
 * it, on the right if k is odd and on the left if k is even (sides flip inside a mirrored tree);
 * the child is the root of the mirrored tree. For powers of two this is the far-first tree above.
 * For odd p it also serves the allgather, rotated to every root.
 *
 * Worked example, p = 5 (k = 3): {-1, 0, 1} around the root and a mirrored pair {2, 3} to its
 * right. In the pair k = 2, so an unmirrored child would be on the left; mirrored it is on the
 * right, and the pair's root is 2: 0->2 at step 0; 0->4 and 2->3 at step 1; 0->1 at step 2.
 *
 * Correctness condition: every subtree is one circular run of ranks that contains its root, and the
 * two halves partition the run. */
#ifndef BINE_PATTERN_BINE_FAMILY_H
#define BINE_PATTERN_BINE_FAMILY_H

#include "pattern/tree.h"

#define BINE_MAX_STEPS 32

enum bine_distances { BINE_SCALED, BINE_PAPER };

/* d[0..steps-1], in the order of time; returns the number of steps, ceil(log2 p). p must be even
 * or 1. */
int bine_distance_list(int p, enum bine_order order, enum bine_distances kind,
                       int d[BINE_MAX_STEPS]);

static inline int bine_partner(int r, int d, int p) {
    int q = (r & 1) ? r - d : r + d;
    return q < 0 ? q + p : q >= p ? q - p : q;
}

/* The butterfly's tree of rank 0, action mirror. p must be even or 1. NULL when out of memory. */
struct bine_tree *bine_butterfly_tree(int p, enum bine_order order, enum bine_distances kind);

/* The split tree of rank 0, far-first, any p. Action mirror for even p (as the butterfly), shift
 * for odd p. */
struct bine_tree *bine_split_tree(int p);

/* The butterfly for even p, the split tree for odd p, with either list of distances. */
struct bine_tree *bine_scaled_tree(int p, enum bine_order order);
struct bine_tree *bine_paper_tree(int p, enum bine_order order);

/* One node of the split tree in O(log p): where it hangs, its children, and their runs of nodes. */
struct bine_split_kid {
    int node, step;
    int first, count; /* its subtree: nodes first, first + 1, ... modulo p */
};

struct bine_split_node {
    int parent, step; /* -1, -1 at the root */
    int first, count; /* this node's subtree */
    int kids;
    struct bine_split_kid kid[BINE_MAX_STEPS];
};

void bine_split_find(int p, int v, struct bine_split_node *node);

/* How many ranks of the split tree lie to the left of its root: rooted there, the tree covers
 * 0..p-1 in order. */
int bine_split_left(int p);

#endif
