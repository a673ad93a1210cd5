/* Which operators MPI defines on which datatypes. */
#ifndef BINE_MPI_OPERATORS_H
#define BINE_MPI_OPERATORS_H

#include <mpi.h>

/* Whether a reduction of such elements is allowed. User-defined operators take any type. Types
 * outside MPI's tables, such as C++ types, are forwarded to the MPI library. */
int bine_operator_takes(MPI_Op op, MPI_Datatype type);

#endif
