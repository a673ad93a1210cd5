/* Requests, and their store: unused requests, and requests that a communicator keeps bound for the
 * next calls of their kinds. */
#ifndef BINE_REQUEST_REQUEST_STORE_H
#define BINE_REQUEST_REQUEST_STORE_H

#include "call/collectives.h"
#include "comm/progress.h"
#include "mpi/deferred_free.h"

enum bine_request_state {
    BINE_REQUEST_FREE, /* unused: a handle that a program still has is stale */
    BINE_REQUEST_STARTED,
    BINE_REQUEST_DETACHED, /* started, and the program will never ask for its end */
    BINE_REQUEST_OVER
};

/* In place of a place. */
enum { BINE_REQUEST_NOWHERE = -1 };

struct bine_request {
    struct bine_pending way;   /* the first field */
    struct bine_request *next; /* of the unused requests, or of the persistent ones */
    atomic_int state;
    int rc;                       /* at its end */
    MPI_Request mpi;              /* where MPI makes the call; the program's, of a persistent one */
    MPI_Comm comm;                /* the program's, for errors */
    struct bine_context *context; /* in use; NULL: MPI makes the call */
    struct bine_plan *plan;       /* held, as long as the call is bound to it */
    uint64_t stamp;               /* of the memo whose call it is bound to; 0: of none */
    MPI_Datatype type[2];         /* held; or MPI_DATATYPE_NULL */
    struct bine_workspace workspace;
    struct bine_bound bound;
    void (*complete)(struct bine_request *r); /* of its end; NULL: the program will ask */
    int tag;              /* by which the drop-in library completes it: unique among requests */
    int place;            /* among the ready requests of the communicator, or none */
    int retains;          /* it may have any of the fields below, or is kept to be started again */
    int retains_operator; /* of the program's own: */
    struct bine_held_operator operator;
    void *kept;             /* copies of the arrays of the call, or NULL */
    MPI_Datatype *retained; /* types retained for the ranks: `nretained` of them; or NULL */
    int nretained;
    struct bine_staged *staged; /* copies that MPI makes the call with, or NULL */
};

/* One that is bound to nothing, or NULL. */
struct bine_request *bine_request_new(void);
/* Put it back among the unused requests. */
void bine_request_store(struct bine_request *r);

/* Of the requests that are ready, any, perhaps bound; else a new one, or NULL. `like`: there may be
 * more calls like that one, so that a new one is better as long as there is a place to keep it. */
struct bine_request *bine_request_take(struct bine_context *c, int like);
/* The request that is bound to the call of the memo with this stamp; else NULL. Calls may complete
 * in other threads, and become ready there; they are taken one at a time, as MPI demands of the
 * calls on a communicator. A thread that completes a call may empty its place, and only then clears
 * `busy`: so read `busy` first. */
static inline struct bine_request *bine_request_take_bound(struct bine_context *c, uint64_t stamp) {
    for (int i = 0; i < BINE_READY; i++) {
        int busy = atomic_load_explicit(&c->pending.busy[i], memory_order_acquire);
        struct bine_request *r = atomic_load_explicit(&c->pending.ready[i], memory_order_acquire);
        if (busy || r == NULL || r->stamp != stamp)
            continue;
        atomic_store_explicit(&c->pending.busy[i], 1, memory_order_relaxed);
        return r;
    }
    return NULL;
}

/* The request is not needed any more. Most are kept as they are, in their places. */
void bine_request_recycle(struct bine_request *r);
static inline void bine_request_release(struct bine_request *r) {
    struct bine_context *c = r->context;
    if (r->retains || r->place == BINE_REQUEST_NOWHERE || c->id.finalizing) {
        bine_request_recycle(r);
        return;
    }
    atomic_store_explicit(&r->state, BINE_REQUEST_FREE, memory_order_release);
    atomic_store_explicit(&c->pending.busy[r->place], 0, memory_order_release);
}
/* The ready requests of a context become unused. */
void bine_requests_forget(struct bine_context *c);
/* At MPI_Finalize. */
void bine_requests_end(void);

#endif
