#include "comm/progress.h"

#include "base/one_thread.h"
#include "engine/transport/transport.h"

#include <sched.h>
#include <stddef.h>

atomic_int bine_pending_calls;
atomic_int bine_progress_hooked;

/* A ticket lock for the list of pending calls. A thread that advances calls or changes the list
 * takes a ticket. Advancing calls MPI, which comes back here: it must find that another ticket is
 * served, and not wait for it. Every call comes here twice and hardly ever meets another thread, so
 * to take a ticket is one locked operation, and to give it back is none. Tickets are served in
 * order: threads that poll come back at once, and would starve the others. */
static atomic_uint turns, served;
static struct bine_pending *first;
static int registered;

int bine_progress_is_by_one(void) {
    return bine_transport.is_by_one();
}

/* Where several threads may be in MPICH at once, it may hold locks when it looks. */
int bine_progress_is_hooked(void) {
    return bine_transport.can_hook() ||
           (atomic_load_explicit(&bine_progress_hooked, memory_order_relaxed) &&
            bine_progress_is_by_one());
}

/* Only if the lock is free and without waiters. Acquire: of the last owner's stores. */
static inline int try_turn(void) {
    unsigned next = atomic_load_explicit(&served, memory_order_acquire), found = next;
    if (bine_is_one_thread()) {
        if (atomic_load_explicit(&turns, memory_order_relaxed) != next)
            return 0;
        atomic_store_explicit(&turns, next + 1, memory_order_relaxed);
        return 1;
    }
    return atomic_compare_exchange_strong_explicit(&turns, &found, next + 1, memory_order_relaxed,
                                                   memory_order_relaxed);
}

static inline void wait_for_turn(void) {
    if (bine_is_one_thread()) {
        atomic_store_explicit(&turns, atomic_load_explicit(&served, memory_order_relaxed) + 1,
                              memory_order_relaxed);
        return;
    }
    unsigned mine = atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
    while (atomic_load_explicit(&served, memory_order_acquire) != mine)
        sched_yield();
}

static inline void end_turn(void) {
    unsigned mine = atomic_load_explicit(&served, memory_order_relaxed);
    atomic_store_explicit(&served, mine + 1, memory_order_release);
}

/* In one's turn. */
static void count(int more) {
    int n = atomic_load_explicit(&bine_pending_calls, memory_order_relaxed);
    atomic_store_explicit(&bine_pending_calls, n + more, memory_order_relaxed);
}

static void unlink_request(struct bine_pending *w) {
    if (w->previous != NULL)
        w->previous->next = w->next;
    else
        first = w->next;
    if (w->next != NULL)
        w->next->previous = w->previous;
    w->next = w->previous = NULL;
    w->listed = 0;
    count(-1);
}

/* A completion callback may start another call: the lock is free then. */
int bine_progress_poll(void) {
    struct bine_pending *ended = NULL, *next;
    int completed = 0;
    if (atomic_load_explicit(&bine_pending_calls, memory_order_relaxed) == 0 || !try_turn())
        return 0;
    for (struct bine_pending *w = first; w != NULL; w = next) {
        next = w->next;
        if (!w->advance(w))
            continue;
        unlink_request(w);
        w->next = ended;
        ended = w;
    }
    end_turn();
    for (; ended != NULL; ended = next, completed++) {
        next = ended->next;
        ended->end(ended);
    }
    return completed;
}

int bine_progress_from_mpi(void) {
    return atomic_load_explicit(&bine_pending_calls, memory_order_relaxed) > 0 &&
                   bine_progress_is_hooked()
               ? bine_progress_poll()
               : 0;
}

void bine_progress_add(struct bine_pending *w) {
    wait_for_turn();
    if (!registered && bine_transport.can_hook())
        registered = bine_transport.hook(bine_progress_poll, 1);
    w->listed = 1;
    w->previous = NULL;
    w->next = first;
    if (first != NULL)
        first->previous = w;
    first = w;
    count(1);
    end_turn();
}

int bine_progress_remove(struct bine_pending *w) {
    wait_for_turn();
    int listed = w->listed;
    if (listed)
        unlink_request(w);
    end_turn();
    return listed;
}

static int is_any_detached(void) {
    int left = 0;
    wait_for_turn();
    for (const struct bine_pending *w = first; w != NULL && !left; w = w->next)
        left = w->is_detached(w);
    end_turn();
    return left;
}

/* MPI goes on, too: a call may need messages that are not its own. */
void bine_progress_finish(void) {
    while (is_any_detached() && bine_transport.poll() == BINE_OK) {
        bine_progress_poll();
        sched_yield();
    }
}

/* MPICH looks for messages until it has ended, when there are no boards any more. */
void bine_progress_end(void) {
    wait_for_turn();
    while (first != NULL)
        unlink_request(first);
    if (registered)
        bine_transport.hook(bine_progress_poll, 0);
    registered = 0;
    end_turn();
}
