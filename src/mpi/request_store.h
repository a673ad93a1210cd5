/* Requests that no call has: those of nobody, and those that a communicator keeps bound for the next
 * calls of their kinds. */
#ifndef BINE_MPI_REQUEST_STORE_H
#define BINE_MPI_REQUEST_STORE_H

#include "mpi/requests.h"

/* One that is bound to nothing, or NULL. */
struct bine_user_request *bine_request_new(void);
/* Nobody's again. */
void bine_request_store(struct bine_user_request *r);

/* Of the requests that are ready, any, perhaps bound; else a new one, or NULL. `like`: there may be
 * more calls like that one, so that a new one is better as long as there is a place to keep it. */
struct bine_user_request *bine_request_take(struct bine_context *c, int like);
/* Or the one that is bound to the call of a memo with such a stamp; else NULL. Calls may end in
 * other threads, and become ready there; they are taken in one at a time, as MPI wants it of the
 * calls on a communicator. */
static inline struct bine_user_request *bine_request_take_bound(struct bine_context *c,
                                                                uint64_t stamp) {
    for (int i = 0; i < BINE_READY; i++) {
        struct bine_user_request *r = atomic_load_explicit(&c->ready[i], memory_order_acquire);
        if (r == NULL || atomic_load_explicit(&c->busy[i], memory_order_acquire) ||
            r->stamp != stamp)
            continue;
        atomic_store_explicit(&c->busy[i], 1, memory_order_relaxed);
        return r;
    }
    return NULL;
}

/* Of a context, those that are ready become nobody's. */
void bine_requests_forget(struct bine_context *c);

#endif
