/* Where ranks are: the options --groups, --dims, --machine and --hosts of several subcommands. */
#ifndef BINE_TOOLS_PLACE_H
#define BINE_TOOLS_PLACE_H

#include "network/allocation.h"

struct bine_place_words {
    const char *machine, *hosts, *groups, *dims; /* as typed, or NULL */
    int level;                                   /* of the switches that are groups; 0: leaves */
    enum bine_reorder reorder;
};

/* 0 if the words go together; otherwise BINE_EXIT_USAGE after complaining. */
int bine_place_check(const struct bine_place_words *w);
/* The ranks of a job, from the first that is given of a machine (without --hosts and --dims: on the
 * hosts that Slurm says), groups and dims. 0, or BINE_EXIT_USAGE after complaining. */
int bine_place_job(const struct bine_place_words *w, struct bine_allocation *a);

/* The torus that the ranks form on a machine that is one, as the library finds it (no dims: none),
 * and whether they are in its row-major order. 0, or BINE_EXIT_USAGE when out of memory. */
int bine_place_torus(const struct bine_allocation *a, struct bine_shape *dims, int *in_order);

#endif
