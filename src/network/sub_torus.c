#include "network/sub_torus.h"

#include <stdlib.h>

/* For every coordinate of every dimension of the machine's torus, one dimension after the other:
 * whether a rank has it, and then its weight in the rank's place. */
struct lines {
    const struct bine_shape *whole;
    int32_t *at[BINE_DIMS_MOST];
};

static int open_lines(struct lines *l, const struct bine_shape *whole) {
    size_t n = 0;
    for (int d = 0; d < whole->dims; d++)
        n += (size_t)whole->size[d];
    l->whole = whole;
    l->at[0] = calloc(n, sizeof **l->at);
    for (int d = 1; d < whole->dims && l->at[0] != NULL; d++)
        l->at[d] = l->at[d - 1] + whole->size[d - 1];
    return l->at[0] != NULL;
}

/* The entries of the lines for the coordinates of a node: their sum, or all set to 1. */
static int sum_of(const struct lines *l, int node, int set) {
    int sum = 0;
    for (int d = l->whole->dims - 1; d >= 0; d--) {
        int32_t *x = &l->at[d][node % l->whole->size[d]];
        node /= l->whole->size[d];
        *x = set ? 1 : *x;
        sum += *x;
    }
    return sum;
}

/* Number the coordinates that are taken, in units; how many there are, or 0 if they are no ring. */
static int number_line(int32_t *at, int size, int unit) {
    int n = 0, first = 0, last = 0;
    for (int x = 0; x < size; x++)
        if (at[x] != 0) {
            first = n == 0 ? x : first;
            last = x;
            at[x] = unit * n++;
        }
    int neighbours = n == 2 && (last - first == 1 || last - first == size - 1);
    return n == size || n == 1 || neighbours ? n : 0;
}

/* Whether the coordinates make a torus of p nodes. */
static int find_shape(const struct lines *l, int p, struct bine_shape *shape) {
    int count[BINE_DIMS_MOST], nodes = 1;
    for (int d = l->whole->dims - 1; d >= 0; d--) {
        count[d] = number_line(l->at[d], l->whole->size[d], nodes);
        nodes *= count[d];
    }
    *shape = (struct bine_shape){0};
    for (int d = 0; d < l->whole->dims; d++)
        if (count[d] > 1)
            shape->size[shape->dims++] = count[d];
    return nodes == p;
}

/* Whether there is one rank on each of its nodes. */
static int line_up(const struct lines *l, int p, const int32_t *node, int32_t *rank_at) {
    for (int i = 0; i < p; i++)
        rank_at[i] = -1;
    for (int r = 0; r < p; r++) {
        int32_t *there = &rank_at[sum_of(l, node[r], 0)];
        if (*there >= 0)
            return 0;
        *there = r;
    }
    return 1;
}

int bine_sub_torus_find(const struct bine_shape *whole, int p, const int32_t *node,
                        struct bine_shape *shape, int32_t *rank_at) {
    struct lines l;
    if (!open_lines(&l, whole))
        return BINE_SUB_TORUS_MEMORY;
    for (int r = 0; r < p; r++)
        sum_of(&l, node[r], 1);
    int found = find_shape(&l, p, shape) && line_up(&l, p, node, rank_at);
    free(l.at[0]);
    return found ? BINE_SUB_TORUS_YES : BINE_SUB_TORUS_NO;
}
