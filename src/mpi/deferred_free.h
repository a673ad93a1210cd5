/* Operators of the program's own that pending calls use: the drop-in library intercepts
 * MPI_Op_free, and an operator is freed when no call uses it. */
#ifndef BINE_MPI_DEFERRED_FREE_H
#define BINE_MPI_DEFERRED_FREE_H

#include <mpi.h>

/* Whether that is so: otherwise MPI makes calls with them. */
extern int bine_operators_last;

/* A call that uses one. */
struct bine_held_operator {
    struct bine_held_operator *next, *previous;
    MPI_Op op;
};

/* The call uses it from now on; and does not any more. */
void bine_operator_hold(struct bine_held_operator *h, MPI_Op op);
void bine_operator_let_go(struct bine_held_operator *h);
/* Instead of MPI_Op_free. */
int bine_operator_free(MPI_Op *op);
/* At MPI_Finalize. */
void bine_operators_end(void);

#endif
