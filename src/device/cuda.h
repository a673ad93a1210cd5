/* The driver of CUDA, as far as Bine uses it.
 *
 * Bine links with no library of CUDA: it uses the driver that the program has loaded
 * (engine/memory/memory.c), so that a program without devices is not touched. Its interface does
 * not change from version to version. */
#ifndef BINE_DEVICE_CUDA_H
#define BINE_DEVICE_CUDA_H

#include <stddef.h>
#include <stdint.h>

enum { BINE_CUDA_HANDLE = 64, BINE_CUDA_UUID = 16 };

struct bine_cuda_handle {
    unsigned char bytes[BINE_CUDA_HANDLE];
};

/* In the order of bine_cuda_names. The first group is needed to touch such memory at all; without
 * the others it is staged through the host's. */
struct bine_cuda {
    int (*pointer_attributes)(unsigned n, int *attribute, void **value, uintptr_t address);
    int (*push)(void *context);
    int (*pop)(void **context);
    int (*copy)(uintptr_t to, uintptr_t from, size_t bytes);
    int (*stream_wait)(void *stream);

    int (*address_range)(uintptr_t *base, size_t *bytes, uintptr_t address);
    int (*device)(int *device);
    int (*device_uuid)(unsigned char uuid[BINE_CUDA_UUID], int device);
    int (*allocate)(uintptr_t *address, size_t bytes);
    int (*release)(uintptr_t address);
    int (*allocate_host)(void **address, size_t bytes, unsigned flags);
    int (*release_host)(void *address);
    int (*stream_new)(void **stream, unsigned flags);
    int (*copy_async)(uintptr_t to, uintptr_t from, size_t bytes, void *stream);
    int (*ipc_handle)(struct bine_cuda_handle *handle, uintptr_t address);
    int (*ipc_open)(uintptr_t *address, struct bine_cuda_handle handle, unsigned flags);
    int (*ipc_close)(uintptr_t address);
    int (*module_load)(void **module, const void *image);
    int (*module_function)(void **function, void *module, const char *name);
    int (*launch)(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                  void *stream, void **arguments, void **extra);
};

enum {
    BINE_CUDA_NEEDED = 5,
    BINE_CUDA_FUNCTIONS = sizeof(struct bine_cuda) / sizeof(void (*)(void))
};

extern struct bine_cuda bine_cuda;
extern const char *const bine_cuda_names[BINE_CUDA_FUNCTIONS];

/* Attributes of an address. */
enum {
    BINE_CUDA_CONTEXT = 1,
    BINE_CUDA_MEMORY_TYPE = 2,
    BINE_CUDA_BUFFER_ID = 7,
    BINE_CUDA_IS_MANAGED = 8,
    BINE_CUDA_HAS_HANDLE = 10,
};
enum { BINE_CUDA_TYPE_DEVICE = 2 };

/* One of these, into a value that is 0 so far: where the memory has no such attribute, as the
 * host's has none, it stays 0. 0, or an error of the driver's. */
int bine_cuda_attribute(const void *address, int which, void *value);

/* The context of memory on a device, or NULL. */
void *bine_cuda_context(const void *address);

#endif
