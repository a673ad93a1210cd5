/* Functions that the makers of allocations share. */
#ifndef BINE_NETWORK_ALLOCATION_MAKE_H
#define BINE_NETWORK_ALLOCATION_MAKE_H

struct bine_allocation;

/* Drop larger groups that say nothing: one of all ranks, or as many as of the level below. */
void bine_allocation_trim(struct bine_allocation *a);

#endif
