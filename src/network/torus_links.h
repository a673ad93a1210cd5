/* Tori: coordinates, hops, and the load of each link.
 *
 * Nodes are numbered row-major: the last dimension counts fastest. A message goes along the
 * dimensions one after the other, first to last, in each the shorter way round; where both ways are
 * equally long it goes up. A link is (node, dimension, direction): from a node to its neighbour
 * above or below it. */
#ifndef BINE_NETWORK_TORUS_LINKS_H
#define BINE_NETWORK_TORUS_LINKS_H

#include "pattern/shape.h"

#include <stddef.h>
#include <stdint.h>

int bine_torus_hops(const struct bine_shape *shape, int from, int to);

/* Every link on the way, in order, as its number: (node * dims + dimension) * 2 + (0: up, 1: down).
 */
typedef void bine_torus_visit(void *self, size_t link);
int bine_torus_route(const struct bine_shape *shape, int from, int to, bine_torus_visit *visit,
                     void *self);

struct bine_link_loads {
    struct bine_shape shape;
    int64_t *load; /* of each link, by its number */
    int64_t bytes, hop_bytes;
    int most_hops;
};

/* 0, or -1 when out of memory. */
int bine_link_loads_open(struct bine_link_loads *l, const struct bine_shape *shape);
void bine_link_loads_add(struct bine_link_loads *l, int from, int to, int64_t bytes);
void bine_link_loads_close(struct bine_link_loads *l);

/* Figures of all links together. */
struct bine_link_summary {
    int64_t used;    /* links that carry something */
    int64_t busiest; /* bytes on the link that carries most */
    int node, dimension, direction;
};
struct bine_link_summary bine_link_loads_sum(const struct bine_link_loads *l);

#endif
