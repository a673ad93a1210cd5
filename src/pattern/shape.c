#include "pattern/shape.h"

#include <stdio.h>

/* A number of 1 to `most`: its digits' end, or NULL. */
static const char *read_size(const char *at, const char *end, long most, long *size) {
    const char *begin = at;
    for (*size = 0; at < end && *at >= '0' && *at <= '9'; at++)
        if ((*size = *size * 10 + (*at - '0')) > most)
            return NULL;
    return at == begin || *size < 1 ? NULL : at;
}

int bine_shape_parse(const char *text, size_t length, struct bine_shape *shape) {
    const char *end = text + length;
    long nodes = 1, size;
    *shape = (struct bine_shape){0};
    while (shape->dims < BINE_DIMS_MOST &&
           (text = read_size(text, end, BINE_TORUS_MOST / nodes, &size)) != NULL) {
        nodes *= size;
        shape->size[shape->dims++] = (int)size;
        if (text == end)
            return 0;
        if (*text++ != 'x')
            return -1;
    }
    return -1;
}

const char *bine_shape_text(const struct bine_shape *shape, char text[BINE_SHAPE_TEXT]) {
    int at = 0;
    for (int d = 0; d < shape->dims; d++)
        at += snprintf(text + at, (size_t)(BINE_SHAPE_TEXT - at), "%s%d", d == 0 ? "" : "x",
                       shape->size[d]);
    return text;
}

int bine_shape_nodes(const struct bine_shape *shape) {
    int nodes = 1;
    for (int d = 0; d < shape->dims; d++)
        nodes *= shape->size[d];
    return nodes;
}

int bine_shape_same(const struct bine_shape *a, const struct bine_shape *b) {
    int d = 0;
    while (d < a->dims && a->size[d] == b->size[d])
        d++;
    return a->dims == b->dims && d == a->dims;
}
