#include "device/pool.h"

#include <pthread.h>
#include <stdlib.h>

/* Blocks are of powers of two, so that they fit again. */
enum { LEAST = 1 << 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bine_pool_block *kept;     /* the one given back last comes first */
static size_t in_all[BINE_POOL_KINDS];   /* bytes of all blocks, */
static size_t kept_now[BINE_POOL_KINDS]; /* and of the kept blocks */

static size_t size_for(size_t bytes) {
    size_t size = LEAST;
    while (size < bytes && size < SIZE_MAX / 2)
        size *= 2;
    return size;
}

/* A program may have reset its device: then the memory is gone. */
static int is_there(const struct bine_pool_block *b) {
    return !b->known || b->device->context(b->memory) == b->context;
}

/* Free a block that is in no list. */
static void drop(struct bine_pool_block *b) {
    if (is_there(b)) {
        if (b->kind == BINE_POOL_PINNED)
            b->device->release_host(b->context, b->memory);
        else
            b->device->release(b->context, b->memory);
    }
    in_all[b->kind] -= b->size;
    free(b);
}

static struct bine_pool_block *unlink_block(struct bine_pool_block **at) {
    struct bine_pool_block *b = *at;
    *at = b->next;
    kept_now[b->kind] -= b->size;
    return b;
}

/* A kept block of just this size. Blocks whose memory is gone go, too. */
static struct bine_pool_block *find_kept(void *context, enum bine_pool_kind kind, size_t size) {
    struct bine_pool_block **at = &kept;
    while (*at != NULL) {
        struct bine_pool_block *b = *at;
        int fits = b->kind == kind && b->context == context && b->size == size;
        if (!fits) {
            at = &b->next;
            continue;
        }
        b = unlink_block(at);
        if (is_there(b))
            return b;
        drop(b);
    }
    return NULL;
}

/* Free kept blocks until `size` bytes more fit the bound; the last ones given back stay longest. */
static void make_room(enum bine_pool_kind kind, size_t size) {
    while (in_all[kind] + size > BINE_POOL_MOST && kept_now[kind] > 0) {
        struct bine_pool_block **last = NULL;
        for (struct bine_pool_block **at = &kept; *at != NULL; at = &(*at)->next)
            last = (*at)->kind == kind ? at : last;
        drop(unlink_block(last));
    }
}

static struct bine_pool_block *make(const struct bine_device *device, void *context,
                                    enum bine_pool_kind kind, size_t size) {
    struct bine_pool_block *b = malloc(sizeof *b);
    if (b == NULL)
        return NULL;
    *b = (struct bine_pool_block){
        .device = device, .context = context, .kind = kind, .size = size, .memory = NULL};
    b->memory = kind == BINE_POOL_PINNED ? device->allocate_host(context, size)
                                         : device->allocate(context, size);
    if (b->memory == NULL) {
        free(b);
        return NULL;
    }
    b->known = device->context(b->memory) == context;
    in_all[kind] += size;
    return b;
}

struct bine_pool_block *bine_pool_take(const struct bine_device *device, void *context,
                                       enum bine_pool_kind kind, size_t bytes) {
    size_t size = size_for(bytes);
    if (device == NULL || context == NULL || !device->can_copy() || size < bytes)
        return NULL;
    pthread_mutex_lock(&lock);
    struct bine_pool_block *b = find_kept(context, kind, size);
    if (b == NULL) {
        make_room(kind, size);
        if (kind != BINE_POOL_PINNED || in_all[kind] + size <= BINE_POOL_MOST)
            b = make(device, context, kind, size);
    }
    pthread_mutex_unlock(&lock);
    return b;
}

void bine_pool_give(struct bine_pool_block *b) {
    if (b == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (in_all[b->kind] > BINE_POOL_MOST) {
        drop(b);
    } else {
        b->next = kept;
        kept = b;
        kept_now[b->kind] += b->size;
    }
    pthread_mutex_unlock(&lock);
}

void bine_pool_end(void) {
    pthread_mutex_lock(&lock);
    while (kept != NULL)
        drop(unlink_block(&kept));
    pthread_mutex_unlock(&lock);
}
