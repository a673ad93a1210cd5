/* The lifetime of a handle's meaning.
 *
 * Built-in datatypes and operators never change. The handle of one that the program made may stand
 * for another one after it was freed. MPI reports the end of datatypes that have an attribute; of
 * operators it reports nothing. */
#ifndef BINE_MPI_HANDLES_H
#define BINE_MPI_HANDLES_H

#include "engine/transport/transport.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>

/* Types that everybody uses, which need not be looked at. */
int bine_type_is_common(MPI_Datatype type);
/* Whether an operator is built in; engine/types.h has the function for datatypes. */
int bine_operator_is_built_in(MPI_Op op);

/* Grows whenever a datatype is freed that is watched; never 0. */
extern _Atomic uint64_t bine_types_age;

/* Watch a valid datatype of the program's. Returns whether it is watched from now on. */
int bine_type_watch(MPI_Datatype type);
/* At MPI_Finalize. */
void bine_types_end(void);

#endif
