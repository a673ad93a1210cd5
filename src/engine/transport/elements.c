#include "engine/transport/elements.h"

int bine_type_copy(const struct bine_type *t, const char *from, char *to, ptrdiff_t n,
                   bine_comm_handle comm, int self) {
    if (n == 0 || from == to)
        return BINE_OK;
    if (t->dense) {
        memmove(to, from, (size_t)(n * t->size));
        return BINE_OK;
    }
    while (n > 0) {
        int k = bine_type_batch(t, n);
        int rc = bine_transport.copy(from, k, t->handle, to, k, t->handle, comm, self);
        if (rc != BINE_OK)
            return rc;
        from = bine_at(from, k * t->extent);
        to = bine_at(to, k * t->extent);
        n -= k;
    }
    return BINE_OK;
}
