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
 * two halves partition the run.
 *
 * Any radix r, every p: base -r. A tree of order k over n ranks (n <= r^k) is a tree of order k - 1
 * over ceil(n/r) ranks around the root, and r - 1 parts beside it, as even as can be, the nearest
 * the larger: in turn on the right and on the left if k is odd, on the left and on the right if k
 * is even (sides flip inside a mirrored tree). Each is again a tree of order k - 1, plain or
 * mirrored, as has its root nearer; mirrored if both are as near. Radix 2 is the split tree above:
 * its only part is mirrored, for every p. From radix 4 on, the part of order 1 around the root has
 * all its other nodes on the right: on the circle the left neighbour of rank 0, the usual root, is
 * rank p - 1, which is in another group where there are several.
 *
 * Worked example, r = 4 and p = 16: {0..3} around the root; beside it {-4..-1}, {4..7} and {-8..-5}
 * with the roots -2 (mirrored), 5 and -6 (mirrored): 0->14, 0->5, 0->10 at step 0; then 0 sends to
 * 1, 2 and 3, and 14 to 15, 13 and 12.
 *
 * With the roots at the near ends of their parts (-1, 4 and -5 above), a part goes on away from the
 * root only. Its bytes then go less far in a gather or a scatter, though single messages further.
 *
 * Postal tree, every p, for short vectors: where a message takes longer than it takes to send it, a
 * rank sends several before its first child can pass anything on. With a lag of L, who is told at
 * time t (in messages) sends from t on, one after the other, and its child from t + L on. In time k
 * as many as N(k) ranks are told: N(k) = 1 for k < L, else N(k - 1) + N(k - L) (Bar-Noy and Kipnis,
 * Designing broadcasting algorithms in the postal model, Mathematical Systems Theory 27, 1994; lag
 * 1 is binary). A tree of order k over n <= N(k) ranks is a tree of order k - 1 around the root,
 * and beside it one of order k - L over floor(n N(k - L) / N(k)) ranks, one at least: on the right
 * if k is odd, on the left if k is even, plain or mirrored as above. A rank serves its children in
 * the order in which they are cut off, the largest first: a step each, or all in one. One by one,
 * each of a large message has the link for itself; all at once, receives need not wait for each
 * other.
 *
 * Worked example, L = 4 and p = 16: N = 1, 1, 1, 1, 2, 3, 4, 5, 7, 10, 14, 19 for k = 0 to 11. So
 * the root has parts of 4 (right), 3 (left), 2 (right), 2 (left), 1, 1, 1 and 1 beside it: the last
 * of these is told at time 7 + 4, and the last of the first part at 4 + 2 + 4.
 *
 * Correctness condition: the part beside has at most N(k - L) ranks and the other at most
 * N(k - 1), as n <= N(k). So all p are told at the first time k with N(k) >= p, the earliest that
 * there is.
 *
 * Near-first, for collectives in which every rank has a tree: the numbers of j digits in base -r,
 * digits -floor((r - 1)/2) .. ceil((r - 1)/2), are a run -left .. right. A node receives at the
 * step of its highest digit, from the node without it. Of the last digit as many as p needs, the
 * nearest first. Rotated to every root, a rank has r - 1 partners a step, on both sides, and what
 * it holds is a circular run.
 *
 * Worked example, r = 4 and p = 16: 0->1, 0->15, 0->2 at step 0; then -1..2 each send to the nodes
 * 4 before, 4 behind and 8 before them.
 *
 * Correctness condition: a number without its highest digit is in the run of fewer digits.
 *
 * The butterfly of radix r, p = r^s q, q a divisor of r: whole vectors travel, r - 1 partners a
 * step. At step j ranks meet that are d(j) apart, r of them in a row (q at the last step):
 *
 *     d(0) = 1,  d(j + 1) = r^(j + 1) - d(j):   1, 1, 3, 5, ...   1, 2, 7, 20, ...   1, 3, 13, ...
 *
 * for r = 2, 3 and 4: (r^(j + 1) + 1)/(r + 1) or (r^(j + 1) - 1)/(r + 1). The position of a rank in
 * its row is rank mod r at first, and r - 1 less its last one at every later step (modulo q at
 * the last). Radix 2 is the near-first butterfly above.
 *
 * Worked example, r = 4 and p = 16: rank 1 meets 0, 2 and 3, then -5, -2 and 4.
 *
 * Correctness condition: after step j a rank has the sum over a circular run of r^(j + 1) ranks,
 * which its whole row shares. Of two that follow each other in a row of step j + 1, the
 * second was one position earlier in its last row: its run begins d(j + 1) + d(j) = r^(j + 1)
 * further, where the run of the first ends. As d(j) is 1 or -1 modulo r, rows do not overlap. */
#ifndef BINE_PATTERN_BINE_FAMILY_H
#define BINE_PATTERN_BINE_FAMILY_H

#include "pattern/tree.h"

#define BINE_MAX_STEPS 32
#define BINE_MAX_SLOTS 256 /* more than the orders of a postal tree, of a lag of at most 16 */

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

/* Any radix: far-first the split tree, near-first by digits; and the split tree with roots at the
 * near ends of their parts, far-first whatever the order. Action shift, but for the split tree of
 * radix 2. */
struct bine_tree *bine_radix_tree(int p, enum bine_order order, int radix);
struct bine_tree *bine_ends_tree(int p, enum bine_order order, int radix);

/* Postal trees, far-first whatever the order, lag 2 to 16: with a child of each node a step; with
 * all children of a node at one step; and so with roots at the near ends of their parts. Action
 * shift. And the number of their steps. */
struct bine_tree *bine_postal_tree(int p, enum bine_order order, int lag);
struct bine_tree *bine_postal_levels_tree(int p, enum bine_order order, int lag);
struct bine_tree *bine_postal_ends_tree(int p, enum bine_order order, int lag);
int bine_postal_steps(int p, int lag);
int bine_postal_levels(int p, int lag);

/* The butterfly for even p, the split tree for odd p, with either list of distances. */
struct bine_tree *bine_scaled_tree(int p, enum bine_order order);
struct bine_tree *bine_paper_tree(int p, enum bine_order order);

/* The butterfly of a radix for the largest r^s q that is at most p: its members, the steps, and the
 * radix of the last one. */
struct bine_rounds {
    int radix, members, steps, last;
};
struct bine_rounds bine_rounds_of(int p, int radix);

/* Members on a circle, `radix` of them in a row: at which place one of them stands. */
struct bine_circle {
    int members, radix, distance, position;
};
struct bine_circle bine_round_circle(const struct bine_rounds *r, int step, int member);

/* Where a member's sum stands among the sums of its row, with the steps done from the last to the
 * first: equal in all rows that have equal sums to add up. */
int bine_round_slot(const struct bine_rounds *r, int step, int member, int position);

/* The member at another place of the row. */
static inline int bine_circle_member(const struct bine_circle *c, int member, int position) {
    int by = (position - c->position) * c->distance % c->members;
    return bine_mod_add(member, by < 0 ? by + c->members : by, c->members);
}

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
