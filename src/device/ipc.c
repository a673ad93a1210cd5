#include "device/ipc.h"

#include <pthread.h>
#include <string.h>

/* Buffers that are remembered, of this process and of others. The one not used for the longest time
 * makes room. */
enum { OWN = 32, OTHERS = 256 };

enum { LAZY_PEER_ACCESS = 1 };

struct own {
    uint64_t used, id, base;
    struct bine_cuda_handle handle;
};

struct other {
    uint64_t used, id, base;
    int64_t pid;
    void *context;
    uintptr_t here; /* where its first byte is in this process */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct own own[OWN];
static struct other other[OTHERS];
static uint64_t clock_; /* counts uses */

/* --- Memory that this process shares */

static struct own *find_own(uint64_t id, uint64_t base) {
    struct own *oldest = own;
    for (int i = 0; i < OWN; i++) {
        if (own[i].used > 0 && own[i].id == id && own[i].base == base)
            return &own[i];
        if (own[i].used < oldest->used)
            oldest = &own[i];
    }
    struct own made = {.id = id, .base = base};
    if (bine_cuda.ipc_handle(&made.handle, (uintptr_t)base) != 0)
        return NULL;
    *oldest = made;
    return oldest;
}

static int has_handle(const void *address) {
    unsigned char managed[8] = {0}, shared[8] = {0}; /* the driver writes bytes or words */
    if (bine_cuda_attribute(address, BINE_CUDA_IS_MANAGED, managed) == 0 && managed[0])
        return 0;
    return bine_cuda_attribute(address, BINE_CUDA_HAS_HANDLE, shared) != 0 || shared[0];
}

int bine_ipc_make(const void *address, struct bine_ipc *share) {
    uintptr_t base;
    size_t bytes;
    unsigned long long id = 0;
    if (!has_handle(address) || bine_cuda_attribute(address, BINE_CUDA_BUFFER_ID, &id) != 0 ||
        bine_cuda.address_range(&base, &bytes, (uintptr_t)address) != 0)
        return -1;
    void *popped, *context = bine_cuda_context(address);
    if (context == NULL || bine_cuda.push(context) != 0)
        return -1;
    pthread_mutex_lock(&lock);
    struct own *x = find_own(id, base);
    if (x != NULL) {
        x->used = ++clock_;
        *share = (struct bine_ipc){x->handle, id, base, (uintptr_t)address - base};
    }
    pthread_mutex_unlock(&lock);
    bine_cuda.pop(&popped);
    return x != NULL ? 0 : -1;
}

/* --- Memory that other processes share */

static void drop(struct other *x) {
    void *popped;
    if (x->used == 0)
        return;
    if (bine_cuda.push(x->context) == 0) {
        bine_cuda.ipc_close(x->here);
        bine_cuda.pop(&popped);
    }
    x->used = 0;
}

/* The entry of a buffer, or a free one. An older buffer at that address of the process is gone. */
static struct other *find_other(void *context, int64_t pid, const struct bine_ipc *share) {
    struct other *oldest = other;
    for (int i = 0; i < OTHERS; i++) {
        struct other *x = &other[i];
        int there = x->used > 0 && x->pid == pid && x->base == share->base && x->context == context;
        if (there && x->id == share->id)
            return x;
        if (there)
            drop(x);
        if (x->used < oldest->used)
            oldest = x;
    }
    drop(oldest);
    return oldest;
}

static int map_in(void *context, const struct bine_ipc *share, uintptr_t *here) {
    void *popped;
    if (bine_cuda.push(context) != 0)
        return -1;
    int rc = bine_cuda.ipc_open(here, share->handle, LAZY_PEER_ACCESS);
    bine_cuda.pop(&popped);
    return rc == 0 ? 0 : -1;
}

void *bine_ipc_open(void *context, int64_t pid, const struct bine_ipc *share) {
    void *found = NULL;
    pthread_mutex_lock(&lock);
    struct other *x = find_other(context, pid, share);
    if (x->used == 0) {
        *x = (struct other){0, share->id, share->base, pid, context, 0};
        x->used = map_in(context, share, &x->here) == 0;
    }
    if (x->used > 0) {
        x->used = ++clock_;
        found = (void *)(x->here + (uintptr_t)share->offset);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void bine_ipc_end(void) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < OTHERS; i++)
        drop(&other[i]);
    memset(own, 0, sizeof own);
    pthread_mutex_unlock(&lock);
}

int bine_ipc_device(void *context, unsigned char uuid[BINE_CUDA_UUID]) {
    void *popped;
    int device;
    if (bine_cuda.push(context) != 0)
        return -1;
    int rc = bine_cuda.device(&device);
    if (rc == 0)
        rc = bine_cuda.device_uuid(uuid, device);
    bine_cuda.pop(&popped);
    return rc == 0 ? 0 : -1;
}
