#include "mpi/progress.h"

#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

/* Of Open MPI: what it calls when it looks for messages. A weak name is NULL where there is none.
 */
int opal_progress_register(int (*callback)(void)) __attribute__((weak));
int opal_progress_unregister(int (*callback)(void)) __attribute__((weak));

atomic_int bine_under_way;
atomic_int bine_polled;

/* Held by whoever takes calls further, or changes the list of them. The messages of a call are
 * looked for in MPI, which comes back here: it must find the lock taken, not wait for it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bine_under_way *first;
static int registered;

/* Where several threads may be in MPICH at once, it may hold locks when it looks. */
int bine_progress_is_hooked(void) {
    int level;
    return opal_progress_register != NULL ||
           (atomic_load_explicit(&bine_polled, memory_order_relaxed) &&
            PMPI_Query_thread(&level) == MPI_SUCCESS && level != MPI_THREAD_MULTIPLE);
}

/* Under the lock. */
static void count(int more) {
    int n = atomic_load_explicit(&bine_under_way, memory_order_relaxed);
    atomic_store_explicit(&bine_under_way, n + more, memory_order_relaxed);
}

static void unlink_request(struct bine_under_way *w) {
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

/* Who is told of an end may start another call: nothing is held then. */
int bine_progress_poll(void) {
    struct bine_under_way *ended = NULL, *next;
    int over = 0;
    if (atomic_load_explicit(&bine_under_way, memory_order_relaxed) == 0 ||
        pthread_mutex_trylock(&lock) != 0)
        return 0;
    for (struct bine_under_way *w = first; w != NULL; w = next) {
        next = w->next;
        if (!w->advance(w))
            continue;
        unlink_request(w);
        w->next = ended;
        ended = w;
    }
    pthread_mutex_unlock(&lock);
    for (; ended != NULL; ended = next, over++) {
        next = ended->next;
        ended->end(ended);
    }
    return over;
}

int bine_progress_looked(void) {
    return atomic_load_explicit(&bine_under_way, memory_order_relaxed) > 0 &&
                   bine_progress_is_hooked()
               ? bine_progress_poll()
               : 0;
}

void bine_progress_add(struct bine_under_way *w) {
    pthread_mutex_lock(&lock);
    if (!registered && opal_progress_register != NULL)
        registered = opal_progress_register(bine_progress_poll) == 0;
    w->listed = 1;
    w->previous = NULL;
    w->next = first;
    if (first != NULL)
        first->previous = w;
    first = w;
    count(1);
    pthread_mutex_unlock(&lock);
}

int bine_progress_remove(struct bine_under_way *w) {
    pthread_mutex_lock(&lock);
    int listed = w->listed;
    if (listed)
        unlink_request(w);
    pthread_mutex_unlock(&lock);
    return listed;
}

void bine_progress_end(void) {
    pthread_mutex_lock(&lock);
    if (registered)
        opal_progress_unregister(bine_progress_poll);
    registered = 0;
    pthread_mutex_unlock(&lock);
}
