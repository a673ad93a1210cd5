/* Data that is in the memory of a device while a call works on it, or on its way from there.
 *
 * Where the MPI library takes such memory, a call works there: messages go from and to it, and the
 * device copies and adds up. What it has begun is done before the next message is posted, so that
 * it works while others arrive.
 *
 * Otherwise the vector is copied to the host's memory, piece by piece: whoever touches a part of it
 * waits until that has arrived, while the next piece is under way. */
#ifndef BINE_ENGINE_AWAY_H
#define BINE_ENGINE_AWAY_H

#include "device/device.h"

#include <mpi.h>

struct bine_away {
    const struct bine_device *device; /* NULL: the call works in the host's memory */
    void *context;
    size_t size;  /* of an element */
    int type, op; /* of a reduction, as the device calls them */
    int begun;    /* it has work that nobody has waited for */
};

/* n elements; done by bine_away_settle. MPI error codes. */
int bine_away_copy(struct bine_away *x, void *to, const void *from, int64_t n);
/* to = from op to */
int bine_away_reduce(struct bine_away *x, void *to, const void *from, int64_t n);
int bine_away_finish(struct bine_away *x);

static inline int bine_away_settle(struct bine_away *x) {
    return x->begun ? bine_away_finish(x) : MPI_SUCCESS;
}

struct bine_arrival {
    const struct bine_device *device;
    void *context;
    char *to;
    const char *from;
    size_t bytes, begun, ready; /* in all; so many are under way or there; are there */
};

/* Less is copied at once. */
#define BINE_ARRIVAL_PIECE ((size_t)2 << 20)

/* The first piece; nothing was under way. MPI error codes. */
int bine_arrival_begin(struct bine_arrival *x);
/* Until some memory has arrived that may be part of it. */
int bine_arrival_wait(struct bine_arrival *x, const void *address, size_t bytes);
/* Nobody needs the rest. */
int bine_arrival_drop(struct bine_arrival *x);

/* The same, where it costs nothing once all is there. */
static inline int bine_arrival_need(struct bine_arrival *x, const void *address, size_t bytes) {
    return x->ready < x->bytes ? bine_arrival_wait(x, address, bytes) : MPI_SUCCESS;
}

static inline int bine_arrival_end(struct bine_arrival *x) {
    return x->bytes > 0 ? bine_arrival_drop(x) : MPI_SUCCESS;
}

#endif
