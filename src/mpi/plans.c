/* Plans: a call that is made ready once and run many times. */
#include "mpi/collectives.h"
#include "mpi/context.h"
#include "mpi/staged.h"

#include "bine.h"

#include <stdlib.h>
#include <string.h>

struct bine_user_plan {
    struct bine_workspace
        workspace; /* a plan has its own: it must outlive other calls on the communicator */
    struct bine_plan *plan;
    struct bine_bound bound;
    struct bine_arguments arguments;
    int *recvcounts;
    int left_to_mpi; /* MPI does it: an intercommunicator, or by choice */
};

/* A plan keeps a copy of what it must not lose. */
static int keep_counts(const struct bine_arguments *a, int ranks, struct bine_user_plan *p) {
    if (a->recvcounts == NULL)
        return MPI_SUCCESS;
    p->recvcounts = malloc((size_t)ranks * sizeof *p->recvcounts);
    if (p->recvcounts == NULL)
        return MPI_ERR_NO_MEM;
    memcpy(p->recvcounts, a->recvcounts, (size_t)ranks * sizeof *p->recvcounts);
    p->arguments.recvcounts = p->recvcounts;
    return MPI_SUCCESS;
}

static int plan_make(const struct bine_arguments *a, struct bine_user_plan *p) {
    struct bine_context *c;
    struct bine_call call;
    struct bine_choice choice;
    int rc = bine_context_for(a, &c);
    if (rc == MPI_SUCCESS)
        rc = bine_prepare(c, a, &call, &choice);
    if (rc != MPI_SUCCESS)
        return rc;
    if (choice.algorithm != NULL)
        bine_context_open(c, a->comm);
    if (choice.algorithm == NULL || c->plain != NULL) {
        p->left_to_mpi = 1;
        bine_shortcuts_note(&c->shortcuts, a->collective,
                            c->plain != NULL ? c->plain : choice.reason);
        return keep_counts(a, c->p, p);
    }
    rc = keep_counts(a, c->p, p);
    if (rc != MPI_SUCCESS)
        return rc;
    if (call.recvcounts != NULL)
        call.recvcounts = p->arguments.recvcounts;
    struct bine_request rq = bine_context_request(c, &choice, a->root, call.in_place);
    p->plan = bine_plan_new(&rq);
    if (p->plan == NULL)
        return MPI_ERR_NO_MEM;
    c->last = choice;
    bine_shortcuts_note(&c->shortcuts, a->collective, NULL);
    p->workspace.keeps_all = 1; /* runs allocate nothing */
    return bine_bind(&p->bound, p->plan, &call, &c->channel, (size_t)c->policy.settings.segment,
                     &p->workspace);
}

static void plan_free(struct bine_user_plan *p) {
    if (p == NULL)
        return;
    bine_plan_free(p->plan);
    bine_workspace_free(&p->workspace);
    free(p->recvcounts);
    free(p);
}

int bine_call_init(const struct bine_arguments *a, Bine_Plan *plan) {
    int rc = MPI_SUCCESS;
    if (a->comm == MPI_COMM_NULL)
        return bine_raise(a->comm, MPI_ERR_COMM);
    if (plan == NULL)
        return bine_raise(a->comm, MPI_ERR_ARG);
    *plan = NULL;
    struct bine_user_plan *p = calloc(1, sizeof *p);
    if (p == NULL)
        return bine_raise(a->comm, MPI_ERR_NO_MEM);
    p->arguments = *a;
    p->left_to_mpi = bine_is_inter(a->comm);
    if (!p->left_to_mpi)
        rc = plan_make(a, p);
    if (rc != MPI_SUCCESS) {
        plan_free(p);
        return bine_raise(a->comm, rc);
    }
    *plan = p;
    return MPI_SUCCESS;
}

int Bine_Plan_run(Bine_Plan plan) {
    if (plan == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    if (plan->left_to_mpi)
        return bine_call_staged(&plan->arguments);
    bine_channel_count(plan->bound.channel);
    int rc = bine_bound_run(&plan->bound);
    return rc == MPI_SUCCESS ? rc : bine_raise(plan->arguments.comm, rc);
}

int Bine_Plan_free(Bine_Plan *plan) {
    if (plan == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    plan_free(*plan);
    *plan = NULL;
    return MPI_SUCCESS;
}
