/* What the ranks of a communicator find out together, before anything is chosen on it. */
#ifndef BINE_MPI_PLACE_H
#define BINE_MPI_PLACE_H

#include <mpi.h>
#include <stdint.h>

struct bine_place {
    int alike;           /* all ranks are able and have the same hash */
    int nodes, per_node; /* as in struct bine_question */
};

/* Collective. `able` says that this rank can take part, and the hash what it would choose by. The
 * result is the same on all ranks. Returns an MPI error code. */
int bine_place_find(MPI_Comm comm, int p, int able, uint64_t hash, struct bine_place *place);

#endif
