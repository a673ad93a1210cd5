/* Calls that were started and may be left under way: Bine_Request. */
#ifndef BINE_MPI_REQUESTS_H
#define BINE_MPI_REQUESTS_H

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

/* The context of a communicator where calls can be started, or NULL: MPI makes them. Returns an MPI
 * error code: there is no such communicator, and its handler has been called. */
int bine_call_find(const struct bine_arguments *a, struct bine_context **c);
/* Make a call ready to be started, on such a communicator. *request is NULL where MPI makes it.
 * Returns an MPI error class. */
int bine_call_ready(struct bine_context *c, const struct bine_arguments *a,
                    struct bine_user_request **request);
/* The same for a plan, which is started again and again: nothing that was prepared is shared. */
int bine_call_plan(struct bine_context *c, const struct bine_arguments *a,
                   struct bine_user_request **request);
/* Start it: it waits for nobody. Returns an MPI error code: then it has not begun. */
int bine_request_begin(struct bine_user_request *r);
/* The same for a call that MPI makes, with copies of what it cannot take; it is not started, but
 * MPI's is. Returns an MPI error code; the handler has been called. */
int bine_request_hand_on(const struct bine_arguments *a, struct bine_user_request **request);
/* Take such a call further whenever MPI looks for messages; where it never says so, to its end now.
 */
void bine_request_follow(struct bine_user_request *r);
/* The request is not needed any more. */
void bine_request_release(struct bine_user_request *r);
/* A call for Bine_IX, whoever makes it. Returns an MPI error code; the handler has been called. */
int bine_call_start(const struct bine_arguments *a, struct bine_user_request **request);

/* MPI is through with a call that it made: then its results are where they belong. Returns an MPI
 * error code. */
int bine_request_unstage(struct bine_user_request *r, int rc);
/* Take it further: whether it has come to its end. */
int bine_request_advance(struct bine_user_request *r);
/* The same for one among what is under way; and its end there. */
int bine_request_advance_way(struct bine_under_way *w);
void bine_request_end_way(struct bine_under_way *w);

/* Whether it is over, or with `wait` when it is: then *rc is its result, and it can be started
 * again. */
int bine_request_is_over(struct bine_user_request *r, int wait, int *rc);

#endif
