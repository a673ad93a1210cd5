/* The shape of a torus: how many ranks, or nodes, there are in each dimension. They are numbered
 * row-major: the last dimension counts fastest. */
#ifndef BINE_PATTERN_SHAPE_H
#define BINE_PATTERN_SHAPE_H

#include <stddef.h>

enum { BINE_DIMS_MOST = 8, BINE_TORUS_MOST = 1 << 24 };

struct bine_shape {
    int dims; /* 0: not a torus */
    int size[BINE_DIMS_MOST];
};

/* "4x4x8": 0, or -1 if it is no shape of 1 to BINE_TORUS_MOST nodes. */
int bine_shape_parse(const char *text, size_t length, struct bine_shape *shape);
/* From a shape to its text. */
enum { BINE_SHAPE_TEXT = 12 * BINE_DIMS_MOST };
const char *bine_shape_text(const struct bine_shape *shape, char text[BINE_SHAPE_TEXT]);
int bine_shape_nodes(const struct bine_shape *shape);
int bine_shape_same(const struct bine_shape *a, const struct bine_shape *b);

#endif
