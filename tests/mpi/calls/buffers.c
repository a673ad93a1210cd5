#include "buffers.h"

#include <stdlib.h>
#include <string.h>

#define GUARD 64

static char pattern(size_t i) {
    return (char)(0xa5 ^ (i * 37));
}

static char *need(size_t bytes) {
    char *memory = malloc(bytes + 1);
    if (memory == NULL)
        abort();
    return memory;
}

void buffer_make(struct buffer *b, MPI_Datatype type, long elements) {
    MPI_Aint true_lb, true_extent, low, high;
    MPI_Type_get_extent(type, &b->lb, &b->extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    low = true_lb;
    high = true_lb + true_extent;
    if (elements > 0 && b->extent < 0)
        low += (elements - 1) * b->extent;
    else if (elements > 0)
        high += (elements - 1) * b->extent;
    /* The address of an element keeps its alignment: the distance to the memory's begin is a
     * multiple of 16. */
    MPI_Aint before = GUARD + ((-low + 15) & ~(MPI_Aint)15);
    b->bytes = (size_t)(before + high + GUARD);
    b->memory = need(b->bytes);
    b->base = b->memory + before;
    b->type = type;
    b->elements = elements;
    for (size_t i = 0; i < b->bytes; i++)
        b->memory[i] = pattern(i);
}

void buffer_copy(struct buffer *b, const struct buffer *from) {
    *b = *from;
    b->memory = need(b->bytes);
    b->base = b->memory + (from->base - from->memory);
    memcpy(b->memory, from->memory, b->bytes);
}

void buffer_free(struct buffer *b) {
    free(b->memory);
    b->memory = NULL;
}

void buffer_write(struct buffer *b, long first, long n, const char *packed) {
    int size, at = 0;
    MPI_Type_size(b->type, &size);
    if (n > 0 && size > 0)
        MPI_Unpack(packed, (int)(n * size), &at, b->base + first * b->extent, (int)n, b->type,
                   MPI_COMM_SELF);
}

void buffer_read(const struct buffer *b, long first, long n, char *packed) {
    int size, at = 0;
    MPI_Type_size(b->type, &size);
    if (n > 0 && size > 0)
        MPI_Pack(b->base + first * b->extent, (int)n, b->type, packed, (int)(n * size), &at,
                 MPI_COMM_SELF);
}

int buffer_equal(const struct buffer *a, const struct buffer *b, long *at) {
    if (memcmp(a->memory, b->memory, a->bytes) == 0)
        return 1;
    size_t i = 0;
    while (a->memory[i] == b->memory[i])
        i++;
    *at = (long)i - (long)(a->base - a->memory);
    return 0;
}

MPI_Datatype buffer_absolute(const struct buffer *b) {
    MPI_Aint address;
    MPI_Datatype there, type;
    int one = 1;
    MPI_Get_address(b->base, &address);
    MPI_Type_create_hindexed(1, &one, &address, b->type, &there);
    MPI_Type_create_resized(there, address + b->lb, b->extent, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&there);
    return type;
}
