/* What the ranks of a communicator find out together, before anything is chosen on it. */
#ifndef BINE_MPI_PLACE_H
#define BINE_MPI_PLACE_H

#include <mpi.h>
#include <stdint.h>

struct bine_place {
    int alike;           /* all ranks are able and have the same hash */
    int room;            /* all ranks have room */
    int nodes, per_node; /* as in struct bine_question */
};

/* What one of them says. */
struct bine_say {
    int able;      /* it can take part */
    int room;      /* for a private communicator */
    uint64_t hash; /* what it would choose by */
};

/* Collective. The result is the same on all ranks. Returns an MPI error code. */
int bine_place_find(MPI_Comm comm, int p, const struct bine_say *say, struct bine_place *place);

#endif
