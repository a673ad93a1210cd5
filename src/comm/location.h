/* The place of this process in the network: its node, and the group that the node lies in, or its
 * place on a torus.
 *
 * Three sources tell the group, in this order: BINE_GROUPS, by the process's rank in
 * MPI_COMM_WORLD; the machine that BINE_MACHINE names, by the host's name or by Slurm's name of it
 * (SLURMD_NODENAME); Slurm's SLURM_TOPOLOGY_ADDR. The torus is the machine's. */
#ifndef BINE_COMM_LOCATION_H
#define BINE_COMM_LOCATION_H

#include "base/quota.h"
#include "comm/cores.h"
#include "model/links.h"
#include "pattern/shape.h"

#include <mpi.h>
#include <stdint.h>

struct bine_process_location {
    uint64_t node;                   /* a number made of its name */
    uint64_t group;                  /* hash of the group's name; 0: not known */
    uint64_t wider[BINE_WIDER_MOST]; /* of larger groups around it, outwards; 0: no more */
    uint64_t address;        /* hash of Slurm's name of the node, if the group comes from Slurm */
    struct bine_shape torus; /* of the machine; no dims: none, or not known where on it */
    int32_t torus_node;      /* on it */
    uint64_t cores[BINE_CORES_WORDS]; /* that it may run on */
    int words;                        /* of them that count; 0: not known */
    struct bine_quota quota;
    char host[MPI_MAX_PROCESSOR_NAME + 1];
};

/* Find it by the settings as they are now. A setting that cannot be followed becomes a problem
 * (report/problems.h). */
void bine_location_find(struct bine_process_location *w);
/* Whether the machine that the settings named last says how fast its network is; and the links
 * between ranks on it, whose allocation must outlive them: 0, or -1. */
int bine_location_has_rates(void);
int bine_location_links(struct bine_links *l, const struct bine_allocation *a);
/* Free the machine. */
void bine_location_end(void);

#endif
