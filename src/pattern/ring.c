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

struct bine_tree *bine_ring_back_tree(int p) {
    return bine_tree_turn(bine_ring_tree(p));
}

struct bine_tree *bine_neighbour_tree(int p) {
    struct bine_tree *t = bine_tree_new(p, p / 2, BINE_MIRROR);
    if (t == NULL)
        return NULL;
    for (int v = 1; v < p; v++) {
        int right = v <= p / 2;
        t->parent[v] = right ? v - 1 : (v + 1) % p;
        t->step[v] = right ? v - 1 : p - v;
    }
    return bine_tree_finish(t);
}

int bine_bucket_rows(int p) {
    int rows = 1;
    for (int d = 2; d * d <= p; d++)
        if (p % d == 0)
            rows = d;
    return rows;
}

struct bine_tree *bine_bucket_tree(int p) {
    int rows = bine_bucket_rows(p), columns = p / rows;
    struct bine_tree *t = bine_tree_new(p, rows + columns - 2, BINE_GRID);
    if (t == NULL)
        return NULL;
    t->grid = (struct bine_shape){2, {rows, columns}};
    for (int v = 1; v < p; v++) {
        int in_first_row = v < columns;
        t->parent[v] = in_first_row ? v - 1 : v - columns;
        t->step[v] = in_first_row ? v - 1 : columns - 1 + v / columns - 1;
    }
    return bine_tree_finish(t);
}

/* Every node below the root; `apart`: one after the other. */
static struct bine_tree *star(int p, int apart) {
    struct bine_tree *t = bine_tree_new(p, apart ? p - 1 : p > 1, BINE_SHIFT);
    if (t == NULL)
        return NULL;
    for (int v = 1; v < p; v++) {
        t->parent[v] = 0;
        t->step[v] = apart ? v - 1 : 0;
    }
    return bine_tree_finish(t);
}

struct bine_tree *bine_star_tree(int p) {
    return star(p, 0);
}

struct bine_tree *bine_pairwise_tree(int p) {
    return star(p, 1);
}
