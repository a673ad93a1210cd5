/* The functions of bine.h for numbers of 2 bytes. */
#include "comm/context.h"
#include "mpi/halves.h"

#include "bine.h"

/* Types are freed at MPI_Finalize, so the watch for it must be set. */
static int give_type(enum bine_half_kind kind, MPI_Datatype *type) {
    int rc = bine_process_begin();
    rc = rc == MPI_SUCCESS ? bine_halves_type(kind, type) : rc;
    return rc == MPI_SUCCESS ? rc : bine_raise(MPI_COMM_WORLD, rc);
}

static int give_operator(enum bine_half_kind kind, MPI_Op like, MPI_Op *op) {
    int rc = bine_process_begin();
    rc = rc == MPI_SUCCESS ? bine_halves_operator(kind, like, op) : rc;
    return rc == MPI_SUCCESS ? rc : bine_raise(MPI_COMM_WORLD, rc);
}

int Bine_Type_half(MPI_Datatype *type) {
    return give_type(BINE_HALF, type);
}

int Bine_Type_bfloat16(MPI_Datatype *type) {
    return give_type(BINE_BFLOAT16, type);
}

int Bine_Op_half(MPI_Op like, MPI_Op *op) {
    return give_operator(BINE_HALF, like, op);
}

int Bine_Op_bfloat16(MPI_Op like, MPI_Op *op) {
    return give_operator(BINE_BFLOAT16, like, op);
}
