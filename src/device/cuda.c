#include "device/cuda.h"

struct bine_cuda bine_cuda;

const char *const bine_cuda_names[BINE_CUDA_FUNCTIONS] = {
    "cuPointerGetAttribute", "cuCtxPushCurrent_v2",
    "cuCtxPopCurrent_v2",    "cuMemcpy",
    "cuStreamSynchronize",   "cuMemGetAddressRange_v2",
    "cuCtxGetDevice",        "cuDeviceGetUuid",
    "cuMemAlloc_v2",         "cuMemFree_v2",
    "cuMemHostAlloc",        "cuMemFreeHost",
    "cuStreamCreate",        "cuMemcpyAsync",
    "cuIpcGetMemHandle",     "cuIpcOpenMemHandle_v2",
    "cuIpcCloseMemHandle",   "cuModuleLoadData",
    "cuModuleGetFunction",   "cuLaunchKernel",
};

void *bine_cuda_context(const void *address) {
    void *context = NULL;
    int rc = bine_cuda.pointer_attribute(&context, BINE_CUDA_CONTEXT, (uintptr_t)address);
    return rc == 0 ? context : NULL;
}
