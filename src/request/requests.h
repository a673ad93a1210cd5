/* Calls that were started and may be left pending: Bine_Request. */
#ifndef BINE_REQUEST_REQUESTS_H
#define BINE_REQUEST_REQUESTS_H

#include "request/request_store.h"

/* The context of a communicator where calls can be started, or NULL: MPI makes them. Returns an MPI
 * error code: there is no such communicator, and its handler has been called. */
int bine_call_find(const struct bine_arguments *a, struct bine_context **c);
/* The reason where they could be left pending nowhere. */
extern const char bine_reason_no_progress[];
/* Make a call ready to be started, on such a communicator. *request is NULL where MPI makes it.
 * Returns an MPI error class. */
int bine_call_ready(struct bine_context *c, const struct bine_arguments *a,
                    struct bine_request **request);
/* The form for a plan, which is started again and again: it shares nothing with cached calls. */
int bine_call_plan(struct bine_context *c, const struct bine_arguments *a,
                   const struct bine_call *call, const struct bine_choice *choice,
                   struct bine_request **request);
/* Start it without waiting. Returns an MPI error code: then it has not begun. */
int bine_request_begin(struct bine_request *r);
/* Forward a nonblocking call to MPI, with copies of buffers that MPI cannot take; MPI starts its
 * own request. Returns an MPI error code; the handler has been called. */
int bine_request_forward(const struct bine_arguments *a, struct bine_request **request);
/* Take such a call further whenever MPI looks for messages; where it never says so, to its end now.
 */
void bine_request_track(struct bine_request *r);
/* A call for Bine_IX, by Bine or by MPI. Returns an MPI error code; the handler has been called. */
int bine_call_start(const struct bine_arguments *a, struct bine_request **request);

/* MPI is through with a call that it made: then its results are where they belong. Returns an MPI
 * error code. */
int bine_request_unstage(struct bine_request *r, int rc);
/* Take it further: whether it has come to its end. */
int bine_request_advance(struct bine_request *r);

/* Whether it is over, or with `wait` when it is: then *rc is its result, and it can be started
 * again. */
int bine_request_is_over(struct bine_request *r, int wait, int *rc);

#endif
