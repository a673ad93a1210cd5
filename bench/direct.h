/* Four algorithms written straight down with MPI calls, the way one would without Bine's schedules:
 * what the engine is measured against. Partners come from src/pattern. Powers of two only; root 0;
 * floats and their sum. */
#ifndef BINE_BENCH_DIRECT_H
#define BINE_BENCH_DIRECT_H

#include <mpi.h>

struct direct {
    MPI_Comm comm;
    int p, rank;
    int count;      /* floats of the whole vector */
    float *in;      /* allgather: our block */
    float *out;     /* bcast: the buffer */
    float *scratch; /* as large as the vector */
};

void direct_allreduce_bine_large(const struct direct *x);
void direct_allreduce_doubling(const struct direct *x);
void direct_bcast_bine_small(const struct direct *x);
void direct_allgather_bine_near(const struct direct *x);

#endif
