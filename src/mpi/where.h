/* Where this process is in the network: its node, and the group that the node lies in, or its place
 * on a torus.
 *
 * The group is what BINE_GROUPS says of the process's rank in MPI_COMM_WORLD; else what the machine
 * that BINE_MACHINE names says of the host, which it may have by the name that Slurm has for it
 * (SLURMD_NODENAME); else what Slurm says in SLURM_TOPOLOGY_ADDR. The torus is the machine's. */
#ifndef BINE_MPI_WHERE_H
#define BINE_MPI_WHERE_H

#include "pattern/shape.h"

#include <mpi.h>
#include <stdint.h>

struct bine_where_am_i {
    uint64_t node;           /* of its name */
    uint64_t group;          /* of its name; 0: not known */
    uint64_t address;        /* of what Slurm calls the node, if the above is by that; or 0 */
    struct bine_shape torus; /* of the machine; no dims: none, or not known where on it */
    int32_t torus_node;      /* on it */
    char host[MPI_MAX_PROCESSOR_NAME + 1];
};

/* As the settings stand now. What cannot be followed is a problem (mpi/problems.h). */
void bine_where_find(struct bine_where_am_i *w);
/* Free what was read. */
void bine_where_end(void);

#endif
