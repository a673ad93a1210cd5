/* A runtime of a device that is none: its memory cannot be touched except by its own copy. Built as
 * the driver of CUDA, or (FAKE_HIP) as the runtime of HIP. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "fake_device.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 64 };

static struct {
    char *begin;
    size_t bytes;
} area[MOST];
static int areas;
static long copies;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_device(const char *address) {
    for (int i = 0; i < areas; i++)
        if (address >= area[i].begin && address < area[i].begin + area[i].bytes)
            return 1;
    return 0;
}

static void protect(int how) {
    for (int i = 0; i < areas; i++)
        mprotect(area[i].begin, area[i].bytes, how);
}

void *fake_device_new(size_t bytes) {
    bytes = (bytes + 4095) & ~(size_t)4095;
    void *p = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || areas == MOST)
        return NULL;
    area[areas].begin = p;
    area[areas++].bytes = bytes;
    return p;
}

void fake_device_free_all(void) {
    while (areas > 0) {
        areas--;
        munmap(area[areas].begin, area[areas].bytes);
    }
}

long fake_device_copies(void) {
    return copies;
}

void fake_device_copy(void *to, const void *from, size_t bytes) {
    pthread_mutex_lock(&lock);
    protect(PROT_READ | PROT_WRITE);
    memcpy(to, from, bytes);
    protect(PROT_NONE);
    pthread_mutex_unlock(&lock);
}

#ifdef FAKE_HIP
int hipPointerGetAttributes(void *attributes, const void *address);
int hipMemcpy(void *to, const void *from, size_t bytes, int direction);
int hipStreamSynchronize(void *stream);

int hipPointerGetAttributes(void *attributes, const void *address) {
    struct {
        int type, device;
        const void *on_device, *on_host;
    } x = {2, 0, address, NULL};
    if (!is_device(address))
        return 1;
    memcpy(attributes, &x, sizeof x);
    return 0;
}

int hipMemcpy(void *to, const void *from, size_t bytes, int direction) {
    fake_device_copy(to, from, bytes);
    copies++;
    return direction == 4 ? 0 : 1;
}

int hipStreamSynchronize(void *stream) {
    return stream != NULL;
}
#else
/* The context that the memory belongs to, and that of the thread. */
static int context, *current;

int cuPointerGetAttribute(void *value, int attribute, uintptr_t address);
int cuCtxPushCurrent_v2(void *which);
int cuCtxPopCurrent_v2(void **which);
int cuMemcpy(uintptr_t to, uintptr_t from, size_t bytes);
int cuStreamSynchronize(void *stream);

int cuPointerGetAttribute(void *value, int attribute, uintptr_t address) {
    void *c = &context;
    unsigned type = 2;
    if (!is_device((const char *)address))
        return 1;
    memcpy(value, attribute == 1 ? (void *)&c : (void *)&type, attribute == 1 ? sizeof c : 4);
    return attribute == 1 || attribute == 2 ? 0 : 1;
}

int cuCtxPushCurrent_v2(void *which) {
    current = which;
    return which != &context;
}

int cuCtxPopCurrent_v2(void **which) {
    *which = current;
    current = NULL;
    return 0;
}

/* As it is with the real one, nothing can be copied without a context. */
int cuMemcpy(uintptr_t to, uintptr_t from, size_t bytes) {
    if (current == NULL)
        return 201;
    fake_device_copy((void *)to, (const void *)from, bytes);
    copies++;
    return 0;
}

int cuStreamSynchronize(void *stream) {
    return current == NULL || stream != NULL;
}
#endif
