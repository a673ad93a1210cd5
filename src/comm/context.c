#include "comm/context.h"

#include "base/one_thread.h"
#include "comm/agreement.h"
#include "comm/device_comms.h"
#include "comm/location.h"
#include "comm/node.h"
#include "comm/progress.h"
#include "comm/tuning/wisdom.h"
#include "comm/waiting.h"
#include "mpi/deferred_free.h"
#include "mpi/halves.h"
#include "mpi/mpi_calls.h"
#include "mpi/world.h"
#include "report/verbose.h"
#include "report/verbose_ranks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

atomic_int bine_intercepts_nonblocking;
void (*bine_taken_begins)(void);
atomic_int bine_contexts_orphaned;
void (*bine_context_goes)(struct bine_context *c);
void (*bine_context_ends)(void);
struct bine_recorder_hooks bine_recorder_hooks;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int keyval = MPI_KEYVAL_INVALID; /* on communicators: their context */
static int watched; /* MPI_COMM_SELF has an attribute whose deletion begins MPI_Finalize */
static atomic_int finalizing; /* it has begun */
static atomic_int contexts;   /* each of which may have a private communicator */
static MPI_Comm self = MPI_COMM_NULL;
static struct bine_context *newest;
static struct bine_context *orphaned; /* without a communicator, but with pending calls */

/* MPICH has 2048 communicators to give in a process. The program's own come first. */
enum { CONTEXTS_MOST = 512 };

static const char too_many[] = "too many communicators";

/* Stands for every context that there was no memory for. */
static struct bine_context nothing = {
    .id = {.comm = MPI_COMM_NULL, .forward_reason = "out of memory"}};

static void unlink_context(struct bine_context *c) {
    pthread_mutex_lock(&lock);
    if (c->id.newer != NULL)
        c->id.newer->id.older = c->id.older;
    else
        newest = c->id.older;
    if (c->id.older != NULL)
        c->id.older->id.newer = c->id.newer;
    pthread_mutex_unlock(&lock);
}

static void context_empty(struct bine_context *c) {
    if (c->id.finalizing)
        return;
    c->id.finalizing = 1;
    if (bine_context_goes != NULL)
        bine_context_goes(c);
    for (int i = 0; i < BINE_PLANS; i++) {
        bine_plan_free(c->caches.plan[i].plan[0]);
        bine_plan_free(c->caches.plan[i].plan[1]);
        c->caches.plan[i] = (struct bine_plan_entry){.algorithm = NULL};
    }
    bine_device_levels_free(c->devices.levels);
    c->devices.levels = NULL;
    bine_predictor_close(c->choosing.predictor);
    bine_tuning_free(&c->choosing.tuning);
    bine_groups_free(c->place.levels);
    bine_lineup_free(c->place.order);
    bine_lineup_free(c->place.seats);
    free(c->boards.cards);
    free(c->boards.node);
    c->boards.cards = NULL;
    c->boards.node = NULL;
    c->choosing.predictor = NULL;
    c->place.levels = NULL;
    c->place.order = c->place.seats = NULL;
    bine_workspace_free(&c->caches.workspace);
    bine_node_free(c->channel.node);
    c->channel.node = NULL;
    bine_channel_close(&c->channel);
    if (c->id.comm != MPI_COMM_NULL)
        PMPI_Comm_free(&c->id.comm);
    c->id.comm = MPI_COMM_NULL;
    atomic_fetch_sub(&contexts, 1);
}

/* Free a context that no communicator has yet. */
static void context_drop(struct bine_context *c) {
    context_empty(c);
    free(c);
}

static void leave_context(struct bine_context *c) {
    pthread_mutex_lock(&lock);
    c->id.older = orphaned;
    orphaned = c;
    atomic_store(&c->id.orphaned, 1);
    atomic_store(&bine_contexts_orphaned, 1);
    pthread_mutex_unlock(&lock);
}

static int is_in_use(const struct bine_context *c) {
    int n = atomic_load(&c->pending.count);
    for (int i = 0; i < BINE_READY; i++)
        n += atomic_load(&c->pending.busy[i]);
    return n > 0;
}

static void context_free(struct bine_context *c) {
    unlink_context(c);
    if (is_in_use(c))
        leave_context(c);
    else
        context_drop(c);
}

/* One that has no pending calls any more, out of the list; or NULL. */
static struct bine_context *take_orphaned(void) {
    pthread_mutex_lock(&lock);
    struct bine_context **at = &orphaned;
    while (*at != NULL && is_in_use(*at))
        at = &(*at)->id.older;
    struct bine_context *c = *at;
    if (c != NULL)
        *at = c->id.older;
    atomic_store(&bine_contexts_orphaned, orphaned != NULL);
    pthread_mutex_unlock(&lock);
    return c;
}

void bine_contexts_sweep_orphaned(void) {
    struct bine_context *c;
    while ((c = take_orphaned()) != NULL)
        context_drop(c);
}

static int on_comm_free(MPI_Comm comm, int key, void *value, void *extra) {
    (void)key;
    (void)extra;
    bine_communicators_remove(comm);
    if (value != &nothing)
        context_free(value);
    return MPI_SUCCESS;
}

/* MPI_Finalize frees the attributes of MPI_COMM_SELF before anything else. Communicators that were
 * never freed, such as MPI_COMM_WORLD, are cleaned up here. Their attributes are left to point to
 * empty contexts: they cannot be deleted, because some may be of communicators that exist no more
 * (a function of the user's that is called as a communicator is freed may use Bine on it). */
static int on_finalize(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    bine_progress_finish();
    finalizing = 1;
    bine_communicators_end();
    bine_types_end();
    bine_verbose_end();
    if (bine_recorder_hooks.end != NULL)
        bine_recorder_hooks.end();
    bine_progress_end();
    if (bine_context_ends != NULL)
        bine_context_ends();
    bine_contexts_sweep();
    for (struct bine_context *c = newest; c != NULL; c = c->id.older)
        context_empty(c);
    bine_waiting_end();
    bine_wisdom_end();
    bine_policy_end();
    bine_location_end();
    bine_node_end();
    bine_operators_end();
    if (bine_context_goes != NULL)
        bine_context_goes(NULL);
    bine_ipc_end();
    bine_halves_end();
    bine_workspace_end();
    if (self != MPI_COMM_NULL)
        PMPI_Comm_free(&self);
    int last = keyval;
    keyval = MPI_KEYVAL_INVALID;
    return last == MPI_KEYVAL_INVALID ? MPI_SUCCESS : PMPI_Comm_free_keyval(&last);
}

static int watch_finalize(void) {
    int key, rc = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key, NULL);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    return rc == MPI_SUCCESS ? PMPI_Comm_free_keyval(&key) : rc; /* the attribute stays */
}

/* Which of the bits all ranks have. */
static int in_all(MPI_Comm comm, int p, int bits) {
    int all = bits;
    if (p > 1 && bine_mpi.allreduce(&bits, &all, 1, MPI_INT, MPI_BAND, comm) != MPI_SUCCESS)
        return 0;
    return all;
}

/* Whether this process can make one more communicator: tried on MPI_COMM_SELF, without other ranks.
 */
static int can_make_another(void) {
    MPI_Comm another;
    return self == MPI_COMM_NULL || (bine_mpi.comm_dup(self, &another) == MPI_SUCCESS &&
                                     PMPI_Comm_free(&another) == MPI_SUCCESS);
}

/* A private communicator with equal ranks in equal order. Not a duplicate: that would copy the
 * user's attributes and call their functions. */
static int make_private(MPI_Comm comm, MPI_Comm *private) {
    MPI_Group group;
    int rc = PMPI_Comm_group(comm, &group);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = bine_mpi.comm_create(comm, group, private);
    PMPI_Group_free(&group);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Comm_set_errhandler(*private, MPI_ERRORS_RETURN);
    if (rc != MPI_SUCCESS)
        PMPI_Comm_free(private);
    return rc;
}

/* Once; threads may come here together. A program that has only opened an MPI session has no
 * MPI_COMM_SELF to watch: its communicators are freed by itself, and their contexts with them. */
static int make_keys(void) {
    int rc = MPI_SUCCESS, key, world = bine_has_world();
    pthread_mutex_lock(&lock);
    if (world && !watched) {
        rc = watch_finalize();
        watched = rc == MPI_SUCCESS;
    }
    if (rc == MPI_SUCCESS && world && self == MPI_COMM_NULL && !finalizing)
        rc = make_private(MPI_COMM_SELF, &self);
    if (rc == MPI_SUCCESS && keyval == MPI_KEYVAL_INVALID) {
        rc = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_free, &key, NULL);
        if (rc == MPI_SUCCESS)
            keyval = key;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

void bine_taken_begin(void) {
    if (!atomic_exchange(&bine_intercepts_nonblocking, 1) && bine_taken_begins != NULL)
        bine_taken_begins();
}

int bine_context_begin(void) {
    return make_keys();
}

int bine_context_is_running(void) {
    int yes = 0;
    if (finalizing)
        return 0;
    if (keyval != MPI_KEYVAL_INVALID) /* which is made after MPI_Init, and goes with `over` */
        return 1;
    return PMPI_Initialized(&yes) == MPI_SUCCESS && yes && PMPI_Finalized(&yes) == MPI_SUCCESS &&
           !yes;
}

MPI_Comm bine_context_self(void) {
    return self;
}

/* Where MPI has no communicator left to give, that is no error of the user's, and must not come to
 * the error handler of the user's communicator. To put another handler there for a while is no way:
 * another thread may need the user's. So all ranks first try whether they could make one alone.
 * (MPI gives the lowest number that is free on all ranks, so where each has one left, the highest
 * is free on all, but for programs that freed their oldest communicators and kept thousands of
 * others.)
 */
void bine_context_open(struct bine_context *c, MPI_Comm comm) {
    if (c->id.comm != MPI_COMM_NULL || c->id.forward_reason != NULL)
        return;
    enum { MADE = 1, HOOKED = 2, ONE_AT_A_TIME = 4 };
    int made =
        in_all(comm, c->id.p, can_make_another()) && make_private(comm, &c->id.comm) == MPI_SUCCESS;
    if (!made)
        c->id.comm = MPI_COMM_NULL;
    int by_one = bine_progress_is_by_one();
    int all = in_all(comm, c->id.p,
                     (made ? MADE : 0) | (bine_progress_is_hooked() ? HOOKED : 0) |
                         (by_one ? ONE_AT_A_TIME : 0));
    if (!(all & MADE)) {
        if (made)
            PMPI_Comm_free(&c->id.comm);
        c->id.forward_reason = too_many;
        c->devices.some = 0;
        return;
    }
    bine_channel_open(&c->channel, c->id.comm);
    c->pending.progresses = (all & HOOKED) != 0;
    c->pending.one_at_a_time = (all & ONE_AT_A_TIME) != 0;
    atomic_store(&bine_one_thread, by_one);
    if (c->pending.progresses && c->choosing.policy.settings.nonblocking)
        bine_taken_begin();
}

static struct bine_context *context_new(MPI_Comm comm) {
    struct bine_context *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->id.comm = MPI_COMM_NULL;
    PMPI_Comm_rank(comm, &c->id.rank);
    PMPI_Comm_size(comm, &c->id.p);
    c->caches.shortcuts = (struct bine_shortcuts){.context = c, .rank = c->id.rank, .p = c->id.p};
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        c->choosing.set[k] = (struct bine_selection){BINE_SELECTION_NONE, -1};
    bine_policy_read(&c->choosing.policy);
    c->id.forward_reason = bine_settings_forward(&c->choosing.policy.settings);
    bine_context_find_torus(c, comm);
    atomic_fetch_add(&contexts, 1);
    return c;
}

static void link_context(struct bine_context *c) {
    pthread_mutex_lock(&lock);
    c->id.older = newest;
    if (newest != NULL)
        newest->id.newer = c;
    newest = c;
    pthread_mutex_unlock(&lock);
}

/* Begin reports and records of the whole job at a context over all ranks of MPI_COMM_WORLD. */
static void meet(MPI_Comm comm, int p, const struct bine_agreement *agreed) {
    static int met; /* on all ranks or on none */
    int tells = agreed->alike && agreed->verbose && !bine_verbose_ranks_are_open();
    int records = agreed->recorded && !met;
    if ((!tells && !records) || p != bine_world_size() || !in_all(comm, p, can_make_another()))
        return;
    if (tells)
        bine_verbose_ranks_open(comm);
    if (records)
        bine_recorder_hooks.meet(comm);
    met |= records;
}

/* All ranks agree on the inputs of selection. `c` is NULL on a rank without memory, which takes
 * part nevertheless. */
static int context_settle(struct bine_context *c, MPI_Comm comm) {
    struct bine_agreement agreed;
    int p, rc = PMPI_Comm_size(comm, &p);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c == NULL && p == 1)
        return MPI_ERR_NO_MEM;
    int shares = c != NULL && c->choosing.policy.settings.shared > 0 && p > 1;
    if (shares)
        c->boards.cards = bine_node_cards_new(p);
    struct bine_means has = {contexts <= CONTEXTS_MOST, !shares || c->boards.cards != NULL,
                             bine_recorder_hooks.meet != NULL};
    rc = bine_agree(comm, p, c != NULL ? &c->choosing.policy : NULL, has, &agreed);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c == NULL) {
        bine_agreement_free(&agreed);
        return rc;
    }
    c->id.reports = c->id.rank == agreed.speaker;
    c->place.nodes = agreed.nodes;
    c->place.hosts = agreed.hosts;
    c->place.per_node = agreed.per_node;
    c->place.cores = agreed.cores;
    c->place.crowded = agreed.crowded;
    c->place.groups = agreed.groups;
    c->place.none_grouped = agreed.none_grouped;
    c->place.levels = agreed.levels;
    c->place.order = agreed.order;
    bine_context_settle_torus(c, &agreed);
    bine_context_find_predictor(c, comm, p, &agreed);
    c->boards.node = agreed.node;
    c->boards.untried =
        bine_settings_allow_boards(&c->choosing.policy.settings, c->place.per_node) &&
        agreed.alike && agreed.room && agreed.cards;
    if (!c->boards.untried) {
        free(c->boards.cards);
        c->boards.cards = NULL;
    }
    c->caches.shortcuts.may_have_device_buffers = agreed.foreign && c->id.forward_reason == NULL;
    meet(comm, p, &agreed);
    if (!agreed.room)
        c->id.forward_reason = too_many;
    if (!agreed.alike)
        c->id.forward_reason = "the settings are not the same on all ranks";
    c->devices.some = agreed.devices && c->id.forward_reason == NULL &&
                      ((c->boards.untried && c->place.nodes == 1) || c->place.levels != NULL);
    return rc;
}

static int context_make(MPI_Comm comm, struct bine_context **made) {
    bine_contexts_sweep();
    int rc = make_keys();
    if (rc != MPI_SUCCESS)
        return rc;
    struct bine_context *c = context_new(comm);
    int out = bine_has_ranks_outside_world(comm);
    rc = out ? MPI_SUCCESS : context_settle(c, comm);
    if (out && c != NULL)
        c->id.forward_reason = "not all of its processes are in MPI_COMM_WORLD";
    *made = c != NULL ? c : &nothing;
    if (rc == MPI_SUCCESS)
        rc = PMPI_Comm_set_attr(comm, keyval, *made);
    if (rc == MPI_SUCCESS && c != NULL)
        link_context(c);
    else if (c != NULL)
        context_drop(c);
    return rc;
}

/* MPICH 5 returns MPI_SUCCESS from a call that failed, once an error handler of the user's has
 * returned; then it has written nothing. */
int bine_context_find(MPI_Comm comm, struct bine_context **context) {
    struct bine_context *c = NULL;
    int found = keyval != MPI_KEYVAL_INVALID ? -1 : 0, rc = MPI_SUCCESS;
    if (found < 0)
        rc = PMPI_Comm_get_attr(comm, keyval, &c, &found);
    if (rc == MPI_SUCCESS && found < 0)
        rc = MPI_ERR_COMM;
    *context = rc == MPI_SUCCESS && found && !c->id.finalizing ? c : NULL;
    return rc;
}

int bine_is_inter(MPI_Comm comm) {
    int inter = 0;
    return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter;
}

int bine_context_get(MPI_Comm comm, struct bine_context **context) {
    int rc = bine_context_find(comm, context);
    if (rc != MPI_SUCCESS || *context != NULL)
        return rc;
    return bine_is_inter(comm) ? MPI_ERR_COMM : context_make(comm, context);
}

void bine_context_discard(MPI_Comm comm) {
    if (keyval != MPI_KEYVAL_INVALID)
        PMPI_Comm_delete_attr(comm, keyval);
}

int bine_raise(MPI_Comm comm, int code) {
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_call_errhandler(comm, code);
    else if (bine_has_world())
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
    return code;
}
