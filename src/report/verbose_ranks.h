/* The lines of BINE_VERBOSE=1 are of all ranks, where they are known to have it: times of one rank
 * alone say little of a collective, because another may wait for it elsewhere. */
#ifndef BINE_REPORT_VERBOSE_RANKS_H
#define BINE_REPORT_VERBOSE_RANKS_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* Calls of one kind. */
struct bine_verbose_time {
    uint64_t key;         /* equal on all ranks that made such calls */
    double seconds;       /* on this rank */
    double mean, slowest; /* of the ranks that made such calls; known to rank 0 */
};

/* All ranks of MPI_COMM_WORLD are in this communicator, and all come here again at MPI_Finalize.
 * Collective. */
void bine_verbose_ranks_open(MPI_Comm comm);
int bine_verbose_ranks_are_open(void);
/* Mean and slowest of rank 0's times, which it prints; returns whether they are of all ranks, or of
 * this one alone. Collective, if that was opened. */
int bine_verbose_ranks_share(struct bine_verbose_time *t, size_t times);
void bine_verbose_ranks_close(void);

#endif
