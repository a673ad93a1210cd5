/* The loopback's datatypes and operators. */
#include "engine/transport/loopback_parts.h"

#include "base/numbers.h"
#include "board/reduce.h"

#include <string.h>

static const struct bine_loopback_run one_byte = {0, 1};
const struct bine_loopback_type bine_loopback_byte = {1, BINE_REDUCE_U8, 1, &one_byte};

static size_t element_bytes(bine_type_handle type) {
    size_t bytes = 0;
    for (int i = 0; i < type->nruns; i++)
        bytes += type->run[i].bytes;
    return bytes;
}

size_t bine_loopback_bytes(bine_type_handle type, ptrdiff_t n) {
    return element_bytes(type) * (size_t)n;
}

/* A place in a row of elements. */
struct place {
    bine_type_handle type;
    char *element;
    int run;
    size_t done; /* bytes of the run */
};

static void advance(struct place *x, size_t bytes) {
    x->done += bytes;
    if (x->done < x->type->run[x->run].bytes)
        return;
    x->done = 0;
    if (++x->run < x->type->nruns)
        return;
    x->run = 0;
    x->element = bine_at(x->element, x->type->extent);
}

void bine_loopback_move(const char *from, bine_type_handle type, char *to, bine_type_handle to_type,
                        size_t bytes) {
    struct place a = {type, bine_at(from, 0), 0, 0}, b = {to_type, to, 0, 0};
    for (size_t n; bytes > 0; bytes -= n) {
        const struct bine_loopback_run *x = &a.type->run[a.run], *y = &b.type->run[b.run];
        n = bine_min(bytes, bine_min(x->bytes - a.done, y->bytes - b.done));
        memmove(bine_at(b.element, y->at + (ptrdiff_t)b.done),
                bine_at(a.element, x->at + (ptrdiff_t)a.done), n);
        advance(&a, n);
        advance(&b, n);
    }
}

int bine_loopback_describe(bine_type_handle handle, struct bine_type *t) {
    ptrdiff_t first = 0, end = 0;
    for (int i = 0; i < handle->nruns; i++) {
        const struct bine_loopback_run *r = &handle->run[i];
        first = i == 0 ? r->at : bine_min(first, r->at);
        end = i == 0 ? r->at + (ptrdiff_t)r->bytes : bine_max(end, r->at + (ptrdiff_t)r->bytes);
    }
    *t = (struct bine_type){.handle = handle,
                            .size = (ptrdiff_t)element_bytes(handle),
                            .extent = handle->extent,
                            .true_lb = first,
                            .true_extent = end - first};
    t->dense = handle->nruns == 1 && first == 0 && t->size == t->extent;
    return BINE_OK;
}

int bine_loopback_size(bine_type_handle handle, int *size) {
    *size = (int)element_bytes(handle);
    return BINE_OK;
}

int bine_loopback_pack(const struct bine_type *t, const void *from, ptrdiff_t n, char *to,
                       bine_comm_handle comm) {
    (void)comm;
    bine_loopback_move(from, t->handle, to, BINE_BYTE, bine_loopback_bytes(t->handle, n));
    return BINE_OK;
}

int bine_loopback_unpack(const struct bine_type *t, const char *from, ptrdiff_t n, void *to,
                         bine_comm_handle comm) {
    (void)comm;
    bine_loopback_move(from, BINE_BYTE, to, t->handle, bine_loopback_bytes(t->handle, n));
    return BINE_OK;
}

int bine_loopback_copy(const void *from, int n, bine_type_handle type, void *to, int m,
                       bine_type_handle to_type, bine_comm_handle comm, int self) {
    (void)comm;
    (void)self;
    size_t bytes = bine_loopback_bytes(type, n), room = bine_loopback_bytes(to_type, m);
    bine_loopback_move(from, type, to, to_type, bine_min(bytes, room));
    return bytes > room ? BINE_ERR_TRUNCATE : BINE_OK;
}

int bine_loopback_reduce(const void *from, void *to, int n, bine_type_handle type,
                         bine_op_handle op) {
    const void *both[] = {from, to};
    if (op->function != NULL) {
        op->function(from, to, n, type);
        return BINE_OK;
    }
    bine_reduce_pass *pass = bine_reduce_find((enum bine_reduce_type)type->class,
                                              (enum bine_reduce_operator)op->operation);
    if (type->class < 0 || pass == NULL)
        return BINE_ERR_OTHER;
    pass(to, both, 2, (size_t)n);
    return BINE_OK;
}

int bine_loopback_match(bine_type_handle type, bine_op_handle op, int *class, int *operation) {
    *class = type->class;
    *operation = op != NULL ? op->operation : -1;
    return *operation >= 0 ? type->class : -1;
}
