#include "cli/bus_bandwidth.h"

double bine_bus_bandwidth_factor(enum bine_collective c, int p) {
    double others = (double)(p - 1) / (double)p;
    if (c == BINE_ALLREDUCE)
        return 2 * others;
    return c == BINE_BCAST || c == BINE_REDUCE ? 1 : others;
}
