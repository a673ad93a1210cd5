/* Types and operators of MPI for numbers of 2 bytes, which MPI has none for. */
#ifndef BINE_MPI_HALVES_H
#define BINE_MPI_HALVES_H

#include <mpi.h>

enum bine_half_kind { BINE_HALF, BINE_BFLOAT16, BINE_HALF_KINDS };

/* Made at the first call; MPI error codes. `like` is one of MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX. */
int bine_halves_type(enum bine_half_kind kind, MPI_Datatype *type);
int bine_halves_operator(enum bine_half_kind kind, MPI_Op like, MPI_Op *op);
/* The device's names of these types: 0, or -1 if it has none. */
int bine_halves_name(MPI_Datatype type, MPI_Op op, int *class, int *operation);
/* MPI_Finalize has begun. */
void bine_halves_end(void);

#endif
