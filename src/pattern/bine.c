#include "pattern/bine.h"

#include "pattern/negabinary.h"

#include <stdlib.h>

static void reverse(int *a, int n) {
    for (int i = 0; i < n / 2; i++) {
        int x = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = x;
    }
}

int bine_distance_list(int p, enum bine_order order, enum bine_distances kind,
                       int d[BINE_MAX_STEPS]) {
    int steps = bine_log2_ceil(p);
    int n = p;
    for (int far = 0; far < steps; far++) { /* fill in far-first */
        int left = steps - 1 - far; /* steps still to come: the sign alternates towards +1 */
        int size = kind == BINE_SCALED ? 2 * (n / 6) + 1 : ((2 << left) + 1) / 3;
        d[far] = left % 2 == 0 ? size : -size;
        n = (n + 1) / 2;
    }
    if (order == BINE_NEAR_FIRST)
        reverse(d, steps);
    return steps;
}

struct bine_tree *bine_butterfly_tree(int p, enum bine_order order, enum bine_distances kind) {
    int d[BINE_MAX_STEPS];
    int steps = bine_distance_list(p, order, kind, d);
    struct bine_tree *t = bine_tree_new(p, steps, BINE_MIRROR);
    if (t == NULL)
        return NULL;
    int32_t *reached =
        t->kids; /* in order of arrival; the room is free until the tree is finished */
    int count = 1;
    reached[0] = 0;
    for (int v = 1; v < p; v++)
        t->parent[v] = -1;
    for (int s = 0; s < steps; s++) {
        int before = count;
        for (int i = 0; i < before; i++) {
            int v = reached[i];
            int q = bine_partner(v, d[s], p);
            if (q == 0 || t->parent[q] >= 0)
                continue;
            t->parent[q] = v;
            t->step[q] = s;
            reached[count++] = q;
        }
    }
    if (count != p) { /* cannot happen for the distances of this file; never hand out half a tree */
        bine_tree_free(t);
        return NULL;
    }
    return bine_tree_finish(t);
}

/* A part of the split tree: order k over n nodes, of which `left` lie to the left of the root. */
struct part {
    int root, n, k;
    int mirrored;
};

/* How many of the n nodes of an unmirrored tree of order k lie to the left of its root. */
static int left_of_root(int n, int k) {
    int left = 0;
    for (; n > 1; k--) {
        if (k % 2 == 0)
            left += n / 2;
        n = (n + 1) / 2;
    }
    return left;
}

/* The first node of a part's run; may be negative, to be taken modulo p. */
static int part_first(const struct part *x) {
    int left = left_of_root(x->n, x->k);
    return x->root - (x->mirrored ? x->n - 1 - left : left);
}

/* Cut a part into the half around its root (kept in *x) and the mirrored half beside it (returned).
 */
static struct part part_split(struct part *x) {
    int near = (x->n + 1) / 2, far = x->n / 2, k = x->k - 1;
    int right_side = (x->k % 2 == 1) != (x->mirrored != 0);
    struct part child = {0, far, k, !x->mirrored};
    x->n = near;
    x->k = k;
    int first = part_first(x);
    child.root = 0;
    int child_first = part_first(&child);
    child.root = right_side ? first + near - child_first : first - far - child_first;
    return child;
}

static int wrap(int v, int p) {
    v %= p;
    return v < 0 ? v + p : v;
}

static void split_fill(struct bine_tree *t, struct part x) {
    while (x.n > 1) {
        int step = t->steps - x.k;
        struct part child = part_split(&x);
        int c = wrap(child.root, t->p);
        t->parent[c] = wrap(x.root, t->p);
        t->step[c] = step;
        split_fill(t, child);
    }
}

struct bine_tree *bine_split_tree(int p) {
    int steps = bine_log2_ceil(p);
    struct bine_tree *t = bine_tree_new(p, steps, p % 2 == 0 ? BINE_MIRROR : BINE_SHIFT);
    if (t == NULL)
        return NULL;
    split_fill(t, (struct part){0, p, steps, 0});
    return bine_tree_finish(t);
}

/* Does the run of the part contain node v? */
static int part_has(const struct part *x, int v, int p) {
    return wrap(v - part_first(x), p) < x->n;
}

void bine_split_find(int p, int v, struct bine_split_node *node) {
    int steps = bine_log2_ceil(p);
    struct part x = {0, p, steps, 0};
    node->parent = -1;
    node->step = -1;
    while (wrap(x.root, p) != v) { /* walk down from the root towards v */
        int step = steps - x.k, root = x.root;
        struct part child = part_split(&x);
        if (!part_has(&child, v, p))
            continue;
        x = child;
        node->parent = wrap(root, p);
        node->step = step;
    }
    node->first = wrap(part_first(&x), p);
    node->count = x.n;
    node->kids = 0;
    while (x.n > 1) {
        int step = steps - x.k;
        struct part child = part_split(&x);
        node->kid[node->kids++] = (struct bine_split_kid){wrap(child.root, p), step,
                                                          wrap(part_first(&child), p), child.n};
    }
}

int bine_split_left(int p) {
    return left_of_root(p, bine_log2_ceil(p));
}
