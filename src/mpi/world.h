/* MPI_COMM_WORLD: whether there is one, and its processes. */
#ifndef BINE_MPI_WORLD_H
#define BINE_MPI_WORLD_H

#include <mpi.h>
#include <stdint.h>

/* Whether there is an MPI_COMM_WORLD: not where a program has only opened an MPI session. */
int bine_has_world(void);
/* This process's rank in MPI_COMM_WORLD, or -1. */
int bine_world_rank(void);
/* How many are in it, or 0. */
int bine_world_size(void);

/* Whether a communicator has processes outside this one's MPI_COMM_WORLD: spawned, or connected
 * later. They may be without Bine. Local; all ranks get one answer. */
int bine_has_ranks_outside_world(MPI_Comm comm);
/* A number of the processes of a group in their order, equal wherever it is asked for; 0: some of
 * them are not in MPI_COMM_WORLD. Local. */
uint64_t bine_world_hash(MPI_Group group);

#endif
