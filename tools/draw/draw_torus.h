/* A torus of one or two dimensions, and the messages of each step on it. */
#ifndef BINE_TOOLS_DRAW_DRAW_TORUS_H
#define BINE_TOOLS_DRAW_DRAW_TORUS_H

#include "draw/draw.h"

/* One dimension is drawn as a row; of two, the first goes down and the second to the right. */
struct bine_torus_grid {
    int rows, columns;
};
struct bine_torus_grid bine_torus_grid_of(const struct bine_drawing *d);

/* A message goes along the first dimension, then along the second, each the shorter way round: so
 * many places down and to the right, which may be negative. */
struct bine_torus_way {
    int down, right;
};
struct bine_torus_way bine_torus_way_of(const struct bine_torus_grid *g,
                                        const struct bine_arrow *a);

/* For each step a table of the ranks, with the directions in which they send and to whom. */
int bine_torus_text(const struct bine_drawing *d, FILE *file);

/* One leg of a message: along a line of the grid, from a place n places on (negative: back). */
struct bine_torus_leg {
    const struct bine_arrow *a;
    int vertical, line; /* which column or row */
    int size;           /* places on it */
    int from, n;
    int last;        /* ends at the receiver */
    int lane, lanes; /* beside the line, and how many there are for its direction in its step */
};
enum { BINE_TORUS_LANES = 32 };
/* All legs, to be freed, those of one line in one step in lanes of their own as long as there are
 * no more than BINE_TORUS_LANES; NULL when out of memory. */
struct bine_torus_leg *bine_torus_legs(const struct bine_drawing *d, uint32_t *count);

#endif
