/* How a rank waits at a board.
 *
 * It looks, with a pause of the processor in between, as long as the one it waits for probably runs
 * on another core; then it gives its core away between looks. It never sleeps in the kernel: no
 * rank would wake it. Now and then it lets the caller's transport go on (MPI comes in there alone),
 * as the one it waits for may be waiting for a message of this process. */
#ifndef BINE_BOARD_WAIT_H
#define BINE_BOARD_WAIT_H

#include <sched.h>

struct bine_wait {
    int (*progress)(void *with); /* or NULL; another result than 0 ends the wait */
    void *with;
    unsigned spins; /* looks before the core is given away; 0: there are more ranks than cores */
};

/* Looks, at a core that is not shared, for some 50 microseconds. */
enum { BINE_WAIT_SPINS = 1024 };
/* Looks between two calls of `progress` while spinning. It costs as much as several looks. */
enum { BINE_WAIT_PROGRESS = 128 };

static inline void bine_wait_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Between two looks; `looks` counts the looks of one wait, and begins with 0. Returns what
 * `progress` says, or 0. */
static inline int bine_wait_once(const struct bine_wait *w, unsigned *looks) {
    unsigned n = ++*looks;
    int spins = n < w->spins, rc = 0;
    if (w->progress != NULL && (!spins || n % BINE_WAIT_PROGRESS == 0))
        rc = w->progress(w->with);
    if (spins)
        bine_wait_pause();
    else
        sched_yield();
    return rc;
}

#endif
