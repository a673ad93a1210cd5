/* Calls whose blocks have sizes of their own: how many bytes each piece has, and where the caller's
 * blocks lie. */
#ifndef BINE_ENGINE_UNEVEN_H
#define BINE_ENGINE_UNEVEN_H

#include "engine/bind.h"

static inline int bine_call_is_uneven(const struct bine_call *call) {
    return bine_collective_is_uneven(call->collective);
}

/* The bytes of a piece. */
int64_t bine_uneven_piece(const struct bine_call *call, const struct bine_schedule *s, int space,
                          int place);

/* Whether the blocks of a side lie in a row, in order, as packed ones do: then *from is how far
 * behind the caller's address the row begins. Not given: one block. */
int bine_uneven_is_row(const struct bine_blocks *blocks, const struct bine_type *t, int p,
                       ptrdiff_t *from);

/* The blocks of a side to and from packed ones: block k is at table[k * parts] bytes, and all of
 * them are meant, or the one of rank `only`. Returns an MPI error code. */
struct bine_uneven_way {
    const struct bine_blocks *blocks;
    const struct bine_type *type;
    const struct bine_memory *memory;
    const int64_t *table;
    int p, parts, only; /* only: -1 for all */
    MPI_Comm comm;
};
int bine_uneven_pack(const struct bine_uneven_way *w, const void *from, char *to);
int bine_uneven_unpack(const struct bine_uneven_way *w, const char *from, void *to);

#endif
