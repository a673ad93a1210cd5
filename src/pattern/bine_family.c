#include "pattern/bine_family.h"
#include "base/numbers.h"

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

/* The split tree over p nodes. Its parts of order k have `least` nodes or one more. */
struct split {
    int p, steps;
    struct {
        int least;
        int left[2];  /* nodes to the left of the root of an unmirrored part of so many nodes */
        int child[2]; /* how far to the right of the root the root of the other half is */
    } order[BINE_MAX_STEPS + 1];
};

static void split_make(struct split *t, int p) {
    t->p = p;
    t->steps = bine_log2_ceil(p);
    for (int k = 0; k <= t->steps; k++) {
        t->order[k].least = p >> (t->steps - k);
        for (int more = 0; more < 2; more++) {
            int n = t->order[k].least + more, near = (n + 1) / 2, far = n / 2;
            t->order[k].left[more] = t->order[k].child[more] = 0;
            if (k == 0 || n < 2)
                continue;
            int left = t->order[k - 1].left[near - t->order[k - 1].least];
            int far_left = t->order[k - 1].left[far - t->order[k - 1].least];
            t->order[k].left[more] = left + (k % 2 == 0 ? far : 0);
            t->order[k].child[more] = (k % 2 == 0 ? -1 : n - 1) - left - far_left;
        }
    }
}

/* A part of the split tree: order k over n nodes. */
struct part {
    int root, n, k;
    int mirrored;
};

/* The first node of a part's run; may be negative, to be taken modulo p. */
static int part_first(const struct split *t, const struct part *x) {
    int left = t->order[x->k].left[x->n - t->order[x->k].least];
    return x->root - (x->mirrored ? x->n - 1 - left : left);
}

/* Cut a part into the half around its root (kept in *x) and the mirrored half beside it (returned).
 */
static struct part part_split(const struct split *t, struct part *x) {
    int by = t->order[x->k].child[x->n - t->order[x->k].least];
    struct part child = {x->mirrored ? x->root - by : x->root + by, x->n / 2, --x->k, !x->mirrored};
    x->n -= child.n;
    return child;
}

/* v modulo p, for -p <= v < 2 p. */
static int wrap(int v, int p) {
    return v < 0 ? v + p : v >= p ? v - p : v;
}

static void split_fill(struct bine_tree *tree, const struct split *t, struct part x) {
    int root = wrap(x.root, t->p);
    while (x.n > 1) {
        int step = t->steps - x.k;
        struct part child = part_split(t, &x);
        int c = wrap(child.root, t->p);
        tree->parent[c] = root;
        tree->step[c] = step;
        if (child.n > 1)
            split_fill(tree, t, child);
    }
}

struct bine_tree *bine_split_tree(int p) {
    struct split t;
    split_make(&t, p);
    struct bine_tree *tree = bine_tree_new(p, t.steps, p % 2 == 0 ? BINE_MIRROR : BINE_SHIFT);
    if (tree == NULL)
        return NULL;
    split_fill(tree, &t, (struct part){0, p, t.steps, 0});
    return bine_tree_finish(tree);
}

struct bine_tree *bine_scaled_tree(int p, enum bine_order order) {
    return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_SCALED) : bine_split_tree(p);
}

struct bine_tree *bine_paper_tree(int p, enum bine_order order) {
    return p % 2 == 0 ? bine_butterfly_tree(p, order, BINE_PAPER) : bine_split_tree(p);
}

/* Does the run of the part contain node v? */
static int part_has(const struct split *t, const struct part *x, int v) {
    return wrap(v - part_first(t, x), t->p) < x->n;
}

void bine_split_find(int p, int v, struct bine_split_node *node) {
    struct split t;
    split_make(&t, p);
    struct part x = {0, p, t.steps, 0};
    node->parent = -1;
    node->step = -1;
    while (wrap(x.root, p) != v) { /* walk down from the root towards v */
        int step = t.steps - x.k, root = x.root;
        struct part child = part_split(&t, &x);
        if (!part_has(&t, &child, v))
            continue;
        x = child;
        node->parent = wrap(root, p);
        node->step = step;
    }
    node->first = wrap(part_first(&t, &x), p);
    node->count = x.n;
    node->kids = 0;
    while (x.n > 1) {
        int step = t.steps - x.k;
        struct part child = part_split(&t, &x);
        node->kid[node->kids++] = (struct bine_split_kid){wrap(child.root, p), step,
                                                          wrap(part_first(&t, &child), p), child.n};
    }
}

int bine_split_left(int p) {
    struct split t;
    split_make(&t, p);
    return t.order[t.steps].left[0];
}
