#include "pattern/tree.h"

#include "base/sort.h"

#include <stdlib.h>

struct bine_tree *bine_tree_new(int p, int steps, enum bine_action action) {
    struct bine_tree *t = calloc(1, sizeof *t);
    size_t n = (size_t)p;
    int32_t *all = malloc((6 * n + 1) * sizeof *all);
    if (t == NULL || all == NULL) {
        free(t);
        free(all);
        return NULL;
    }
    t->p = p;
    t->steps = steps;
    t->action = action;
    t->step = all;
    t->parent = all + n;
    t->kids = all + 2 * n;
    t->enter = all + 3 * n;
    t->leave = all + 4 * n;
    t->kids_at = all + 5 * n;
    t->step[0] = -1;
    t->parent[0] = -1;
    return t;
}

/* Nodes in the order of their steps; the root comes first. */
static int32_t *nodes_by_step(const struct bine_tree *t) {
    int32_t *order = malloc((size_t)t->p * sizeof *order);
    int32_t *begin = malloc(((size_t)t->steps + 2) * sizeof *begin);
    if (order != NULL && begin != NULL) {
        order[0] = 0;
        bine_sort_by(t->step, 1, t->p, t->steps, begin, order + 1);
    } else {
        free(order);
        order = NULL;
    }
    free(begin);
    return order;
}

struct bine_tree *bine_tree_finish(struct bine_tree *t) {
    if (t == NULL)
        return NULL;
    int p = t->p;
    int32_t *order = nodes_by_step(t);
    if (order == NULL) {
        bine_tree_free(t);
        return NULL;
    }
    /* Children by counting; taking the nodes in step order leaves each list in time order. */
    for (int v = 0; v <= p; v++)
        t->kids_at[v] = 0;
    for (int v = 1; v < p; v++)
        t->kids_at[t->parent[v] + 1]++;
    for (int v = 0; v < p; v++) {
        t->kids_at[v + 1] += t->kids_at[v];
        t->enter[v] = t->kids_at[v];
        t->leave[v] = 1;
    }
    for (int i = 1; i < p; i++)
        t->kids[t->enter[t->parent[order[i]]]++] = order[i];
    /* Subtree sizes from the leaves up, then depth-first numbers from the root down. */
    for (int i = p - 1; i > 0; i--)
        t->leave[t->parent[order[i]]] += t->leave[order[i]];
    t->enter[0] = 0;
    for (int i = 0; i < p; i++) {
        int v = order[i];
        int next = t->enter[v] + 1;
        for (int k = t->kids_at[v]; k < t->kids_at[v + 1]; k++) {
            t->enter[t->kids[k]] = next;
            next += t->leave[t->kids[k]];
        }
        t->leave[v] = next;
    }
    free(order);
    return t;
}

static void swap(int32_t *a, int32_t *b) {
    int32_t c = *a;
    *a = *b;
    *b = c;
}

struct bine_tree *bine_tree_turn(struct bine_tree *t) {
    if (t == NULL)
        return NULL;
    for (int v = 1; v < t->p; v++)
        t->parent[v] = bine_mod_sub(0, t->parent[v], t->p);
    for (int v = 1; v < t->p - v; v++) {
        swap(&t->step[v], &t->step[t->p - v]);
        swap(&t->parent[v], &t->parent[t->p - v]);
    }
    return bine_tree_finish(t);
}

/* The last dimension varies fastest. */
static int in_each_dimension(const struct bine_tree *t, int a, int b,
                             int (*combine)(int, int, int, int)) {
    int r = 0, unit = 1;
    for (int k = t->grid.dims - 1; k > 0; k--) {
        int size = t->grid.size[k], u = a / size, v = b / size;
        r += unit * combine(a - u * size, b - v * size, size, (int)(t->mirrors >> k & 1));
        unit *= size;
        a = u;
        b = v;
    }
    return r + unit * combine(a, b, t->grid.size[0], (int)(t->mirrors & 1));
}

int bine_grid_rank(const struct bine_tree *t, int b, int v) {
    return in_each_dimension(t, b, v, bine_ring_rank);
}

int bine_grid_node(const struct bine_tree *t, int b, int r) {
    return in_each_dimension(t, b, r, bine_ring_node);
}

int bine_grid_root(const struct bine_tree *t, int r, int v) {
    return in_each_dimension(t, r, v, bine_ring_root);
}

void bine_tree_free(struct bine_tree *t) {
    if (t != NULL)
        free(t->step);
    free(t);
}
