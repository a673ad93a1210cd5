/* A pool of memory for calls on vectors that are on a device: of the host, where the device reaches
 * it by itself (pinned), and on the device.
 *
 * To get such memory takes the driver longer than most calls take, so blocks are kept for the next
 * call. The kept memory is bounded, and so is all pinned memory: beyond that, callers do with
 * ordinary memory. */
#ifndef BINE_DEVICE_POOL_H
#define BINE_DEVICE_POOL_H

#include "device/device.h"

/* Bytes of a process, of each of the two kinds. */
#define BINE_POOL_MOST ((size_t)256 << 20)

enum bine_pool_kind { BINE_POOL_PINNED, BINE_POOL_ON_DEVICE, BINE_POOL_KINDS };

struct bine_pool_block {
    struct bine_pool_block *next; /* of the kept blocks */
    const struct bine_device *device;
    void *context;
    enum bine_pool_kind kind;
    size_t size;
    char *memory;
    int known; /* the runtime says whose memory it is, so that it can be seen whether it is gone */
};

/* A block of at least `size` bytes; NULL: there is none. */
struct bine_pool_block *bine_pool_take(const struct bine_device *device, void *context,
                                       enum bine_pool_kind kind, size_t bytes);
/* Nothing is given back where there is nothing. */
void bine_pool_give(struct bine_pool_block *b);
/* Free all that is kept. */
void bine_pool_end(void);

#endif
