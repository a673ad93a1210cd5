/* Tori: the legs of messages along the lines of the grid, and lanes that keep them apart. */
#include "draw/draw_torus.h"

#include <stdlib.h>
#include <string.h>

/* Legs that can get into each other's way: of the same step, line, direction and kind (to the next
 * rank or further). */
static int company_order(const struct bine_torus_leg *x, const struct bine_torus_leg *y) {
    const int a[] = {x->a->step, x->vertical, x->line, x->n > 0, abs(x->n) > 1};
    const int b[] = {y->a->step, y->vertical, y->line, y->n > 0, abs(y->n) > 1};
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int leg_order(const void *a, const void *b) {
    const struct bine_torus_leg *x = a, *y = b;
    int order = company_order(x, y);
    if (order != 0)
        return order;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (abs(x->n) != abs(y->n))
        return abs(x->n) < abs(y->n) ? -1 : 1;
    return x->a < y->a ? -1 : x->a > y->a;
}

/* Take the links of a leg in a lane, or give up if one of them is taken. */
static int take(const struct bine_torus_leg *l, unsigned char *taken) {
    for (int k = 0; k < abs(l->n); k++)
        if (taken[l->n > 0 ? (l->from + k) % l->size : (l->from - k - 1 + l->size) % l->size])
            return 0;
    for (int k = 0; k < abs(l->n); k++)
        taken[l->n > 0 ? (l->from + k) % l->size : (l->from - k - 1 + l->size) % l->size] = 1;
    return 1;
}

/* Each of n legs in each other's company takes the first lane in which its links are free. */
static int make_lanes(struct bine_torus_leg *leg, uint32_t n) {
    size_t size = (size_t)leg->size;
    unsigned char *taken = calloc(BINE_TORUS_LANES * size, 1);
    int lanes = 0;
    for (uint32_t i = 0; i < n && taken != NULL; i++) {
        int k = 0;
        while (k < BINE_TORUS_LANES && !take(&leg[i], taken + (size_t)k * size))
            k++;
        leg[i].lane = k < BINE_TORUS_LANES ? k : (int)(i % BINE_TORUS_LANES);
        lanes = leg[i].lane >= lanes ? leg[i].lane + 1 : lanes;
    }
    free(taken);
    for (uint32_t i = 0; i < n; i++)
        leg[i].lanes = lanes;
    return taken == NULL ? -1 : 0;
}

static uint32_t add_legs(const struct bine_torus_grid *t, const struct bine_arrow *a,
                         struct bine_torus_leg *leg) {
    struct bine_torus_way w = bine_torus_way_of(t, a);
    int row = a->from / t->columns, column = a->from % t->columns;
    uint32_t n = 0;
    if (w.down != 0)
        leg[n++] = (struct bine_torus_leg){.a = a,
                                           .vertical = 1,
                                           .line = column,
                                           .size = t->rows,
                                           .from = row,
                                           .n = w.down,
                                           .last = w.right == 0};
    if (w.right != 0)
        leg[n++] = (struct bine_torus_leg){.a = a,
                                           .line = a->to / t->columns,
                                           .size = t->columns,
                                           .from = column,
                                           .n = w.right,
                                           .last = 1};
    return n;
}

struct bine_torus_leg *bine_torus_legs(const struct bine_drawing *d, uint32_t *count) {
    struct bine_torus_grid t = bine_torus_grid_of(d);
    struct bine_torus_leg *leg = malloc((2 * (size_t)d->narrows + 1) * sizeof *leg);
    uint32_t n = 0, end;
    for (uint32_t i = 0; i < d->narrows && leg != NULL; i++)
        n += add_legs(&t, &d->arrow[i], leg + n);
    if (n > 0)
        qsort(leg, n, sizeof *leg, leg_order);
    for (uint32_t begin = 0; begin < n; begin = end) {
        for (end = begin; end < n && company_order(&leg[begin], &leg[end]) == 0;)
            end++;
        if (make_lanes(leg + begin, end - begin) != 0) {
            free(leg);
            return NULL;
        }
    }
    *count = n;
    return leg;
}
