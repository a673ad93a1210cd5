/* Memory on a device that other processes of the node read and write: its owner's description, and
 * the others' mapping.
 *
 * Both ends keep descriptions and mappings. Memory may be freed and come again at its old address:
 * the number that the driver gives every buffer tells the two apart. */
#ifndef BINE_DEVICE_IPC_H
#define BINE_DEVICE_IPC_H

#include "device/cuda.h"

struct bine_ipc {
    struct bine_cuda_handle handle;
    uint64_t id;     /* of the buffer, in its owner's process */
    uint64_t base;   /* the address there at which the allocation begins */
    uint64_t offset; /* from there to the memory that is meant */
};

/* 0, or -1 where there is no handle for such memory: that of pools, or managed memory. */
int bine_ipc_make(const void *address, struct bine_ipc *share);

/* Where a process finds another one's memory, or NULL if it cannot; `context` uses it. */
void *bine_ipc_open(void *context, int64_t pid, const struct bine_ipc *share);

/* Release everything. */
void bine_ipc_end(void);

/* The device that some memory is on. 0, or -1. */
int bine_ipc_device(void *context, unsigned char uuid[BINE_CUDA_UUID]);

#endif
