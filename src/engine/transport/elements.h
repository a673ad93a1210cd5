/* Elements of any datatype: packed, unpacked and copied. Error codes are returned. */
#ifndef BINE_ENGINE_ELEMENTS_H
#define BINE_ENGINE_ELEMENTS_H

#include "engine/transport/transport.h"

#include <string.h>

static inline int bine_type_describe(bine_type_handle handle, struct bine_type *t) {
    return bine_transport.describe(handle, t);
}

/* To and from packed bytes. n is unbounded, and so is the size of an element. */
static inline int bine_type_pack(const struct bine_type *t, const void *from, ptrdiff_t n, char *to,
                                 bine_comm_handle comm) {
    if (!t->dense)
        return bine_transport.pack(t, from, n, to, comm);
    memcpy(to, from, (size_t)(n * t->size));
    return BINE_OK;
}

static inline int bine_type_unpack(const struct bine_type *t, const char *from, ptrdiff_t n,
                                   void *to, bine_comm_handle comm) {
    if (!t->dense)
        return bine_transport.unpack(t, from, n, to, comm);
    memcpy(to, from, (size_t)(n * t->size));
    return BINE_OK;
}

/* n elements from one array to another; gaps are left alone. `comm` is a private communicator and
 * `self` the caller's rank in it. The arrays may overlap only if the type is dense. */
int bine_type_copy(const struct bine_type *t, const char *from, char *to, ptrdiff_t n,
                   bine_comm_handle comm, int self);

/* to = from op to */
static inline int bine_type_reduce(const struct bine_type *t, bine_op_handle op, const char *from,
                                   char *to, int64_t n) {
    return bine_transport.reduce(from, to, (int)n, t->handle, op);
}

#endif
