#define _GNU_SOURCE /* memfd_create, fallocate */

#include "board/arena.h"

#include "board/arena_map.h"
#include "board/expose.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first page of an arena holds its token; a region's first line how many have released it. */
enum { PAGE = 4096, LINE = 64 };

struct bine_arena {
    pthread_mutex_t lock;
    struct bine_arena_ways ways;
    int file;
    uint64_t token[2]; /* also where others look whether they can read this process */
    char *memory;
    uint64_t most;                     /* bytes of the file; promised, not reserved */
    uint64_t reserved;                 /* from its beginning */
    struct bine_arena_region *regions; /* taken, in ascending order */
    struct bine_arena_region *leaving; /* given back, and not released by all; any order */
    struct bine_arena_peer *peers;
};

static int make_file(void) {
    int file = memfd_create(BINE_ARENA_NAME, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && fchmod(file, S_IRUSR | S_IWUSR) != 0) {
        close(file);
        return -1;
    }
    return file;
}

static int reserve(int file, uint64_t at, uint64_t bytes) {
    int rc;
    do
        rc = fallocate(file, 0, (off_t)at, (off_t)bytes) == 0 ? 0 : errno;
    while (rc == EINTR);
    return rc;
}

static const struct bine_arena_ways system_ways = {make_file, reserve};

static int refuse(struct bine_reason *why, const char *what, int error) {
    return bine_reason_set(why, "shared memory: %s: %s", what, strerror(error));
}

/* A file beyond the limit would end the process with SIGXFSZ. */
static int is_within_limits(uint64_t bytes) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY ||
           most.rlim_cur >= bytes;
}

/* 0, or -1 with the reason; the caller frees the parts that were made. */
static int open_arena(struct bine_arena *a, struct bine_reason *why) {
    if (!is_within_limits(a->most))
        return bine_reason_set(why,
                               "shared memory: the limit for files (ulimit -f) is below "
                               "%llu bytes",
                               (unsigned long long)a->most);
    if (getrandom(a->token, sizeof a->token, 0) != (ssize_t)sizeof a->token)
        return refuse(why, "a random number", errno);
    a->file = a->ways.make();
    if (a->file < 0)
        return refuse(why, "memfd_create", errno);
    if (ftruncate(a->file, (off_t)a->most) != 0)
        return refuse(why, "ftruncate", errno);
    /* A process that maps it may rely on its length. */
    if (fcntl(a->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return refuse(why, "F_ADD_SEALS", errno);
    int error = a->ways.reserve(a->file, 0, PAGE);
    if (error != 0)
        return refuse(why, "fallocate", error);
    void *memory = mmap(NULL, a->most, PROT_READ | PROT_WRITE, MAP_SHARED, a->file, 0);
    if (memory == MAP_FAILED)
        return refuse(why, "mmap", errno);
    a->memory = memory;
    memcpy(a->memory, a->token, sizeof a->token);
    return 0;
}

struct bine_arena *bine_arena_new(uint64_t most, const struct bine_arena_ways *ways,
                                  struct bine_reason *why) {
    struct bine_arena *a = calloc(1, sizeof *a);
    if (a == NULL) {
        bine_reason_memory(why);
        return NULL;
    }
    pthread_mutex_init(&a->lock, NULL);
    a->ways = ways != NULL ? *ways : system_ways;
    a->file = -1;
    a->most = (most + PAGE - 1) / PAGE * PAGE;
    a->reserved = PAGE;
    if (a->most < 2 * PAGE)
        bine_reason_set(why, "shared memory: %llu bytes are too few", (unsigned long long)most);
    else if (open_arena(a, why) == 0)
        return a;
    bine_arena_free(a);
    return NULL;
}

static void free_regions(struct bine_arena_region *r) {
    while (r != NULL) {
        struct bine_arena_region *next = r->next;
        free(r);
        r = next;
    }
}

void bine_arena_free(struct bine_arena *a) {
    if (a == NULL)
        return;
    bine_arena_unmap_all(&a->peers);
    free_regions(a->regions);
    free_regions(a->leaving);
    if (a->memory != NULL)
        munmap(a->memory, a->most);
    if (a->file >= 0)
        close(a->file);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

static _Atomic uint32_t *released(const char *region_memory) {
    return (_Atomic uint32_t *)(void *)(uintptr_t)(region_memory - LINE);
}

/* Out of a list; its memory is free then. */
static void forget(struct bine_arena_region **list, struct bine_arena_region *region) {
    while (*list != NULL && *list != region)
        list = &(*list)->next;
    if (*list == NULL)
        return;
    *list = region->next;
    free(region);
}

/* Regions given back that all others have released by now. Acquire: reads of the others there come
 * before the next writes there. */
static void sweep(struct bine_arena *a) {
    struct bine_arena_region *r = a->leaving, *next;
    for (; r != NULL; r = next) {
        next = r->next;
        if (atomic_load_explicit(released(r->memory), memory_order_acquire) < (uint32_t)r->sharers)
            continue;
        forget(&a->leaving, r);
    }
}

/* Regions in use, of both lists, lie where they lie: the least offset from which that number of
 * bytes is free. */
static uint64_t end_of(const struct bine_arena_region *r) {
    return r->offset + LINE + r->bytes;
}

static int meets(const struct bine_arena_region *r, uint64_t from, uint64_t to) {
    return r->offset < to && end_of(r) > from;
}

static const struct bine_arena_region *in_the_way(const struct bine_arena_region *list,
                                                  uint64_t from, uint64_t to) {
    while (list != NULL && !meets(list, from, to))
        list = list->next;
    return list;
}

static uint64_t page_up(uint64_t bytes) {
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* 0: nowhere. */
static uint64_t find_room(const struct bine_arena *a, uint64_t bytes) {
    uint64_t at = PAGE;
    const struct bine_arena_region *r;
    while (at + bytes <= a->most) {
        r = in_the_way(a->regions, at, at + bytes);
        if (r == NULL)
            r = in_the_way(a->leaving, at, at + bytes);
        if (r == NULL)
            return at;
        at = page_up(end_of(r));
    }
    return 0;
}

/* Memory that was used before stays reserved. */
static int reserve_to(struct bine_arena *a, uint64_t end, struct bine_reason *why) {
    if (end <= a->reserved)
        return 0;
    int error = a->ways.reserve(a->file, a->reserved, end - a->reserved);
    if (error != 0)
        return refuse(why, "fallocate", error);
    a->reserved = end;
    return 0;
}

static struct bine_arena_region *place_region(struct bine_arena *a, uint64_t bytes, int sharers,
                                              struct bine_reason *why) {
    sweep(a);
    uint64_t at = find_room(a, LINE + bytes);
    if (at == 0) {
        bine_reason_set(why, "shared memory: all of %llu bytes is in use (BINE_SHARED)",
                        (unsigned long long)a->most);
        return NULL;
    }
    if (reserve_to(a, page_up(at + LINE + bytes), why) != 0)
        return NULL;
    struct bine_arena_region *r = malloc(sizeof *r);
    if (r == NULL) {
        bine_reason_memory(why);
        return NULL;
    }
    *r = (struct bine_arena_region){a->memory + at + LINE, bytes, at, sharers, a->regions};
    atomic_init(released(r->memory), 0);
    a->regions = r;
    return r;
}

struct bine_arena_region *bine_arena_take(struct bine_arena *a, uint64_t bytes, int sharers,
                                          struct bine_reason *why) {
    pthread_mutex_lock(&a->lock);
    struct bine_arena_region *r = place_region(a, bytes, sharers, why);
    pthread_mutex_unlock(&a->lock);
    return r;
}

void bine_arena_card(const struct bine_arena *a, const struct bine_arena_region *region,
                     struct bine_arena_card *card) {
    *card = (struct bine_arena_card){.token = {a->token[0], a->token[1]},
                                     .pid = (uint64_t)getpid(),
                                     .file = (uint64_t)a->file,
                                     .offset = region->offset + LINE,
                                     .bytes = region->bytes,
                                     .secret = (uint64_t)(uintptr_t)a->token};
}

static void move_region(struct bine_arena_region **from, struct bine_arena_region **to,
                        struct bine_arena_region *region) {
    while (*from != NULL && *from != region)
        from = &(*from)->next;
    if (*from == NULL)
        return;
    *from = region->next;
    region->next = *to;
    *to = region;
}

void bine_arena_give(struct bine_arena *a, struct bine_arena_region *region) {
    pthread_mutex_lock(&a->lock);
    move_region(&a->regions, &a->leaving, region);
    sweep(a);
    pthread_mutex_unlock(&a->lock);
}

void bine_arena_give_now(struct bine_arena *a, struct bine_arena_region *region) {
    pthread_mutex_lock(&a->lock);
    forget(&a->regions, region);
    pthread_mutex_unlock(&a->lock);
}

int bine_arena_attach(struct bine_arena *a, const struct bine_arena_card *card,
                      struct bine_arena_attached *x, struct bine_reason *why) {
    pthread_mutex_lock(&a->lock);
    x->peer = bine_arena_map(&a->peers, card, why);
    x->memory = x->peer != NULL ? bine_arena_mapped(x->peer, card) : NULL;
    pthread_mutex_unlock(&a->lock);
    return x->peer != NULL ? 0 : -1;
}

void bine_arena_detach(struct bine_arena *a, struct bine_arena_attached *x) {
    pthread_mutex_lock(&a->lock);
    bine_arena_unmap(&a->peers, x->peer);
    pthread_mutex_unlock(&a->lock);
    *x = (struct bine_arena_attached){NULL, NULL};
}

/* Release: reads here come before the writes of the owner, once it has seen this. */
void bine_arena_release(struct bine_arena *a, struct bine_arena_attached *x) {
    atomic_fetch_add_explicit(released(x->memory), 1, memory_order_release);
    bine_arena_detach(a, x);
}

int bine_arena_can_read(const struct bine_arena_card *card) {
    uint64_t token[2];
    return bine_expose_read((int64_t)card->pid, card->secret, token, sizeof token) == 0 &&
           memcmp(token, card->token, sizeof token) == 0;
}

struct bine_arena_use bine_arena_use(struct bine_arena *a) {
    struct bine_arena_use use = {.most = a->most};
    pthread_mutex_lock(&a->lock);
    sweep(a);
    const struct bine_arena_region *const list[] = {a->regions, a->leaving};
    for (int k = 0; k < 2; k++)
        for (const struct bine_arena_region *r = list[k]; r != NULL; r = r->next) {
            use.taken += page_up(end_of(r) - r->offset);
            use.regions++;
        }
    use.peers = bine_arena_mappings(a->peers);
    pthread_mutex_unlock(&a->lock);
    return use;
}
