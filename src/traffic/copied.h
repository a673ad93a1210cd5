/* Copied bytes: data that a rank packs, unpacks and permutes in one call (schedule/copies.h). Where
 * it copies faster than the network sends, that is nothing; where it does not, copying takes the
 * time. */
#ifndef BINE_TRAFFIC_COPIED_H
#define BINE_TRAFFIC_COPIED_H

#include "schedule/build/build.h"

/* Up to this number of ranks all are looked at; beyond, as many evenly, the root and its neighbour
 * among them. */
enum { BINE_COPIED_ALL = 256, BINE_COPIED_SAMPLE = 16 };

/* Of the rank that copies most. The spec must be valid; its rank is ignored. -1 when out of
 * memory. */
int64_t bine_copied_most(const struct bine_spec *spec, int64_t bytes);

#endif
