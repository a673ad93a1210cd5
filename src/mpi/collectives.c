/* A call: resolve it to one of three ways, and go that way. */
#include "mpi/collectives.h"

#include "mpi/call.h"
#include "mpi/device.h"
#include "mpi/follow.h"
#include "mpi/library.h"
#include "mpi/staged.h"
#include "mpi/verbose.h"
#include "mpi/warn.h"

#include <string.h>

/* --- Choosing */

/* Whether a call may use boards. One that is started takes those that a blocking call has made; not
 * where two threads may take calls further at once, since one at a time uses the boards of a rank;
 * nor one that is started again and again: ranks may start such calls in different orders, and at
 * boards all must count alike. */
static int may_share(const struct bine_context *c, const struct bine_arguments *a) {
    return !a->nonblocking || (!a->persistent && c->one_at_a_time && c->channel.node != NULL);
}

/* Forced for the next call, for the communicator, or by the settings, in this order. Calls that
 * were taken over are not the next call that a program means. Returns an MPI error class. */
static int forced_for(struct bine_context *c, const struct bine_arguments *a, struct bine_forced *f,
                      int *by_program) {
    char why[200];
    enum bine_collective k = a->collective;
    *by_program = 1;
    if (c->next_name[0] != '\0' && !a->drop_in) {
        int rc = bine_forced_parse(k, c->next_name, f, why, sizeof why);
        c->next_name[0] = '\0';
        return rc == 0 ? MPI_SUCCESS : MPI_ERR_ARG;
    }
    *by_program = c->forced[k].algorithm != BINE_FORCED_NOTHING;
    *f = *by_program ? c->forced[k] : c->policy.settings.forced[k];
    if (!may_share(c, a))
        *f = bine_forced_to_start(*f);
    return MPI_SUCCESS;
}

struct bine_question bine_ask(const struct bine_context *c, const struct bine_arguments *a,
                              int64_t bytes, int commutative) {
    int exposes, boards = may_share(c, a) && bine_context_shares(c, 1, &exposes);
    return (struct bine_question){.collective = a->collective,
                                  .p = c->p,
                                  .bytes = bytes,
                                  .commutative = commutative,
                                  .uneven = bine_arguments_are_uneven(a, c->p),
                                  .root = a->root,
                                  .drop_in = a->drop_in,
                                  .nonblocking = a->nonblocking,
                                  .always = c->policy.settings.always != 0,
                                  .off = c->policy.settings.off != 0,
                                  .library = BINE_LIBRARY,
                                  .nodes = c->nodes,
                                  .per_node = c->per_node,
                                  .crowded = c->crowded,
                                  .groups = c->groups,
                                  .dims = c->dims,
                                  .wired = c->wired,
                                  .seats = c->seats != NULL,
                                  .ports = c->policy.settings.ports,
                                  .levels = c->levels != NULL,
                                  .boards = boards,
                                  .exposes = boards && exposes,
                                  .reorders = c->order != NULL};
}

/* A setting that forces what cannot be had gets a warning, and is left out. */
static int choose(struct bine_context *c, const struct bine_question *q, struct bine_forced *f,
                  int by_program, struct bine_choice *choice) {
    char why[200];
    const struct bine_rules *rules = c->policy.rules;
    c->undecided = c->hears = 0;
    c->lesson = NULL;
    c->advised.count = 0;
    if (c->plain != NULL) {
        *choice = (struct bine_choice){.reason = c->plain};
        return MPI_SUCCESS;
    }
    int failed = bine_choose(q, f, rules, choice, why, sizeof why) != 0;
    if (failed && by_program)
        return choice->algorithm->commutative && !q->commutative ? MPI_ERR_OP : MPI_ERR_ARG;
    if (failed) {
        bine_warn(c->speaks, 0, "%s: %s is not followed there (%d ranks)", why,
                  bine_setting_table[q->collective].name, q->p);
        *f = (struct bine_forced){BINE_FORCED_NOTHING, -1};
        bine_choose(q, f, rules, choice, why, sizeof why);
    }
    if (!by_program && bine_layout_missed(q, f, choice, why, sizeof why))
        bine_warn(c->speaks, 0, "%s", why);
    if (!by_program && f->algorithm != BINE_FORCED_NOTHING && !q->off)
        choice->reason = bine_forced_reason(q->collective);
    if (f->algorithm == BINE_FORCED_NOTHING && f->layout < 0)
        bine_follow(c, q, choice);
    return MPI_SUCCESS;
}

/* Of a sum, a slot must hold an element for each rank. */
static void ask_for_boards(const struct bine_context *c, const struct bine_arguments *a,
                           int64_t element, struct bine_question *q) {
    if (!may_share(c, a))
        return;
    q->boards =
        bine_context_shares(c, bine_collective_reduces(q->collective) ? element : 1, &q->exposes);
}

/* Bytes of the largest block of the call, or of an element if a vector is cut. */
static int64_t largest_block(const struct bine_arguments *a, const struct bine_question *q,
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
static int may_level(const struct bine_context *c, const struct bine_arguments *a,
                     const struct bine_choice *choice) {
    return may_share(c, a) && !(a->nonblocking && choice->algorithm->announces);
}

/* The same; and as soon as an algorithm wants boards, all ranks make them and choose again with
 * what has come out. Nobody makes them for a call that is only started. */
static int choose_for(struct bine_context *c, const struct bine_arguments *a, int64_t element,
                      struct bine_question *q, struct bine_forced *f, int by_program,
                      struct bine_choice *choice) {
    ask_for_boards(c, a, element, q);
    int rc = choose(c, q, f, by_program, choice);
    if (rc != MPI_SUCCESS || choice->algorithm == NULL)
        return rc;
    if (bine_algorithm_needs(choice->algorithm) == BINE_NEEDS_BOARDS && !a->nonblocking &&
        bine_context_share(c, a->comm)) {
        ask_for_boards(c, a, element, q);
        rc = choose(c, q, f, by_program, choice);
    }
    if (rc == MPI_SUCCESS && choice->algorithm != NULL && may_level(c, a, choice))
        bine_context_level(c, a->comm, largest_block(a, q, element), choice);
    return rc;
}

int bine_prepare(struct bine_context *c, const struct bine_arguments *a, struct bine_call *call,
                 struct bine_choice *choice) {
    struct bine_forced f;
    int by_program, rc = forced_for(c, a, &f, &by_program);
    if (rc == MPI_SUCCESS)
        rc = bine_call_make(a, c->rank, c->p, call);
    if (rc != MPI_SUCCESS)
        return rc;
    struct bine_question q = bine_ask(c, a, call->bytes, call->commutative);
    return choose_for(c, a, call->recvtype.size, &q, &f, by_program, choice);
}

/* --- Resolving */

static int leave(struct bine_resolved *r, const char *reason) {
    r->way = BINE_WAY_MPI;
    r->choice = (struct bine_choice){.reason = reason};
    return MPI_SUCCESS;
}

/* Why MPI makes every call of a collective that is taken over on this communicator, or NULL. */
static const char *leaves_every(const struct bine_context *c, enum bine_collective k) {
    const struct bine_forced *f = c->forced[k].algorithm != BINE_FORCED_NOTHING
                                      ? &c->forced[k]
                                      : &c->policy.settings.forced[k];
    if (c->plain != NULL)
        return c->plain;
    if (c->policy.settings.off)
        return BINE_REASON_OFF;
    if (f->algorithm == BINE_FORCED_MPI)
        return f == &c->forced[k] ? "forced" : bine_forced_reason(k);
    return NULL;
}

/* Whether the MPI library would make a call whose buffers overlap, or find an error. */
static int takes_aliased(const struct bine_arguments *a) {
    int same = a->sendbuf == a->recvbuf;
    return BINE_LIBRARY == BINE_LIBRARY_OPENMPI &&
           !(same && (a->collective == BINE_REDUCE || a->collective == BINE_ALLREDUCE));
}

static const char wrong[] = "wrong arguments: the error is MPI's to find";

/* Whether the call can be made. Which of the ranks has buffers that overlap is no reason to choose
 * otherwise there. */
static int make_taken(struct bine_context *c, const struct bine_arguments *a,
                      struct bine_resolved *r) {
    return bine_call_make(a, c->rank, c->p, &r->call) == MPI_SUCCESS || r->call.aliased;
}

/* What holds for a class says nothing of the next, where the model may be asked or lessons be
 * learnt. */
static void narrow(const struct bine_context *c, int64_t bytes, struct bine_byte_range *range) {
    int64_t from, below;
    if (c->adviser == NULL && !c->policy.settings.learn)
        return;
    bine_advice_range(bytes, &from, &below);
    range->from = range->from > from ? range->from : from;
    range->below = range->below < below ? range->below : below;
}

/* A call that was taken over. Most are chosen for by their size, and end in MPI's own algorithm:
 * then nobody looks at the rest. Errors are MPI's to find. */
static int resolve_taken(struct bine_context *c, const struct bine_arguments *a,
                         struct bine_resolved *r) {
    struct bine_call_size size;
    struct bine_forced f;
    int by_program, sized = bine_call_size(a, c->rank, c->p, &size) == 0;
    if (!sized && !make_taken(c, a, r))
        return leave(r, wrong);
    if (!sized)
        size =
            (struct bine_call_size){r->call.bytes, (int)r->call.recvtype.size, r->call.commutative};
    r->bytes = size.bytes;
    forced_for(c, a, &f, &by_program); /* which fails for calls of Bine's own only */
    struct bine_question q = bine_ask(c, a, size.bytes, size.commutative);
    if (choose_for(c, a, size.element, &q, &f, by_program, &r->choice) != MPI_SUCCESS)
        return leave(r, "the algorithm that is set cannot serve it");
    if (r->choice.algorithm == NULL) {
        struct bine_byte_range range = bine_rules_range(c->policy.rules, a->collective, size.bytes);
        narrow(c, size.bytes, &range);
        if (sized && !bine_verbose_is_on() && !c->undecided && !c->looks && !a->nonblocking)
            bine_shortcut_add(&c->shortcuts, a, size.element, &range, r->choice.reason);
        return MPI_SUCCESS;
    }
    r->way = BINE_WAY_NEW;
    return sized && !make_taken(c, a, r) ? leave(r, wrong) : MPI_SUCCESS;
}

static int resolve_own(struct bine_context *c, const struct bine_arguments *a,
                       struct bine_resolved *r) {
    int rc = bine_prepare(c, a, &r->call, &r->choice);
    r->bytes = r->call.bytes;
    r->way = r->choice.algorithm != NULL ? BINE_WAY_NEW : BINE_WAY_MPI;
    return rc;
}

void bine_remember(struct bine_context *c, const struct bine_arguments *a,
                   const struct bine_resolved *r) {
    struct bine_memo *m = &c->memo[bine_memo_index(a)];
    int plan = r->choice.algorithm != NULL;
    *m = (struct bine_memo){bine_memo_is_lasting(a, &r->call, c->p),
                            *a,
                            bine_memo_call(a, &r->call),
                            r->choice,
                            plan ? c->recent->plan[r->call.in_place != 0] : NULL,
                            plan ? &c->recent->used : NULL,
                            ++c->stamps,
                            r->lesson,
                            plan && r->lesson == NULL && !c->devices && !bine_verbose_is_on()};
    if ((plan && !a->nonblocking) || c->bound_to == m)
        c->bound_to = plan && m->valid && !a->nonblocking ? m : NULL;
}

/* Not seen before, or not to be remembered. All ranks come here together if it is for Bine. */
static int resolve_new(struct bine_context *c, const struct bine_arguments *a,
                       struct bine_resolved *r) {
    c->asks = a->comm;
    int rc = a->drop_in ? resolve_taken(c, a, r) : resolve_own(c, a, r);
    c->asks = MPI_COMM_NULL;
    r->once |= c->undecided;
    r->lesson = c->lesson;
    r->hears = c->hears;
    if (rc != MPI_SUCCESS)
        return rc;
    if (r->way == BINE_WAY_NEW) {
        bine_context_open(c, a->comm);
        if (c->plain != NULL)
            leave(r, c->plain);
        else if (r->call.aliased && !takes_aliased(a))
            leave(r, "the buffers overlap: the error is MPI's to find");
    }
    if (r->way == BINE_WAY_MPI && !a->drop_in && !r->once)
        bine_remember(c, a, r);
    return MPI_SUCCESS;
}

int bine_resolve(struct bine_context *c, const struct bine_arguments *a, struct bine_resolved *r) {
    const char *every = a->drop_in ? leaves_every(c, a->collective) : NULL;
    r->way = BINE_WAY_MPI;
    r->bytes = 0;
    r->hears = 0;
    r->lesson = NULL;
    r->once = a->persistent || (c->next_name[0] != '\0' && !a->drop_in);
    if (c->p == 0) /* there was no memory to find out more */
        return leave(r, c->plain);
    if (every != NULL && !bine_verbose_is_on() && !c->looks) {
        c->shortcuts.every[a->collective] = every;
        return leave(r, every);
    }
    struct bine_memo *m = &c->memo[bine_memo_index(a)];
    if (r->once || !bine_memo_fits(m, a, c->p))
        return resolve_new(c, a, r);
    bine_call_address(a, c->rank, &m->call);
    if (bine_call_is_aliased(&m->call))
        return resolve_new(c, a, r);
    r->way = m->choice.algorithm != NULL ? BINE_WAY_AS_BEFORE : BINE_WAY_MPI;
    r->bytes = m->call.bytes;
    r->lesson = m->lesson;
    r->choice = m->choice;
    r->memo = m;
    return MPI_SUCCESS;
}

/* --- Running */

static int bind(struct bine_context *c, const struct bine_plan *plan,
                const struct bine_call *call) {
    return bine_bind(&c->bound, plan, call, &c->channel, (size_t)c->policy.settings.segment,
                     &c->workspace);
}

/* Calls of Bine's own are counted before anything can fail. Those that were taken over are counted
 * here: whether they come here is the same on all ranks. */
static void count_taken(struct bine_context *c, const struct bine_arguments *a) {
    if (a->drop_in)
        bine_channel_count(&c->channel);
}

/* Bound last, or at least remembered: nothing to find out. */
static int run_again(struct bine_context *c, const struct bine_arguments *a, struct bine_memo *m) {
    int rc = MPI_SUCCESS;
    *m->used = ++c->calls;
    count_taken(c, a);
    if (c->bound_to == m) {
        rc = bine_rebind(&c->bound, m->call.sendbuf, m->call.recvbuf);
        c->bound_to = rc == MPI_SUCCESS ? m : NULL;
    } else {
        c->bound_to = NULL;
        rc = bind(c, m->plan, &m->call);
        c->bound_to = rc == MPI_SUCCESS ? m : NULL;
    }
    return rc == MPI_SUCCESS ? bine_bound_run(&c->bound) : rc;
}

void bine_refuse(struct bine_context *c, const struct bine_arguments *a,
                 const struct bine_choice *choice, const struct bine_call *call) {
    struct bine_request rq = bine_context_request(c, choice, a->root, call->in_place);
    if (bine_algorithm_needs(rq.algorithm) == BINE_NEEDS_BOARDS && c->channel.node != NULL)
        bine_board_refuse_unplanned(&rq, call, c->channel.node);
}

static int run_new(struct bine_context *c, const struct bine_arguments *a,
                   struct bine_resolved *r) {
    count_taken(c, a);
    int rc = bine_call_fit(&r->call, c->rank, c->channel.comm);
    struct bine_plan *plan = bine_context_plan(c, &r->choice, a, r->call.in_place);
    if (rc == MPI_SUCCESS && plan == NULL)
        rc = MPI_ERR_NO_MEM;
    c->bound_to = NULL;
    if (rc == MPI_SUCCESS)
        rc = bind(c, plan, &r->call);
    else
        bine_refuse(c, a, &r->choice, &r->call);
    rc = bine_context_agree(c, &r->choice, r->call.bytes, rc);
    if (rc == MPI_SUCCESS && !r->once && !r->call.aliased)
        bine_remember(c, a, r);
    return bine_call_result(&r->call, rc == MPI_SUCCESS ? bine_bound_run(&c->bound) : rc);
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
    if (c->p == 0) /* shared by many */
        return;
    bine_shortcuts_note(&c->shortcuts, a->collective,
                        choice->algorithm == NULL ? choice->reason : NULL);
    if (choice->algorithm != NULL)
        c->last = *choice;
}

/* A call of a lesson is over. */
static void learn(struct bine_context *c, const struct bine_arguments *a,
                  const struct bine_resolved *r, double seconds) {
    struct bine_question q = bine_ask(c, a, r->bytes, 1);
    if (bine_learning_called(&c->learning, r->lesson, &q, &c->advised, a->comm, seconds))
        bine_context_forget(c);
}

int bine_call_run(struct bine_context *c, const struct bine_arguments *a) {
    struct bine_resolved r;
    int rc;
    if (!a->drop_in && c->p != 0) /* others may run what fails here */
        bine_channel_count(&c->channel);
    if (c->devices && bine_collective_is_plain(a->collective) && bine_device_call(c, a, &rc))
        return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
    rc = bine_resolve(c, a, &r);
    if (rc != MPI_SUCCESS)
        return bine_raise(a->comm, rc);
    bine_note(c, a, &r.choice);
    int learns = r.lesson != NULL || r.hears;
    if (!learns && !bine_verbose_is_on())
        return go(c, a, &r);
    if (r.lesson != NULL)
        bine_lesson_gather(r.lesson, a->comm);
    double begin = bine_verbose_now();
    rc = go(c, a, &r);
    double seconds = bine_verbose_now() - begin;
    if (bine_verbose_is_on())
        bine_verbose_add(a->collective, c->p, r.bytes, &r.choice, seconds);
    if (learns)
        learn(c, a, &r, seconds);
    return rc;
}
