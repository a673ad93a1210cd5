/* The function of UCX by which MPICH looks for messages: after it, pending calls go on. A program
 * that is linked with Bine finds this one first; with the drop-in library, that of preload/. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "comm/progress.h"

#include <dlfcn.h>
#include <string.h>

typedef unsigned look_function(void *worker);

unsigned ucp_worker_progress(void *worker);

static look_function *find(void) {
    look_function *f = NULL;
    void *address = dlsym(RTLD_NEXT, "ucp_worker_progress");
    memcpy(&f, &address, sizeof f);
    return f;
}

/* UCX is not reentrant: its callbacks must not come here. */
unsigned ucp_worker_progress(void *worker) {
    static look_function *_Atomic real;
    static _Thread_local int inside;
    look_function *f = atomic_load_explicit(&real, memory_order_relaxed);
    if (f == NULL)
        atomic_store_explicit(&real, f = find(), memory_order_relaxed);
    if (f == NULL)
        return 0;
    inside++;
    unsigned n = f(worker);
    inside--;
    if (inside == 0) {
        atomic_store_explicit(&bine_progress_hooked, 1, memory_order_relaxed);
        n += (unsigned)bine_progress_from_mpi();
    }
    return n;
}
