/* Where this process is in the network: its node, and the group that the node lies in, or its place
 * on a torus.
 *
 * The group is what BINE_GROUPS says of the process's rank in MPI_COMM_WORLD; else what the machine
 * that BINE_MACHINE names says of the host, which it may have by the name that Slurm has for it
 * (SLURMD_NODENAME); else what Slurm says in SLURM_TOPOLOGY_ADDR. The torus is the machine's. */
#ifndef BINE_MPI_LOCATION_H
#define BINE_MPI_LOCATION_H

#include "mpi/cores.h"
#include "pattern/shape.h"

#include <mpi.h>
#include <stdint.h>

struct bine_process_location {
    uint64_t node;                    /* a number made of its name */
    uint64_t group;                   /* the same; 0: not known */
    uint64_t address;                 /* of what Slurm calls the node, if the above is by that */
    struct bine_shape torus;          /* of the machine; no dims: none, or not known where on it */
    int32_t torus_node;               /* on it */
    uint64_t cores[BINE_CORES_WORDS]; /* that it may run on */
    int words;                        /* of them that count; 0: not known */
    char host[MPI_MAX_PROCESSOR_NAME + 1];
};

/* Find it by the settings as they are now. What cannot be followed becomes a problem
 * (mpi/problems.h). */
void bine_location_find(struct bine_process_location *w);
/* Free what was read. */
void bine_location_end(void);

#endif
