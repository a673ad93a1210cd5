/* The torus that the ranks of a communicator form, which are on nodes of a machine's.
 *
 * In each dimension the ranks must go all the way round, or keep to one node or to two neighbours:
 * a part of a ring is a line, on which a message from end to end goes through everything between.
 * So on 4 x 4 x 8 nodes, the whole is a torus, and so are a plane of 4 x 8 (one node in the first
 * dimension) and 2 x 4 x 8 next to each other; 3 x 4 x 8 are not. There is one rank on each node,
 * in any order. */
#ifndef BINE_NETWORK_SUB_TORUS_H
#define BINE_NETWORK_SUB_TORUS_H

#include "pattern/shape.h"

#include <stdint.h>

enum { BINE_SUB_TORUS_NO, BINE_SUB_TORUS_YES, BINE_SUB_TORUS_MEMORY };

/* From the nodes of the ranks to the shape, in which dimensions of one node are left out, and the
 * ranks in row-major order. At least two ranks. */
int bine_sub_torus_find(const struct bine_shape *whole, int p, const int32_t *node,
                        struct bine_shape *shape, int32_t *rank_at);

#endif
