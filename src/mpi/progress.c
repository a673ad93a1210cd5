#include "mpi/progress.h"

#include "mpi/requests.h"

#include <pthread.h>
#include <stddef.h>

/* Of Open MPI: what it calls when it looks for messages. A weak name is NULL where there is none. */
int opal_progress_register(int (*callback)(void)) __attribute__((weak));
int opal_progress_unregister(int (*callback)(void)) __attribute__((weak));

atomic_int bine_under_way;
atomic_int bine_polled;

/* Held by whoever takes calls further, or changes the list of them. The messages of a call are
 * looked for in MPI, which comes back here: it must find the lock taken, not wait for it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bine_user_request *first;
static int registered;

/* Where several threads may be in MPICH at once, it may hold locks when it looks. */
int bine_progress_is_hooked(void) {
    int level;
    return opal_progress_register != NULL ||
           (atomic_load_explicit(&bine_polled, memory_order_relaxed) &&
            PMPI_Query_thread(&level) == MPI_SUCCESS && level != MPI_THREAD_MULTIPLE);
}

static void unlink_request(struct bine_user_request *r) {
    if (r->previous != NULL)
        r->previous->next = r->next;
    else
        first = r->next;
    if (r->next != NULL)
        r->next->previous = r->previous;
    r->next = r->previous = NULL;
    r->listed = 0;
    atomic_fetch_sub(&bine_under_way, 1);
}

/* Who is told of an end may start another call: nothing is held then. */
int bine_progress_poll(void) {
    struct bine_user_request *ended = NULL, *next;
    int over = 0;
    if (atomic_load_explicit(&bine_under_way, memory_order_relaxed) == 0 ||
        pthread_mutex_trylock(&lock) != 0)
        return 0;
    for (struct bine_user_request *r = first; r != NULL; r = next) {
        next = r->next;
        if (!bine_request_advance(r))
            continue;
        unlink_request(r);
        r->next = ended;
        ended = r;
    }
    pthread_mutex_unlock(&lock);
    for (; ended != NULL; ended = next, over++) {
        next = ended->next;
        bine_request_end(ended);
    }
    return over;
}

void bine_progress_add(struct bine_user_request *r) {
    pthread_mutex_lock(&lock);
    if (!registered && opal_progress_register != NULL)
        registered = opal_progress_register(bine_progress_poll) == 0;
    r->listed = 1;
    r->previous = NULL;
    r->next = first;
    if (first != NULL)
        first->previous = r;
    first = r;
    atomic_fetch_add(&bine_under_way, 1);
    pthread_mutex_unlock(&lock);
}

int bine_progress_remove(struct bine_user_request *r) {
    pthread_mutex_lock(&lock);
    int listed = r->listed;
    if (listed)
        unlink_request(r);
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
