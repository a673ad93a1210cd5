#include "engine/memory/stage.h"

#include <stdlib.h>

/* Elements as they lie on the device, in the host's memory. */
struct image {
    char *memory;
    char *elements; /* the address of the first one */
    ptrdiff_t first;
    size_t bytes;
};

static int image_read(const struct bine_memory *memory, const struct bine_type *t, const void *from,
                      ptrdiff_t n, struct image *x) {
    x->memory = malloc(bine_type_span(t, n) + 1);
    if (x->memory == NULL)
        return BINE_ERR_NO_MEM;
    x->elements = bine_at(x->memory, bine_type_shift(t, n));
    x->first = bine_type_first(t, n);
    x->bytes = bine_type_reach(t, n);
    int rc = memory->copy(bine_at(x->elements, x->first), bine_at(from, x->first), x->bytes);
    if (rc != BINE_OK)
        free(x->memory);
    return rc;
}

int bine_stage_pack(const struct bine_memory *memory, const struct bine_type *t, const void *from,
                    ptrdiff_t n, char *to, bine_comm_handle comm) {
    struct image x;
    if (memory == NULL || n == 0)
        return bine_type_pack(t, from, n, to, comm);
    if (t->dense)
        return memory->copy(to, from, (size_t)(n * t->size));
    int rc = image_read(memory, t, from, n, &x);
    if (rc != BINE_OK)
        return rc;
    rc = bine_type_pack(t, x.elements, n, to, comm);
    free(x.memory);
    return rc;
}

/* Elements to a caller's buffer, from packed bytes (`self` is PACKED) or from elements. */
enum { PACKED = -1 };

static int put_elements(const struct bine_type *t, const char *from, ptrdiff_t n, char *to,
                        bine_comm_handle comm, int self) {
    return self == PACKED ? bine_type_unpack(t, from, n, to, comm)
                          : bine_type_copy(t, from, to, n, comm, self);
}

static int put(const struct bine_memory *memory, const struct bine_type *t, const char *from,
               ptrdiff_t n, void *to, bine_comm_handle comm, int self) {
    struct image x;
    if (memory == NULL || n == 0)
        return put_elements(t, from, n, to, comm, self);
    if (t->dense)
        return memory->copy(to, from, (size_t)(n * t->size));
    int rc = image_read(memory, t, to, n, &x);
    if (rc != BINE_OK)
        return rc;
    rc = put_elements(t, from, n, x.elements, comm, self);
    if (rc == BINE_OK)
        rc = memory->copy(bine_at(to, x.first), bine_at(x.elements, x.first), x.bytes);
    free(x.memory);
    return rc;
}

int bine_stage_unpack(const struct bine_memory *memory, const struct bine_type *t, const char *from,
                      ptrdiff_t n, void *to, bine_comm_handle comm) {
    return put(memory, t, from, n, to, comm, PACKED);
}

int bine_stage_write(const struct bine_memory *memory, const struct bine_type *t, const char *from,
                     void *to, ptrdiff_t n, bine_comm_handle comm, int self) {
    return put(memory, t, from, n, to, comm, self);
}

int bine_stage_read(const struct bine_memory *memory, const struct bine_type *t, const void *from,
                    char *to, ptrdiff_t n, bine_comm_handle comm, int self) {
    ptrdiff_t first = bine_type_first(t, n);
    if (memory == NULL || n == 0)
        return bine_type_copy(t, from, to, n, comm, self);
    return memory->copy(bine_at(to, first), bine_at(from, first), bine_type_reach(t, n));
}
