#include "engine/memory/on_device.h"

#include <stdint.h>

/* --- At work on the device */

static int note(struct bine_on_device *x, int rc) {
    x->begun = 1;
    return rc == 0 ? BINE_OK : BINE_ERR_OTHER;
}

int bine_on_device_copy(struct bine_on_device *x, void *to, const void *from, int64_t n) {
    return n == 0 ? BINE_OK : note(x, x->device->copy(x->context, to, from, (size_t)n * x->size));
}

int bine_on_device_reduce(struct bine_on_device *x, void *to, const void *from, int64_t n) {
    struct bine_job job = {.n = n, .k = 2, .m = 1};
    job.from[0] = from;
    job.from[1] = to;
    job.to[0] = to;
    return n == 0 ? BINE_OK : note(x, x->device->reduce(x->context, x->type, x->op, &job));
}

int bine_on_device_finish(struct bine_on_device *x) {
    x->begun = 0;
    return x->device->finish(x->context) == 0 ? BINE_OK : BINE_ERR_OTHER;
}

/* --- On the way to the host */

static int begin_next(struct bine_copy_in *x) {
    size_t left = x->bytes - x->begun, n = left < BINE_COPY_IN_PIECE ? left : BINE_COPY_IN_PIECE;
    if (n == 0)
        return 0;
    int rc = x->device->copy(x->context, x->to + x->begun, x->from + x->begun, n);
    x->begun += n;
    return rc;
}

int bine_copy_in_begin(struct bine_copy_in *x) {
    x->begun = x->ready = 0;
    return begin_next(x) == 0 ? BINE_OK : BINE_ERR_OTHER;
}

/* As soon as a piece is there, the next one sets out. */
static int go_on(struct bine_copy_in *x) {
    int rc = x->device->finish(x->context);
    x->ready = x->begun;
    return begin_next(x) == 0 && rc == 0 ? BINE_OK : BINE_ERR_OTHER;
}

int bine_copy_in_wait(struct bine_copy_in *x, const void *address, size_t bytes) {
    uintptr_t from = (uintptr_t)x->to, at = (uintptr_t)address;
    int rc = BINE_OK;
    if (bytes == 0 || at >= from + x->bytes || at + bytes <= from)
        return rc;
    size_t end = at + bytes - from < x->bytes ? at + bytes - from : x->bytes;
    while (x->ready < end) {
        int one = go_on(x);
        rc = rc == BINE_OK ? one : rc;
    }
    return rc;
}

int bine_copy_in_drop(struct bine_copy_in *x) {
    int rc = x->begun > x->ready ? x->device->finish(x->context) : 0;
    x->bytes = x->begun = x->ready = 0;
    return rc == 0 ? BINE_OK : BINE_ERR_OTHER;
}
