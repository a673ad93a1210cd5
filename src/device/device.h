/* The operations of a device for the ranks of a node: its memory is shared between their processes,
 * and it adds up and copies there. One row for each runtime. */
#ifndef BINE_DEVICE_DEVICE_H
#define BINE_DEVICE_DEVICE_H

#include "device/ipc.h"
#include "device/launch.h"

struct bine_device {
    /* Whether the runtime has all that this takes, and Bine the kernels. */
    int (*is_ready)(void);
    /* Whether it has everything but reduce, spread and pairs. */
    int (*can_copy)(void);
    /* The context of some memory, for the functions below; NULL if it has none. */
    void *(*context)(const void *address);
    /* Until all is done that the program has begun in a stream; NULL: the default one. */
    int (*wait)(void *context, void *stream);
    int (*identify)(void *context, unsigned char uuid[BINE_CUDA_UUID]);
    int (*share)(const void *address, struct bine_ipc *share);
    void *(*open)(void *context, int64_t pid, const struct bine_ipc *share);
    /* Memory of the device, and of the host that the device reaches by itself; NULL when there is
     * none. Nothing is released where there is nothing. */
    void *(*allocate)(void *context, size_t bytes);
    void (*release)(void *context, void *memory);
    void *(*allocate_host)(void *context, size_t bytes);
    void (*release_host)(void *context, void *memory);
    /* A copy, in order with the functions below. */
    int (*copy)(void *context, void *to, const void *from, size_t bytes);
    /* See launch.h. */
    int (*reduce)(void *context, int type, int op, struct bine_job *job);
    int (*spread)(void *context, struct bine_job *job);
    int (*pairs)(void *context, struct bine_job *job);
    int (*finish)(void *context);
};

extern const struct bine_device bine_device_cuda;

#endif
