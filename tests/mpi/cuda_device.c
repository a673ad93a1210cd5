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

void *fake_device_new(size_t bytes) {
    CUdeviceptr p = 0;
    begin();
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
