/* A blocking call: the context of its communicator, if that has one or gets one, or MPI at once. */
#include "call/pass_through.h"
#include "call/repeat.h"
#include "call/staged.h"
#include "comm/waiting.h"
#include "engine/transport/mpi_library.h"
#include "report/verbose.h"

/* --- Communicators without a context */

static const char inter[] = "an intercommunicator";
static const char waits[] = BINE_REASON_WAITS;

/* MPI makes the call. */
static int forward(const struct bine_arguments *a, int p, const char *reason) {
    struct bine_call_size size = {0};
    struct bine_choice choice = {.reason = reason};
    int rank = 0;
    if (!bine_verbose_is_on())
        return bine_call_staged(a);
    if (p > 0 && bine_process_begin() == MPI_SUCCESS)
        PMPI_Comm_rank(a->comm, &rank);
    if (p == 0 || bine_call_size(a, rank, p, &size) != 0)
        size.bytes = 0;
    double begin = bine_verbose_now();
    int rc = bine_call_staged(a);
    bine_verbose_add(a->collective, p, size.bytes, &choice,
                     (struct bine_verbose_call){bine_verbose_now() - begin, 0});
    return rc;
}

/* The mistakes in the call as this rank sees it. */
static int check_alone(const struct bine_arguments *a) {
    struct bine_call call;
    int rank, p;
    if (bine_process_begin() != MPI_SUCCESS || PMPI_Comm_rank(a->comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(a->comm, &p) != MPI_SUCCESS)
        return MPI_SUCCESS;
    int rc = bine_call_make(a, rank, p, &call);
    return bine_call_is_wrong_for_mpi(a, rank, &call, rc) ? rc : MPI_SUCCESS;
}

/* Whether MPI has made the call. MPICH 5 returns MPI_SUCCESS behind an error handler of the user's:
 * there the arguments tell. */
static int was_made(const struct bine_arguments *a, int rc) {
    return rc == MPI_SUCCESS &&
           (bine_mpi_is(BINE_LIBRARY_OPENMPI) || check_alone(a) == MPI_SUCCESS);
}

/* From here on it is found without asking MPI. */
static int run_known(struct bine_context *c, const struct bine_arguments *a) {
    if (c->id.p > 0)
        bine_communicators_add(a->comm, &c->caches.shortcuts);
    return bine_call_run(c, a);
}

/* Why MPI makes a call on a communicator that is not in the table, or NULL; its context, if it has
 * one, and its size, of an intercepted call. *rc: MPI has found an error, and its handler knows: to
 * forward the call would call it again. (MPICH 5 may return MPI_SUCCESS, and no size: context.c.)
 * Some communicators stay unknown: these questions are all that is ever asked of them. */
static const char *find(const struct bine_arguments *a, int *p, struct bine_context **c, int *rc) {
    *p = 0;
    *c = NULL;
    *rc = MPI_SUCCESS;
    if (a->drop_in && a->comm == MPI_COMM_SELF && !bine_verbose_is_on())
        return bine_ranks_forward(1);
    if (bine_communicators_is_leaving(a->comm))
        return "its communicator is being freed";
    if (a->drop_in) {
        if (!bine_process_is_running())
            return "MPI has not begun, or is ending";
        *rc = PMPI_Comm_size(a->comm, p);
        if (*rc != MPI_SUCCESS || *p == 0)
            return NULL;
        if (bine_is_inter(a->comm))
            return inter;
        if (bine_ranks_forward(*p) != NULL)
            return bine_ranks_forward(*p);
    }
    *rc = bine_context_find(a->comm, c);
    if (*rc != MPI_SUCCESS || *c != NULL)
        return NULL;
    if (!a->drop_in)
        return bine_is_inter(a->comm) ? inter : NULL;
    const char *never = bine_pass_through(a->collective);
    return never == NULL && bine_waiting(a->comm) ? waits : never;
}

int bine_context_make_for(MPI_Comm comm, struct bine_context **c) {
    int rc = bine_context_get(comm, c);
    if (rc != MPI_SUCCESS)
        return rc;
    bine_verbose_place((*c)->id.p, (*c)->place.hosts, (*c)->place.groups);
    if ((*c)->id.forward_reason == NULL && !(*c)->devices.some)
        bine_waiting_find(&(*c)->choosing.policy, (*c)->id.p);
    if ((*c)->id.forward_reason == NULL &&
        bine_policy_has_nonblocking_rules(&(*c)->choosing.policy))
        bine_context_open(*c, comm);
    else if ((*c)->choosing.predictor == NULL && !(*c)->devices.some)
        bine_pass_through_find(*c);
    return rc;
}

/* The context of a communicator that has none. */
static int make_context(const struct bine_arguments *a, struct bine_context **c) {
    int rc = check_alone(a);
    return rc == MPI_SUCCESS ? bine_context_make_for(a->comm, c) : rc;
}

int bine_context_for(const struct bine_arguments *a, struct bine_context **c, const char **reason) {
    int p, rc;
    *reason = find(a, &p, c, &rc);
    return rc != MPI_SUCCESS || *c != NULL || *reason != NULL ? rc : make_context(a, c);
}

static int call_unknown(const struct bine_arguments *a) {
    struct bine_context *c;
    int p, rc;
    const char *reason = find(a, &p, &c, &rc);
    if (reason == inter && !a->drop_in)
        return bine_call_staged(a);
    if (reason != NULL) {
        rc = forward(a, p, reason);
        if (reason == waits && was_made(a, rc))
            bine_waiting_count(a->comm);
        return rc;
    }
    if (rc != MPI_SUCCESS || (a->drop_in && p == 0))
        return rc;
    if (c == NULL)
        rc = make_context(a, &c);
    if (rc == MPI_SUCCESS)
        return run_known(c, a);
    return a->drop_in ? bine_call_staged(a) : bine_raise(a->comm, rc);
}

/* --- Calls like the last one */

/* The short path, if nothing but addresses has changed since the last call of Bine's, and the call
 * is neither timed nor reported. Returns whether the call went that way. */
static inline int repeat(struct bine_context *c, const struct bine_arguments *a, int *rc) {
    struct bine_memo *m = c->caches.bound_to;
    if (m == NULL || !bine_repeats(c, m, a) || !bine_bound_has_fast_path(&c->caches.bound))
        return 0;
    bine_repeat_count(c, m, a->collective);
    *rc = bine_bound_repeat(&c->caches.bound, m->call.sendbuf, m->call.recvbuf);
    return 1;
}

int bine_call_now(const struct bine_arguments *a) {
    const struct bine_shortcuts *known = bine_shortcuts_of(a->comm);
    int rc;
    if (known != NULL && repeat(known->context, a, &rc))
        return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
    if (known != NULL)
        return bine_call_run(known->context, a);
    if (a->comm == MPI_COMM_NULL)
        return a->drop_in ? bine_call_staged(a) : bine_raise(a->comm, MPI_ERR_COMM);
    return call_unknown(a);
}
