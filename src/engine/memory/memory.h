/* Kinds of memory that a caller's buffer may lie in: the host's own, or a device's.
 *
 * A kind is known by the runtime that hands it out (CUDA, HIP). Bine links with none: it asks the
 * runtimes that the program has loaded, about each buffer of each call. A program may load one at
 * any time, so that "none" only holds until something else is loaded. That is cheap to know: the
 * loader appends to its list, so nothing was loaded as long as its last entry is still the last. */
#ifndef BINE_ENGINE_MEMORY_H
#define BINE_ENGINE_MEMORY_H

#include "device/device.h"

#include <link.h>
#include <stdatomic.h>
#include <stddef.h>

struct bine_memory {
    const char *name;
    /* Whether an address is in such memory. */
    int (*recognise)(const void *address);
    /* Copy between such memory and the host's, or within it; done on return. An MPI error code. */
    int (*copy)(void *to, const void *from, size_t bytes);
    /* Until all is done that the program has begun in a stream of the device that has the memory at
     * an address. An MPI error code. */
    int (*wait)(const void *address, void *stream);
    /* The device's own operations; NULL: none, its memory is staged through the host's. */
    const struct bine_device *device;
};

/* The object that was loaded last when no runtime was found, or NULL: look again. It is kept from
 * being unloaded. */
extern _Atomic(struct link_map *) bine_memory_last;

const struct bine_memory *bine_memory_ask(const void *address);

/* Whether the MPI library takes addresses in such memory: the library tells, unless it was set
 * before (1, or 0). */
int bine_memory_is_mpi_aware(void);
void bine_memory_set_mpi_aware(int yes);

/* Whether the program may have buffers that the MPI library cannot touch, now or later. */
int bine_memory_is_foreign(void);

/* Whether a runtime is loaded. */
int bine_memory_is_loaded(void);

/* Whether the program has a device that adds up and copies for the ranks of its node. */
int bine_memory_has_device(void);

/* Whether there is no other memory than the host's. */
static inline int bine_memory_is_host_only(void) {
    struct link_map *last = atomic_load_explicit(&bine_memory_last, memory_order_acquire);
    return last != NULL && __atomic_load_n(&last->l_next, __ATOMIC_RELAXED) == NULL;
}

/* The kind of memory at an address; NULL: the host's. */
static inline const struct bine_memory *bine_memory_at(const void *address) {
    return bine_memory_is_host_only() ? NULL : bine_memory_ask(address);
}

#endif
