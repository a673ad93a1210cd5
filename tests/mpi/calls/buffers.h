/* Typed buffers between guard bytes. All bytes that are not data, gaps and guards, hold a pattern
 * that must still be there afterwards. */
#ifndef BINE_TESTS_BUFFERS_H
#define BINE_TESTS_BUFFERS_H

#include <mpi.h>
#include <stddef.h>

struct buffer {
    char *memory;
    size_t bytes;
    char *base; /* the address of the first element, as MPI wants it */
    MPI_Datatype type;
    MPI_Aint lb, extent;
    long elements;
};

/* Room for `elements` of the type, filled with the pattern. */
void buffer_make(struct buffer *b, MPI_Datatype type, long elements);
void buffer_copy(struct buffer *b, const struct buffer *from);
void buffer_free(struct buffer *b);

/* Elements first .. first + n - 1 from and to packed data. */
void buffer_write(struct buffer *b, long first, long n, const char *packed);
void buffer_read(const struct buffer *b, long first, long n, char *packed);

/* Whether the two hold the same bytes, guards and gaps included; the first that differs in *at. */
int buffer_equal(const struct buffer *a, const struct buffer *b, long *at);

/* A type for the same elements at MPI_BOTTOM; to be freed. */
MPI_Datatype buffer_absolute(const struct buffer *b);

#endif
