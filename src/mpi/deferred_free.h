/* Operators of the program's own that pending calls use: the drop-in library intercepts
 * MPI_Op_free, and an operator is freed when no call uses it. Without the drop-in library MPI makes
 * calls with such operators. */
#ifndef BINE_MPI_DEFERRED_FREE_H
#define BINE_MPI_DEFERRED_FREE_H

#include <mpi.h>

/* A call that uses one. */
struct bine_held_operator {
    struct bine_held_operator *next, *previous;
    MPI_Op op;
    int freed; /* by the program */
};

/* The call uses it from now on; and does not any more. */
void bine_operator_retain(struct bine_held_operator *h, MPI_Op op);
void bine_operator_release(struct bine_held_operator *h);
/* Instead of MPI_Op_free. */
int bine_operator_free(MPI_Op *op);
/* At MPI_Finalize. */
void bine_operators_end(void);

#endif
