#include "comm/context.h"

#include "base/lock.h"
#include "base/one_thread.h"
#include "comm/agreement.h"
#include "comm/device_comms.h"
#include "comm/node.h"
#include "comm/progress.h"
#include "engine/transport/mpi_library.h"
#include "mpi/hooks.h"
#include "mpi/mpi_calls.h"
#include "mpi/world.h"
#include "report/verbose_ranks.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

atomic_int bine_intercepts_nonblocking;
_Atomic(struct bine_context *) bine_contexts_orphaned;

static atomic_int keyval = MPI_KEYVAL_INVALID; /* on communicators: their context */
static struct bine_context *newest;

/* MPICH has 2048 communicators to give in a process. The program's own come first. */
enum { CONTEXTS_MOST = 512 };

static const char too_many[] = "too many communicators";

/* Stands for every context that there was no memory for. It has no ranks, and is never changed. */
static const struct bine_context nothing = {
    .id = {.comm = MPI_COMM_NULL, .forward_reason = "out of memory"}};

static void unlink_context(struct bine_context *c) {
    bine_lock();
    if (c->id.newer != NULL)
        c->id.newer->id.older = c->id.older;
    else
        newest = c->id.older;
    if (c->id.older != NULL)
        c->id.older->id.newer = c->id.newer;
    bine_unlock();
}

static void context_empty(struct bine_context *c) {
    if (c->id.finalizing)
        return;
    c->id.finalizing = 1;
    bine_hooks.forget_requests(c);
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
}

/* Free a context that no communicator has yet. */
static void context_drop(struct bine_context *c) {
    context_empty(c);
    free(c);
}

static void leave_context(struct bine_context *c) {
    bine_lock();
    c->id.older = bine_contexts_orphaned;
    bine_contexts_orphaned = c;
    atomic_store(&c->id.orphaned, 1);
    bine_unlock();
}

static int is_in_use(const struct bine_context *c) {
    int n = atomic_load(&c->pending.count);
    for (int i = 0; i < BINE_READY; i++)
        n += atomic_load(&c->pending.busy[i]);
    return n > 0;
}

/* Attributes may be deleted where MPI must not be called: MPICH (4.2 and later) frees a
 * communicator at the end of its last message, with a lock that other calls take as well if there
 * are threads. */
static int may_free_now(void) {
    return bine_mpi_is(BINE_LIBRARY_OPENMPI) || bine_progress_is_by_one();
}

static void context_free(struct bine_context *c) {
    unlink_context(c);
    if (is_in_use(c) || !may_free_now())
        leave_context(c);
    else
        context_drop(c);
}

/* One that has no pending calls any more, out of the list; or NULL. */
static struct bine_context *take_orphaned(void) {
    struct bine_context *before = NULL, *c;
    bine_lock();
    for (c = bine_contexts_orphaned; c != NULL && is_in_use(c); c = c->id.older)
        before = c;
    if (c != NULL && before != NULL)
        before->id.older = c->id.older;
    else if (c != NULL)
        bine_contexts_orphaned = c->id.older;
    bine_unlock();
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

/* Communicators that were never freed, such as MPI_COMM_WORLD, are cleaned up at MPI_Finalize.
 * Their attributes are left to point to empty contexts: they cannot be deleted, because some may be
 * of communicators that exist no more (a function of the user's that is called as a communicator is
 * freed may use Bine on it). */
void bine_contexts_end(void) {
    bine_contexts_sweep();
    for (struct bine_context *c = newest; c != NULL; c = c->id.older)
        context_empty(c);
}

int bine_contexts_end_key(void) {
    int last = keyval;
    keyval = MPI_KEYVAL_INVALID;
    return last == MPI_KEYVAL_INVALID ? MPI_SUCCESS : PMPI_Comm_free_keyval(&last);
}

/* Which of the bits all ranks have. */
static int in_all(MPI_Comm comm, int p, int bits) {
    int all = bits;
    if (p > 1 && bine_mpi->allreduce(&bits, &all, 1, MPI_INT, MPI_BAND, comm) != MPI_SUCCESS)
        return 0;
    return all;
}

/* Once; threads may come here together. */
static int make_key(void) {
    int key, rc = bine_process_begin();
    bine_lock();
    if (rc == MPI_SUCCESS && keyval == MPI_KEYVAL_INVALID) {
        rc = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_free, &key, NULL);
        if (rc == MPI_SUCCESS)
            keyval = key;
    }
    bine_unlock();
    return rc;
}

void bine_intercept_nonblocking(void) {
    if (!atomic_exchange(&bine_intercepts_nonblocking, 1))
        bine_hooks.redirect_nonblocking(BINE_TO_BINE);
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
    int made = in_all(comm, c->id.p, bine_can_make_comm()) &&
               bine_comm_make_private(comm, &c->id.comm) == MPI_SUCCESS;
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
        bine_intercept_nonblocking();
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
    return c;
}

static void link_context(struct bine_context *c) {
    bine_lock();
    c->id.older = newest;
    if (newest != NULL)
        newest->id.newer = c;
    newest = c;
    bine_unlock();
}

/* Begin reports and records of the whole job at a context over all ranks of MPI_COMM_WORLD. */
static void meet(MPI_Comm comm, int p, const struct bine_agreement *agreed) {
    static int met; /* on all ranks or on none */
    int tells = agreed->alike && agreed->verbose && !bine_verbose_ranks_are_open();
    int records = agreed->recorded && !met;
    if ((!tells && !records) || p != bine_world_size() || !in_all(comm, p, bine_can_make_comm()))
        return;
    if (tells)
        bine_verbose_ranks_open(comm);
    if (records)
        bine_hooks.meet(comm);
    met |= records;
}

/* Whether one more context may have a private communicator. */
static int has_room(void) {
    int n = 1;
    bine_lock();
    for (const struct bine_context *c = newest; c != NULL; c = c->id.older)
        n += !c->id.finalizing;
    for (const struct bine_context *c = bine_contexts_orphaned; c != NULL; c = c->id.older)
        n++;
    bine_unlock();
    return n <= CONTEXTS_MOST;
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
    struct bine_means has = {has_room(), !shares || c->boards.cards != NULL, bine_hooks.records()};
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
    if (!agreed.reduces)
        c->id.no_reduce = "MPI_Reduce_local of Open MPI needs MPI_Init";
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
    int rc = make_key();
    if (rc != MPI_SUCCESS)
        return rc;
    struct bine_context *c = context_new(comm);
    int out = bine_has_ranks_outside_world(comm);
    rc = out ? MPI_SUCCESS : context_settle(c, comm);
    if (out && c != NULL)
        c->id.forward_reason = "not all of its processes are in MPI_COMM_WORLD";
    *made = c != NULL ? c : (struct bine_context *)(uintptr_t)&nothing;
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
