/* Which operators MPI defines on which datatypes. */
#ifndef BINE_MPI_OPERATORS_H
#define BINE_MPI_OPERATORS_H

#include <mpi.h>

/* The kinds of elements in MPI's tables (MPI 3.1, section 5.9.2). */
enum bine_type_class {
    BINE_TYPE_INTEGER, /* and whatever is in no table */
    BINE_TYPE_FLOATING,
    BINE_TYPE_COMPLEX,
    BINE_TYPE_PAIR,
    BINE_TYPE_BYTE
};
enum bine_type_class bine_type_class_of(MPI_Datatype type);

/* Whether a reduction of such elements is allowed. User-defined operators take any type. Types
 * outside MPI's tables, such as C++ types, are forwarded to the MPI library. */
int bine_operator_takes(MPI_Op op, MPI_Datatype type);

#endif
