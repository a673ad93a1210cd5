#include "pattern/circulant.h"
#include "base/numbers.h"

#include <stddef.h>

int bine_circulant_skips(int p, int s[BINE_MAX_STEPS + 1]) {
    int q = bine_log2_ceil(p);
    s[q] = p;
    for (int k = q; k > 0; k--)
        s[k - 1] = (s[k] + 1) / 2;
    return q;
}

struct bine_tree *bine_circulant_tree(int p) {
    int s[BINE_MAX_STEPS + 1], q = bine_circulant_skips(p, s);
    struct bine_tree *t = bine_tree_new(p, q, BINE_SHIFT);
    if (t == NULL)
        return NULL;
    for (int k = 0; k < q; k++)
        for (int v = s[k]; v < s[k + 1]; v++) {
            t->parent[v] = v - s[k];
            t->step[v] = k;
        }
    return bine_tree_finish(t);
}

/* The round in which rank r > 0 gets a block straight down the canonical path from the root: skips
 * taken greedily from the largest, the last one decides. */
static int base_block(int r, int q, const int *s) {
    for (int k = q - 1; k >= 0; k--) {
        if (s[k] == r)
            return k;
        if (s[k] < r)
            r -= s[k];
    }
    return q;
}

/* Skips that are still to be used, as a list from the largest down; entry 0 stands for the ends,
 * skip e is entry e + 1. */
struct search {
    const int *s;
    int q;
    int next[BINE_MAX_STEPS + 2], before[BINE_MAX_STEPS + 2];
    int *block;
};

static void use_up(struct search *x, int e) {
    x->next[x->before[e + 1]] = x->next[e + 1];
    x->before[x->next[e + 1]] = x->before[e + 1];
}

/* Find, depth first, sums of unused skips that end within reach of the sender of round k, for k =
 * 0, 1, ...; `from` is the sum so far, `to` the rank (plus p), `below` the bound that the next end
 * must stay under, e the largest skip to try. Returns the next round. */
static int find_blocks(struct search *x, int to, int from, int below, int e, int k) {
    while (e >= 0 && k < x->q) {
        int end = from + x->s[e];
        if (end <= to - x->s[k] && end < below) {
            if (end <= to - x->s[k + 1])
                k = find_blocks(x, to, end, below, e, k);
            if (k >= x->q || from > to - x->s[k + 1])
                return k;
            below = end;
            x->block[k++] = e;
            use_up(x, e);
        }
        e = x->next[e + 1] - 1;
    }
    return k;
}

void bine_circulant_receives(int p, int r, int block[BINE_MAX_STEPS]) {
    int s[BINE_MAX_STEPS + 1], q = bine_circulant_skips(p, s), base = base_block(r, q, s);
    struct search x = {.s = s, .q = q, .block = block};
    for (int e = 0; e <= q + 1; e++) {
        x.next[e] = e == 0 ? q + 1 : e - 1;
        x.before[e] = e == q + 1 ? 0 : e + 1;
    }
    use_up(&x, base);
    find_blocks(&x, p + r, 0, 2 * p, q, 0);
    for (int k = 0; k < q; k++)
        block[k] = block[k] == q ? base : block[k] - q;
}
