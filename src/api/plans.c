/* Plans: a call that is made ready once and run many times. */
#include "call/argument_copy.h"
#include "call/call.h"
#include "call/collectives.h"
#include "call/staged.h"
#include "comm/context.h"
#include "mpi/mpi_calls.h"
#include "record/own.h"
#include "record/record.h"
#include "request/requests.h"

#include "bine.h"

#include <stdlib.h>
#include <string.h>

struct bine_user_plan {
    struct bine_workspace
        workspace; /* a plan has its own: it must outlive other calls on the communicator */
    struct bine_plan *plan;
    struct bine_bound bound;
    struct bine_arguments arguments;
    void *kept;             /* the arrays of the arguments */
    int forwarded;          /* MPI does it: an intercommunicator, or by choice */
    int special;            /* that, or a profile is recorded */
    struct bine_choice ran; /* the choice for Bine_Plan_run; no algorithm: by MPI */
    struct bine_context *context;
    struct bine_request *started; /* how it is started, once it has been; or NULL: by MPI */
    int looked;                   /* it is known which, */
    struct bine_choice choice;    /* and the choice of its starts; no algorithm: by MPI */
    int active;                   /* it has been started, and its completion was not reported */
    MPI_Request mpi;
    struct bine_staged *staged; /* copies that MPI makes the call with, or NULL */
};

/* The ranks agree whether all of them have a plan: a missing plan cannot be reported later. */
static int agree(const struct bine_context *c, int rc) {
    return !bine_context_all(c, rc == MPI_SUCCESS) && rc == MPI_SUCCESS ? MPI_ERR_NO_MEM : rc;
}

static int plan_bind(struct bine_context *c, const struct bine_call *call,
                     const struct bine_choice *choice, struct bine_user_plan *p) {
    struct bine_spec spec = bine_context_spec(c, choice, p->arguments.root, call->in_place);
    p->plan = bine_plan_new(&spec);
    if (p->plan == NULL)
        return MPI_ERR_NO_MEM;
    p->workspace.keeps_all = 1; /* runs allocate nothing */
    return bine_bind(&p->bound, p->plan, call, &c->channel,
                     (size_t)c->choosing.policy.settings.segment, &p->workspace);
}

/* `has`: there is memory for the plan itself. A rank without it takes part, too. */
static int plan_make(struct bine_user_plan *p, int has) {
    struct bine_context *c;
    struct bine_call call;
    struct bine_choice choice;
    const struct bine_arguments *a = &p->arguments;
    const char *reason;
    bine_record_expect();
    int rc = bine_context_for(a, &c, &reason);
    if (rc == MPI_SUCCESS && reason != NULL) {
        p->forwarded = 1;
        return has ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    }
    if (rc == MPI_SUCCESS) { /* a plan keeps copies of its arrays */
        has &= bine_arguments_copy(&p->arguments, c->id.rank, c->id.p, &p->kept) == MPI_SUCCESS;
        rc = bine_prepare(c, a, &call, &choice);
        if (rc == MPI_SUCCESS && call.misfit != 0)
            rc = MPI_ERR_TRUNCATE;
    }
    if (rc != MPI_SUCCESS)
        return rc;
    p->context = c;
    if (choice.algorithm != NULL)
        bine_context_open(c, a->comm);
    if (choice.algorithm == NULL || c->id.forward_reason != NULL) {
        p->forwarded = 1;
        if (c->id.p > 0)
            bine_shortcuts_note(&c->caches.shortcuts, a->collective,
                                c->id.forward_reason != NULL ? c->id.forward_reason
                                                             : choice.reason);
        return has ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    }
    rc = agree(c, has ? plan_bind(c, &call, &choice, p) : MPI_ERR_NO_MEM);
    if (rc == MPI_SUCCESS) {
        c->choosing.last = p->ran = choice;
        bine_shortcuts_note(&c->caches.shortcuts, a->collective, NULL);
    }
    return rc;
}

static void plan_empty(struct bine_user_plan *p) {
    if (p->started != NULL)
        bine_request_release(p->started);
    bine_plan_free(p->plan);
    bine_workspace_free(&p->workspace);
    free(p->kept);
}

int bine_call_init(const struct bine_arguments *a, Bine_Plan *plan) {
    if (a->comm == MPI_COMM_NULL)
        return bine_raise(a->comm, MPI_ERR_COMM);
    if (plan == NULL)
        return bine_raise(a->comm, MPI_ERR_ARG);
    *plan = NULL;
    struct bine_user_plan none, *made = malloc(sizeof *made), *p = made != NULL ? made : &none;
    memset(p, 0, sizeof *p);
    p->arguments = *a;
    int rc = plan_make(p, made != NULL);
    if (rc != MPI_SUCCESS) {
        plan_empty(p);
        free(made);
        return bine_raise(a->comm, rc);
    }
    made->special = made->forwarded || bine_own_is_recorded();
    *plan = made;
    return MPI_SUCCESS;
}

static inline int run(Bine_Plan plan) {
    bine_channel_count(plan->bound.channel);
    int rc = bine_bound_run(&plan->bound);
    return rc == MPI_SUCCESS ? rc : bine_raise(plan->arguments.comm, rc);
}

static __attribute__((noinline)) int run_special(Bine_Plan plan) {
    struct bine_recorded x = {.form = BINE_FORM_PERSISTENT, .choice = &plan->ran};
    if (bine_own_is_recorded())
        bine_recorded_begin(&x, 1);
    int rc = plan->forwarded ? bine_call_staged(&plan->arguments) : run(plan);
    if (rc == MPI_SUCCESS && bine_own_is_recorded())
        bine_record_call(&plan->arguments, &x);
    return rc;
}

int Bine_Plan_run(Bine_Plan plan) {
    if (plan == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    if (plan->active)
        return bine_raise(plan->arguments.comm, MPI_ERR_REQUEST);
    return plan->special ? run_special(plan) : run(plan);
}

/* --- Started
 *
 * Calls are left pending at boards only where one thread at a time is in MPI, so that another
 * algorithm may be chosen than to run it. */

/* A rank that had no memory for it tries again at the next start. The choice of the first start
 * stays. */
static int make_ready(struct bine_user_plan *p) {
    struct bine_arguments a = p->arguments;
    struct bine_context *c = p->context;
    struct bine_call call;
    a.nonblocking = 1;
    int rc = p->looked ? bine_call_make(&a, c->id.rank, c->id.p, &call)
                       : bine_prepare(c, &a, &call, &p->choice);
    p->looked = 1;
    return rc != MPI_SUCCESS || p->choice.algorithm == NULL
               ? rc
               : bine_call_plan(c, &a, &call, &p->choice, &p->started);
}

static int is_made_by_mpi(const struct bine_user_plan *p) {
    return p->forwarded || !p->context->pending.progresses ||
           (p->looked && p->choice.algorithm == NULL);
}

static inline int start(Bine_Plan plan, int forwarded) {
    int rc = MPI_SUCCESS;
    if (!forwarded) /* peers may run a call that fails here */
        bine_channel_count(&plan->context->channel);
    if (plan->started == NULL && !is_made_by_mpi(plan))
        rc = make_ready(plan);
    if (rc == MPI_SUCCESS && plan->started == NULL) {
        rc = bine_call_staged_start(&plan->arguments, &plan->mpi, &plan->staged);
        plan->active = rc == MPI_SUCCESS;
        return rc;
    }
    if (rc == MPI_SUCCESS)
        rc = bine_request_begin(plan->started);
    plan->active = rc == MPI_SUCCESS;
    return rc == MPI_SUCCESS ? rc : bine_raise(plan->arguments.comm, rc);
}

static __attribute__((noinline)) int start_special(Bine_Plan plan) {
    struct bine_recorded x = {
        .form = BINE_FORM_PERSISTENT, .choice = &plan->choice, .begin = bine_ticks()};
    int rc = start(plan, plan->forwarded);
    if (rc == MPI_SUCCESS && bine_own_is_recorded())
        bine_record_call(&plan->arguments, &x);
    return rc;
}

int Bine_Plan_start(Bine_Plan plan) {
    if (plan == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    if (plan->active)
        return bine_raise(plan->arguments.comm, MPI_ERR_REQUEST);
    return plan->special ? start_special(plan) : start(plan, 0);
}

/* The end, if it has come or is waited for. */
static int end(Bine_Plan plan, int wait, int *flag) {
    if (plan == NULL || flag == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    *flag = 1;
    if (!plan->active)
        return MPI_SUCCESS;
    int rc = MPI_SUCCESS;
    if (plan->started == NULL)
        rc = wait ? PMPI_Wait(&plan->mpi, MPI_STATUS_IGNORE)
                  : PMPI_Test(&plan->mpi, flag, MPI_STATUS_IGNORE);
    else
        *flag = bine_request_is_over(plan->started, wait, &rc);
    if (plan->started == NULL && (*flag || rc != MPI_SUCCESS)) {
        rc = bine_staged_end(plan->staged, rc);
        plan->staged = NULL;
    }
    plan->active = !*flag;
    return rc == MPI_SUCCESS || plan->started == NULL ? rc : bine_raise(plan->arguments.comm, rc);
}

int Bine_Plan_test(Bine_Plan plan, int *flag) {
    return end(plan, 0, flag);
}

int Bine_Plan_wait(Bine_Plan plan) {
    int flag;
    return end(plan, 1, &flag);
}

int Bine_Plan_free(Bine_Plan *plan) {
    if (plan == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    if (*plan != NULL && (*plan)->active)
        return bine_raise((*plan)->arguments.comm, MPI_ERR_REQUEST);
    if (*plan != NULL)
        plan_empty(*plan);
    free(*plan);
    *plan = NULL;
    return MPI_SUCCESS;
}
