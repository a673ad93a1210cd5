/* Ternary trees, any p: two children a step, one to each side. The example of docs/architecture.md
 * for a new family; no algorithm of the catalogue is made of it.
 *
 * Count ranks from the root in both directions: node v stands for u = v, or u = v - p if that is
 * nearer to 0. Write u in balanced ternary, digits -1, 0 and 1, with S = ceil(log_3 p) digits. Node
 * u receives from u with its highest digit cleared, at the step of that digit: near-first, S steps.
 * So at step j every node u that has the block sends it to u + 3^j and u - 3^j, as far as there are
 * such ranks. Any other root rotates the tree.
 *
 * Worked example, p = 9, S = 2: u = -4 .. 4 is -1-1, -1 0, -1 1, 0-1, 0, 0 1, 1-1, 1 0, 1 1; so
 *
 *     step 0:  0 -> 1,   0 -> -1
 *     step 1:  0 -> 3,   0 -> -3,   1 -> 4,   1 -> -2,   -1 -> 2,   -1 -> -4
 *
 * Correctness condition: |u| <= p/2 has S balanced digits, and u without its highest digit, 3^j, is
 * at most (3^j - 1)/2, so it is nearer to 0 than u: there is such a rank, and it received
 * before. */
#include "pattern/family.h"

#include "base/numbers.h"

#include <stddef.h>

struct bine_tree *bine_ternary_tree(int p) {
    struct bine_tree *t = bine_tree_new(p, bine_log_ceil(p, 3), BINE_SHIFT);
    if (t == NULL)
        return NULL;
    for (int v = 1; v < p; v++) {
        int u = v <= p / 2 ? v : v - p, away = u < 0 ? -u : u, step = 0;
        int64_t unit = 1; /* of the highest digit: with all digits below it 1 or -1, it is away */
        for (; 2 * away > 3 * unit; unit *= 3)
            step++;
        int64_t parent = u < 0 ? u + unit : u - unit;
        t->parent[v] = (int32_t)(parent < 0 ? parent + p : parent);
        t->step[v] = step;
    }
    return bine_tree_finish(t);
}
