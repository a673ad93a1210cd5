/* Preloaded into the ranks of a lab: makes empty polls wait.
 *
 * MPI libraries poll their connections without end. With many more ranks than cores, that keeps the
 * processors from those who have something to do, and a small message takes a hundred milliseconds.
 * So from the fifth poll in a row on that finds nothing, a poll that was not to wait waits, a
 * millisecond at most. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>

enum { EMPTY_MOST = 4, WAIT = 1 };

static _Thread_local int empty; /* polls in a row that found nothing */

static int timeout_of(int timeout) {
    return timeout == 0 && empty >= EMPTY_MOST ? WAIT : timeout;
}

static int note(int found) {
    empty = found != 0 ? 0 : empty < EMPTY_MOST ? empty + 1 : empty;
    return found;
}

int poll(struct pollfd *fds, nfds_t n, int timeout) {
    static int (*real)(struct pollfd *, nfds_t, int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "poll");
    return note(real(fds, n, timeout_of(timeout)));
}

int epoll_wait(int epfd, struct epoll_event *events, int most, int timeout) {
    static int (*real)(int, struct epoll_event *, int, int);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "epoll_wait");
    return note(real(epfd, events, most, timeout_of(timeout)));
}
