#include "schedule/check/values.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bine_values_open(struct bine_values *v, int p, int blocks) {
    memset(v, 0, sizeof *v);
    v->p = p;
    while (1 << v->shift < blocks)
        v->shift++;
    v->mask = (1u << v->shift) - 1;
    v->sums = ((uint32_t)p + 1) << v->shift;
    v->count = calloc((size_t)1 << v->shift, sizeof *v->count);
    v->stack = malloc(((size_t)p + 64) * sizeof *v->stack);
    v->mark = calloc((size_t)p, sizeof *v->mark);
    return v->count == NULL || v->stack == NULL || v->mark == NULL ? -1 : 0;
}

void bine_values_close(struct bine_values *v) {
    free(v->sum);
    free(v->count);
    bine_set_free(&v->index);
    free(v->stack);
    free(v->mark);
}

int bine_values_grow(struct bine_values *v) {
    uint32_t more = v->room == 0 ? 8 : v->room * 2;
    if ((((uint64_t)v->p + 1 + more) << v->shift) > UINT32_MAX)
        return -1;
    struct bine_sum *bigger = realloc(v->sum, ((size_t)more << v->shift) * sizeof *bigger);
    if (bigger == NULL)
        return -1;
    v->sum = bigger;
    v->room = more;
    return 0;
}

static int same_sum(const void *values, uint32_t number, const void *sum) {
    const struct bine_values *v = values;
    const struct bine_sum *x = &v->sum[number - v->sums], *y = sum;
    return x->left == y->left && x->right == y->right;
}

bine_value bine_value_add_ordered(struct bine_values *v, bine_value left, bine_value right) {
    struct bine_sum sum = {left, right};
    uint32_t hash = bine_hash_number((uint64_t)left << 32 | right);
    const uint32_t *found = bine_set_find(&v->index, hash, same_sum, v, &sum);
    if (found != NULL)
        return *found;
    bine_value x = bine_value_add(v, left, right);
    return x != 0 && bine_set_add(&v->index, hash, x) == 0 ? x : 0;
}

int bine_value_is_total(struct bine_values *v, bine_value x, int n, int ordered, char *why,
                        size_t size) {
    int found = 0, depth = 0, last = -1;
    v->stamp++;
    v->stack[depth++] = x;
    /* Left to right. The stack holds at most one value for each contribution still to come, so p +
     * 1 are enough unless one comes twice, which is found out before. */
    while (depth > 0) {
        bine_value y = v->stack[--depth];
        if (y == 0) {
            snprintf(why, size, "a sum over something that was never written");
            return 0;
        }
        if (y >= v->sums) {
            if (depth + 2 > v->p + 60) {
                snprintf(why, size, "contributions that come more than once");
                return 0;
            }
            v->stack[depth++] = v->sum[y - v->sums].right;
            v->stack[depth++] = v->sum[y - v->sums].left;
            continue;
        }
        int r = bine_value_rank(v, y);
        if (r >= n) {
            snprintf(why, size, "the contribution of rank %d, of which there should be none", r);
            return 0;
        }
        if (v->mark[r] == v->stamp) {
            snprintf(why, size, "the contribution of rank %d twice", r);
            return 0;
        }
        if (ordered && r < last) {
            snprintf(why, size, "the contribution of rank %d after that of rank %d", r, last);
            return 0;
        }
        v->mark[r] = v->stamp;
        last = r;
        found++;
    }
    if (found < n) {
        int missing = 0;
        while (v->mark[missing] == v->stamp)
            missing++;
        snprintf(why, size, "no contribution of rank %d (%d of %d are there)", missing, found, n);
        return 0;
    }
    return 1;
}
