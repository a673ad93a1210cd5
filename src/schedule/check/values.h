/* Symbolic values: the contents of a piece while all ranks' schedules are executed together.
 *
 * A value is a number. 0 is nothing; a leaf is the caller's data of one rank for one block; a sum
 * is an operator applied to two values. Sums whose operand order matters are made once for each
 * pair of operands, so that two ranks that compute one expression hold one value, which
 * is to say equal bits.
 *
 * The low bits of a value are its block. The high bits are 1 + r for the leaf of rank r, and 1 + p
 * + i for the i-th sum of its block. */
#ifndef BINE_SCHEDULE_CHECK_VALUES_H
#define BINE_SCHEDULE_CHECK_VALUES_H

#include "base/set.h"

#include <stddef.h>
#include <stdint.h>

typedef uint32_t bine_value;

struct bine_sum {
    bine_value left, right;
};

struct bine_values {
    int p;
    int shift;             /* bits of a block */
    uint32_t mask;         /* the bits of a block */
    bine_value sums;       /* values below are no sums */
    struct bine_sum *sum;  /* of value x: x - sums */
    uint32_t *count;       /* of the sums of a block */
    uint32_t room;         /* sums that each block has room for */
    struct bine_set index; /* the ordered sums */
    bine_value *stack;
    int32_t *mark;
    int32_t stamp;
};

int bine_values_open(struct bine_values *v, int p, int blocks);
void bine_values_close(struct bine_values *v);

static inline bine_value bine_value_leaf(const struct bine_values *v, int rank, int block) {
    return ((uint32_t)rank + 1) << v->shift | (uint32_t)block;
}

static inline int bine_value_block(const struct bine_values *v, bine_value x) {
    return (int)(x & v->mask);
}

/* Of a leaf. */
static inline int bine_value_rank(const struct bine_values *v, bine_value x) {
    return (int)(x >> v->shift) - 1;
}

/* Make room for more sums. 0, or -1 when out of memory. */
int bine_values_grow(struct bine_values *v);

/* left op right, where the order of operands does not matter; 0 when out of memory. */
static inline bine_value bine_value_add(struct bine_values *v, bine_value left, bine_value right) {
    uint32_t block = left & v->mask;
    if (v->count[block] == v->room && bine_values_grow(v) != 0)
        return 0;
    uint32_t i = v->count[block]++ << v->shift | block;
    v->sum[i] = (struct bine_sum){left, right};
    return v->sums + i;
}

/* left op right, where the order of operands matters. */
bine_value bine_value_add_ordered(struct bine_values *v, bine_value left, bine_value right);

/* Whether x is the sum over the first n ranks, each exactly once, and in rank order if `ordered`.
 * Otherwise names the fault. */
int bine_value_is_total(struct bine_values *v, bine_value x, int n, int ordered, char *why,
                        size_t size);

#endif
