/* Allreduce of vectors in the memory of devices on several nodes, in three steps: reduce-scatter
 * among the ranks of a node, allreduce between nodes among ranks of equal place in theirs,
 * allgather in the node. So the vector crosses between nodes as little as it can, shared out among
 * all ranks, and in the nodes it never leaves the devices. */
#ifndef BINE_CALL_DEVICE_LEVELS_H
#define BINE_CALL_DEVICE_LEVELS_H

#include "comm/context.h"

/* As bine_device_call, for communicators on several nodes of equally many ranks. */
int bine_device_levels_call(struct bine_context *c, const struct bine_arguments *a, int *rc);

#endif
