/* Datatypes as the engine sees them, and copies of typed elements. */
#ifndef BINE_ENGINE_TYPES_H
#define BINE_ENGINE_TYPES_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

struct bine_type {
    MPI_Datatype handle;
    MPI_Aint size;   /* bytes of data in an element */
    MPI_Aint extent; /* from one element to the next; may be negative */
    MPI_Aint true_lb, true_extent;
    int dense; /* an array of elements is its packed data: size = extent, in order, no gaps */
};

/* An address moved by `bytes`. MPI counts from MPI_BOTTOM, and a type may begin far from its
 * address: there C knows no pointers. */
static inline char *bine_at(const void *address, ptrdiff_t bytes) {
    return (char *)((uintptr_t)address + (uintptr_t)bytes);
}

/* Whether the type is MPI's own: a named one, or one of Fortran's kinds, which have a combiner but
 * may not be freed either. */
int bine_type_is_built_in(MPI_Datatype handle);

/* An MPI error code. */
int bine_type_describe(MPI_Datatype handle, struct bine_type *t);

/* Where the data of n elements lies: how far behind the first element's address the first byte is,
 * and how many bytes there are from there to the last one, gaps included. */
static inline ptrdiff_t bine_type_first(const struct bine_type *t, MPI_Aint n) {
    return t->true_lb + (t->extent < 0 && n > 0 ? (n - 1) * t->extent : 0);
}

static inline size_t bine_type_reach(const struct bine_type *t, MPI_Aint n) {
    MPI_Aint step = t->extent < 0 ? -t->extent : t->extent;
    return n == 0 ? 0 : (size_t)(t->true_extent + (n - 1) * step);
}

/* Bytes of memory to take for n elements, and how far behind their begin the first element's
 * address must be. It is as well aligned as the memory is: the shift is a multiple of the largest
 * alignment that anything has. */
static inline ptrdiff_t bine_type_shift(const struct bine_type *t, MPI_Aint n) {
    return (63 - bine_type_first(t, n)) & ~(ptrdiff_t)63;
}

static inline size_t bine_type_span(const struct bine_type *t, MPI_Aint n) {
    ptrdiff_t before = bine_type_shift(t, n) + bine_type_first(t, n);
    return n == 0 ? 0 : (size_t)before + bine_type_reach(t, n);
}

/* The span up to where the memory of other elements may begin. Elements of which each reaches
 * beyond the next one's address need more than their extents. */
static inline size_t bine_type_room(const struct bine_type *t, MPI_Aint n) {
    return (bine_type_span(t, n) + 63) & ~(size_t)63;
}

/* To and from packed bytes. n is unbounded, and so is the size of an element. */
int bine_type_pack(const struct bine_type *t, const void *from, MPI_Aint n, char *to,
                   MPI_Comm comm);
int bine_type_unpack(const struct bine_type *t, const char *from, MPI_Aint n, void *to,
                     MPI_Comm comm);

/* n elements from one array to another; gaps are left alone. `comm` is a private communicator and
 * `self` the caller's rank in it. The arrays may overlap only if the type is dense. */
int bine_type_copy(const struct bine_type *t, const char *from, char *to, MPI_Aint n, MPI_Comm comm,
                   int self);

#endif
