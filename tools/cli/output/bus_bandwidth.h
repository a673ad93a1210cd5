/* Bandwidth that algorithms and collectives can be compared by. */
#ifndef BINE_TOOLS_CLI_BUS_BANDWIDTH_H
#define BINE_TOOLS_CLI_BUS_BANDWIDTH_H

#include "schedule/schedule.h"

/* How much of the whole vector every rank must at least send or receive, so that a perfect
 * algorithm has the same "bus bandwidth", factor * bytes / time, as a plain message: 2 (p-1)/p for
 * allreduce, (p-1)/p where the vector consists of a block for each rank, 1 for
 * vectors that go one way: bcast, reduce, scans. */
static inline double bine_bus_bandwidth_factor(enum bine_collective c, int p) {
    double others = (double)(p - 1) / (double)p;
    if (c == BINE_ALLREDUCE)
        return 2 * others;
    return bine_cuts_a_vector(c) ? 1 : others;
}

#endif
