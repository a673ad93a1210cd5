#include "dropin/persistent.h"

#include "base/lock.h"
#include "dropin/completion.h"
#include "mpi/mpi_calls.h"
#include "request/own_boards.h"

/* --- Persistent requests by the program's handle */

enum { LISTS = 64 };

static atomic_int some;
static struct bine_request *list[LISTS];

/* Handles are addresses or numbers. */
static struct bine_request **list_of(MPI_Request request) {
    uintptr_t x = (uintptr_t)request;
    return &list[(x ^ x >> 6 ^ x >> 9) % LISTS];
}

static struct bine_request **place_of(MPI_Request request) {
    struct bine_request **at = list_of(request);
    while (*at != NULL && (*at)->mpi != request)
        at = &(*at)->next;
    return at;
}

static struct bine_request *find(MPI_Request request) {
    bine_lock();
    struct bine_request *r = *place_of(request);
    bine_unlock();
    return r;
}

static struct bine_request *take_out(MPI_Request request) {
    bine_lock();
    struct bine_request **at = place_of(request), *r = *at;
    if (r != NULL) {
        *at = r->next;
        r->next = NULL;
        atomic_fetch_sub(&some, 1);
    }
    bine_unlock();
    return r;
}

static void put_in(struct bine_request *r, MPI_Request request) {
    bine_lock();
    struct bine_request **at = list_of(request);
    r->mpi = request;
    r->next = *at;
    *at = r;
    atomic_fetch_add(&some, 1);
    bine_unlock();
}

static int is_any(void) {
    return atomic_load_explicit(&some, memory_order_relaxed) > 0;
}

/* --- Starting them, and their ends */

/* Once the message is sent, the program may start the call again, or free it. */
static void complete(struct bine_request *r) {
    int started = BINE_REQUEST_STARTED, tag = r->tag, rc = r->rc;
    struct bine_context *c = r->context;
    if (rc != MPI_SUCCESS) {
        bine_own_boards_leave(r);
        bine_raise(bine_dropin_comm(r), rc);
    }
    int freed = !atomic_compare_exchange_strong(&r->state, &started, BINE_REQUEST_FREE);
    bine_dropin_complete(tag, rc);
    bine_dropin_wake(c);
    if (freed)
        bine_request_release(r);
}

int bine_persistent_make(struct bine_request *r, MPI_Request *request) {
    int rc = PMPI_Recv_init(NULL, 0, MPI_BYTE, 0, r->tag, bine_process_self(), request);
    r->complete = complete;
    r->rc = MPI_SUCCESS;
    if (rc == MPI_SUCCESS)
        put_in(r, *request);
    else
        bine_request_release(r);
    return rc;
}

/* From its start until the program has been told of its end: then its status is empty. */
static int is_active(const struct bine_request *r, MPI_Request request) {
    MPI_Status s = {.MPI_TAG = MPI_ANY_TAG};
    int completed = 1;
    return atomic_load(&r->state) != BINE_REQUEST_FREE ||
           PMPI_Request_get_status(request, &completed, &s) != MPI_SUCCESS || !completed ||
           s.MPI_TAG == r->tag;
}

/* MPI may give the program another handle as it starts a request. */
static int start_receive(struct bine_request *r, MPI_Request *request) {
    MPI_Request before = *request;
    int rc = bine_mpi->start(request);
    if (*request != before && take_out(before) != NULL)
        put_in(r, *request);
    return rc;
}

/* After a failure, messages may be left that the next start would take for its own. */
static int start(struct bine_request *r, MPI_Request *request) {
    int rc = is_active(r, *request) ? MPI_ERR_REQUEST : r->rc;
    if (rc == MPI_SUCCESS)
        rc = start_receive(r, request);
    if (rc == MPI_SUCCESS) {
        rc = bine_request_begin(r);
        if (rc != MPI_SUCCESS) {
            r->rc = r->bound.node != NULL ? rc : r->rc;
            bine_dropin_withdraw(request);
        }
    }
    return rc == MPI_SUCCESS ? rc : bine_raise(bine_dropin_comm(r), rc);
}

static __attribute__((noinline)) int start_any(MPI_Request *request) {
    struct bine_request *r = request != NULL ? find(*request) : NULL;
    return r == NULL ? bine_mpi->start(request) : start(r, request);
}

/* A program without such requests starts its own at MPI's speed. */
int bine_persistent_start(MPI_Request *request) {
    return is_any() ? start_any(request) : bine_mpi->start(request);
}

int bine_persistent_startall(int count, MPI_Request *request) {
    int ours = 0, rc = MPI_SUCCESS;
    for (int i = 0; is_any() && request != NULL && i < count && !ours; i++)
        ours = find(request[i]) != NULL;
    if (!ours)
        return bine_mpi->startall(count, request);
    for (int i = 0; i < count && rc == MPI_SUCCESS; i++)
        rc = bine_persistent_start(&request[i]);
    return rc;
}

/* One that is pending goes on, and is given back at its end. */
static void release(struct bine_request *r) {
    int started = BINE_REQUEST_STARTED;
    if (!atomic_compare_exchange_strong(&r->state, &started, BINE_REQUEST_DETACHED))
        bine_request_release(r);
}

int bine_persistent_free(MPI_Request *request) {
    struct bine_request *r = is_any() && request != NULL ? take_out(*request) : NULL;
    if (r != NULL)
        release(r);
    bine_contexts_sweep();
    return bine_mpi->request_free(request);
}

void bine_persistent_end(void) {
    for (int i = 0; i < LISTS; i++)
        while (list[i] != NULL)
            release(take_out(list[i]->mpi));
}
