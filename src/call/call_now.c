/* A blocking call: the context of its communicator, if that has one or gets one, or MPI at once. */
#include "call/pass_through.h"
#include "call/repeat.h"
#include "call/staged.h"
#include "comm/waiting.h"
#include "mpi/verbose.h"

/* --- Communicators without a context */

static int leave_without(const struct bine_arguments *a, int p, const char *reason) {
    struct bine_call_size size = {0};
    struct bine_choice choice = {.reason = reason};
    int rank = 0;
    if (!bine_verbose_is_on())
        return bine_call_staged(a);
    if (p > 0 && bine_context_begin() == MPI_SUCCESS)
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
    if (bine_context_begin() != MPI_SUCCESS || PMPI_Comm_rank(a->comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(a->comm, &p) != MPI_SUCCESS)
        return MPI_SUCCESS;
    int rc = bine_call_make(a, rank, p, &call);
    return bine_call_is_wrong_for_mpi(a, rank, &call, rc) ? rc : MPI_SUCCESS;
}

int bine_context_for(const struct bine_arguments *a, struct bine_context **c) {
    int rc = bine_context_find(a->comm, c);
    if (rc != MPI_SUCCESS || *c != NULL)
        return rc;
    rc = check_alone(a);
    if (rc == MPI_SUCCESS)
        rc = bine_context_get(a->comm, c);
    if (rc != MPI_SUCCESS)
        return rc;
    bine_verbose_place((*c)->p, (*c)->hosts, (*c)->groups);
    if ((*c)->forward_reason == NULL && !(*c)->devices)
        bine_waiting_find(&(*c)->policy, (*c)->p);
    const struct bine_arguments any = {.drop_in = 1};
    struct bine_query q = bine_query_make(*c, &any, 0, 1);
    if (!q.off && bine_policy_has_nonblocking_rules(&(*c)->policy))
        bine_context_open(*c, a->comm);
    else if (q.off || ((*c)->predictor == NULL && !(*c)->devices))
        bine_pass_through_find(*c, &q);
    return rc;
}

/* From here on it is found without asking MPI. */
static int run_known(struct bine_context *c, const struct bine_arguments *a) {
    if (c->p > 0)
        bine_communicators_add(a->comm, &c->shortcuts);
    return bine_call_run(c, a);
}

static int leave_waiting(const struct bine_arguments *a) {
    int p = 0;
    PMPI_Comm_size(a->comm, &p);
    int rc = leave_without(a, p, BINE_REASON_WAITS);
    if (rc == MPI_SUCCESS)
        bine_waiting_count(a->comm);
    return rc;
}

static int find_and_run(const struct bine_arguments *a) {
    struct bine_context *c;
    int rc = bine_context_find(a->comm, &c);
    if (rc != MPI_SUCCESS) /* and the handler knows: to hand it on would call it again */
        return rc;
    if (c == NULL && !a->drop_in && bine_is_inter(a->comm)) /* which never gets one */
        return bine_call_staged(a);
    if (c == NULL && a->drop_in && bine_pass_through(a->collective) != NULL) {
        int p = 0;
        PMPI_Comm_size(a->comm, &p);
        return leave_without(a, p, bine_pass_through(a->collective));
    }
    if (c == NULL && a->drop_in && bine_waiting(a->comm))
        return leave_waiting(a);
    if (c == NULL)
        rc = bine_context_for(a, &c);
    if (rc == MPI_SUCCESS)
        return run_known(c, a);
    return a->drop_in ? bine_call_staged(a) : bine_raise(a->comm, rc);
}

/* An intercepted call on an unknown communicator. Some stay unknown: these first questions are all
 * that is ever asked of them. */
static int call_intercepted(const struct bine_arguments *a) {
    int p = 0;
    if (a->comm == MPI_COMM_SELF && !bine_verbose_is_on())
        return bine_call_staged(a);
    if (!bine_context_is_running())
        return leave_without(a, 0, "MPI has not begun, or is ending");
    int rc = PMPI_Comm_size(a->comm, &p);
    if (rc != MPI_SUCCESS || p == 0) /* as above; MPICH 5 may return MPI_SUCCESS (context.c) */
        return rc;
    if (bine_is_inter(a->comm))
        return leave_without(a, p, "an intercommunicator");
    return p == 1 ? leave_without(a, p, BINE_REASON_ALONE) : find_and_run(a);
}

/* --- Calls like the last one */

/* The shortest way, if nothing but addresses has changed since the last call of Bine's, and nothing
 * is learnt from this one or told of it. Returns whether it was taken. */
static inline int repeat(struct bine_context *c, const struct bine_arguments *a, int *rc) {
    struct bine_memo *m = c->bound_to;
    if (m == NULL || !bine_repeats(c, m, a) || !bine_bound_has_fast_path(&c->bound))
        return 0;
    bine_repeat_count(c, m, a->collective);
    *rc = bine_bound_repeat(&c->bound, m->call.sendbuf, m->call.recvbuf);
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
    if (bine_communicators_is_leaving(a->comm))
        return leave_without(a, 0, "its communicator is being freed");
    return a->drop_in ? call_intercepted(a) : find_and_run(a);
}
