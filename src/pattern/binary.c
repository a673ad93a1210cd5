#include "pattern/binary.h"

#include <stddef.h>

/* The step of a child from the step of its parent (-1 at the root): the first child a step later,
 * the second two. */
static void hang(struct bine_tree *t, int child, int parent, int which) {
    t->parent[child] = parent;
    t->step[child] = t->step[parent] + 1 + which;
    if (t->step[child] >= t->steps)
        t->steps = t->step[child] + 1;
}

/* The parent of v > 0, and whether v is its second child. The parent is in the level above, which
 * ends at 2 * unit - 2. */
static int binary_parent(int v, int *second) {
    int unit = 1;
    while (4 * unit - 1 <= v)
        unit *= 2;
    *second = v - unit > 2 * unit - 2;
    return *second ? v - 2 * unit : v - unit;
}

struct bine_tree *bine_binary_tree(int p) {
    struct bine_tree *t = bine_tree_new(p, 0, BINE_SHIFT);
    int second;
    if (t == NULL)
        return NULL;
    for (int v = 1; v < p; v++) {
        int parent = binary_parent(v, &second);
        hang(t, v, parent, second);
    }
    return bine_tree_finish(t);
}

/* Node u > 0 of the first of the two trees over 0..n-1. */
static int in_order_parent(int u, int n) {
    int bit = u & -u;
    int up = (u ^ bit) | (bit << 1);
    return up < n ? up : u ^ bit;
}

static int second_tree(int u, int n) {
    return n % 2 == 0 ? n - 1 - u : (u + 1) % n;
}

/* Parents must have their step before their children: walk up, then down again. */
static void hang_in_order(struct bine_tree *t, int u, int n, int which) {
    int v = 1 + (which ? second_tree(u, n) : u);
    if (t->parent[v] >= 0)
        return;
    if (u == 0) {
        hang(t, v, 0, 0);
        return;
    }
    int up = in_order_parent(u, n);
    hang_in_order(t, up, n, which);
    hang(t, v, 1 + (which ? second_tree(up, n) : up), u > up);
}

/* which: 0 for even blocks, 1 for odd ones. */
static struct bine_tree *double_tree(int p, int which) {
    struct bine_tree *t = bine_tree_new(p, 0, BINE_SHIFT);
    if (t == NULL)
        return NULL;
    for (int v = 1; v < p; v++)
        t->parent[v] = -1;
    for (int u = 0; u < p - 1; u++)
        hang_in_order(t, u, p - 1, which);
    return bine_tree_finish(t);
}

struct bine_tree *bine_double_first_tree(int p) {
    return double_tree(p, 0);
}

struct bine_tree *bine_double_second_tree(int p) {
    return double_tree(p, 1);
}

/* which: 0 for the half that goes to the odd nodes first, 1 for the other. The nodes that are
 * `which` modulo 2 receive in the exchange. */
static struct bine_tree *split_binary_tree(int p, int which) {
    struct bine_tree *t = bine_tree_new(p, 0, BINE_SHIFT);
    int second;
    if (t == NULL)
        return NULL;
    for (int v = 1 + which; v < p; v += 2) {
        int parent = binary_parent(v, &second);
        hang(t, v, parent, parent > 0 && second);
    }
    int last = t->steps;
    for (int v = 2 - which; v < p; v += 2) {
        int partner = which == 0 ? v - 1 : v + 1;
        t->parent[v] = partner < p ? partner : 0;
        t->step[v] = last;
        t->steps = last + 1;
    }
    return bine_tree_finish(t);
}

struct bine_tree *bine_split_binary_first_tree(int p) {
    return split_binary_tree(p, 0);
}

struct bine_tree *bine_split_binary_second_tree(int p) {
    return split_binary_tree(p, 1);
}
