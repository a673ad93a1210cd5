#include "pattern/knomial.h"
#include "base/numbers.h"

#include <stddef.h>

static struct bine_tree *make(int p, enum bine_order order, int radix, enum bine_action action) {
    int steps = bine_log_ceil(p, radix);
    struct bine_tree *t = bine_tree_new(p, steps, action);
    int64_t unit = 1;
    if (t == NULL)
        return NULL;
    for (int j = 0; j < steps; j++, unit *= radix) {
        if (order == BINE_NEAR_FIRST) { /* the nodes whose highest digit this is */
            for (int64_t v = unit; v < radix * unit && v < p; v++) {
                t->parent[v] = (int32_t)(v % unit);
                t->step[v] = j;
            }
        } else { /* the nodes whose lowest digit this is */
            for (int64_t v = unit; v < p; v += unit) {
                int64_t digit = v / unit % radix;
                if (digit == 0)
                    continue;
                t->parent[v] = (int32_t)(v - digit * unit);
                t->step[v] = steps - 1 - j;
            }
        }
    }
    return bine_tree_finish(t);
}

struct bine_tree *bine_knomial_tree(int p, enum bine_order order, int radix) {
    return make(p, order, radix, BINE_SHIFT);
}

struct bine_tree *bine_knomial_back_tree(int p, enum bine_order order, int radix) {
    return bine_tree_turn(bine_knomial_tree(p, order, radix));
}

struct bine_tree *bine_binomial_tree(int p, enum bine_order order) {
    return make(p, order, 2, BINE_SHIFT);
}

struct bine_tree *bine_hypercube_tree(int p, enum bine_order order) {
    return make(p, order, 2, BINE_XOR);
}
