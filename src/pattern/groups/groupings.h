/* Groupings of p ranks, each with a number, to prove algorithms with. Up to BINE_GROUPINGS_ALL
 * ranks the numbers below bine_groupings_count(p) give all groupings that there are. For more ranks
 * a number is a seed: groups of any sizes at one to four levels, each in those of the level before,
 * ranks in any order. */
#ifndef BINE_PATTERN_GROUPINGS_H
#define BINE_PATTERN_GROUPINGS_H

#include "pattern/groups/groups.h"

enum { BINE_GROUPINGS_ALL = 8, BINE_GROUPINGS_LEVELS = 4 };

/* A number below another (splitmix64): equal numbers on every machine. */
static inline uint64_t bine_draw(uint64_t *state, uint64_t below) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % below;
}

/* How many there are: Bell's number, or 2^20 above BINE_GROUPINGS_ALL ranks. */
int bine_groupings_count(int p);

/* The groups of every rank, at one to four levels (the return value): name[l * p + r] is that of
 * rank r at level l, the outermost first. There is room for BINE_GROUPINGS_LEVELS * p names. */
int bine_grouping_names(int p, int number, int32_t *name);
/* NULL when out of memory. */
struct bine_groups *bine_grouping_new(int p, int number);

#endif
