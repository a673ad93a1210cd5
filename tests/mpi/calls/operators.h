/* The operators of the conformance test, and values for which no order of operations can matter. */
#ifndef BINE_TESTS_OPERATORS_H
#define BINE_TESTS_OPERATORS_H

#include "types.h"

enum {
    OP_SUM,
    OP_PROD,
    OP_MAX,
    OP_MIN,
    OP_BAND,
    OP_BOR,
    OP_BXOR,
    OP_LAND,
    OP_LOR,
    OP_LXOR,
    OP_MAXLOC,
    OP_MINLOC,
    OP_USER_XOR,    /* user-defined, commutative, of any type */
    OP_USER_AFFINE, /* user-defined, not commutative: pairs (a, b) of 32-bit numbers, x -> a x + b,
                       one after the other */
    OPERATORS
};

void operators_make(void);
void operators_free(void);
MPI_Op operators_handle(int op);
const char *operators_name(int op);
int operators_commutes(int op);
/* Whether an operator takes elements of this form and kind. */
int operators_takes(int op, const struct kind *kind, int form);

/* User-defined operators check that they are called with this type, which is the caller's; with
 * MPI_DATATYPE_NULL they take any. If it is `form` with the address `at` in it, they take it as
 * that: MPICH does not pack from MPI_BOTTOM. Returns how often it was another type since the last
 * call. */
int operators_expect(MPI_Datatype type, MPI_Datatype form, MPI_Aint at);
/* From now on they take any type, whatever is expected: several calls are pending. */
void operators_take_any(void);

/* Packed values of n elements. */
void operators_values(int op, const struct kind *kind, struct rng *r, long n, char *packed);
/* Doubles whose sum depends on the order. */
void operators_inexact(struct rng *r, long n, char *packed);

#endif
