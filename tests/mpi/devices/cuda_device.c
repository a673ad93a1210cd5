/* The memory of a real device, by the names of the fake one: see on_device.h. Every rank takes the
 * first device. */
#include "fake_device.h"

#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

static void check(CUresult rc, const char *what) {
    const char *text = "unknown error";
    if (rc == CUDA_SUCCESS)
        return;
    cuGetErrorString(rc, &text);
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

static void begin(void) {
    static CUcontext context;
    CUdevice device;
    if (context != NULL)
        return;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
}

/* A pool's memory, or that of an allocation. */
static CUdeviceptr pooled_new(size_t bytes) {
    CUdeviceptr p = 0;
    check(cuMemAllocAsync(&p, bytes, NULL), "cuMemAllocAsync");
    check(cuStreamSynchronize(NULL), "cuStreamSynchronize");
    return p;
}

static int pools;

void fake_device_pooled(int pooled) {
    pools = pooled;
}

long fake_device_copies(void) {
    return -1;
}

long fake_device_pinned(void) {
    return -1;
}

void fake_device_free_all(void) {}

void *fake_device_new(size_t bytes) {
    CUdeviceptr p = 0;
    begin();
    if (pools)
        return (void *)(uintptr_t)pooled_new(bytes);
    check(cuMemAlloc(&p, bytes > 0 ? bytes : 1), "cuMemAlloc");
    return (void *)(uintptr_t)p;
}

void fake_device_free(void *memory) {
    check(cuMemFree((CUdeviceptr)(uintptr_t)memory), "cuMemFree");
}

void fake_device_copy(void *to, const void *from, size_t bytes) {
    begin();
    if (bytes > 0)
        check(cuMemcpy((CUdeviceptr)(uintptr_t)to, (CUdeviceptr)(uintptr_t)from, bytes),
              "cuMemcpy");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
}

long fake_device_launches(void) {
    return -1;
}

int fake_device_open(int open) {
    (void)open;
    return -1;
}

/* Behind work that takes a while. */
void *fake_device_later(void *to, const void *from, size_t bytes, int own) {
    enum { BUSY = 1 << 28, TIMES = 50 };
    static CUdeviceptr busy;
    CUstream stream = NULL;
    begin();
    if (busy == 0)
        check(cuMemAlloc(&busy, BUSY), "cuMemAlloc");
    if (own)
        check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    for (int i = 0; i < TIMES; i++)
        check(cuMemsetD8Async(busy, (unsigned char)i, BUSY, stream), "cuMemsetD8Async");
    check(cuMemcpyAsync((CUdeviceptr)(uintptr_t)to, (CUdeviceptr)(uintptr_t)from, bytes, stream),
          "cuMemcpyAsync");
    return stream;
}
