#include "device/device.h"

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

const struct bine_device bine_device_cuda = {
    .is_ready = bine_launch_is_possible,
    .context = context_of,
    .wait = wait_for,
    .identify = bine_share_device,
    .share = bine_share_make,
    .open = bine_share_open,
    .reduce = bine_launch_reduce,
    .spread = bine_launch_spread,
    .pairs = bine_launch_pairs,
    .finish = bine_launch_wait,
};
