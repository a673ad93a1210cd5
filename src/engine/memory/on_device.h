/* Data that is in the memory of a device while a call works on it, or on its way from there.
 *
 * Where the MPI library takes such memory, a call works there: messages go from and to it, and the
 * device copies and adds up. Its work is complete before the next message is posted, so that it
 * works while others arrive.
 *
 * Otherwise the vector is copied to the host's memory, piece by piece: an operation on a part of it
 * waits until that part has arrived, while the next piece is on its way. */
#ifndef BINE_ENGINE_ON_DEVICE_H
#define BINE_ENGINE_ON_DEVICE_H

#include "device/device.h"
#include "engine/transport/types.h"

struct bine_on_device {
    const struct bine_device *device; /* NULL: the call works in the host's memory */
    void *context;
    size_t size;  /* of an element */
    int type, op; /* of a reduction, as the device calls them */
    int begun;    /* it has work that was not waited for */
};

/* n elements; done by bine_on_device_settle. MPI error codes. */
int bine_on_device_copy(struct bine_on_device *x, void *to, const void *from, int64_t n);
/* to = from op to */
int bine_on_device_reduce(struct bine_on_device *x, void *to, const void *from, int64_t n);
int bine_on_device_finish(struct bine_on_device *x);

static inline int bine_on_device_settle(struct bine_on_device *x) {
    return x->begun ? bine_on_device_finish(x) : BINE_OK;
}

struct bine_copy_in {
    const struct bine_device *device;
    void *context;
    char *to;
    const char *from;
    size_t bytes, begun, ready; /* in all; begun; complete */
};

/* Less is copied at once. */
#define BINE_COPY_IN_PIECE ((size_t)2 << 20)

/* The first piece; nothing was pending. MPI error codes. */
int bine_copy_in_begin(struct bine_copy_in *x);
/* Until some memory has arrived that may be part of it. */
int bine_copy_in_wait(struct bine_copy_in *x, const void *address, size_t bytes);
/* Drop the rest. */
int bine_copy_in_drop(struct bine_copy_in *x);

/* Wait as above, at no cost once all is there. */
static inline int bine_copy_in_need(struct bine_copy_in *x, const void *address, size_t bytes) {
    return x->ready < x->bytes ? bine_copy_in_wait(x, address, bytes) : BINE_OK;
}

static inline int bine_copy_in_end(struct bine_copy_in *x) {
    return x->bytes > 0 ? bine_copy_in_drop(x) : BINE_OK;
}

#endif
