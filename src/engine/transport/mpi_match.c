/* MPI's types and operators that src/board reduces. */
#include "engine/transport/transport.h"

#include "board/reduce.h"

/* A class by the size of an integer type. */
static int integer_class(size_t size, int is_signed) {
    switch (size) {
    case 1:
        return is_signed ? BINE_REDUCE_I8 : BINE_REDUCE_U8;
    case 2:
        return is_signed ? BINE_REDUCE_I16 : BINE_REDUCE_U16;
    case 4:
        return is_signed ? BINE_REDUCE_I32 : BINE_REDUCE_U32;
    default:
        return is_signed ? BINE_REDUCE_I64 : BINE_REDUCE_U64;
    }
}

/* The row of a type, and its class; -1: there is none. */
static int row_of(MPI_Datatype type, int *class) {
    const struct {
        MPI_Datatype type;
        int class;
    } table[BINE_MATCHES] = {
        {MPI_DOUBLE, BINE_REDUCE_F64},
        {MPI_INT, integer_class(sizeof(int), 1)},
        {MPI_FLOAT, BINE_REDUCE_F32},
        {MPI_LONG, integer_class(sizeof(long), 1)},
        {MPI_LONG_LONG, integer_class(sizeof(long long), 1)},
        {MPI_UNSIGNED_LONG, integer_class(sizeof(long), 0)},
        {MPI_UNSIGNED, integer_class(sizeof(int), 0)},
        {MPI_UNSIGNED_LONG_LONG, integer_class(sizeof(long long), 0)},
        {MPI_SHORT, integer_class(sizeof(short), 1)},
        {MPI_UNSIGNED_SHORT, integer_class(sizeof(short), 0)},
        {MPI_SIGNED_CHAR, BINE_REDUCE_I8},
        {MPI_UNSIGNED_CHAR, BINE_REDUCE_U8},
        {MPI_BYTE, BINE_REDUCE_U8},
        {MPI_INT8_T, BINE_REDUCE_I8},
        {MPI_INT16_T, BINE_REDUCE_I16},
        {MPI_INT32_T, BINE_REDUCE_I32},
        {MPI_INT64_T, BINE_REDUCE_I64},
        {MPI_UINT8_T, BINE_REDUCE_U8},
        {MPI_UINT16_T, BINE_REDUCE_U16},
        {MPI_UINT32_T, BINE_REDUCE_U32},
        {MPI_UINT64_T, BINE_REDUCE_U64},
    };
    for (int i = 0; i < BINE_MATCHES; i++)
        if (table[i].type == type) {
            *class = table[i].class;
            return i;
        }
    return -1;
}

static int operator_of(MPI_Op op) {
    const MPI_Op table[BINE_REDUCE_OPERATORS] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX, MPI_BAND,
                                                 MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
    for (int i = 0; i < BINE_REDUCE_OPERATORS; i++)
        if (table[i] == op)
            return i;
    return -1;
}

int bine_mpi_match(MPI_Datatype type, MPI_Op op, int *class, int *operation) {
    *operation = operator_of(op);
    return *operation >= 0 ? row_of(type, class) : -1;
}
