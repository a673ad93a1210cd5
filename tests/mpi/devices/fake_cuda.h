/* The functions of the driver that fake_device.c has, and the kernels as the host does them. */
#ifndef BINE_TESTS_FAKE_CUDA_H
#define BINE_TESTS_FAKE_CUDA_H

#include <stddef.h>
#include <stdint.h>

struct fake_handle {
    unsigned char bytes[64];
};

int cuInit(unsigned flags);
int cuDeviceGetCount(int *devices);
int cuDevicePrimaryCtxRetain(void **which, int device);
int cuCtxSetCurrent(void *which);
int cuPointerGetAttributes(unsigned n, int *attribute, void **value, uintptr_t address);
int cuCtxPushCurrent_v2(void *which);
int cuCtxPopCurrent_v2(void **which);
int cuMemcpy(uintptr_t to, uintptr_t from, size_t bytes);
int cuStreamSynchronize(void *stream);
int cuStreamCreate(void **stream, unsigned flags);
int cuMemcpyAsync(uintptr_t to, uintptr_t from, size_t bytes, void *stream);
int cuMemGetAddressRange_v2(uintptr_t *base, size_t *bytes, uintptr_t address);
int cuCtxGetDevice(int *device);
int cuDeviceGetUuid(unsigned char *uuid, int device);
int cuMemAlloc_v2(uintptr_t *address, size_t bytes);
int cuMemFree_v2(uintptr_t address);
int cuMemHostAlloc(void **address, size_t bytes, unsigned flags);
int cuMemFreeHost(void *address);
int cuIpcGetMemHandle(struct fake_handle *handle, uintptr_t address);
int cuIpcOpenMemHandle_v2(uintptr_t *address, struct fake_handle handle, unsigned flags);
int cuIpcCloseMemHandle(uintptr_t address);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra);

/* A kernel by its name, or NULL; and run it with so many rows of blocks. */
void *fake_kernel(const char *name);
int fake_run(void *kernel, unsigned rows, const void *job);

#endif
