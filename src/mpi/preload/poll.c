/* The function of UCX by which MPICH looks for messages: calls under way go on after it.
 *
 * MPICH may have been loaded where RTLD_NEXT does not see its libraries, as Python does it; then
 * the caller's own libraries have it. */
#define _GNU_SOURCE /* RTLD_NEXT, dladdr */
#include "mpi/preload/find.h"

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

/* Whether somebody wants to go on. That MPI has come here is said once. */
static int is_wanted(const struct bine_preload *bine) {
    static atomic_int said;
    if (bine->under_way == NULL)
        return 0;
    if (!atomic_load_explicit(&said, memory_order_relaxed)) {
        atomic_store(bine->polled, 1);
        atomic_store(&said, 1);
    }
    return atomic_load_explicit(bine->under_way, memory_order_relaxed) > 0;
}

/* UCX may not be entered again from within: what it calls back must not come here. */
unsigned ucp_worker_progress(void *worker) {
    static look_function *_Atomic real;
    static _Thread_local int inside;
    look_function *f = atomic_load_explicit(&real, memory_order_relaxed);
    if (f == NULL)
        atomic_store_explicit(&real, f = find(__builtin_return_address(0)), memory_order_relaxed);
    if (f == NULL)
        return 0;
    inside++;
    unsigned n = f(worker);
    inside--;
    if (inside == 0 && is_wanted(bine_attached()))
        n += (unsigned)bine_attached()->poll();
    return n;
}
