#include "mpi/taken.h"

#include "mpi/held.h"
#include "mpi/mpi_calls.h"
#include "mpi/progress.h"
#include "mpi/staged.h"
#include "mpi/verbose.h"

static void tell(struct bine_user_request *r) {
    char nothing = 0;
    struct bine_context *c = r->context; /* NULL: MPI has made the call, and told its handler */
    if (r->rc != MPI_SUCCESS && c != NULL)
        bine_raise(atomic_load(&c->left) ? MPI_COMM_NULL : r->comm, r->rc);
    PMPI_Send(&nothing, r->rc != MPI_SUCCESS, MPI_BYTE, 0, r->tag, bine_context_self());
    bine_request_release(r);
}

static int begin(struct bine_user_request *r, MPI_Request *request) {
    int rc = PMPI_Irecv(NULL, 0, MPI_BYTE, 0, r->tag, bine_context_self(), request);
    r->tell = tell;
    if (rc == MPI_SUCCESS)
        rc = bine_request_begin(r);
    if (rc == MPI_SUCCESS)
        return rc;
    if (*request != MPI_REQUEST_NULL) {
        PMPI_Cancel(request);
        PMPI_Wait(request, MPI_STATUS_IGNORE);
    }
    bine_request_release(r);
    return rc;
}

int bine_taken_start(const struct bine_arguments *a, MPI_Request *request, int *left) {
    struct bine_context *c;
    struct bine_user_request *r = NULL;
    *left = 1;
    if (a->comm == MPI_COMM_NULL || request == NULL || !bine_context_is_running())
        return MPI_SUCCESS;
    int rc = bine_call_find(a, &c);
    if (rc != MPI_SUCCESS)
        *left = 0;
    if (rc != MPI_SUCCESS || c == NULL)
        return rc;
    bine_contexts_sweep();
    rc = bine_call_ready(c, a, &r);
    *left = rc == MPI_SUCCESS && r == NULL;
    if (r != NULL)
        rc = begin(r, request);
    return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
}

/* MPI makes the call. Where it gets copies of the buffers, the program gets a request of ours. */
static int leave_copies(const struct bine_arguments *a, MPI_Request *request) {
    struct bine_user_request *r;
    int rc = bine_request_hand_on(a, &r);
    if (rc != MPI_SUCCESS)
        return rc;
    if (r->staged == NULL) {
        *request = r->mpi;
        bine_request_release(r);
        return rc;
    }
    rc = PMPI_Irecv(NULL, 0, MPI_BYTE, 0, r->tag, bine_context_self(), request);
    r->tell = tell;
    bine_request_follow(r);
    return rc;
}

#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    static int take_i##OWN(BINE_LISTED FORMAL, MPI_Request *request) {                             \
        if (atomic_load_explicit(&bine_taken_some, memory_order_relaxed)) {                        \
            const struct bine_arguments a = {                                                      \
                .drop_in = 1, .nonblocking = 1, .entry = BINE_ENTRY_##NAME, __VA_ARGS__};          \
            int left, rc = bine_taken_start(&a, request, &left);                                   \
            if (!left)                                                                             \
                return rc;                                                                         \
        }                                                                                          \
        if (bine_verbose_is_on())                                                                  \
            bine_verbose_left("MPI_I" #OWN);                                                       \
        if (bine_staged_is_due()) {                                                                \
            const struct bine_arguments a = {                                                      \
                .drop_in = 1, .nonblocking = 1, .entry = BINE_ENTRY_##NAME, __VA_ARGS__};          \
            return leave_copies(&a, request);                                                      \
        }                                                                                          \
        return bine_mpi.i##OWN(BINE_LISTED ACTUAL, request);                                       \
    }
#include "mpi/entries.def"
#undef CALL

void bine_taken_attach(struct bine_preload *d) {
#define CALL(NAME, OWN, ...) d->take[BINE_ENTRY_I##OWN] = (bine_function *)take_i##OWN;
#include "mpi/entries.def"
#undef CALL
    d->take[BINE_ENTRY_Op_free] = (bine_function *)bine_operator_free;
    d->under_way = &bine_under_way;
    d->poll = bine_progress_poll;
    d->polled = &bine_polled;
    bine_operators_last = 1;
}
