#include "pattern/binomial.h"

#include "pattern/negabinary.h"

#include <stddef.h>

static struct bine_tree *make(int p, enum bine_order order, enum bine_action action) {
    int steps = bine_log2_ceil(p);
    struct bine_tree *t = bine_tree_new(p, steps, action);
    if (t == NULL)
        return NULL;
    for (int j = 0; j < steps; j++) {
        int bit = 1 << j;
        if (order == BINE_NEAR_FIRST) { /* the nodes whose highest bit this is */
            for (int v = bit; v < 2 * bit && v < p; v++) {
                t->parent[v] = v - bit;
                t->step[v] = j;
            }
        } else { /* the nodes whose lowest bit this is */
            for (int v = bit; v < p; v += 2 * bit) {
                t->parent[v] = v - bit;
                t->step[v] = steps - 1 - j;
            }
        }
    }
    return bine_tree_finish(t);
}

struct bine_tree *bine_binomial_tree(int p, enum bine_order order) {
    return make(p, order, BINE_SHIFT);
}

struct bine_tree *bine_hypercube_tree(int p, enum bine_order order) {
    return make(p, order, BINE_XOR);
}
