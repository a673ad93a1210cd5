#include "mpi/real.h"

/* As long as nobody takes over these names; see drop.h. */
struct bine_real bine_real_calls = {PMPI_Bcast,    PMPI_Reduce,         PMPI_Allreduce,
                                    PMPI_Gather,   PMPI_Scatter,        PMPI_Allgather,
                                    PMPI_Alltoall, PMPI_Reduce_scatter, PMPI_Reduce_scatter_block};
