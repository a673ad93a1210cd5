/* Calls whose blocks have sizes of their own: how many bytes each piece has, and where the caller's
 * blocks lie. */
#ifndef BINE_ENGINE_UNEVEN_H
#define BINE_ENGINE_UNEVEN_H

#include "engine/bind/bind.h"

static inline int bine_call_is_uneven(const struct bine_call *call) {
    return bine_collective_is_uneven(call->collective);
}

/* The content of a block's word, where sizes are exchanged. */
static inline int64_t bine_word_bytes(int64_t word) {
    return word >> 1;
}
static inline int bine_word_is_direct(int64_t word) {
    return (int)(word & 1);
}

/* The bytes of a rank's block by this rank's arguments: of the blocks in `in` or `out` of a
 * collective of this kind. */
int64_t bine_uneven_block(const struct bine_call *call, int kind, int space, int owner);
/* Whether an exchanged size differs from the size that this rank expects. */
int bine_uneven_differs(const struct bine_call *call, const struct bine_schedule *s);
/* How many of the n elements that this rank expects have come, of the bytes that the word of a
 * block says; *truncated if that is more. */
ptrdiff_t bine_uneven_fits(const struct bine_type *t, ptrdiff_t n, int64_t word, int *truncated);

/* The pieces of a space, as this rank's arguments tell their bytes. */
struct bine_uneven_pieces {
    const struct bine_call *call;
    const struct bine_schedule *s;
    int space;
    const struct bine_blocks *blocks; /* of the side of the call that tells them, */
    const struct bine_type *type;     /* and its type */
    int64_t one;                      /* bytes, where that side has no counts; else -1 */
    int in_order; /* piece k is the block of rank k, whole, and all have one type */
};

struct bine_uneven_pieces bine_uneven_pieces_of(const struct bine_call *call,
                                                const struct bine_schedule *s, int space);
int64_t bine_uneven_parted(const struct bine_uneven_pieces *x, int place);

/* The bytes of a piece. */
static inline int64_t bine_uneven_piece(const struct bine_uneven_pieces *x, int place) {
    return x->in_order ? bine_count_at(&x->blocks->counts, place) * x->type->size
                       : bine_uneven_parted(x, place);
}

/* Where the caller has a rank's block: bytes behind its address. */
ptrdiff_t bine_uneven_place(const struct bine_blocks *b, const struct bine_type *t, int k);

/* Whether the blocks of a side lie in a row, in order, as packed ones do: then *from is how far
 * behind the caller's address the row begins. Not given: one block. */
int bine_uneven_is_row(const struct bine_blocks *blocks, const struct bine_type *t, int p,
                       ptrdiff_t *from);

/* The blocks of a side to and from packed ones: block k is at table[k * parts] bytes, and all of
 * them are meant, or the one of rank `only`. Where sizes were announced, blocks may have others
 * than the caller says. Returns an MPI error code. */
struct bine_uneven_way {
    const struct bine_blocks *blocks;
    const struct bine_type *type;
    const struct bine_memory *memory;
    const int64_t *table;
    int p, parts, only; /* only: -1 for all */
    bine_comm_handle comm;
    const int64_t *announced; /* or NULL */
};
int bine_uneven_pack(const struct bine_uneven_way *w, const void *from, char *to);
int bine_uneven_unpack(const struct bine_uneven_way *w, const char *from, void *to);

#endif
