/* Preloaded into the ranks under MPICH: Debian's MPICH polls UCX without ever giving up the
 * processor, which takes milliseconds for every message once there are more ranks than cores.
 * UCX is found by its name where RTLD_NEXT does not see it, because a program loads it late, as
 * Python does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker) {
    static unsigned (*real)(void *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (real == NULL)
        *(void **)&real = dlsym(dlopen("libucp.so.0", RTLD_LAZY), "ucp_worker_progress");
    unsigned n = real(worker);
    if (n == 0)
        sched_yield();
    return n;
}
