/* Datatypes as the engine sees them: sizes and extents, for memory and copies. */
#ifndef BINE_ENGINE_TYPES_H
#define BINE_ENGINE_TYPES_H

#ifdef BINE_LOOPBACK
#include "engine/transport/loopback_handles.h"
#else
#include "engine/transport/mpi_handles.h"
#endif

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

struct bine_type {
    bine_type_handle handle;
    ptrdiff_t size;   /* bytes of data in an element */
    ptrdiff_t extent; /* from one element to the next; may be negative */
    ptrdiff_t true_lb, true_extent;
    int dense; /* an array of elements is its packed data: size = extent, in order, no gaps */
};

/* An address moved by `bytes`. MPI counts from MPI_BOTTOM, and a type may begin far from its
 * address: there C knows no pointers. */
static inline char *bine_at(const void *address, ptrdiff_t bytes) {
    return (char *)((uintptr_t)address + (uintptr_t)bytes);
}

/* Where the data of n elements lies: how far behind the first element's address the first byte is,
 * and how many bytes there are from there to the last one, gaps included. */
static inline ptrdiff_t bine_type_first(const struct bine_type *t, ptrdiff_t n) {
    return t->true_lb + (t->extent < 0 && n > 0 ? (n - 1) * t->extent : 0);
}

static inline size_t bine_type_reach(const struct bine_type *t, ptrdiff_t n) {
    ptrdiff_t step = t->extent < 0 ? -t->extent : t->extent;
    return n == 0 ? 0 : (size_t)(t->true_extent + (n - 1) * step);
}

/* Bytes of memory to take for n elements, and how far behind their begin the first element's
 * address must be. It is as well aligned as the memory is: the shift is a multiple of the largest
 * alignment that anything has. */
static inline ptrdiff_t bine_type_shift(const struct bine_type *t, ptrdiff_t n) {
    return (63 - bine_type_first(t, n)) & ~(ptrdiff_t)63;
}

static inline size_t bine_type_span(const struct bine_type *t, ptrdiff_t n) {
    ptrdiff_t before = bine_type_shift(t, n) + bine_type_first(t, n);
    return n == 0 ? 0 : (size_t)before + bine_type_reach(t, n);
}

/* The span up to where the memory of other elements may begin. Elements of which each reaches
 * beyond the next one's address need more than their extents. */
static inline size_t bine_type_room(const struct bine_type *t, ptrdiff_t n) {
    return (bine_type_span(t, n) + 63) & ~(size_t)63;
}

/* Elements that fit an int both as a count and as packed bytes; or one that does not. */
static inline int bine_type_batch(const struct bine_type *t, ptrdiff_t n) {
    ptrdiff_t most = t->size > 0 ? INT_MAX / t->size : INT_MAX;
    most = most < 1 ? 1 : most;
    return (int)(n < most ? n : most);
}

#endif
