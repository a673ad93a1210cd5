#include "mpi/taken.h"

#include "mpi/held.h"
#include "mpi/library.h"
#include "mpi/mpi_calls.h"
#include "mpi/persistent.h"
#include "mpi/progress.h"
#include "mpi/staged.h"
#include "mpi/tell.h"
#include "mpi/verbose.h"

/* MPICH waits until it has got a message, not until the request is over that it waits for; what one
 * sends oneself alone does not count. A call that ends by messages has got one. So one that ends at
 * boards gets one from this rank. */
static void wake(const struct bine_user_request *r) {
    const struct bine_context *c = r->context;
    if (BINE_LIBRARY == BINE_LIBRARY_MPICH && c != NULL && r->bound.execution.board.node != NULL)
        PMPI_Sendrecv(NULL, 0, MPI_BYTE, c->rank, BINE_TAG_SELF, NULL, 0, MPI_BYTE, c->rank,
                      BINE_TAG_SELF, c->comm, MPI_STATUS_IGNORE);
}

static void tell(struct bine_user_request *r) {
    if (r->rc != MPI_SUCCESS && r->context != NULL) /* NULL: MPI made it, and told its handler */
        bine_raise(bine_taken_comm(r), r->rc);
    bine_taken_send(r->tag, r->rc);
    wake(r);
    bine_request_release(r);
}

static int begin(struct bine_user_request *r, MPI_Request *request) {
    int rc = PMPI_Irecv(NULL, 0, MPI_BYTE, 0, r->tag, bine_context_self(), request);
    r->tell = tell;
    if (rc == MPI_SUCCESS)
        rc = bine_request_begin(r);
    if (rc == MPI_SUCCESS)
        return rc;
    bine_taken_withdraw(request);
    bine_request_release(r);
    return rc;
}

static int make(struct bine_context *c, const struct bine_arguments *a, MPI_Request *request,
                int *left) {
    struct bine_user_request *r = NULL;
    int rc = bine_call_ready(c, a, &r);
    *left = rc == MPI_SUCCESS && r == NULL;
    if (r == NULL)
        return rc;
    return a->persistent ? bine_persistent_make(r, request) : begin(r, request);
}

int bine_taken_start(const struct bine_arguments *a, MPI_Request *request, int *left) {
    struct bine_context *c;
    *left = 1;
    if (a->comm == MPI_COMM_NULL || request == NULL || !bine_context_is_running())
        return MPI_SUCCESS;
    int rc = bine_call_find(a, &c);
    if (rc != MPI_SUCCESS)
        *left = 0;
    if (rc != MPI_SUCCESS || c == NULL)
        return rc;
    bine_contexts_sweep();
    rc = make(c, a, request, left);
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

/* The call as MPI has it: started, or persistent, with int or with large counts (S is _c). */
#define TAKE(FUNCTION, WORDS, MORE, LISTED, LEFT, ...)                                             \
    static int take_##FUNCTION(BINE_LISTED LISTED BINE_LISTED MORE) {                              \
        if (atomic_load_explicit(&bine_taken_some, memory_order_relaxed)) {                        \
            const struct bine_arguments a = {.drop_in = 1, .nonblocking = 1, __VA_ARGS__};         \
            int left, rc = bine_taken_start(&a, request, &left);                                   \
            if (!left) {                                                                           \
                if (bine_verbose_is_on())                                                          \
                    bine_verbose_started(WORDS, 1);                                                \
                return rc;                                                                         \
            }                                                                                      \
        }                                                                                          \
        if (bine_verbose_is_on())                                                                  \
            bine_verbose_started(WORDS, 0);                                                        \
        if (bine_staged_is_due()) {                                                                \
            const struct bine_arguments a = {.drop_in = 1, .nonblocking = 1, __VA_ARGS__};         \
            if (!a.persistent)                                                                     \
                return leave_copies(&a, request);                                                  \
        }                                                                                          \
        return bine_mpi.FUNCTION LEFT;                                                             \
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

void bine_taken_attach(struct bine_preload *d) {
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
    d->under_way = &bine_under_way;
    d->poll = bine_progress_looked;
    d->polled = &bine_polled;
    bine_operators_last = 1;
}
