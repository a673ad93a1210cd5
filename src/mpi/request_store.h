/* Requests, and those that no call has: those of nobody, and those that a communicator keeps bound
 * for the next calls of their kinds. */
#ifndef BINE_MPI_REQUEST_STORE_H
#define BINE_MPI_REQUEST_STORE_H

#include "mpi/collectives.h"
#include "mpi/progress.h"

enum bine_request_state {
    BINE_REQUEST_FREE, /* nobody's: where a program still has a handle of it, it is a stale one */
    BINE_REQUEST_STARTED,
    BINE_REQUEST_DETACHED, /* the same, and nobody will ask for its end */
    BINE_REQUEST_OVER
};

/* In place of a place. */
enum { BINE_REQUEST_NOWHERE = -1 };

struct bine_user_request {
    struct bine_under_way way;      /* the first field */
    struct bine_user_request *next; /* of those free, or of those persistent */
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
    void (*tell)(struct bine_user_request *r); /* of its end; NULL: the program will ask */
    int tag;            /* by which the drop-in library tells: no other request has the same */
    int place;          /* among those that are ready on the communicator, or none */
    int holds;          /* it may have anything of what follows, or is kept to be started again */
    int holds_operator; /* of the program's own */
    void *kept;         /* copies of the arrays of the call, or NULL */
    MPI_Datatype *held; /* of a type for each rank those that are held, so many; or NULL */
    int nheld;
    struct bine_staged *staged; /* copies that MPI makes the call with, or NULL */
};

/* One that is bound to nothing, or NULL. */
struct bine_user_request *bine_request_new(void);
/* Nobody's again. */
void bine_request_store(struct bine_user_request *r);

/* Of the requests that are ready, any, perhaps bound; else a new one, or NULL. `like`: there may be
 * more calls like that one, so that a new one is better as long as there is a place to keep it. */
struct bine_user_request *bine_request_take(struct bine_context *c, int like);
/* Or the one that is bound to the call of a memo with such a stamp; else NULL. Calls may end in
 * other threads, and become ready there; they are taken in one at a time, as MPI wants it of the
 * calls on a communicator. Whoever ends a call may empty its place, and only then says that it is
 * not busy: so look at that first. */
static inline struct bine_user_request *bine_request_take_bound(struct bine_context *c,
                                                                uint64_t stamp) {
    for (int i = 0; i < BINE_READY; i++) {
        int busy = atomic_load_explicit(&c->busy[i], memory_order_acquire);
        struct bine_user_request *r = atomic_load_explicit(&c->ready[i], memory_order_acquire);
        if (busy || r == NULL || r->stamp != stamp)
            continue;
        atomic_store_explicit(&c->busy[i], 1, memory_order_relaxed);
        return r;
    }
    return NULL;
}

/* The request is not needed any more. Most are kept as they are, in their places. */
void bine_request_let_go(struct bine_user_request *r);
static inline void bine_request_release(struct bine_user_request *r) {
    struct bine_context *c = r->context;
    if (r->holds || r->place == BINE_REQUEST_NOWHERE || c->over) {
        bine_request_let_go(r);
        return;
    }
    atomic_store_explicit(&r->state, BINE_REQUEST_FREE, memory_order_release);
    atomic_store_explicit(&c->busy[r->place], 0, memory_order_release);
}
/* Of a context, those that are ready become nobody's. */
void bine_requests_forget(struct bine_context *c);

#endif
