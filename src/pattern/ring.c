#include "pattern/ring.h"

#include <stddef.h>

struct bine_tree *bine_ring_tree(int p) {
    struct bine_tree *t = bine_tree_new(p, p - 1, BINE_SHIFT);
    if (t == NULL)
        return NULL;
    for (int v = 1; v < p; v++) {
        t->parent[v] = v - 1;
        t->step[v] = v - 1;
    }
    return bine_tree_finish(t);
}

struct bine_tree *bine_star_tree(int p) {
    struct bine_tree *t = bine_tree_new(p, p > 1, BINE_SHIFT);
    if (t == NULL)
        return NULL;
    for (int v = 1; v < p; v++) {
        t->parent[v] = 0;
        t->step[v] = 0;
    }
    return bine_tree_finish(t);
}
