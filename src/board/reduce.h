/* Adding up several operands in one pass over memory, for the common types and operators.
 *
 * The result equals, bit by bit, one operand after the other from left to right: only which
 * elements are worked on together differs. Integers wrap around. */
#ifndef BINE_BOARD_REDUCE_H
#define BINE_BOARD_REDUCE_H

#include <stddef.h>

enum bine_reduce_type {
    BINE_REDUCE_I8,
    BINE_REDUCE_U8,
    BINE_REDUCE_I16,
    BINE_REDUCE_U16,
    BINE_REDUCE_I32,
    BINE_REDUCE_U32,
    BINE_REDUCE_I64,
    BINE_REDUCE_U64,
    BINE_REDUCE_F32,
    BINE_REDUCE_F64,
    BINE_REDUCE_TYPES
};

enum bine_reduce_operator {
    BINE_REDUCE_SUM,
    BINE_REDUCE_PROD,
    BINE_REDUCE_MIN,
    BINE_REDUCE_MAX,
    BINE_REDUCE_BAND,
    BINE_REDUCE_BOR,
    BINE_REDUCE_BXOR,
    BINE_REDUCE_LAND,
    BINE_REDUCE_LOR,
    BINE_REDUCE_LXOR,
    BINE_REDUCE_OPERATORS
};

/* to[i] = from[0][i] op from[1][i] op ... op from[k-1][i] for n elements and k >= 2 operands. `to`
 * may be one of the operands, and overlaps none otherwise. */
typedef void bine_reduce_pass(void *to, const void *const *from, int k, size_t n);

/* NULL where there is none: no such operator on the type. */
bine_reduce_pass *bine_reduce_find(enum bine_reduce_type type, enum bine_reduce_operator op);

size_t bine_reduce_size(enum bine_reduce_type type);

#endif
