/* Giving the core away: yielding, and sleeping in the kernel.
 *
 * To yield costs less than a microsecond where only ranks that wait want the core, and is over when
 * each of them has looked: several times as fast as to sleep and be woken. Where another process
 * runs there (a compiler, a second job, a rank that computes), it has its whole turn of a
 * millisecond or so each time; a rank that sleeps is served soon after it is woken. So every
 * process keeps a mean of the time that yielding takes, and sleeps while that is long.
 *
 * A sleeper is woken by the rank that it waits for, and by time: MPI must go on. As the one that
 * wakes looks at `sleepers` in its own memory, it makes no call of the system where no rank
 * sleeps, and a rank that is killed in its sleep leaves nothing behind but one call in vain. */
#define _GNU_SOURCE /* syscall */

#include "base/numbers.h"
#include "board/board.h"
#include "board/wait.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    PROGRESS = 8, /* yields between two calls of `progress`, which may yield, too */
    YIELDS = 64,  /* of one wait, before it sleeps in any case */
    PARTS = 32    /* of the mean, one is the newest */
};
/* In nanoseconds. */
enum {
    SLOW_YIELD = 50000,
    SLOWEST_YIELD = 4000000, /* a longer one counts as this */
    LONG_PROGRESS = 5000,    /* MPI had something to do */
    FIRST_SLEEP = 1000000,   /* each of a wait is twice as long as the one before, up to */
    LAST_SLEEP = 4000000,
    PERIOD_BITS = 26 /* of the clock: 67 ms */
};

/* The mean, and the period of the clock that it is of. */
static atomic_long yield_time, period;

void bine_boards_let_sleep(struct bine_boards *b) {
    b->sleep.may = b->ends_slowly = 1;
}

/* Not FUTEX_PRIVATE: the word is known by its place in the file, in any process and container. */
static int futex(_Atomic uint32_t *word, int what, uint32_t value, const struct timespec *time) {
    return (int)syscall(SYS_futex, (void *)word, what, value, time, NULL, 0);
}

/* A sleeper exchanges `sleepers` before its last look, and the one that wakes after it has
 * published. Whichever is second sees what the other did before: either the sleeper finds the
 * publication, or it is seen, and then its bell has changed since before that look. */
void bine_boards_ring(struct bine_boards *b) {
    struct bine_board *mine = b->board[b->me];
    if (atomic_exchange_explicit(&mine->sleepers, 0, memory_order_acq_rel) == 0)
        return;
    atomic_fetch_add_explicit(&mine->bell, 1, memory_order_release);
    futex(&mine->bell, FUTEX_WAKE, INT32_MAX, NULL);
}

int bine_boards_sleep(struct bine_boards *b, long nanoseconds) {
    struct bine_board_sleep *s = &b->sleep;
    struct bine_board *theirs = b->board[s->awaited];
    struct timespec time = {0, nanoseconds};
    if (s->armed != s->awaited) {
        s->armed = s->awaited;
        s->bell = atomic_load_explicit(&theirs->bell, memory_order_acquire);
        atomic_exchange_explicit(&theirs->sleepers, 1, memory_order_acq_rel);
        return 0;
    }
    s->armed = -1;
    return futex(&theirs->bell, FUTEX_WAIT, s->bell, &time) != 0 && errno == ETIMEDOUT;
}

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (long)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int progress(const struct bine_wait *w) {
    return w->progress != NULL ? w->progress(w->with) : 0;
}

/* MPI may yield itself, when it goes on. */
static int yield(const struct bine_wait *w, struct bine_board_sleep *s, unsigned looks,
                 int goes_on) {
    long before = now(), mean = atomic_load_explicit(&yield_time, memory_order_relaxed);
    int rc = goes_on ? progress(w) : 0;
    long between = now();
    sched_yield();
    long took = bine_min(now() - before, (long)SLOWEST_YIELD);
    mean += (took - mean) / PARTS;
    atomic_store_explicit(&yield_time, mean, memory_order_relaxed);
    if (mean > SLOW_YIELD)
        s->yields = 0;
    else if (between - before > LONG_PROGRESS)
        s->yields = looks + YIELDS;
    return rc;
}

/* All ranks forget at one time what yielding took: among others that sleep, it takes longer than
 * among others that yield. */
static int yields_were_slow(void) {
    long this_period = now() >> PERIOD_BITS;
    if (atomic_exchange_explicit(&period, this_period, memory_order_relaxed) != this_period)
        atomic_store_explicit(&yield_time, 0, memory_order_relaxed);
    return atomic_load_explicit(&yield_time, memory_order_relaxed) > SLOW_YIELD;
}

static void begin(struct bine_boards *b) {
    b->sleep.yields = yields_were_slow() ? 0 : YIELDS;
    b->sleep.nanoseconds = FIRST_SLEEP;
    bine_boards_wake(b);
}

int bine_wait_give_way(const struct bine_wait *w, unsigned looks) {
    struct bine_boards *b = w->boards;
    if (b == NULL) {
        int rc = progress(w);
        sched_yield();
        return rc;
    }
    struct bine_board_sleep *s = &b->sleep;
    if (looks == 1)
        begin(b);
    if (s->awaited < 0 || (w->is_busy != NULL && w->is_busy()))
        return yield(w, s, looks, 1);
    if (looks <= s->yields)
        return yield(w, s, looks, looks % PROGRESS == 0);
    if (!bine_boards_sleep(b, s->nanoseconds))
        return 0;
    s->nanoseconds = bine_min(2 * s->nanoseconds, (long)LAST_SLEEP);
    return progress(w);
}
