#include "device/cuda.h"

struct bine_cuda bine_cuda;

const char *const bine_cuda_names[BINE_CUDA_FUNCTIONS] = {
    "cuPointerGetAttributes", "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",     "cuMemcpy",
    "cuStreamSynchronize",    "cuMemGetAddressRange_v2",
    "cuCtxGetDevice",         "cuDeviceGetUuid",
    "cuMemAlloc_v2",          "cuMemFree_v2",
    "cuMemHostAlloc",         "cuMemFreeHost",
    "cuStreamCreate",         "cuMemcpyAsync",
    "cuIpcGetMemHandle",      "cuIpcOpenMemHandle_v2",
    "cuIpcCloseMemHandle",    "cuModuleLoadData",
    "cuModuleGetFunction",    "cuLaunchKernel",
};

/* The driver's function for one attribute takes memory of the host for an error, and tools report
 * it; that for several does not. */
int bine_cuda_attribute(const void *address, int which, void *value) {
    return bine_cuda.pointer_attributes(1, &which, &value, (uintptr_t)address);
}

void *bine_cuda_context(const void *address) {
    void *context = NULL;
    return bine_cuda_attribute(address, BINE_CUDA_CONTEXT, &context) == 0 ? context : NULL;
}
