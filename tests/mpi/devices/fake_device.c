/* A runtime of a device that is none: its memory cannot be touched except by its own copy and its
 * own kernels. Built as the driver of CUDA, or (FAKE_HIP) as the runtime of HIP. Processes share
 * the device's memory by handles; FAKE_DEVICES in the environment says how many devices the ranks
 * have, who take them in turns. */
#define _GNU_SOURCE /* memfd_create */
#include "fake_device.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 256 };

static struct area {
    char *begin;
    size_t bytes;
    int file; /* -1: it is another process's; or HOST */
    int pooled;
    unsigned long long id;
} area[MOST];
enum { HOST = -2 };
static int areas, pools;
static long copies, pinned, launches;
static unsigned long long last_id;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct area *area_of(uintptr_t address) {
    for (int i = 0; i < areas; i++)
        if (address >= (uintptr_t)area[i].begin &&
            address < (uintptr_t)area[i].begin + area[i].bytes)
            return &area[i];
    return NULL;
}

static int opened;

static void protect(int how) {
    how = opened ? PROT_READ | PROT_WRITE : how;
    for (int i = 0; i < areas; i++)
        if (area[i].file != HOST)
            mprotect(area[i].begin, area[i].bytes, how);
}

static char *map(int file, size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_NONE, MAP_SHARED, file, 0);
    return p != MAP_FAILED && areas < MOST ? p : NULL;
}

void *fake_device_new(size_t bytes) {
    bytes = (bytes + 4096) & ~(size_t)4095;
    int file = memfd_create("fake device", 0);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0)
        return NULL;
    char *p = map(file, bytes);
    if (p != NULL)
        area[areas++] = (struct area){p, bytes, file, pools, ++last_id};
    protect(PROT_NONE);
    return p;
}

static void drop(struct area *x) {
    munmap(x->begin, x->bytes);
    if (x->file >= 0)
        close(x->file);
    *x = area[--areas];
}

void fake_device_free(void *memory) {
    struct area *x = area_of((uintptr_t)memory);
    if (x != NULL)
        drop(x);
}

void fake_device_free_all(void) {
    for (int i = areas - 1; i >= 0; i--)
        if (area[i].file >= 0)
            drop(&area[i]);
}

/* The context that the memory belongs to, and that of the thread. */
static int context;
static _Thread_local void *current;

/* A program that has pools has a context of its own. */
void fake_device_pooled(int pooled) {
    pools = pooled;
    current = &context;
}

int fake_device_open(int open) {
    opened = open;
    protect(PROT_NONE);
    return 0;
}

long fake_device_copies(void) {
    return copies;
}

long fake_device_pinned(void) {
    return pinned;
}

long fake_device_launches(void) {
    return launches;
}

void fake_device_copy(void *to, const void *from, size_t bytes) {
    pthread_mutex_lock(&lock);
    protect(PROT_READ | PROT_WRITE);
    memcpy(to, from, bytes);
    protect(PROT_NONE);
    pthread_mutex_unlock(&lock);
}

static int is_on_device(const void *address) {
    const struct area *x = area_of((uintptr_t)address);
    return x != NULL && x->file != HOST;
}

static void count_copy(const void *to, const void *from) {
    const void *host = is_on_device(to) ? from : to;
    copies += is_on_device(to) != is_on_device(from);
    pinned += is_on_device(to) != is_on_device(from) && area_of((uintptr_t)host) != NULL;
}

/* A copy that waits for somebody who waits for its stream. */
static struct {
    void *to, *stream;
    const void *from;
    size_t bytes;
} pending;

void *fake_device_later(void *to, const void *from, size_t bytes, int own) {
    pending.to = to;
    pending.from = from;
    pending.bytes = bytes;
    pending.stream = own ? &pending : NULL;
    return pending.stream;
}

static void do_pending(const void *stream) {
    if (pending.to != NULL && pending.stream == stream) {
        fake_device_copy(pending.to, pending.from, pending.bytes);
        pending.to = NULL;
    }
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
    if (area_of((uintptr_t)address) == NULL)
        return 1;
    memcpy(attributes, &x, sizeof x);
    return 0;
}

int hipMemcpy(void *to, const void *from, size_t bytes, int direction) {
    do_pending(NULL);
    fake_device_copy(to, from, bytes);
    count_copy(to, from);
    return direction == 4 ? 0 : 1;
}

int hipStreamSynchronize(void *stream) {
    do_pending(stream);
    return stream != NULL && stream != &pending;
}
#else
#include "fake_cuda.h"

static _Thread_local void *stack[8];
static _Thread_local int depth;

/* Attributes: the context, the type of the memory, its number, whether it is managed, and whether
 * it has handles. Memory of the host has none of them, which is no error. */
static int get_attribute(const struct area *x, int attribute, void *value) {
    void *c = x != NULL && !x->pooled ? &context : NULL; /* a pool is of no context */
    unsigned type = x == NULL ? 0 : x->file == HOST ? 1 : 2;
    unsigned long long id = x != NULL ? x->id : 0;
    int managed = 0, shared = x != NULL && !x->pooled;
    const struct {
        int attribute;
        const void *value;
        size_t bytes;
    } table[] = {{1, &c, sizeof c},
                 {2, &type, sizeof type},
                 {7, &id, sizeof id},
                 {8, &managed, sizeof managed},
                 {10, &shared, sizeof shared}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].attribute == attribute) {
            memcpy(value, table[i].value, table[i].bytes);
            return 0;
        }
    return 1;
}

int cuPointerGetAttributes(unsigned n, int *attribute, void **value, uintptr_t address) {
    const struct area *x = area_of(address);
    int rc = n == 0;
    for (unsigned i = 0; i < n && rc == 0; i++)
        rc = get_attribute(x, attribute[i], value[i]);
    return rc;
}

int cuCtxPushCurrent_v2(void *which) {
    if (which != &context || depth == 8)
        return 1;
    stack[depth++] = current;
    current = which;
    return 0;
}

int cuCtxPopCurrent_v2(void **which) {
    if (depth == 0)
        return 1;
    *which = current;
    current = stack[--depth];
    return 0;
}

int cuInit(unsigned flags) {
    return flags != 0;
}

int cuDeviceGetCount(int *devices) {
    *devices = 1;
    return 0;
}

int cuDevicePrimaryCtxRetain(void **which, int device) {
    *which = &context;
    return device != 0;
}

int cuCtxSetCurrent(void *which) {
    current = which;
    return which != &context;
}

/* As it is with the real one, nothing can be copied without a context. */
int cuMemcpy(uintptr_t to, uintptr_t from, size_t bytes) {
    if (current == NULL)
        return 201;
    do_pending(NULL);
    fake_device_copy((void *)to, (const void *)from, bytes);
    count_copy((const void *)to, (const void *)from);
    return 0;
}

static int own_stream;

/* Copies that were begun there. */
enum { BEGUN = 64 };
static struct {
    void *to;
    const void *from;
    size_t bytes;
} later[BEGUN];
static int begun;

static void do_begun(void) {
    for (int i = 0; i < begun; i++)
        fake_device_copy(later[i].to, later[i].from, later[i].bytes);
    begun = 0;
}

int cuStreamSynchronize(void *stream) {
    do_pending(stream);
    if (stream == &own_stream)
        do_begun();
    return current == NULL || (stream != NULL && stream != &own_stream && stream != &pending);
}

int cuStreamCreate(void **stream, unsigned flags) {
    *stream = &own_stream;
    return current == NULL || flags != 1;
}

/* In a stream that waits for no other: as late as can be. */
int cuMemcpyAsync(uintptr_t to, uintptr_t from, size_t bytes, void *stream) {
    if (current == NULL || stream != &own_stream)
        return 201;
    if (begun == BEGUN)
        do_begun();
    later[begun].to = (void *)to;
    later[begun].from = (const void *)from;
    later[begun++].bytes = bytes;
    count_copy((const void *)to, (const void *)from);
    return 0;
}

int cuMemGetAddressRange_v2(uintptr_t *base, size_t *bytes, uintptr_t address) {
    const struct area *x = area_of(address);
    if (x == NULL)
        return 1;
    *base = (uintptr_t)x->begin;
    *bytes = x->bytes;
    return 0;
}

int cuCtxGetDevice(int *device) {
    *device = 0;
    return current == NULL;
}

static int number_of(const char *name) {
    const char *value = getenv(name);
    return value != NULL ? atoi(value) : 0;
}

int cuDeviceGetUuid(unsigned char *uuid, int device) {
    int devices = number_of("FAKE_DEVICES");
    memset(uuid, 7, 16);
    uuid[0] = (unsigned char)((number_of("OMPI_COMM_WORLD_RANK") + number_of("PMI_RANK")) %
                              (devices > 0 ? devices : 1));
    return device != 0;
}

int cuMemAlloc_v2(uintptr_t *address, size_t bytes) {
    *address = (uintptr_t)fake_device_new(bytes);
    return *address == 0;
}

int cuMemFree_v2(uintptr_t address) {
    fake_device_free((void *)address);
    return 0;
}

int cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    *address = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (*address == MAP_FAILED || areas == MOST || current == NULL || flags > 1)
        return 1;
    area[areas++] = (struct area){*address, bytes, HOST, 0, ++last_id};
    return 0;
}

int cuMemFreeHost(void *address) {
    struct area *x = area_of((uintptr_t)address);
    if (x == NULL || x->file != HOST || x->begin != (char *)address)
        return 1;
    drop(x);
    return 0;
}

/* --- Handles */

struct ticket {
    long pid, file;
    size_t bytes;
};

int cuIpcGetMemHandle(struct fake_handle *handle, uintptr_t address) {
    const struct area *x = area_of(address);
    if (x == NULL || x->file < 0 || x->pooled || (uintptr_t)x->begin != address)
        return 1;
    struct ticket t = {getpid(), x->file, x->bytes};
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &t, sizeof t);
    return 0;
}

int cuIpcOpenMemHandle_v2(uintptr_t *address, struct fake_handle handle, unsigned flags) {
    struct ticket t;
    char path[80];
    memcpy(&t, &handle, sizeof t);
    snprintf(path, sizeof path, "/proc/%ld/fd/%ld", t.pid, t.file);
    int file = flags == 1 && current != NULL ? open(path, O_RDWR) : -1;
    if (file < 0)
        return 1;
    char *p = map(file, t.bytes);
    close(file);
    if (p == NULL)
        return 2;
    area[areas++] = (struct area){p, t.bytes, -1, 0, 0};
    *address = (uintptr_t)p;
    return 0;
}

int cuIpcCloseMemHandle(uintptr_t address) {
    struct area *x = area_of(address);
    if (x == NULL || x->file != -1)
        return 1;
    drop(x);
    return 0;
}

/* --- Kernels */

int cuModuleLoadData(void **module, const void *image) {
    *module = &context;
    return image == NULL || current == NULL;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = fake_kernel(name);
    return module != &context || *function == NULL;
}

int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra) {
    if (current == NULL || stream != &own_stream || extra != NULL || shared != 0 || x < 1 ||
        z != 1 || bx < 1 || by != 1 || bz != 1)
        return 1;
    do_begun();
    pthread_mutex_lock(&lock);
    protect(PROT_READ | PROT_WRITE);
    int rc = fake_run(function, y, arguments[0]);
    protect(PROT_NONE);
    launches++;
    pthread_mutex_unlock(&lock);
    return rc;
}
#endif
