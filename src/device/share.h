/* Memory on a device that other processes of the node read and write: what its owner says of it,
 * and how the others come to it.
 *
 * Both ends keep what they have found out. Memory may be freed and come again at the same address:
 * the number that the driver gives every buffer tells the two apart. */
#ifndef BINE_DEVICE_SHARE_H
#define BINE_DEVICE_SHARE_H

#include "device/cuda.h"

struct bine_share {
    struct bine_cuda_handle handle;
    uint64_t id;     /* of the buffer, in its owner's process */
    uint64_t base;   /* the address there at which the allocation begins */
    uint64_t offset; /* from there to the memory that is meant */
};

/* 0, or -1 where there is no handle for such memory: that of pools, or managed memory. */
int bine_share_make(const void *address, struct bine_share *share);

/* Where a process finds another one's memory, or NULL if it cannot; `context` uses it. */
void *bine_share_open(void *context, int64_t pid, const struct bine_share *share);

/* Let go of everything. */
void bine_share_end(void);

/* The device that some memory is on. 0, or -1. */
int bine_share_device(void *context, unsigned char uuid[BINE_CUDA_UUID]);

#endif
