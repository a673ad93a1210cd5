/* Included before everything else where the library and bine-bench are compiled for SimGrid's MPI:
 * what that lacks, and what the machine's processors are charged. */
#ifndef BINE_TOOLS_SIMULATE_SMPI_HOOKS_H
#define BINE_TOOLS_SIMULATE_SMPI_HOOKS_H

#define SMPI_NO_OVERRIDE_MALLOC
#include <smpi/smpi_helpers.h>

#include <mpi.h>

#undef SEED /* a name that its header takes from others */

/* Aborts where there is no topology. */
#undef MPI_Topo_test
#undef PMPI_Topo_test
#define MPI_Topo_test(comm, status) ((void)(comm), *(status) = MPI_UNDEFINED, MPI_SUCCESS)
#define PMPI_Topo_test MPI_Topo_test
/* Crashes with the handlers that are built in. */
int bine_smpi_call_errhandler(MPI_Comm comm, int code);
#define PMPI_Comm_call_errhandler bine_smpi_call_errhandler
#define MPI_Comm_call_errhandler bine_smpi_call_errhandler

#endif
