/* The function of UCX by which MPICH looks for messages: pending calls go on after it.
 *
 * MPICH may have been loaded where RTLD_NEXT does not see its libraries, as Python does it; then
 * the caller's own libraries have it. */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr */
#include "dropin/preload/find.h"
#include "dropin/preload/jump.h"

#include <dlfcn.h>
#include <string.h>

#define NAME "ucp_worker_progress"

typedef unsigned look_function(void *worker);

__attribute__((visibility("default"))) look_function ucp_worker_progress;

static look_function *find(const void *caller) {
    look_function *f = NULL;
    Dl_info info;
    void *address = bine_real_dlsym(RTLD_NEXT, NAME), *library = NULL;
    if (address == NULL && dladdr(caller, &info) != 0)
        library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL)
        address = bine_real_dlsym(library, NAME);
    memcpy(&f, &address, sizeof f);
    return f;
}

static look_function *_Atomic real;
/* Pending calls are counted there. NULL: Bine has not been told yet that MPI comes here. */
static const atomic_int *_Atomic pending;

/* Whether calls are pending. That MPI polls here is recorded once. */
static int is_wanted(const struct bine_preload_library *bine) {
    if (bine == NULL || bine->pending == NULL)
        return 0;
    if (atomic_load_explicit(&pending, memory_order_relaxed) == NULL) {
        atomic_store(bine->polled, 1);
        atomic_store(&pending, bine->pending);
    }
    return atomic_load_explicit(bine->pending, memory_order_relaxed) > 0;
}

/* UCX is not reentrant: its callbacks must not come here. */
static __attribute__((noinline)) unsigned look(void *worker, const void *caller) {
    static _Thread_local int inside;
    look_function *f = atomic_load_explicit(&real, memory_order_relaxed);
    if (f == NULL)
        atomic_store_explicit(&real, f = find(caller), memory_order_relaxed);
    if (f == NULL)
        return 0;
    inside++;
    unsigned n = f(worker);
    inside--;
    if (inside == 0 && is_wanted(bine_attached()))
        n += (unsigned)bine_attached()->poll();
    return n;
}

/* MPI comes here at every look for messages. With no pending call, and none can come to be from
 * within UCX, it jumps on. */
JUMPS unsigned ucp_worker_progress(void *worker) {
    const atomic_int *calls = atomic_load_explicit(&pending, memory_order_relaxed);
    if (calls == NULL || atomic_load_explicit(calls, memory_order_relaxed) > 0)
        return look(worker, __builtin_return_address(0));
    JUMP atomic_load_explicit(&real, memory_order_relaxed)(worker);
}
