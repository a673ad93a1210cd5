#include "device/device.h"

/* Memory of the host that all contexts take for such. */
enum { PORTABLE = 1 };

static void *context_of(const void *address) {
    return bine_cuda_context(address);
}

static int wait_for(void *context, void *stream) {
    void *popped;
    if (bine_cuda.push(context) != 0)
        return -1;
    int rc = bine_cuda.stream_wait(stream);
    bine_cuda.pop(&popped);
    return rc == 0 ? 0 : -1;
}

static void *allocate(void *context, size_t bytes) {
    void *popped;
    uintptr_t address = 0;
    if (bine_cuda.push(context) != 0)
        return NULL;
    int rc = bine_cuda.allocate(&address, bytes);
    bine_cuda.pop(&popped);
    return rc == 0 ? (void *)address : NULL;
}

static void release(void *context, void *memory) {
    void *popped;
    if (memory == NULL || bine_cuda.push(context) != 0)
        return;
    bine_cuda.release((uintptr_t)memory);
    bine_cuda.pop(&popped);
}

static void *allocate_host(void *context, size_t bytes) {
    void *popped, *memory = NULL;
    if (bine_cuda.push(context) != 0)
        return NULL;
    int rc = bine_cuda.allocate_host(&memory, bytes, PORTABLE);
    bine_cuda.pop(&popped);
    return rc == 0 ? memory : NULL;
}

static void release_host(void *context, void *memory) {
    void *popped;
    if (memory == NULL || bine_cuda.push(context) != 0)
        return;
    bine_cuda.release_host(memory);
    bine_cuda.pop(&popped);
}

const struct bine_device bine_device_cuda = {
    .is_ready = bine_launch_is_possible,
    .can_copy = bine_launch_can_copy,
    .context = context_of,
    .wait = wait_for,
    .identify = bine_ipc_device,
    .share = bine_ipc_make,
    .open = bine_ipc_open,
    .allocate = allocate,
    .release = release,
    .allocate_host = allocate_host,
    .release_host = release_host,
    .copy = bine_launch_copy,
    .reduce = bine_launch_reduce,
    .spread = bine_launch_spread,
    .pairs = bine_launch_pairs,
    .finish = bine_launch_wait,
};
