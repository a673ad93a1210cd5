/* Symbolic values: what a piece holds while all ranks' schedules are executed together.
 *
 * A value is a number. 0 is nothing; a leaf is the caller's data of one rank for one block; a sum
 * is an operator applied to two values. Sums whose operand order matters are made once for each
 * pair of operands, so that two ranks that compute the same expression hold the same value, which
 * is to say the same bits. */
#ifndef BINE_SCHEDULE_VALUES_H
#define BINE_SCHEDULE_VALUES_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t bine_value;

struct bine_sum {
    bine_value left, right;
    int32_t block;
    int32_t verified; /* found complete, and in rank order if that was asked for */
};

struct bine_values {
    int p, blocks;
    uint32_t leaves; /* p * blocks */
    struct bine_sum *sum;
    uint32_t nsums, room;
    uint32_t *index; /* hash table over the ordered sums */
    uint32_t index_size, indexed;
    bine_value *stack;
    int32_t *mark;
    int32_t stamp;
};

int bine_values_open(struct bine_values *v, int p, int blocks);
void bine_values_close(struct bine_values *v);

static inline bine_value bine_value_leaf(const struct bine_values *v, int rank, int block) {
    return 1 + (uint32_t)rank * (uint32_t)v->blocks + (uint32_t)block;
}

static inline int bine_value_block(const struct bine_values *v, bine_value x) {
    return x <= v->leaves ? (int)((x - 1) % (uint32_t)v->blocks) : v->sum[x - v->leaves - 1].block;
}

static inline int bine_value_rank(const struct bine_values *v, bine_value x) {
    return (int)((x - 1) / (uint32_t)v->blocks);
}

/* left op right; 0 when out of memory. */
bine_value bine_value_add(struct bine_values *v, bine_value left, bine_value right, int ordered);

/* Whether x is the sum over all ranks, each exactly once, and in rank order if `ordered`. Otherwise
 * says what is wrong. */
int bine_value_is_total(struct bine_values *v, bine_value x, int ordered, char *why, size_t size);

#endif
