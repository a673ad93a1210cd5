#include "mpi/real.h"

static const struct bine_real real = {
    PMPI_Bcast,    PMPI_Reduce,         PMPI_Allreduce,
    PMPI_Gather,   PMPI_Scatter,        PMPI_Allgather,
    PMPI_Alltoall, PMPI_Reduce_scatter, PMPI_Reduce_scatter_block};

const struct bine_real *bine_real(void) {
    return &real;
}
