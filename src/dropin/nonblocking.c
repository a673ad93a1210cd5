#include "dropin/nonblocking.h"

#include "call/opening.h"
#include "call/staged.h"
#include "comm/progress.h"
#include "dropin/completion.h"
#include "dropin/persistent.h"
#include "mpi/deferred_free.h"
#include "mpi/mpi_calls.h"
#include "report/verbose.h"

static void complete(struct bine_request *r) {
    if (r->rc != MPI_SUCCESS && r->context != NULL) /* NULL: MPI made it, and told its handler */
        bine_raise(bine_dropin_comm(r), r->rc);
    bine_dropin_complete(r->tag, r->rc);
    bine_dropin_wake(r->context);
    bine_request_release(r);
}

static int begin(struct bine_request *r, MPI_Request *request) {
    int rc = PMPI_Irecv(NULL, 0, MPI_BYTE, 0, r->tag, bine_process_self(), request);
    r->complete = complete;
    if (rc == MPI_SUCCESS)
        rc = bine_request_begin(r);
    if (rc == MPI_SUCCESS)
        return rc;
    bine_dropin_withdraw(request);
    bine_request_release(r);
    return rc;
}

static int make(struct bine_context *c, const struct bine_arguments *a, MPI_Request *request,
                int *forwarded) {
    struct bine_request *r = NULL;
    int rc = bine_call_ready(c, a, &r);
    *forwarded = rc == MPI_SUCCESS && r == NULL;
    if (r == NULL)
        return rc;
    return a->persistent ? bine_persistent_make(r, request) : begin(r, request);
}

int bine_dropin_start(const struct bine_arguments *a, MPI_Request *request, int *forwarded) {
    struct bine_context *c;
    *forwarded = 1;
    bine_opening_note();
    if (a->comm == MPI_COMM_NULL || request == NULL || !bine_process_is_running())
        return MPI_SUCCESS;
    int rc = bine_call_find(a, &c);
    if (rc != MPI_SUCCESS)
        *forwarded = 0;
    if (rc != MPI_SUCCESS || c == NULL)
        return rc;
    bine_contexts_sweep();
    rc = make(c, a, request, forwarded);
    return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
}

/* MPI makes the call. Where it gets copies of the buffers, the program gets a request of ours. */
static int leave_copies(const struct bine_arguments *a, MPI_Request *request) {
    struct bine_request *r;
    int rc = bine_request_forward(a, &r);
    if (rc != MPI_SUCCESS)
        return rc;
    if (r->staged == NULL) {
        *request = r->mpi;
        bine_request_release(r);
        return rc;
    }
    rc = PMPI_Irecv(NULL, 0, MPI_BYTE, 0, r->tag, bine_process_self(), request);
    r->complete = complete;
    bine_request_track(r);
    return rc;
}

/* For BINE_VERBOSE: why MPI makes a call that was started. */
static const char *why_left(MPI_Comm comm) {
    struct bine_context *c = NULL;
    if (!atomic_load(&bine_intercepts_nonblocking) && bine_opening_never() != NULL)
        return bine_opening_never();
    if (comm == MPI_COMM_NULL || !bine_process_is_running() ||
        bine_context_find(comm, &c) != MPI_SUCCESS)
        return "MPI has not begun, or is ending, or has no such communicator";
    if (c != NULL && c->id.comm != MPI_COMM_NULL && !c->pending.progresses)
        return bine_reason_no_progress;
    if (c == NULL || c->caches.shortcuts.last_reason == NULL)
        return "its communicator is not open yet";
    return c->caches.shortcuts.last_reason;
}

/* The call as MPI has it: started, or persistent, with int or with large counts (S is _c). */
#define TAKE(FUNCTION, WORDS, MORE, LISTED, LEFT, ...)                                             \
    static int take_##FUNCTION(BINE_LISTED LISTED BINE_LISTED MORE) {                              \
        if (atomic_load_explicit(&bine_intercepts_nonblocking, memory_order_relaxed)) {            \
            const struct bine_arguments a = {.drop_in = 1, .nonblocking = 1, __VA_ARGS__};         \
            int forwarded, rc = bine_dropin_start(&a, request, &forwarded);                        \
            if (!forwarded) {                                                                      \
                if (bine_verbose_is_on())                                                          \
                    bine_verbose_started(WORDS, 1, "");                                            \
                return rc;                                                                         \
            }                                                                                      \
        }                                                                                          \
        if (bine_verbose_is_on())                                                                  \
            bine_verbose_started(WORDS, 0, why_left(comm));                                        \
        if (bine_staged_is_due()) {                                                                \
            const struct bine_arguments a = {.drop_in = 1, .nonblocking = 1, __VA_ARGS__};         \
            if (!a.persistent)                                                                     \
                return leave_copies(&a, request);                                                  \
        }                                                                                          \
        return bine_mpi->FUNCTION LEFT;                                                            \
    }
#define TAKE_BOTH(NAME, OWN, S, LARGE, FORMAL, ACTUAL, ...)                                        \
    TAKE(i##OWN##S, "MPI_I" #OWN #S, (, MPI_Request * request), FORMAL,                            \
         (BINE_LISTED ACTUAL, request), .entry = BINE_ENTRY_##NAME, .large = LARGE, __VA_ARGS__)   \
    TAKE(OWN##_init##S, "MPI_" #NAME "_init" #S, (, MPI_Info info, MPI_Request * request), FORMAL, \
         (BINE_LISTED ACTUAL, info, request), .entry = BINE_ENTRY_##NAME, .large = LARGE,          \
         .persistent = 1, __VA_ARGS__)

#define CALL(NAME, OWN, FORMAL, ACTUAL, ...) TAKE_BOTH(NAME, OWN, , 0, FORMAL, ACTUAL, __VA_ARGS__)
#include "mpi/entries.def"
#undef CALL
#define BINE_ONLY_COUNTED
#include "mpi/wide.h"
#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    TAKE_BOTH(NAME, OWN, _c, 1, FORMAL, ACTUAL, __VA_ARGS__)
#include "mpi/entries.def"
#undef CALL
#undef BINE_ONLY_COUNTED
#include "mpi/narrow.h"

#define ATTACH(ENTRY, FUNCTION) d->take[BINE_ENTRY_##ENTRY] = (bine_function *)FUNCTION;

void bine_dropin_attach(const struct bine_preload *d) {
#define CALL(NAME, OWN, ...)                                                                       \
    ATTACH(I##OWN, take_i##OWN)                                                                    \
    ATTACH(NAME##_init, take_##OWN##_init)
#include "mpi/entries.def"
#undef CALL
#define BINE_ONLY_COUNTED
#define CALL(NAME, OWN, ...)                                                                       \
    ATTACH(I##OWN##_c, take_i##OWN##_c)                                                            \
    ATTACH(NAME##_init_c, take_##OWN##_init_c)
#include "mpi/entries.def"
#undef CALL
#undef BINE_ONLY_COUNTED
    ATTACH(Op_free, bine_operator_free)
    ATTACH(Start, bine_persistent_start)
    ATTACH(Startall, bine_persistent_startall)
    ATTACH(Request_free, bine_persistent_free)
}
