/* A call: find the context, choose, bind and run; or hand it on to the MPI library. */
#include "mpi/collectives.h"

#include "mpi/hand_on.h"
#include "mpi/library.h"
#include "mpi/tally.h"
#include "mpi/warn.h"

#include <string.h>

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
    return MPI_SUCCESS;
}

static struct bine_question ask(const struct bine_context *c, const struct bine_arguments *a,
                                const struct bine_call *call) {
    /* A slot must hold an element of a sum for each rank. */
    int64_t element = bine_collective_reduces(a->collective) ? call->recvtype.size : 1;
    int exposes, boards = bine_context_shares(c, element, &exposes);
    return (struct bine_question){.collective = a->collective,
                                  .p = c->p,
                                  .bytes = call->bytes,
                                  .commutative = call->commutative,
                                  .drop_in = a->drop_in,
                                  .always = c->policy.settings.always != 0,
                                  .library = BINE_LIBRARY,
                                  .nodes = c->nodes,
                                  .per_node = c->per_node,
                                  .groups = c->groups,
                                  .dims = c->dims,
                                  .wired = c->wired,
                                  .seats = c->seats != NULL,
                                  .ports = c->policy.settings.ports,
                                  .levels = c->levels != NULL,
                                  .boards = boards,
                                  .exposes = exposes,
                                  .reorders = c->order != NULL};
}

/* What a setting forces and cannot be had is warned of and left out. */
static int choose(const struct bine_context *c, const struct bine_question *q,
                  struct bine_forced *f, int by_program, struct bine_choice *choice) {
    char why[200];
    const struct bine_rules *rules = c->policy.rules;
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
    if (!by_program && f->algorithm != BINE_FORCED_NOTHING)
        choice->reason = bine_forced_reason(q->collective);
    return MPI_SUCCESS;
}

int bine_prepare(struct bine_context *c, const struct bine_arguments *a, struct bine_call *call,
                 struct bine_choice *choice) {
    struct bine_forced f;
    int by_program, rc = forced_for(c, a, &f, &by_program);
    if (rc == MPI_SUCCESS)
        rc = bine_call_make(a, c->rank, c->p, call);
    /* Which of the ranks has such buffers is no reason to choose otherwise there. */
    if (rc != MPI_SUCCESS && !(a->drop_in && call->aliased))
        return rc;
    struct bine_question q = ask(c, a, call);
    rc = choose(c, &q, &f, by_program, choice);
    if (rc != MPI_SUCCESS || choice->algorithm == NULL ||
        bine_algorithm_needs(choice->algorithm) != BINE_NEEDS_BOARDS ||
        !bine_context_share(c, a->comm))
        return rc;
    q = ask(c, a, call); /* with what has come out */
    return choose(c, &q, &f, by_program, choice);
}

/* What ran, for Bine_Last and for the table at the end. */
static void note(struct bine_context *c, const struct bine_arguments *a,
                 const struct bine_call *call, const struct bine_choice *choice) {
    c->last = *choice;
    c->last_collective = a->collective;
    if (bine_tally_is_on()) {
        struct bine_question q = ask(c, a, call);
        bine_tally_add(&q, choice);
    }
}

static int raise_error(const struct bine_arguments *a, int rc) {
    return rc == MPI_SUCCESS ? rc : bine_raise(a->comm, rc);
}

/* Calls of Bine's own are counted before anything can fail. Those that were taken over are counted
 * here: whether they come here is the same on all ranks. */
static void count_taken(struct bine_context *c, const struct bine_arguments *a) {
    if (a->drop_in)
        bine_channel_count(&c->channel);
}

/* Bound last, or at least remembered: nothing to find out. */
static int run_again(struct bine_context *c, struct bine_memo *m, const struct bine_arguments *a) {
    int rc = MPI_SUCCESS;
    note(c, a, &m->call, &m->choice);
    if (m->choice.algorithm == NULL)
        return bine_hand_on(a);
    *m->used = ++c->calls;
    count_taken(c, a);
    if (c->bound_to == m) {
        rc = bine_rebind(&c->bound, m->call.sendbuf, m->call.recvbuf);
        c->bound_to = rc == MPI_SUCCESS ? m : NULL;
    } else {
        c->bound_to = NULL;
        rc = bine_bind(&c->bound, m->plan, &m->call, &c->channel,
                       (size_t)c->policy.settings.segment, &c->workspace);
        c->bound_to = rc == MPI_SUCCESS ? m : NULL;
    }
    return raise_error(a, rc == MPI_SUCCESS ? bine_bound_run(&c->bound) : rc);
}

static void remember(struct bine_context *c, const struct bine_arguments *a,
                     const struct bine_call *call, const struct bine_choice *choice) {
    struct bine_memo *m = &c->memo[bine_memo_index(a)];
    int plan = choice->algorithm != NULL;
    *m = (struct bine_memo){
        bine_memo_is_lasting(a, call), *a, *call, *choice, plan ? c->recent->plan : NULL,
        plan ? &c->recent->used : NULL};
    if (plan || c->bound_to == m)
        c->bound_to = plan && m->valid ? m : NULL;
}

/* The algorithm is one of Bine's. */
static int run_chosen(struct bine_context *c, const struct bine_arguments *a,
                      struct bine_call *call, const struct bine_choice *choice, int once) {
    count_taken(c, a);
    struct bine_plan *plan = bine_context_plan(c, choice, a->root, call->in_place);
    if (plan == NULL)
        return MPI_ERR_NO_MEM;
    c->bound_to = NULL;
    int rc = bine_bind(&c->bound, plan, call, &c->channel, (size_t)c->policy.settings.segment,
                       &c->workspace);
    if (rc == MPI_SUCCESS && !once && !call->aliased)
        remember(c, a, call, choice);
    return rc == MPI_SUCCESS ? bine_bound_run(&c->bound) : rc;
}

/* Whether the MPI library would do it, or find an error. */
static int takes_aliased(const struct bine_arguments *a) {
    int same = a->sendbuf == a->recvbuf;
    return BINE_LIBRARY == BINE_LIBRARY_OPENMPI &&
           !(same && (a->collective == BINE_REDUCE || a->collective == BINE_ALLREDUCE));
}

/* Whether a call that was taken over ends in MPI's own algorithm: found out as cheaply as can be,
 * because that is all that Bine does to such a call. Any doubt is left to run_new. */
static int ends_in_mpi(struct bine_context *c, const struct bine_arguments *a) {
    struct bine_call call = {.commutative = 1};
    struct bine_choice choice;
    struct bine_forced f;
    int by_program, lasting;
    if (!a->drop_in || bine_tally_is_on() || forced_for(c, a, &f, &by_program) != MPI_SUCCESS)
        return 0;
    call.bytes = bine_call_bytes(a, c->rank, c->p, &call.commutative, &lasting);
    if (call.bytes < 0)
        return 0;
    struct bine_question q = ask(c, a, &call);
    if (choose(c, &q, &f, by_program, &choice) != MPI_SUCCESS || choice.algorithm != NULL)
        return 0;
    note(c, a, &call, &choice);
    struct bine_memo *m = &c->memo[bine_memo_index(a)];
    if (lasting && m != c->bound_to)
        *m = (struct bine_memo){.valid = 1, .arguments = *a, .call = call, .choice = choice};
    return 1;
}

/* Not seen before, or not to be remembered. */
static int run_new(struct bine_context *c, const struct bine_arguments *a) {
    struct bine_call call;
    struct bine_choice choice;
    int once = c->next_name[0] != '\0' && !a->drop_in, rc = bine_prepare(c, a, &call, &choice);
    /* Errors in what was taken over are MPI's to find. */
    if (rc != MPI_SUCCESS)
        return a->drop_in ? bine_hand_on(a) : bine_raise(a->comm, rc);
    if (choice.algorithm != NULL) {
        bine_context_open(c, a->comm);
        if (c->plain != NULL)
            choice = (struct bine_choice){.reason = c->plain};
    }
    note(c, a, &call, &choice);
    if (choice.algorithm == NULL) {
        if (!once && !call.aliased)
            remember(c, a, &call, &choice);
        return bine_hand_on(a);
    }
    if (call.aliased && !takes_aliased(a))
        return bine_hand_on(a);
    return raise_error(a, run_chosen(c, a, &call, &choice, once));
}

/* Where nothing but MPI's own can come out, and nobody wants to know of it. */
static int is_plain(const struct bine_context *c, const struct bine_arguments *a) {
    if (c->p == 0) /* there was no memory to find out more */
        return 1;
    if (!a->drop_in || bine_tally_is_on())
        return 0;
    const struct bine_forced *f = &c->forced[a->collective];
    if (f->algorithm == BINE_FORCED_NOTHING)
        f = &c->policy.settings.forced[a->collective];
    return c->plain != NULL || f->algorithm == BINE_FORCED_MPI;
}

static int run_call(struct bine_context *c, const struct bine_arguments *a) {
    if (is_plain(c, a))
        return bine_hand_on(a);
    if (!a->drop_in) /* others may run what fails here */
        bine_channel_count(&c->channel);
    struct bine_memo *m = &c->memo[bine_memo_index(a)];
    if ((c->next_name[0] != '\0' && !a->drop_in) || !bine_memo_fits(m, a))
        return ends_in_mpi(c, a) ? bine_hand_on(a) : run_new(c, a);
    bine_call_address(a, c->rank, &m->call);
    if (bine_call_is_aliased(&m->call))
        return run_new(c, a);
    return run_again(c, m, a);
}

int bine_is_inter(MPI_Comm comm) {
    int inter = 0;
    return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter;
}

/* Alone, nothing is sent: always MPI's own. */
static int run_alone(const struct bine_arguments *a) {
    struct bine_call call;
    if (bine_tally_is_on() && bine_context_begin() == MPI_SUCCESS &&
        bine_call_make(a, 0, 1, &call) == MPI_SUCCESS) {
        struct bine_question q = {.collective = a->collective, .p = 1, .bytes = call.bytes};
        struct bine_choice choice = {.reason = BINE_REASON_ALONE};
        bine_tally_add(&q, &choice);
    }
    return bine_hand_on(a);
}

/* A call that was taken over, on a communicator without a context. */
static int is_for_mpi(const struct bine_arguments *a, int *alone) {
    int yes = 0, p = 0;
    *alone = 0;
    if (bine_context_is_over() || PMPI_Initialized(&yes) != MPI_SUCCESS || !yes)
        return 1;
    if (PMPI_Finalized(&yes) != MPI_SUCCESS || yes || bine_is_inter(a->comm))
        return 1;
    *alone = PMPI_Comm_size(a->comm, &p) == MPI_SUCCESS && p == 1;
    return *alone;
}

/* What is wrong with the call as this rank sees it. */
static int check_alone(const struct bine_arguments *a) {
    struct bine_call call;
    int rank, p;
    if (bine_context_begin() != MPI_SUCCESS || PMPI_Comm_rank(a->comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(a->comm, &p) != MPI_SUCCESS || !bine_call_is_wrong(a, rank, p))
        return MPI_SUCCESS;
    return bine_call_make(a, rank, p, &call);
}

int bine_context_for(const struct bine_arguments *a, struct bine_context **c) {
    int rc = bine_context_find(a->comm, c);
    if (rc == MPI_SUCCESS && *c == NULL)
        rc = check_alone(a);
    return rc == MPI_SUCCESS ? bine_context_get(a->comm, c) : rc;
}

static int call_without_context(const struct bine_arguments *a) {
    struct bine_context *c;
    int alone;
    if (a->drop_in && is_for_mpi(a, &alone))
        return alone ? run_alone(a) : bine_hand_on(a);
    if (!a->drop_in && bine_is_inter(a->comm)) /* which never gets one */
        return bine_hand_on(a);
    int rc = bine_context_for(a, &c);
    if (rc == MPI_SUCCESS)
        return run_call(c, a);
    return a->drop_in ? bine_hand_on(a) : bine_raise(a->comm, rc);
}

int bine_call_now(const struct bine_arguments *a) {
    if (a->comm == MPI_COMM_NULL)
        return a->drop_in ? bine_hand_on(a) : bine_raise(a->comm, MPI_ERR_COMM);
    struct bine_context *c;
    int rc = bine_context_find(a->comm, &c);
    if (rc != MPI_SUCCESS) /* and the handler knows: to hand it on would call it again */
        return rc;
    return c != NULL ? run_call(c, a) : call_without_context(a);
}
