/* The arguments COLLECTIVE [ALGORITHM...] of several subcommands. */
#ifndef BINE_TOOLS_CLI_ALGORITHMS_H
#define BINE_TOOLS_CLI_ALGORITHMS_H

#include "schedule/catalogue.h"

enum { BINE_ALGORITHMS_MOST = 64 };

struct bine_algorithms {
    enum bine_collective collective;
    const struct bine_algorithm *algorithm[BINE_ALGORITHMS_MOST];
    int count;
    int named; /* they were named; 0: these are all of the collective */
};

/* From argv[optind] on; without names, or with "all", all of the collective. 0, or BINE_EXIT_USAGE
 * after complaining. */
int bine_algorithms_read(int argc, char **argv, struct bine_algorithms *asked);

#endif
