/* Preloaded into the ranks, so that tests hold with more ranks than cores, and beside other busy
 * processes. A rank that waits gives up its processor by sched_yield: Open MPI and the boards of
 * Bine do; Debian's MPICH, which polls UCX without ever doing so, is made to here. But sched_yield
 * may hand every other process a whole turn of milliseconds, for each message. So the rank sleeps
 * instead, for a moment (and the 50 microseconds of slack that Linux adds), and is soon served when
 * it wakes up: a test of 500 communicators took 9 s in place of 87 beside a loop on one core.
 * UCX is found by its name where RTLD_NEXT does not see it, because a program loads it late, as
 * Python does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

unsigned ucp_worker_progress(void *worker);

int sched_yield(void) {
    nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    return 0;
}

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
