/* How a rank waits at a board.
 *
 * Where every rank has a core, it looks, with a pause of the processor in between, as long as the
 * one it waits for probably runs; then it gives its core away between looks. Now and then it lets
 * the caller's transport go on (MPI comes in there alone), as the one it waits for may be waiting
 * for a message of this process.
 *
 * On a crowded node it gives its core away at once: it yields, which is fast where the other ranks
 * alone want the core, or it sleeps until the rank that it waits for wakes it, which is fast where
 * a stranger would have the core for a whole turn. It learns from the time that yielding takes
 * which of the two it is (sleep.c). */
#ifndef BINE_BOARD_WAIT_H
#define BINE_BOARD_WAIT_H

struct bine_boards;

struct bine_wait {
    int (*progress)(void *with); /* or NULL; another result than 0 ends the wait */
    void *with;
    unsigned spins; /* looks before the core is given away; 0: there are more ranks than cores */
    struct bine_boards *boards; /* at which it may sleep (bine_boards_let_sleep); or NULL */
    int (*is_busy)(void);       /* or NULL; whether more than this wait needs the core: no sleep */
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

/* As below, once the core is given away. */
int bine_wait_give_way(const struct bine_wait *w, unsigned looks);

/* Between two looks; `looks` counts the looks of one wait, and begins with 0. Returns what
 * `progress` says, or 0. */
static inline int bine_wait_once(const struct bine_wait *w, unsigned *looks) {
    unsigned n = ++*looks;
    int rc = 0;
    if (n >= w->spins)
        return bine_wait_give_way(w, n);
    if (w->progress != NULL && n % BINE_WAIT_PROGRESS == 0)
        rc = w->progress(w->with);
    bine_wait_pause();
    return rc;
}

#endif
