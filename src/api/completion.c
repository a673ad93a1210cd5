/* Waiting for requests, and asking for them: each of these takes all pending calls further. */
#include "request/requests.h"

#include "call/call.h"

#include "bine.h"

#include <sched.h>

/* Check the program's requests: NULL is a completed one, and a stale one is an error. */
static int check(int count, const Bine_Request *request) {
    if (count < 0)
        return MPI_ERR_COUNT;
    if (count > 0 && request == NULL)
        return MPI_ERR_REQUEST;
    for (int i = 0; i < count; i++)
        if (request[i] != NULL && atomic_load(&request[i]->state) != BINE_REQUEST_STARTED &&
            atomic_load(&request[i]->state) != BINE_REQUEST_OVER)
            return MPI_ERR_REQUEST;
    return MPI_SUCCESS;
}

/* A rank that tests a call at boards, and nothing else, lets MPI make progress as a waiting rank
 * does: peers may need a message of this process before they come. */
static void poll_mpi(const struct bine_request *r) {
    const struct bine_node *node = r->context != NULL ? r->bound.execution.board.node : NULL;
    if (node == NULL)
        return;
    node->wait.progress(node->wait.with);
    if (node->wait.spins == 0)
        sched_yield();
}

/* Whether it is over; of one that MPI makes, MPI is asked. */
static int is_over(struct bine_request *r) {
    int completed = atomic_load(&r->state) == BINE_REQUEST_OVER;
    if (!completed)
        poll_mpi(r);
    if (!completed && r->context == NULL && bine_request_advance(r)) {
        atomic_store(&r->state, BINE_REQUEST_OVER);
        completed = 1;
    }
    return completed;
}

/* Wait for completion without a test first: no other thread advances it meanwhile. Other pending
 * calls go on when MPI waits. */
static void wait_for(struct bine_request *r) {
    int done = 0;
    if (r->context == NULL) {
        if (!is_over(r))
            r->rc = bine_request_unstage(r, PMPI_Wait(&r->mpi, MPI_STATUS_IGNORE));
        atomic_store(&r->state, BINE_REQUEST_OVER);
        return;
    }
    if (atomic_load(&r->state) == BINE_REQUEST_OVER)
        return;
    if (!bine_progress_remove(&r->way)) {
        while (atomic_load(&r->state) != BINE_REQUEST_OVER) /* another thread is about to say so */
            sched_yield();
        return;
    }
    int rc = bine_bound_progress(&r->bound, 1, &done);
    r->rc = bine_call_result(&r->bound.call, rc);
    atomic_store_explicit(&r->state, BINE_REQUEST_OVER, memory_order_release);
}

int bine_request_is_over(struct bine_request *r, int wait, int *rc) {
    if (wait)
        wait_for(r);
    else
        bine_progress_poll();
    if (!is_over(r))
        return 0;
    *rc = r->rc;
    atomic_store(&r->state, BINE_REQUEST_FREE);
    return 1;
}

/* The program is told of the end. MPI has called the handler for its own errors. */
static int finish(Bine_Request *request) {
    struct bine_request *r = *request;
    struct bine_context *c = r->context;
    int rc = r->rc;
    MPI_Comm comm =
        c != NULL && c->id.orphaned ? MPI_COMM_NULL : r->comm; /* it may have been freed */
    *request = NULL;
    bine_request_release(r);
    bine_contexts_sweep();
    return rc == MPI_SUCCESS || c == NULL ? rc : bine_raise(comm, rc);
}

static int first_of(int before, int now) {
    return before != MPI_SUCCESS ? before : now;
}

int Bine_Wait(Bine_Request *request) {
    int rc = request == NULL ? MPI_ERR_REQUEST : check(1, request);
    if (rc != MPI_SUCCESS)
        return bine_raise(MPI_COMM_NULL, rc);
    if (*request == NULL)
        return MPI_SUCCESS;
    wait_for(*request);
    return finish(request);
}

int Bine_Test(Bine_Request *request, int *flag) {
    int rc = request == NULL ? MPI_ERR_REQUEST : flag == NULL ? MPI_ERR_ARG : check(1, request);
    if (rc != MPI_SUCCESS)
        return bine_raise(MPI_COMM_NULL, rc);
    bine_progress_poll();
    *flag = *request == NULL || is_over(*request);
    return *flag && *request != NULL ? finish(request) : MPI_SUCCESS;
}

int Bine_Waitall(int count, Bine_Request request[]) {
    int rc = check(count, request);
    if (rc != MPI_SUCCESS)
        return bine_raise(MPI_COMM_NULL, rc);
    for (int i = 0; i < count; i++)
        if (request[i] != NULL) {
            wait_for(request[i]);
            rc = first_of(rc, finish(&request[i]));
        }
    return rc;
}

int Bine_Testall(int count, Bine_Request request[], int *flag) {
    int rc = flag == NULL ? MPI_ERR_ARG : check(count, request);
    if (rc != MPI_SUCCESS)
        return bine_raise(MPI_COMM_NULL, rc);
    bine_progress_poll();
    *flag = 1;
    for (int i = 0; i < count; i++)
        *flag = (request[i] == NULL || is_over(request[i])) && *flag;
    for (int i = 0; i < count && *flag; i++)
        if (request[i] != NULL)
            rc = first_of(rc, finish(&request[i]));
    return rc;
}

/* Collect completed requests, up to `most`: their number and places; MPI_UNDEFINED if all are NULL.
 */
static int take_some(int count, Bine_Request request[], int most, int *found, int indices[]) {
    int active = 0, rc = MPI_SUCCESS;
    *found = 0;
    for (int i = 0; i < count && *found < most; i++) {
        if (request[i] == NULL)
            continue;
        active = 1;
        if (!is_over(request[i]))
            continue;
        indices[(*found)++] = i;
        rc = first_of(rc, finish(&request[i]));
    }
    if (!active)
        *found = MPI_UNDEFINED;
    return rc;
}

static int some(int count, Bine_Request request[], int most, int wait, int *found, int indices[]) {
    int rc = count > 0 && indices == NULL ? MPI_ERR_ARG : check(count, request);
    if (rc != MPI_SUCCESS)
        return bine_raise(MPI_COMM_NULL, rc);
    do {
        bine_progress_poll();
        rc = take_some(count, request, most, found, indices);
    } while (wait && *found == 0);
    return rc;
}

int Bine_Waitsome(int count, Bine_Request request[], int *outcount, int indices[]) {
    if (outcount == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    return some(count, request, count, 1, outcount, indices);
}

int Bine_Testsome(int count, Bine_Request request[], int *outcount, int indices[]) {
    if (outcount == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    return some(count, request, count, 0, outcount, indices);
}

int Bine_Waitany(int count, Bine_Request request[], int *index) {
    int found = 0, rc = some(count, request, 1, 1, &found, index);
    if (index != NULL && found == MPI_UNDEFINED)
        *index = MPI_UNDEFINED;
    return rc;
}

int Bine_Testany(int count, Bine_Request request[], int *index, int *flag) {
    int found = 0;
    if (flag == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    int rc = some(count, request, 1, 0, &found, index);
    *flag = found != 0;
    if (index != NULL && found != 1)
        *index = MPI_UNDEFINED;
    return rc;
}

/* One that is not over goes on, and is freed at its end. */
int Bine_Request_free(Bine_Request *request) {
    int rc = request == NULL || *request == NULL ? MPI_ERR_REQUEST : check(1, request);
    if (rc != MPI_SUCCESS)
        return bine_raise(MPI_COMM_NULL, rc);
    struct bine_request *r = *request;
    int started = BINE_REQUEST_STARTED, made_by_mpi = r->context == NULL;
    *request = NULL;
    if (!atomic_compare_exchange_strong(&r->state, &started, BINE_REQUEST_DETACHED))
        bine_request_release(r);
    else if (made_by_mpi)
        bine_progress_add(&r->way);
    return MPI_SUCCESS;
}
