/* Operators of the program's own that calls under way use: the drop-in library takes over
 * MPI_Op_free, and they are freed when no call uses them. */
#ifndef BINE_MPI_HELD_H
#define BINE_MPI_HELD_H

#include <mpi.h>

/* Whether that is so: otherwise MPI makes calls with them. */
extern int bine_operators_last;

/* One more call uses some, or one less. */
void bine_operators_hold(int more);
/* Instead of MPI_Op_free. */
int bine_operator_free(MPI_Op *op);
/* At MPI_Finalize. */
void bine_operators_end(void);

#endif
