#include "schedule/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int bine_values_open(struct bine_values *v, int p, int blocks) {
    memset(v, 0, sizeof *v);
    v->p = p;
    v->blocks = blocks;
    v->leaves = (uint32_t)p * (uint32_t)blocks;
    v->stack = malloc(((size_t)p + 64) * sizeof *v->stack);
    v->mark = calloc((size_t)p, sizeof *v->mark);
    return v->stack == NULL || v->mark == NULL ? -1 : 0;
}

void bine_values_close(struct bine_values *v) {
    free(v->sum);
    free(v->index);
    free(v->stack);
    free(v->mark);
}

static uint32_t hash(bine_value left, bine_value right) {
    uint64_t x = ((uint64_t)left << 32 | right) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(x >> 32);
}

static int index_grow(struct bine_values *v) {
    uint32_t size = v->index_size == 0 ? 64 : v->index_size * 2;
    uint32_t *bigger = calloc(size, sizeof *bigger);
    if (bigger == NULL)
        return -1;
    for (uint32_t i = 0; i < v->index_size; i++) {
        if (v->index[i] == 0)
            continue;
        const struct bine_sum *s = &v->sum[v->index[i] - 1];
        uint32_t h = hash(s->left, s->right) & (size - 1);
        while (bigger[h] != 0)
            h = (h + 1) & (size - 1);
        bigger[h] = v->index[i];
    }
    free(v->index);
    v->index = bigger;
    v->index_size = size;
    return 0;
}

static bine_value new_sum(struct bine_values *v, bine_value left, bine_value right) {
    if (v->nsums == v->room) {
        uint32_t more = v->room == 0 ? 256 : v->room * 2;
        struct bine_sum *bigger = realloc(v->sum, more * sizeof *bigger);
        if (bigger == NULL)
            return 0;
        v->sum = bigger;
        v->room = more;
    }
    v->sum[v->nsums] = (struct bine_sum){left, right, bine_value_block(v, left), 0};
    return v->leaves + ++v->nsums;
}

bine_value bine_value_add(struct bine_values *v, bine_value left, bine_value right, int ordered) {
    if (!ordered)
        return new_sum(v, left, right);
    if (2 * v->indexed >= v->index_size && index_grow(v) != 0)
        return 0;
    uint32_t h = hash(left, right) & (v->index_size - 1);
    for (; v->index[h] != 0; h = (h + 1) & (v->index_size - 1)) {
        const struct bine_sum *s = &v->sum[v->index[h] - 1];
        if (s->left == left && s->right == right)
            return v->leaves + v->index[h];
    }
    bine_value x = new_sum(v, left, right);
    if (x != 0) {
        v->index[h] = v->nsums;
        v->indexed++;
    }
    return x;
}

int bine_value_is_total(struct bine_values *v, bine_value x, int ordered, char *why, size_t size) {
    int found = 0, depth = 0, last = -1;
    if (x > v->leaves && v->sum[x - v->leaves - 1].verified)
        return 1;
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
        if (y > v->leaves) {
            if (depth + 2 > v->p + 60) {
                snprintf(why, size, "contributions that come more than once");
                return 0;
            }
            v->stack[depth++] = v->sum[y - v->leaves - 1].right;
            v->stack[depth++] = v->sum[y - v->leaves - 1].left;
            continue;
        }
        int r = bine_value_rank(v, y);
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
    if (found < v->p) {
        int missing = 0;
        while (v->mark[missing] == v->stamp)
            missing++;
        snprintf(why, size, "no contribution of rank %d (%d of %d are there)", missing, found,
                 v->p);
        return 0;
    }
    if (x > v->leaves)
        v->sum[x - v->leaves - 1].verified = 1;
    return 1;
}
