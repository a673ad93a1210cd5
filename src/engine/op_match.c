/* MPI's types and operators that src/board reduces: only pairs for which its results equal the MPI
 * library's. That is found out once for each pair, because libraries have faults (MPICH 4.0
 * compares unsigned numbers as if they were signed), and a program must not see two kinds of sums.
 */
#include "engine/boards.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

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

enum { TYPES = 21 };

/* The row of a type, and its class; -1: there is none. */
static int row_of(MPI_Datatype type, int *class) {
    const struct {
        MPI_Datatype type;
        int class;
    } table[TYPES] = {
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
    for (int i = 0; i < TYPES; i++)
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

/* Enough for every way in which a library may take several at a time. */
enum { SAMPLES = 67 };

/* Numbers of all sizes and signs; no zeros, whose signs MPI does not promise. */
static void draw_samples(int class, uint64_t seed, char *to) {
    size_t size = bine_reduce_size((enum bine_reduce_type) class);
    for (size_t i = 0; i < SAMPLES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        double d = ((double)(seed >> 40) + 1) * (seed >> 20 & 1 ? -1 : 1) / 4096;
        float f = (float)d;
        uint64_t n = i % 2 == 0 ? seed : seed >> (seed >> 58);
        const void *from = class == BINE_REDUCE_F64   ? (const void *)&d
                           : class == BINE_REDUCE_F32 ? (const void *)&f
                                                      : (const void *)&n;
        memcpy(to + i * size, from, size);
    }
}

static int agrees_with_mpi(bine_reduce_pass *pass, int class, MPI_Datatype type, MPI_Op op) {
    _Alignas(64) char a[SAMPLES * sizeof(double)], b[sizeof a], mine[sizeof a];
    const void *from[] = {a, b};
    draw_samples(class, 1, a);
    draw_samples(class, 2, b);
    pass(mine, from, 2, SAMPLES);
    return PMPI_Reduce_local(a, b, SAMPLES, type, op) == MPI_SUCCESS &&
           memcmp(mine, b, SAMPLES * bine_reduce_size((enum bine_reduce_type) class)) == 0;
}

int bine_pass_name(MPI_Datatype type, MPI_Op op, int *class, int *operation) {
    *operation = operator_of(op);
    return bine_pass_find(type, op) != NULL && row_of(type, class) >= 0 ? 0 : -1;
}

/* Threads may test one pair at once. */
bine_reduce_pass *bine_pass_find(MPI_Datatype type, MPI_Op op) {
    enum { UNKNOWN, GOOD, BAD };
    static atomic_int known[TYPES][BINE_REDUCE_OPERATORS];
    int class = -1, row = row_of(type, &class), operation = operator_of(op);
    if (row < 0 || operation < 0)
        return NULL;
    bine_reduce_pass *pass =
        bine_reduce_find((enum bine_reduce_type) class, (enum bine_reduce_operator)operation);
    if (pass == NULL)
        return NULL;
    int state = atomic_load_explicit(&known[row][operation], memory_order_relaxed);
    if (state == UNKNOWN) {
        state = agrees_with_mpi(pass, class, type, op) ? GOOD : BAD;
        atomic_store_explicit(&known[row][operation], state, memory_order_relaxed);
    }
    return state == GOOD ? pass : NULL;
}
