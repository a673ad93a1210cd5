/* The public entry points. Each names its arguments once; everything else is common. */
#include "mpi/call.h"
#include "mpi/context.h"
#include "mpi/real.h"

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
    int handed_on; /* an intercommunicator: MPI does it */
};

static int hand_on(const struct bine_arguments *a) {
    const struct bine_real *r = bine_real();
    switch (a->collective) {
    case BINE_BCAST:
        return r->bcast(a->recvbuf, a->recvcount, a->recvtype, a->root, a->comm);
    case BINE_REDUCE:
        return r->reduce(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->root,
                         a->comm);
    case BINE_ALLREDUCE:
        return r->allreduce(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op, a->comm);
    case BINE_GATHER:
        return r->gather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                         a->recvtype, a->root, a->comm);
    case BINE_SCATTER:
        return r->scatter(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                          a->recvtype, a->root, a->comm);
    case BINE_ALLGATHER:
        return r->allgather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                            a->recvtype, a->comm);
    case BINE_ALLTOALL:
        return r->alltoall(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                           a->recvtype, a->comm);
    default:
        if (a->recvcounts != NULL)
            return r->reduce_scatter(a->sendbuf, a->recvbuf, a->recvcounts, a->recvtype, a->op,
                                     a->comm);
        return r->reduce_scatter_block(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, a->op,
                                       a->comm);
    }
}

/* Forced for the next call, for the communicator, or by the environment, in this order. Returns an
 * MPI error class. */
static int forced_for(struct bine_context *c, enum bine_collective collective,
                      struct bine_forced *f) {
    char why[200];
    if (c->next_name[0] != '\0') {
        int rc = bine_forced_parse(collective, c->next_name, f, why, sizeof why);
        c->next_name[0] = '\0';
        return rc == 0 ? MPI_SUCCESS : MPI_ERR_ARG;
    }
    *f = c->forced[collective].algorithm >= 0 ? c->forced[collective]
                                              : c->settings.forced[collective];
    return MPI_SUCCESS;
}

/* The call and the algorithm that serves it. Returns an MPI error class. */
static int prepare(struct bine_context *c, const struct bine_arguments *a, struct bine_call *call,
                   struct bine_choice *choice) {
    char why[200];
    struct bine_forced f;
    int rc = forced_for(c, a->collective, &f);
    if (rc == MPI_SUCCESS)
        rc = bine_call_make(a, c->rank, c->p, call);
    if (rc != MPI_SUCCESS)
        return rc;
    struct bine_question q = {a->collective, c->p, call->bytes, call->commutative};
    if (bine_choose(&q, &f, choice, why, sizeof why) != 0)
        return choice->algorithm != NULL && choice->algorithm->commutative && !call->commutative
                   ? MPI_ERR_OP
                   : MPI_ERR_ARG;
    return MPI_SUCCESS;
}

static int run_bound(struct bine_bound *b) {
    int state, rc = bine_bound_start(b);
    if (rc == MPI_SUCCESS)
        rc = bine_run_progress(&b->run, 1, &state);
    return rc == MPI_SUCCESS ? bine_bound_finish(b) : rc;
}

/* Bound last, or at least remembered: nothing to find out. */
static int run_again(struct bine_context *c, struct bine_memo *m, const struct bine_arguments *a) {
    int rc = MPI_SUCCESS;
    bine_call_address(a, c->rank, &m->call);
    if (bine_call_is_aliased(&m->call))
        return MPI_ERR_BUFFER;
    *m->used = ++c->calls;
    c->last = m->choice;
    if (c->bound_to == m) {
        bine_rebind(&c->bound, m->call.sendbuf, m->call.recvbuf);
    } else {
        c->bound_to = NULL;
        rc = bine_bind(&c->bound, m->plan, &m->call, c->comm, (size_t)c->settings.segment,
                       &c->workspace);
        c->bound_to = rc == MPI_SUCCESS ? m : NULL;
    }
    return rc == MPI_SUCCESS ? run_bound(&c->bound) : rc;
}

static void remember(struct bine_context *c, const struct bine_arguments *a,
                     const struct bine_call *call, const struct bine_choice *choice) {
    struct bine_memo *m = &c->memo[bine_memo_index(a)];
    *m = (struct bine_memo){
        bine_memo_is_lasting(a, call), *a, *call, *choice, c->recent->plan, &c->recent->used};
    c->bound_to = m->valid ? m : NULL;
}

static int run_call(struct bine_context *c, const struct bine_arguments *a) {
    struct bine_call call;
    struct bine_choice choice;
    int once = c->next_name[0] != '\0';
    struct bine_memo *m = &c->memo[bine_memo_index(a)];
    if (!once && bine_memo_fits(m, a))
        return run_again(c, m, a);
    int rc = prepare(c, a, &call, &choice);
    if (rc != MPI_SUCCESS)
        return rc;
    struct bine_plan *plan = bine_context_plan(c, &choice, a->root, call.in_place);
    if (plan == NULL)
        return MPI_ERR_NO_MEM;
    c->last = choice;
    c->bound_to = NULL;
    rc = bine_bind(&c->bound, plan, &call, c->comm, (size_t)c->settings.segment, &c->workspace);
    if (rc == MPI_SUCCESS && !once)
        remember(c, a, &call, &choice);
    return rc == MPI_SUCCESS ? run_bound(&c->bound) : rc;
}

static int is_inter(MPI_Comm comm) {
    int inter = 0;
    return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter;
}

static int call_now(const struct bine_arguments *a) {
    int rc = MPI_SUCCESS;
    if (a->comm == MPI_COMM_NULL)
        return bine_raise(a->comm, MPI_ERR_COMM);
    struct bine_context *c = bine_context_find(a->comm);
    if (c == NULL && is_inter(a->comm)) /* which never gets one */
        return hand_on(a);
    if (c == NULL)
        rc = bine_context_get(a->comm, &c);
    if (rc == MPI_SUCCESS)
        rc = run_call(c, a);
    return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
}

/* A plan keeps a copy of what it must not lose. */
static int plan_make(const struct bine_arguments *a, struct bine_user_plan *p) {
    struct bine_context *c;
    struct bine_call call;
    struct bine_choice choice;
    int rc = bine_context_get(a->comm, &c);
    if (rc == MPI_SUCCESS)
        rc = prepare(c, a, &call, &choice);
    if (rc != MPI_SUCCESS)
        return rc;
    if (call.recvcounts != NULL) {
        p->recvcounts = malloc((size_t)c->p * sizeof *p->recvcounts);
        if (p->recvcounts == NULL)
            return MPI_ERR_NO_MEM;
        memcpy(p->recvcounts, a->recvcounts, (size_t)c->p * sizeof *p->recvcounts);
        call.recvcounts = p->recvcounts;
    }
    struct bine_request rq = {.algorithm = choice.algorithm,
                              .layout = choice.layout,
                              .p = c->p,
                              .rank = c->rank,
                              .root = a->root,
                              .in_place = call.in_place,
                              .segments = choice.segments};
    p->plan = bine_plan_new(&rq);
    if (p->plan == NULL)
        return MPI_ERR_NO_MEM;
    c->last = choice;
    return bine_bind(&p->bound, p->plan, &call, c->comm, (size_t)c->settings.segment,
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

static int call_init(const struct bine_arguments *a, Bine_Plan *plan) {
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
    p->handed_on = is_inter(a->comm);
    if (!p->handed_on)
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
    if (plan->handed_on)
        return hand_on(&plan->arguments);
    int rc = run_bound(&plan->bound);
    return rc == MPI_SUCCESS ? rc : bine_raise(plan->arguments.comm, rc);
}

int Bine_Plan_free(Bine_Plan *plan) {
    if (plan == NULL)
        return bine_raise(MPI_COMM_NULL, MPI_ERR_ARG);
    plan_free(*plan);
    *plan = NULL;
    return MPI_SUCCESS;
}

/* Both forms of every collective. PARAMETERS has a trailing comma, so that the plan can follow. */
#define BINE_DEFINE(NAME, INIT, FORMAL, FORMAL_INIT, ...)                                          \
    int NAME FORMAL {                                                                              \
        struct bine_arguments a = {__VA_ARGS__};                                                   \
        return call_now(&a);                                                                       \
    }                                                                                              \
    int INIT FORMAL_INIT {                                                                         \
        struct bine_arguments a = {__VA_ARGS__};                                                   \
        return call_init(&a, plan);                                                                \
    }

BINE_DEFINE(Bine_Bcast, Bine_Bcast_init,
            (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm),
            (void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm,
             Bine_Plan *plan),
            .collective = BINE_BCAST, .recvbuf = buffer, .recvcount = count, .recvtype = datatype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Reduce, Bine_Reduce_init,
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             int root, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_REDUCE, .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count,
            .recvtype = datatype, .op = op, .root = root, .comm = comm)
BINE_DEFINE(Bine_Allreduce, Bine_Allreduce_init,
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_ALLREDUCE, .sendbuf = sendbuf, .recvbuf = recvbuf,
            .recvcount = count, .recvtype = datatype, .op = op, .comm = comm)
BINE_DEFINE(Bine_Gather, Bine_Gather_init,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_GATHER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Scatter, Bine_Scatter_init,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_SCATTER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .root = root, .comm = comm)
BINE_DEFINE(Bine_Allgather, Bine_Allgather_init,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_ALLGATHER, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .comm = comm)
BINE_DEFINE(Bine_Alltoall, Bine_Alltoall_init,
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm),
            (const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
             int recvcount, MPI_Datatype recvtype, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_ALLTOALL, .sendbuf = sendbuf, .sendcount = sendcount,
            .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,
            .comm = comm)
BINE_DEFINE(Bine_Reduce_scatter, Bine_Reduce_scatter_init,
            (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype,
             MPI_Op op, MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_REDUCE_SCATTER, .sendbuf = sendbuf, .recvbuf = recvbuf,
            .recvcounts = recvcounts, .by_counts = 1, .recvtype = datatype, .op = op, .comm = comm)
BINE_DEFINE(Bine_Reduce_scatter_block, Bine_Reduce_scatter_block_init,
            (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm),
            (const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
             MPI_Comm comm, Bine_Plan *plan),
            .collective = BINE_REDUCE_SCATTER, .sendbuf = sendbuf, .recvbuf = recvbuf,
            .recvcount = recvcount, .recvtype = datatype, .op = op, .comm = comm)
