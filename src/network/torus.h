/* Tori: coordinates, hops, and what each link carries.
 *
 * Nodes are numbered row-major: the last dimension counts fastest. A message goes along the
 * dimensions one after the other, first to last, in each the shorter way round; where both ways are
 * equally long it goes up. A link is (node, dimension, direction): from a node to its neighbour
 * above or below it. */
#ifndef BINE_NETWORK_TORUS_H
#define BINE_NETWORK_TORUS_H

#include <stddef.h>
#include <stdint.h>

enum { BINE_DIMS_MOST = 8, BINE_TORUS_MOST = 1 << 24 };

struct bine_shape {
    int dims; /* 0: not a torus */
    int size[BINE_DIMS_MOST];
};

/* "4x4x8": 0, or -1 if it is no shape of 1 to BINE_TORUS_MOST nodes. */
int bine_shape_parse(const char *text, size_t length, struct bine_shape *shape);
int bine_shape_nodes(const struct bine_shape *shape);
int bine_torus_hops(const struct bine_shape *shape, int from, int to);

struct bine_link_loads {
    struct bine_shape shape;
    int64_t *load; /* [(node * dims + dimension) * 2 + (0: up, 1: down)] */
    int64_t bytes, hop_bytes;
    int most_hops;
};

/* 0, or -1 when out of memory. */
int bine_link_loads_open(struct bine_link_loads *l, const struct bine_shape *shape);
void bine_link_loads_add(struct bine_link_loads *l, int from, int to, int64_t bytes);
void bine_link_loads_close(struct bine_link_loads *l);

/* What there is to say about all links together. */
struct bine_link_summary {
    int64_t used;    /* links that carry something */
    int64_t busiest; /* bytes on the link that carries most */
    int node, dimension, direction;
};
struct bine_link_summary bine_link_loads_sum(const struct bine_link_loads *l);

#endif
