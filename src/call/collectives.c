/* A call: resolve it to one of three ways, and go that way. */
#include "call/collectives.h"

#include "call/call.h"
#include "call/device.h"
#include "call/query.h"
#include "call/staged.h"
#include "report/verbose.h"
#include "report/warn.h"

#include <string.h>

/* --- Choosing */

/* The selector of a call. Bine_Next comes before Bine_Set, but intercepted calls are not the next
 * call that a program means. Returns an MPI error class. */
static int find_selector(struct bine_context *c, const struct bine_arguments *a,
                         struct bine_selector *s) {
    char why[200];
    *s = bine_selector_make(c, a->collective);
    if (bine_context_has_next(c, a)) {
        int rc = bine_selection_parse(a->collective, c->choosing.next_name, &s->program, why,
                                      sizeof why);
        s->setting = bine_selection_none();
        c->choosing.next_name[0] = '\0';
        return rc == 0 ? MPI_SUCCESS : MPI_ERR_ARG;
    }
    if (!bine_may_use_boards(c, a)) {
        s->program = bine_selection_nonblocking(s->program);
        s->setting = bine_selection_nonblocking(s->setting);
    }
    return MPI_SUCCESS;
}

/* A call to select for. */
struct subject {
    const struct bine_arguments *a;
    struct bine_selector selector;
    struct bine_query q;
    int64_t element; /* its bytes */
};

/* A setting that cannot be followed gets a warning. */
static int choose(const struct bine_context *c, const struct subject *x, struct bine_decision *d) {
    bine_select(&x->selector, &x->q, d);
    if (d->fails)
        return d->choice.algorithm->commutative && !x->q.commutative ? MPI_ERR_OP : MPI_ERR_ARG;
    if (d->why[0] != '\0')
        bine_warn(c->id.reports, 0, "%s", d->why);
    return MPI_SUCCESS;
}

/* The bytes that a slot must hold for each rank: of a sum an element, of uneven blocks a place. */
static int64_t least_in_slot(const struct subject *x) {
    if (bine_collective_reduces(x->q.collective))
        return x->element;
    return bine_collective_is_uneven(x->q.collective) ? BINE_BOARD_SIZED_A_RANK : 1;
}

static void ask_for_boards(const struct bine_context *c, struct subject *x) {
    if (bine_may_use_boards(c, x->a))
        x->q.boards = bine_context_has_boards(c, least_in_slot(x), &x->q.exposes);
}

/* Bytes of the largest block of the call, or of an element if a vector is cut. */
static int64_t largest_block(const struct bine_arguments *a, const struct bine_query *q,
                             int64_t element) {
    if (q->collective == BINE_BCAST)
        return 1;
    if (bine_cuts_a_vector(q->collective))
        return element;
    return a->by_counts || q->collective == BINE_ALLGATHERV
               ? bine_counts_most(&a->recvcounts, q->p) * element
               : q->bytes / q->p;
}

/* Boards inside the nodes, for an algorithm that knows nodes. A call that is started takes all its
 * numbers at once, which one that runs twice would not. */
static int may_use_node_boards(const struct bine_context *c, const struct bine_arguments *a,
                               const struct bine_choice *choice) {
    return bine_may_use_boards(c, a) && !(a->nonblocking && choice->algorithm->exchanges_sizes);
}

/* If the choice needs boards, all ranks create them and choose again. For a nonblocking call they
 * create none. */
static int choose_boards(struct bine_context *c, struct subject *x, struct bine_decision *d) {
    const struct bine_arguments *a = x->a;
    int rc = MPI_SUCCESS;
    if (d->choice.algorithm == NULL)
        return rc;
    if (bine_algorithm_needs(d->choice.algorithm) == BINE_NEEDS_BOARDS && !a->nonblocking &&
        bine_context_make_boards(c, a->comm)) {
        ask_for_boards(c, x);
        rc = choose(c, x, d);
    }
    if (rc == MPI_SUCCESS && d->choice.algorithm != NULL && may_use_node_boards(c, a, &d->choice))
        bine_context_node_boards(c, a->comm, largest_block(a, &x->q, x->element), &d->choice);
    return rc;
}

/* All ranks come here: the model is asked if the decision wants that, and boards are made. */
static int choose_together(struct bine_context *c, struct subject *x, struct bine_decision *d) {
    int rc = MPI_SUCCESS;
    if (d->wants_prediction &&
        bine_predictor_ask(c->choosing.predictor, &x->q, &c->choosing.policy.settings, x->a->comm))
        rc = choose(c, x, d);
    return rc == MPI_SUCCESS ? choose_boards(c, x, d) : rc;
}

/* The call, and a decision for which no other rank is asked. */
static int prepare(struct bine_context *c, struct subject *x, struct bine_call *call,
                   struct bine_decision *d) {
    int rc = find_selector(c, x->a, &x->selector);
    if (rc == MPI_SUCCESS)
        rc = bine_call_make(x->a, c->id.rank, c->id.p, call);
    if (rc != MPI_SUCCESS)
        return rc;
    x->q = bine_query_make(c, x->a, call->bytes, call->commutative);
    x->element = call->recvtype.size;
    ask_for_boards(c, x);
    return choose(c, x, d);
}

int bine_prepare(struct bine_context *c, const struct bine_arguments *a, struct bine_call *call,
                 struct bine_choice *choice) {
    struct subject x = {.a = a};
    struct bine_decision d;
    int rc = prepare(c, &x, call, &d);
    if (rc == MPI_SUCCESS)
        rc = choose_boards(c, &x, &d);
    if (rc == MPI_SUCCESS)
        *choice = d.choice;
    return rc;
}

/* --- Resolving */

/* Why every intercepted call of a collective is forwarded on this communicator, or NULL. */
static const char *forwards_every(const struct bine_context *c, enum bine_collective k) {
    struct bine_selector s = bine_selector_make(c, k);
    struct bine_query q = {.collective = k, .p = c->id.p, .drop_in = 1};
    return bine_select_every(&s, &q);
}

/* The decision is the call's. */
static void take(struct bine_resolved *r, const struct bine_decision *d) {
    r->way = d->choice.algorithm != NULL ? BINE_WAY_NEW : BINE_WAY_MPI;
    r->choice = d->choice;
    r->once |= !d->lasts;
    r->session = d->session;
    r->counts = d->counts;
    r->prediction = d->prediction;
}

static int forward(struct bine_resolved *r, const char *reason) {
    r->way = BINE_WAY_MPI;
    r->choice = (struct bine_choice){.reason = reason};
    return MPI_SUCCESS;
}

static const char wrong[] = "wrong arguments: the error is MPI's to find";
static const char overlap[] = "the buffers overlap: the error is MPI's to find";

/* Whether the call can be made. Which of the ranks has buffers that overlap is no reason to choose
 * otherwise there. */
static int can_be_made(const struct bine_resolved *r, int made) {
    return made == MPI_SUCCESS || r->call.aliased;
}

/* The other ranks need not come for a call that is wrong here. So no rank is asked, and nothing is
 * counted, before the call is known to be right. *made: the result of making it, where that has
 * been tried. Returns whether MPI finds an error. */
static int is_wrong_here(const struct bine_context *c, const struct bine_arguments *a,
                         const struct bine_decision *d, int sized, int *made,
                         struct bine_resolved *r) {
    if (d->choice.algorithm == NULL && d->lasts && d->session == NULL)
        return 0;
    if (sized)
        *made = bine_call_make(a, c->id.rank, c->id.p, &r->call);
    return bine_call_is_wrong_for_mpi(a, c->id.rank, &r->call, *made);
}

/* The place of a query's decision. */
static struct bine_known_decision *place_of(struct bine_context *c, const struct bine_query *q) {
    uint64_t mix = (uint64_t)q->bytes + (uint64_t)q->collective * 5;
    return &c->caches.decision[(mix ^ mix >> 3 ^ mix >> 6) % BINE_DECISIONS];
}

static int may_be_known(const struct bine_context *c, const struct bine_arguments *a) {
    return a->drop_in && !a->nonblocking && !a->persistent && !bine_context_has_next(c, a);
}

/* The first choice of an intercepted call, as it was made for the last call like it. */
static int choose_known(struct bine_context *c, const struct subject *x, struct bine_decision *d) {
    const struct bine_query *q = &x->q;
    const struct bine_known_decision *k = place_of(c, q);
    if (!may_be_known(c, x->a) || !k->valid || k->bytes != q->bytes ||
        k->collective != (int)q->collective || k->commutative != q->commutative ||
        k->uneven != q->uneven || k->root != q->root || k->boards != q->boards ||
        k->exposes != q->exposes)
        return choose(c, x, d);
    *d = (struct bine_decision){.choice = k->choice, .lasts = 1, .rule = -1};
    return MPI_SUCCESS;
}

static void keep_decision(struct bine_context *c, const struct subject *x,
                          const struct bine_decision *d) {
    const struct bine_query *q = &x->q;
    if (!may_be_known(c, x->a) || !d->lasts || d->session != NULL || d->counts || d->why[0] != '\0')
        return;
    *place_of(c, q) = (struct bine_known_decision){.valid = 1,
                                                   .collective = (int)q->collective,
                                                   .commutative = q->commutative,
                                                   .uneven = q->uneven,
                                                   .root = q->root,
                                                   .boards = q->boards,
                                                   .exposes = q->exposes,
                                                   .bytes = q->bytes,
                                                   .choice = d->choice};
}

/* First without asking other ranks, which shows whether they will be asked. Returns why MPI makes
 * the call although an algorithm may have been chosen, or NULL. */
static const char *choose_intercepted(struct bine_context *c, struct subject *x, int sized,
                                      int *made, struct bine_resolved *r) {
    struct bine_decision d;
    find_selector(c, x->a, &x->selector); /* which fails for calls of Bine's own only */
    ask_for_boards(c, x);
    int rc = choose_known(c, x, &d);
    if (rc == MPI_SUCCESS && is_wrong_here(c, x->a, &d, sized, made, r))
        return r->call.aliased ? overlap : wrong;
    if (rc == MPI_SUCCESS)
        rc = choose_together(c, x, &d);
    if (rc != MPI_SUCCESS)
        return "the algorithm that is set cannot serve it";
    keep_decision(c, x, &d);
    take(r, &d);
    return NULL;
}

/* A reason that holds for one size class need not hold for the next, where the model may be asked
 * or a tuning session opened. */
static void narrow(const struct bine_context *c, int64_t bytes, struct bine_byte_range *range) {
    int64_t from, below;
    if (c->choosing.predictor == NULL && !c->choosing.policy.settings.learn)
        return;
    bine_size_class_range(c->choosing.predictor, bytes, &from, &below);
    range->from = range->from > from ? range->from : from;
    range->below = range->below < below ? range->below : below;
}

/* An intercepted call. Most are decided by their size, and forwarded: then the other arguments are
 * not looked at. MPI finds their errors. */
static int resolve_intercepted(struct bine_context *c, const struct bine_arguments *a,
                               struct bine_resolved *r) {
    struct bine_call_size size;
    int made = MPI_SUCCESS, sized = bine_call_size(a, c->id.rank, c->id.p, &size) == 0;
    if (!sized)
        made = bine_call_make(a, c->id.rank, c->id.p, &r->call);
    if (!can_be_made(r, made))
        return forward(r, wrong);
    if (!sized)
        size = (struct bine_call_size){r->call.bytes, (int64_t)r->call.recvtype.size,
                                       r->call.commutative};
    struct subject x = {
        .a = a, .q = bine_query_make(c, a, size.bytes, size.commutative), .element = size.element};
    r->bytes = size.bytes;
    const char *why = choose_intercepted(c, &x, sized, &made, r);
    if (why != NULL)
        return forward(r, why);
    if (r->way == BINE_WAY_NEW)
        return can_be_made(r, made) ? MPI_SUCCESS : forward(r, wrong);
    if (!sized || bine_verbose_is_on() || r->once || c->devices.some || a->nonblocking ||
        !bine_shortcut_is_due(&c->caches.shortcuts, a))
        return MPI_SUCCESS;
    struct bine_byte_range range =
        bine_rules_range(c->choosing.policy.rules, a->collective, size.bytes);
    narrow(c, size.bytes, &range);
    bine_shortcut_add(&c->caches.shortcuts, a, (int)size.element, &range, r->choice.reason);
    return MPI_SUCCESS;
}

static int resolve_own(struct bine_context *c, const struct bine_arguments *a,
                       struct bine_resolved *r) {
    struct subject x = {.a = a};
    struct bine_decision d;
    int rc = prepare(c, &x, &r->call, &d);
    if (rc == MPI_SUCCESS)
        rc = choose_together(c, &x, &d);
    r->bytes = r->call.bytes;
    if (rc == MPI_SUCCESS)
        take(r, &d);
    return rc;
}

void bine_remember(struct bine_context *c, const struct bine_arguments *a,
                   const struct bine_resolved *r) {
    struct bine_memo *m = &c->caches.memo[bine_memo_index(a)];
    int plan = r->choice.algorithm != NULL;
    *m =
        (struct bine_memo){bine_memo_is_lasting(a, &r->call, c->id.p),
                           *a,
                           bine_memo_call(a, &r->call),
                           r->choice,
                           plan ? c->caches.recent->plan[r->call.in_place != 0] : NULL,
                           plan ? &c->caches.recent->used : NULL,
                           ++c->caches.stamps,
                           r->session,
                           plan && r->session == NULL && !c->devices.some && !bine_verbose_is_on()};
    if ((plan && !a->nonblocking) || c->caches.bound_to == m)
        c->caches.bound_to = plan && m->valid && !a->nonblocking ? m : NULL;
}

/* Not seen before, or not to be remembered. All ranks come here together if it is for Bine. */
static int resolve_new(struct bine_context *c, const struct bine_arguments *a,
                       struct bine_resolved *r) {
    int rc = a->drop_in ? resolve_intercepted(c, a, r) : resolve_own(c, a, r);
    if (rc != MPI_SUCCESS)
        return rc;
    if (r->way == BINE_WAY_NEW) {
        bine_context_open(c, a->comm);
        if (c->id.forward_reason != NULL)
            forward(r, c->id.forward_reason);
    }
    if (r->way == BINE_WAY_MPI && !a->drop_in && !r->once)
        bine_remember(c, a, r);
    return MPI_SUCCESS;
}

int bine_resolve(struct bine_context *c, const struct bine_arguments *a, struct bine_resolved *r) {
    r->way = BINE_WAY_MPI;
    r->bytes = 0;
    r->counts = 0;
    r->session = NULL;
    r->once = a->persistent || bine_context_has_next(c, a);
    if (c->id.p == 0) /* there was no memory to find out more */
        return forward(r, c->id.forward_reason);
    const char *every = a->drop_in && !bine_verbose_is_on() && !c->devices.some
                            ? forwards_every(c, a->collective)
                            : NULL;
    if (every != NULL) {
        c->caches.shortcuts.every[a->collective] = every;
        return forward(r, every);
    }
    struct bine_memo *m = &c->caches.memo[bine_memo_index(a)];
    if (r->once || !bine_memo_fits(m, a, c->id.p))
        return resolve_new(c, a, r);
    bine_call_address(a, c->id.rank, &m->call);
    if (bine_call_is_aliased(&m->call))
        return resolve_new(c, a, r);
    r->way = m->choice.algorithm != NULL ? BINE_WAY_AS_BEFORE : BINE_WAY_MPI;
    r->bytes = m->call.bytes;
    r->session = m->session;
    r->choice = m->choice;
    r->memo = m;
    return MPI_SUCCESS;
}

/* --- Running */

static int bind(struct bine_context *c, const struct bine_plan *plan,
                const struct bine_call *call) {
    return bine_bind(&c->caches.bound, plan, call, &c->channel,
                     (size_t)c->choosing.policy.settings.segment, &c->caches.workspace);
}

/* Calls of Bine's API are counted before anything can fail. Intercepted calls are counted here: all
 * ranks come here or none does. */
static void count_intercepted(struct bine_context *c, const struct bine_arguments *a) {
    if (a->drop_in)
        bine_channel_count(&c->channel);
}

/* Bound last, or at least remembered: nothing to find out. */
static int run_again(struct bine_context *c, const struct bine_arguments *a, struct bine_memo *m) {
    int rc = MPI_SUCCESS;
    *m->used = ++c->caches.calls;
    count_intercepted(c, a);
    if (c->caches.bound_to == m) {
        rc = bine_rebind(&c->caches.bound, m->call.sendbuf, m->call.recvbuf);
        c->caches.bound_to = rc == MPI_SUCCESS ? m : NULL;
    } else {
        c->caches.bound_to = NULL;
        rc = bind(c, m->plan, &m->call);
        c->caches.bound_to = rc == MPI_SUCCESS ? m : NULL;
    }
    return rc == MPI_SUCCESS ? bine_bound_run(&c->caches.bound) : rc;
}

void bine_refuse(struct bine_context *c, const struct bine_arguments *a,
                 const struct bine_choice *choice, const struct bine_call *call) {
    struct bine_spec spec = bine_context_spec(c, choice, a->root, call->in_place);
    if (bine_algorithm_needs(spec.algorithm) == BINE_NEEDS_BOARDS && c->channel.node != NULL &&
        !a->persistent)
        bine_board_refuse_unplanned(&spec, call, c->channel.node);
}

void bine_refuse_wrong(struct bine_context *c) {
    if (c->channel.node != NULL)
        bine_board_refuse_any(c->channel.node);
}

static int run_new(struct bine_context *c, const struct bine_arguments *a,
                   struct bine_resolved *r) {
    count_intercepted(c, a);
    int rc = bine_call_fit(&r->call, c->id.rank, c->channel.comm);
    struct bine_plan *plan = bine_context_plan(c, &r->choice, a, r->call.in_place);
    if (rc == MPI_SUCCESS && plan == NULL)
        rc = MPI_ERR_NO_MEM;
    c->caches.bound_to = NULL;
    if (rc == MPI_SUCCESS)
        rc = bind(c, plan, &r->call);
    else
        bine_refuse(c, a, &r->choice, &r->call);
    rc = bine_context_agree(c, &r->choice, r->call.bytes, rc);
    if (rc == MPI_SUCCESS && !r->once && !r->call.aliased)
        bine_remember(c, a, r);
    return bine_call_result(&r->call, rc == MPI_SUCCESS ? bine_bound_run(&c->caches.bound) : rc);
}

/* MPI calls the error handler for its own errors. */
static int go(struct bine_context *c, const struct bine_arguments *a, struct bine_resolved *r) {
    if (r->way == BINE_WAY_MPI)
        return bine_call_staged(a);
    int rc = r->way == BINE_WAY_AS_BEFORE ? run_again(c, a, r->memo) : run_new(c, a, r);
    return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
}

void bine_note(struct bine_context *c, const struct bine_arguments *a,
               const struct bine_choice *choice) {
    if (c->id.p == 0) /* shared by many */
        return;
    bine_shortcuts_note(&c->caches.shortcuts, a->collective,
                        choice->algorithm == NULL ? choice->reason : NULL);
    if (choice->algorithm != NULL)
        c->choosing.last = *choice;
}

/* A call of a tuning session, or one that counts towards it, is over. */
static void learn(struct bine_context *c, const struct bine_arguments *a,
                  const struct bine_resolved *r, double seconds) {
    struct bine_query q = bine_query_make(c, a, r->bytes, 1);
    if (bine_tuning_record(&c->choosing.tuning, r->session, &q, r->prediction,
                           &c->choosing.policy.settings, a->comm, seconds))
        bine_context_forget(c);
}

/* As is_wrong_here, before the ranks show each other where their vectors are. */
static int is_wrong_alone(const struct bine_context *c, const struct bine_arguments *a) {
    struct bine_call call;
    return a->drop_in && bine_call_is_wrong_for_mpi(a, c->id.rank, &call,
                                                    bine_call_make(a, c->id.rank, c->id.p, &call));
}

int bine_call_run(struct bine_context *c, const struct bine_arguments *a) {
    struct bine_resolved r;
    int rc;
    if (!a->drop_in && c->id.p != 0) /* peers may run a call that fails here */
        bine_channel_count(&c->channel);
    if (c->devices.some && bine_collective_is_plain(a->collective) && !is_wrong_alone(c, a) &&
        bine_device_call(c, a, &rc))
        return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
    rc = bine_resolve(c, a, &r);
    if (rc != MPI_SUCCESS) {
        bine_refuse_wrong(c);
        return bine_raise(a->comm, rc);
    }
    bine_note(c, a, &r.choice);
    int learns = r.session != NULL || r.counts;
    if (!learns && !bine_verbose_is_on())
        return go(c, a, &r);
    if (r.session != NULL)
        bine_tuning_synchronize(r.session, a->comm);
    double gain = r.session != NULL ? bine_tuning_gain(r.session) : 0, begin = bine_verbose_now();
    rc = go(c, a, &r);
    double seconds = bine_verbose_now() - begin;
    if (bine_verbose_is_on())
        bine_verbose_add(a->collective, c->id.p, r.bytes, &r.choice,
                         (struct bine_verbose_call){seconds, gain});
    if (learns)
        learn(c, a, &r, seconds);
    return rc;
}
