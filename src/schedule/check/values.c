#include "schedule/check/values.h"

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
    free(v->index);
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

/* Where a sum is in the index, or would be. */
static bine_value *find(const struct bine_values *v, bine_value left, bine_value right) {
    uint64_t x = ((uint64_t)left << 32 | right) * 0x9E3779B97F4A7C15u;
    uint32_t h = (uint32_t)(x >> 32) & (v->index_size - 1);
    for (; v->index[h] != 0; h = (h + 1) & (v->index_size - 1)) {
        const struct bine_sum *s = &v->sum[v->index[h] - v->sums];
        if (s->left == left && s->right == right)
            break;
    }
    return &v->index[h];
}

static int index_grow(struct bine_values *v) {
    bine_value *old = v->index;
    uint32_t size = v->index_size;
    v->index_size = size == 0 ? 64 : size * 2;
    v->index = calloc(v->index_size, sizeof *v->index);
    for (uint32_t i = 0; i < size && v->index != NULL; i++)
        if (old[i] != 0) {
            const struct bine_sum *s = &v->sum[old[i] - v->sums];
            *find(v, s->left, s->right) = old[i];
        }
    free(old);
    return v->index == NULL ? -1 : 0;
}

bine_value bine_value_add_ordered(struct bine_values *v, bine_value left, bine_value right) {
    if (2 * v->indexed >= v->index_size && index_grow(v) != 0)
        return 0;
    bine_value *at = find(v, left, right);
    if (*at == 0) {
        *at = bine_value_add(v, left, right);
        v->indexed += *at != 0;
    }
    return *at;
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
