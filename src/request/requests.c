/* Starting a call, and the resources that a request retains meanwhile. */
#include "request/requests.h"

#include "call/argument_copy.h"
#include "call/repeat.h"
#include "call/staged.h"
#include "engine/transport/mpi_library.h"
#include "mpi/deferred_free.h"
#include "mpi/mpi_calls.h"
#include "request/own_boards.h"
#include "request/retain.h"

#include <stdlib.h>

const char bine_reason_no_progress[] = "nonblocking: MPI does not let it go on by itself";

static int advance_pending(struct bine_pending *w);
static void end_pending(struct bine_pending *w);
static int is_detached_request(const struct bine_pending *w);

/* --- Making a call ready */

/* Ranks cannot agree here whether all have memory, as for a blocking call: a nonblocking call may
 * not wait. So where memory is short, cached requests are freed, and the allocation is tried once
 * more. */
static void free_kept(struct bine_context *c) {
    bine_requests_forget(c);
    bine_workspace_trim();
}

static int bind_to(struct bine_context *c, struct bine_request *r, struct bine_plan *plan,
                   const struct bine_call *call) {
    size_t segment = (size_t)c->choosing.policy.settings.segment;
    bine_plan_retain(plan);
    bine_plan_free(r->plan);
    r->plan = plan;
    r->stamp = 0;
    r->workspace.tries_again = 1;
    int rc = bine_bind(&r->bound, plan, call, &c->channel, segment, &r->workspace);
    r->workspace.tries_again = 0;
    if (rc != MPI_ERR_NO_MEM)
        return rc;
    free_kept(c);
    return bine_bind(&r->bound, plan, call, &c->channel, segment, &r->workspace);
}

static int fit(struct bine_context *c, struct bine_call *call) {
    int rc = bine_call_fit(call, c->id.rank, c->channel.comm);
    if (rc != MPI_ERR_NO_MEM)
        return rc;
    free_kept(c);
    return bine_call_fit(call, c->id.rank, c->channel.comm);
}

static struct bine_plan *find_plan(struct bine_context *c, const struct bine_arguments *a,
                                   const struct bine_resolved *x) {
    struct bine_plan *plan = bine_context_plan(c, &x->choice, a, x->call.in_place);
    if (plan != NULL)
        return plan;
    free_kept(c);
    return bine_context_plan(c, &x->choice, a, x->call.in_place);
}

static int bind_again(struct bine_context *c, struct bine_request *r, struct bine_memo *m) {
    *m->used = ++c->caches.calls;
    if (r->stamp == m->stamp)
        return bine_rebind(&r->bound, m->call.sendbuf, m->call.recvbuf);
    int rc = bind_to(c, r, m->plan, &m->call);
    r->stamp = rc == MPI_SUCCESS ? m->stamp : 0;
    return rc;
}

static int bind_new(struct bine_context *c, const struct bine_arguments *a, struct bine_request *r,
                    struct bine_resolved *x) {
    int rc = fit(c, &x->call);
    struct bine_plan *plan = rc == MPI_SUCCESS ? find_plan(c, a, x) : NULL;
    if (rc == MPI_SUCCESS)
        rc = plan == NULL  ? MPI_ERR_NO_MEM
             : a->by_types ? bine_retain_each_type(r, a, c->id.p)
                           : bine_retain_types(r, &x->call);
    if (rc == MPI_SUCCESS)
        rc = bind_to(c, r, plan, &x->call); /* which tells others itself */
    else
        bine_refuse(c, a, &x->choice, &x->call);
    if (rc != MPI_SUCCESS || x->once || x->call.aliased)
        return rc;
    bine_remember(c, a, x);
    const struct bine_memo *m = &c->caches.memo[bine_memo_index(a)];
    r->stamp = m->valid && r->kept == NULL ? m->stamp : 0; /* arrays go with this call */
    return rc;
}

static int can_start(const struct bine_context *c) {
    return c->id.p > 0 && c->id.forward_reason == NULL && c->id.comm != MPI_COMM_NULL &&
           c->pending.progresses;
}

/* MPI makes the call: Bine_Next was meant for this one. */
static void pass(struct bine_context *c, const struct bine_arguments *a, const char *reason) {
    if (!a->drop_in && c->id.p > 0)
        c->choosing.next_name[0] = '\0';
    bine_note(c, a, &(struct bine_choice){.reason = reason});
}

/* Not one where calls can be started, as far as is known. */
static int find_other(const struct bine_arguments *a, const struct bine_shortcuts *known,
                      struct bine_context **c) {
    int rc = MPI_SUCCESS;
    *c = known != NULL ? known->context : NULL;
    if (known == NULL && !bine_communicators_is_leaving(a->comm))
        rc = bine_context_find(a->comm, c);
    if (*c != NULL && !can_start(*c)) {
        pass(*c, a,
             (*c)->id.forward_reason != NULL  ? (*c)->id.forward_reason
             : (*c)->id.comm == MPI_COMM_NULL ? "nonblocking: its communicator is not open yet"
                                              : bine_reason_no_progress);
        *c = NULL;
    }
    return rc;
}

int bine_call_find(const struct bine_arguments *a, struct bine_context **c) {
    const struct bine_shortcuts *known = bine_shortcuts_of(a->comm);
    if (known == NULL || !can_start(known->context))
        return find_other(a, known, c);
    *c = known->context;
    return MPI_SUCCESS;
}

static int has_own_operator(const struct bine_arguments *a) {
    return bine_collective_reduces(a->collective) && a->op != MPI_OP_NULL &&
           !bine_operator_is_built_in(a->op);
}

/* How it goes on, where it is left pending. */
static void set_way(struct bine_request *r) {
    r->way = (struct bine_pending){
        .advance = advance_pending, .end = end_pending, .is_detached = is_detached_request};
}

/* Retain the handles that the program may free before the call completes. */
static void hold(struct bine_context *c, const struct bine_arguments *a, struct bine_request *r,
                 int own_operator) {
    if (r->place == BINE_REQUEST_NOWHERE)
        bine_context_retain(c);
    r->context = c;
    r->comm = a->comm;
    set_way(r);
    r->complete = NULL;
    r->retains = 1;
    r->retains_operator = own_operator;
    if (own_operator)
        bine_operator_retain(&r->operator, a->op);
}

static struct bine_request *new_request(struct bine_context *c) {
    struct bine_request *r = bine_request_new();
    if (r != NULL)
        return r;
    free_kept(c);
    return bine_request_new();
}

/* A request for a call, of which there may be a memo. A persistent one has a new one: it would keep
 * others from being ready. */
static struct bine_request *take(struct bine_context *c, const struct bine_memo *m) {
    struct bine_request *r = m != NULL ? bine_request_take_bound(c, m->stamp) : NULL;
    if (r == NULL)
        r = bine_request_take(c, m != NULL);
    return r != NULL ? r : new_request(c);
}

/* A request that is not needed after all, or NULL. */
static int store(struct bine_request *r, int rc) {
    if (r != NULL)
        bine_request_store(r);
    return rc;
}

static const char no_tag[] = "more persistent calls than tags could tell apart";

/* Which way the call goes; of a persistent one the tag, and with *node its boards. */
static int resolve(struct bine_context *c, const struct bine_arguments *a, int has,
                   struct bine_resolved *x, int *tag, struct bine_node **node) {
    int rc = bine_own_boards_resolve(c, a, has, x, node);
    if (rc != MPI_SUCCESS)
        return rc;
    int by_tag = x->way != BINE_WAY_MPI && a->persistent && *node == NULL;
    *tag = by_tag ? bine_channel_lasting_tag(&c->channel) : 0;
    if (*tag < 0)
        *x = (struct bine_resolved){.way = BINE_WAY_MPI, .choice.reason = no_tag};
    bine_note(c, a, &x->choice);
    if (x->way != BINE_WAY_MPI && a->drop_in && !a->persistent)
        bine_channel_count(&c->channel);
    return rc;
}

/* The arrays are among `kept`, or the caller's; the request gets them. A persistent call whose
 * arrays could not be copied is refused. */
static int make_ready(struct bine_context *c, const struct bine_arguments *a, void **kept,
                      struct bine_request **request) {
    struct bine_resolved x;
    struct bine_node *node;
    struct bine_request *r = a->persistent ? new_request(c) : NULL;
    int has = r != NULL && (*kept != NULL || !bine_arguments_have_arrays(a));
    int tag, own_operator = has_own_operator(a);
    if (own_operator && bine_drop_in == NULL) {
        pass(c, a, "nonblocking: an operator of the program's own");
        return store(r, MPI_SUCCESS);
    }
    int rc = resolve(c, a, has, &x, &tag, &node);
    if (rc != MPI_SUCCESS && !a->persistent)
        bine_refuse_wrong(c);
    if (rc != MPI_SUCCESS || x.way == BINE_WAY_MPI)
        return store(r, rc);
    if (a->persistent && !has)
        return store(r, MPI_ERR_NO_MEM);
    if (!a->persistent)
        r = take(c, x.way == BINE_WAY_AS_BEFORE ? x.memo : NULL);
    if (r == NULL) {
        bine_refuse(c, a, &x.choice, x.way == BINE_WAY_AS_BEFORE ? &x.memo->call : &x.call);
        return MPI_ERR_NO_MEM;
    }
    hold(c, a, r, own_operator);
    r->kept = *kept;
    *kept = NULL;
    r->bound.tag = tag;
    r->bound.node = node;
    r->workspace.keeps_all = a->persistent;
    rc = x.way == BINE_WAY_AS_BEFORE ? bind_again(c, r, x.memo) : bind_new(c, a, r, &x);
    if (rc == MPI_SUCCESS) {
        *request = r;
        return rc;
    }
    bine_own_boards_leave(r);
    bine_request_release(r);
    return rc;
}

/* MPI lets the program free its arrays at the end of the call, but the MPI libraries do not need
 * them so long: programs free them earlier, mpi4py does. The arrays of a persistent call may be
 * freed at once. */
static int make_ready_with_arrays(struct bine_context *c, const struct bine_arguments *a,
                                  struct bine_request **request) {
    struct bine_arguments own = *a;
    void *kept = NULL;
    bine_arguments_copy(&own, c->id.rank, c->id.p, &kept);
    int rc = make_ready(c, &own, &kept, request);
    free(kept);
    return rc;
}

static int ready_anew(struct bine_context *c, const struct bine_arguments *a,
                      struct bine_request **request) {
    void *none = NULL;
    if (!a->drop_in) /* peers may run a call that fails here */
        bine_channel_count(&c->channel);
    return bine_arguments_have_arrays(a) ? make_ready_with_arrays(c, a, request)
                                         : make_ready(c, a, &none, request);
}

/* The request that is bound to a call like this one, if there is one; then the memo has the
 * addresses. */
static inline struct bine_request *take_again(struct bine_context *c,
                                              const struct bine_arguments *a, struct bine_memo *m) {
    struct bine_request *r = bine_repeats(c, m, a) ? bine_request_take_bound(c, m->stamp) : NULL;
    if (r == NULL)
        return NULL;
    bine_repeat_count(c, m, a->collective);
    r->context = c;
    r->comm = a->comm;
    return r;
}

int bine_call_ready(struct bine_context *c, const struct bine_arguments *a,
                    struct bine_request **request) {
    struct bine_memo *m = &c->caches.memo[bine_memo_index(a)];
    struct bine_request *r = a->persistent ? NULL : take_again(c, a, m);
    *request = NULL;
    if (r == NULL)
        return ready_anew(c, a, request);
    int rc = bine_rebind(&r->bound, m->call.sendbuf, m->call.recvbuf);
    if (rc == MPI_SUCCESS)
        *request = r;
    else
        bine_request_release(r);
    return rc;
}

int bine_call_plan(struct bine_context *c, const struct bine_arguments *a,
                   const struct bine_call *call, const struct bine_choice *choice,
                   struct bine_request **request) {
    struct bine_spec spec = bine_context_spec(c, choice, a->root, call->in_place);
    struct bine_plan *plan = bine_plan_new(&spec);
    struct bine_request *r = plan != NULL ? bine_request_new() : NULL;
    int rc = MPI_ERR_NO_MEM;
    if (r != NULL) {
        hold(c, a, r, 0);
        r->workspace.keeps_all = 1;
        rc = bind_to(c, r, plan, call);
    }
    bine_plan_free(plan); /* the request holds it */
    if (rc !=
        MPI_SUCCESS) /* peers have begun: a rank that keeps all its memory does not tell them */
        bine_refuse(c, a, choice, call);
    if (r != NULL && rc != MPI_SUCCESS)
        bine_request_release(r);
    *request = rc == MPI_SUCCESS ? r : NULL;
    return rc;
}

/* --- Starting it, and its end */

int bine_request_unstage(struct bine_request *r, int rc) {
    struct bine_staged *s = r->staged;
    r->staged = NULL;
    return bine_staged_end(s, rc);
}

static int advance_mpis(struct bine_request *r) {
    int done, rc = PMPI_Test(&r->mpi, &done, MPI_STATUS_IGNORE);
    if (rc != MPI_SUCCESS)
        done = 1;
    if (done)
        r->rc = bine_request_unstage(r, rc);
    return done;
}

int bine_request_advance(struct bine_request *r) {
    int done;
    if (r->context == NULL)
        return advance_mpis(r);
    int rc = bine_bound_progress(&r->bound, 0, &done);
    if (done)
        r->rc = bine_call_result(&r->bound.call, rc);
    return done;
}

/* Others may have taken it further. */
static void end(struct bine_request *r) {
    int started = BINE_REQUEST_STARTED;
    if (r->complete != NULL)
        r->complete(r);
    else if (!atomic_compare_exchange_strong(&r->state, &started, BINE_REQUEST_OVER))
        bine_request_release(r);
}

static int advance_pending(struct bine_pending *w) {
    return bine_request_advance((struct bine_request *)w);
}

static void end_pending(struct bine_pending *w) {
    end((struct bine_request *)w);
}

static int is_detached_request(const struct bine_pending *w) {
    const struct bine_request *r = (const struct bine_request *)w;
    return atomic_load(&r->state) == BINE_REQUEST_DETACHED;
}

/* It has been started: take it as far as it goes while MPI looks for no messages. Programs may
 * start calls where they would not test them: Open MPI 4.1 waits for ever if it looks for messages
 * between several MPI_Comm_idup. */
static inline void leave_pending(struct bine_request *r) {
    r->bound.execution.starting = 1;
    int completed = bine_request_advance(r), asked = r->complete == NULL;
    r->bound.execution.starting = 0;
    atomic_store_explicit(&r->state, completed && asked ? BINE_REQUEST_OVER : BINE_REQUEST_STARTED,
                          memory_order_release);
    if (!completed)
        bine_progress_add(&r->way);
    else if (!asked)
        r->complete(r);
}

int bine_request_begin(struct bine_request *r) {
    int rc = bine_bound_start(&r->bound);
    if (rc == MPI_SUCCESS)
        leave_pending(r);
    else
        bine_own_boards_leave(r);
    return rc;
}

int bine_request_forward(const struct bine_arguments *a, struct bine_request **request) {
    struct bine_request *r = bine_request_new();
    if (r == NULL)
        return bine_raise(a->comm, MPI_ERR_NO_MEM);
    set_way(r);
    r->comm = a->comm;
    int rc = bine_call_staged_start(a, &r->mpi, &r->staged);
    if (rc != MPI_SUCCESS) {
        bine_request_store(r);
        return rc;
    }
    atomic_store_explicit(&r->state, BINE_REQUEST_STARTED, memory_order_release);
    *request = r;
    return rc;
}

/* MPICH leaves MPI_Wait only when a message has arrived: a call that needs none must complete here.
 */
void bine_request_track(struct bine_request *r) {
    if (bine_progress_is_hooked()) {
        if (bine_mpi_is(BINE_LIBRARY_MPICH) && bine_request_advance(r))
            end(r);
        else
            bine_progress_add(&r->way);
        return;
    }
    PMPI_Wait(&r->mpi, MPI_STATUS_IGNORE);
    bine_request_advance(r);
    end(r);
}

static int start_anew(const struct bine_arguments *a, struct bine_request **request) {
    struct bine_context *c;
    struct bine_request *r = NULL;
    int rc = bine_call_find(a, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c != NULL)
        rc = bine_call_ready(c, a, &r);
    if (rc == MPI_SUCCESS && r == NULL)
        return bine_request_forward(a, request);
    if (rc == MPI_SUCCESS) {
        rc = bine_request_begin(r);
        if (rc != MPI_SUCCESS)
            bine_request_release(r);
    }
    if (rc != MPI_SUCCESS)
        return bine_raise(a->comm, rc);
    *request = r;
    return MPI_SUCCESS;
}

/* A call like one before it, by the request of that one: as it was started then, it can be now. */
static int start_again(struct bine_request *r, const struct bine_memo *m) {
    int rc = bine_bound_restart(&r->bound, m->call.sendbuf, m->call.recvbuf);
    if (rc == MPI_SUCCESS)
        leave_pending(r);
    return rc;
}

int bine_call_start(const struct bine_arguments *a, struct bine_request **request) {
    const struct bine_shortcuts *known = bine_shortcuts_of(a->comm);
    if (a->comm == MPI_COMM_NULL)
        return bine_raise(a->comm, MPI_ERR_COMM);
    if (request == NULL)
        return bine_raise(a->comm, MPI_ERR_ARG);
    *request = NULL;
    bine_contexts_sweep();
    struct bine_memo *m = known != NULL ? &known->context->caches.memo[bine_memo_index(a)] : NULL;
    struct bine_request *r = m != NULL ? take_again(known->context, a, m) : NULL;
    if (r == NULL)
        return start_anew(a, request);
    int rc = start_again(r, m);
    if (rc == MPI_SUCCESS) {
        *request = r;
        return rc;
    }
    bine_request_release(r);
    return bine_raise(a->comm, rc);
}
