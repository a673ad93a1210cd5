#include "mpi/operators.h"

#include "engine/transport/transport.h"

#include <stddef.h>

/* MPI 3.1, section 5.9.2. Each rank would find out by itself that an operator is not defined, at
 * the time when it has something to add up; and the error would not go through the communicator's
 * handler. So it is checked before. */
enum {
    TAKES_INTEGER = 1 << BINE_TYPE_INTEGER,
    TAKES_FLOATING = 1 << BINE_TYPE_FLOATING,
    TAKES_COMPLEX = 1 << BINE_TYPE_COMPLEX,
    TAKES_PAIR = 1 << BINE_TYPE_PAIR,
    TAKES_BYTE = 1 << BINE_TYPE_BYTE,
    TAKES_ALL = TAKES_INTEGER | TAKES_FLOATING | TAKES_COMPLEX | TAKES_PAIR | TAKES_BYTE
};

enum bine_type_class bine_type_class_of(MPI_Datatype type) {
    const struct {
        MPI_Datatype type;
        enum bine_type_class class;
    } table[] = {
        {MPI_FLOAT, BINE_TYPE_FLOATING},
        {MPI_DOUBLE, BINE_TYPE_FLOATING},
        {MPI_LONG_DOUBLE, BINE_TYPE_FLOATING},
        {MPI_REAL, BINE_TYPE_FLOATING},
        {MPI_DOUBLE_PRECISION, BINE_TYPE_FLOATING},
        {MPI_C_FLOAT_COMPLEX, BINE_TYPE_COMPLEX},
        {MPI_C_DOUBLE_COMPLEX, BINE_TYPE_COMPLEX},
        {MPI_C_LONG_DOUBLE_COMPLEX, BINE_TYPE_COMPLEX},
        {MPI_COMPLEX, BINE_TYPE_COMPLEX},
        {MPI_DOUBLE_COMPLEX, BINE_TYPE_COMPLEX},
        {MPI_FLOAT_INT, BINE_TYPE_PAIR},
        {MPI_DOUBLE_INT, BINE_TYPE_PAIR},
        {MPI_LONG_INT, BINE_TYPE_PAIR},
        {MPI_2INT, BINE_TYPE_PAIR},
        {MPI_SHORT_INT, BINE_TYPE_PAIR},
        {MPI_LONG_DOUBLE_INT, BINE_TYPE_PAIR},
        {MPI_2REAL, BINE_TYPE_PAIR},
        {MPI_2DOUBLE_PRECISION, BINE_TYPE_PAIR},
        {MPI_2INTEGER, BINE_TYPE_PAIR},
        {MPI_BYTE, BINE_TYPE_BYTE},
        {MPI_PACKED, BINE_TYPE_BYTE},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].type == type)
            return table[i].class;
    return BINE_TYPE_INTEGER;
}

static int takes(MPI_Op op) {
    const struct {
        MPI_Op op;
        int takes;
    } table[] = {
        {MPI_SUM, TAKES_INTEGER | TAKES_FLOATING | TAKES_COMPLEX},
        {MPI_PROD, TAKES_INTEGER | TAKES_FLOATING | TAKES_COMPLEX},
        {MPI_MAX, TAKES_INTEGER | TAKES_FLOATING},
        {MPI_MIN, TAKES_INTEGER | TAKES_FLOATING},
        {MPI_LAND, TAKES_INTEGER},
        {MPI_LOR, TAKES_INTEGER},
        {MPI_LXOR, TAKES_INTEGER},
        {MPI_BAND, TAKES_INTEGER | TAKES_BYTE},
        {MPI_BOR, TAKES_INTEGER | TAKES_BYTE},
        {MPI_BXOR, TAKES_INTEGER | TAKES_BYTE},
        {MPI_MAXLOC, TAKES_PAIR},
        {MPI_MINLOC, TAKES_PAIR},
        {MPI_REPLACE, 0}, /* these two are for windows only */
        {MPI_NO_OP, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].op == op)
            return table[i].takes;
    return TAKES_ALL;
}

/* Types that programs make are for operators that programs make. */
int bine_operator_takes(MPI_Op op, MPI_Datatype type) {
    int t = takes(op);
    return t == TAKES_ALL ||
           ((t & (1 << bine_type_class_of(type))) != 0 && bine_type_is_built_in(type));
}
