/* Groupings of p ranks by number, to prove algorithms with: up to BINE_GROUPINGS_ALL ranks all that
 * there are, one for each number below bine_groupings_count(p); above, whatever the number draws:
 * groups of any sizes, ranks in any order, every other one with nodes inside the groups. */
#ifndef BINE_PATTERN_GROUPINGS_H
#define BINE_PATTERN_GROUPINGS_H

#include "pattern/groups.h"

enum { BINE_GROUPINGS_ALL = 8 };

/* How many there are: Bell's number, or 2^20 above BINE_GROUPINGS_ALL ranks. */
int bine_groupings_count(int p);

/* The groups of every rank, at one or two levels (the return value). */
int bine_grouping_names(int p, int number, int32_t *outer, int32_t *inner);
/* NULL when out of memory. */
struct bine_groups *bine_grouping_new(int p, int number);

#endif
