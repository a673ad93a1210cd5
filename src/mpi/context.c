#include "mpi/context.h"

#include "base/one_thread.h"
#include "model/advise.h"
#include "mpi/agreement.h"
#include "mpi/device_rooms.h"
#include "mpi/halves.h"
#include "mpi/held.h"
#include "mpi/location.h"
#include "mpi/mpi_calls.h"
#include "mpi/node.h"
#include "mpi/progress.h"
#include "mpi/verbose.h"
#include "mpi/wisdom.h"
#include "mpi/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

atomic_int bine_taken_some;
atomic_int bine_contexts_left;
void (*bine_context_goes)(struct bine_context *c);
void (*bine_context_ends)(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int keyval = MPI_KEYVAL_INVALID; /* on communicators: their context */
static int watched;         /* MPI_COMM_SELF has an attribute whose deletion begins MPI_Finalize */
static atomic_int over;     /* it has begun */
static atomic_int contexts; /* each of which may have a private communicator */
static MPI_Comm self = MPI_COMM_NULL;
static struct bine_context *newest;
static struct bine_context *left; /* without a communicator, but with calls under way */

/* MPICH has 2048 communicators to give in a process. The program's own come first. */
enum { CONTEXTS_MOST = 512 };

static const char too_many[] = "too many communicators";

/* Stands for every context that there was no memory for. */
static struct bine_context nothing = {.comm = MPI_COMM_NULL, .plain = "out of memory"};

static void unlink_context(struct bine_context *c) {
    pthread_mutex_lock(&lock);
    if (c->newer != NULL)
        c->newer->older = c->older;
    else
        newest = c->older;
    if (c->older != NULL)
        c->older->newer = c->newer;
    pthread_mutex_unlock(&lock);
}

static void context_empty(struct bine_context *c) {
    if (c->over)
        return;
    c->over = 1;
    if (bine_context_goes != NULL)
        bine_context_goes(c);
    for (int i = 0; i < BINE_PLANS; i++) {
        bine_plan_free(c->plan[i].plan[0]);
        bine_plan_free(c->plan[i].plan[1]);
        c->plan[i] = (struct bine_plan_entry){.algorithm = NULL};
    }
    bine_device_levels_free(c->device_levels);
    c->device_levels = NULL;
    bine_adviser_close(c->adviser);
    bine_learning_free(&c->learning);
    bine_groups_free(c->levels);
    bine_lineup_free(c->order);
    bine_lineup_free(c->seats);
    free(c->cards);
    free(c->node);
    c->cards = NULL;
    c->node = NULL;
    c->adviser = NULL;
    c->levels = NULL;
    c->order = c->seats = NULL;
    bine_workspace_free(&c->workspace);
    bine_node_free(c->channel.node);
    c->channel.node = NULL;
    bine_channel_close(&c->channel);
    if (c->comm != MPI_COMM_NULL)
        PMPI_Comm_free(&c->comm);
    c->comm = MPI_COMM_NULL;
    atomic_fetch_sub(&contexts, 1);
}

/* Free a context that no communicator has yet. */
static void context_drop(struct bine_context *c) {
    context_empty(c);
    free(c);
}

static void leave_context(struct bine_context *c) {
    pthread_mutex_lock(&lock);
    c->older = left;
    left = c;
    atomic_store(&c->left, 1);
    atomic_store(&bine_contexts_left, 1);
    pthread_mutex_unlock(&lock);
}

static int is_in_use(const struct bine_context *c) {
    int n = atomic_load(&c->under_way);
    for (int i = 0; i < BINE_READY; i++)
        n += atomic_load(&c->busy[i]);
    return n > 0;
}

static void context_free(struct bine_context *c) {
    unlink_context(c);
    if (is_in_use(c))
        leave_context(c);
    else
        context_drop(c);
}

/* One that has no calls under way any more, out of the list; or NULL. */
static struct bine_context *take_left(void) {
    pthread_mutex_lock(&lock);
    struct bine_context **at = &left;
    while (*at != NULL && is_in_use(*at))
        at = &(*at)->older;
    struct bine_context *c = *at;
    if (c != NULL)
        *at = c->older;
    atomic_store(&bine_contexts_left, left != NULL);
    pthread_mutex_unlock(&lock);
    return c;
}

void bine_contexts_sweep_left(void) {
    struct bine_context *c;
    while ((c = take_left()) != NULL)
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
    over = 1;
    bine_communicators_end();
    bine_types_end();
    bine_verbose_end();
    bine_progress_end();
    if (bine_context_ends != NULL)
        bine_context_ends();
    bine_contexts_sweep();
    for (struct bine_context *c = newest; c != NULL; c = c->older)
        context_empty(c);
    bine_wisdom_end();
    bine_policy_end();
    bine_location_end();
    bine_node_end();
    bine_operators_end();
    if (bine_context_goes != NULL)
        bine_context_goes(NULL);
    bine_share_end();
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

/* Whether this process can make one more communicator: try it where nobody else is concerned. */
static int can_make_another(void) {
    MPI_Comm another;
    return self == MPI_COMM_NULL || (PMPI_Comm_dup(self, &another) == MPI_SUCCESS &&
                                     PMPI_Comm_free(&another) == MPI_SUCCESS);
}

/* A communicator over the same ranks in the same order. Not a duplicate: that would copy the user's
 * attributes and call their functions. */
static int make_private(MPI_Comm comm, MPI_Comm *private) {
    MPI_Group group;
    int rc = PMPI_Comm_group(comm, &group);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Comm_create(comm, group, private);
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
    if (rc == MPI_SUCCESS && world && self == MPI_COMM_NULL && !over)
        rc = make_private(MPI_COMM_SELF, &self);
    if (rc == MPI_SUCCESS && keyval == MPI_KEYVAL_INVALID) {
        rc = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_free, &key, NULL);
        if (rc == MPI_SUCCESS)
            keyval = key;
    }
    pthread_mutex_unlock(&lock);
    return rc;
}

int bine_context_begin(void) {
    return make_keys();
}

int bine_context_is_running(void) {
    int yes = 0;
    if (over)
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
    if (c->comm != MPI_COMM_NULL || c->plain != NULL)
        return;
    enum { MADE = 1, HOOKED = 2, ONE_AT_A_TIME = 4 };
    int made =
        in_all(comm, c->p, can_make_another()) && make_private(comm, &c->comm) == MPI_SUCCESS;
    if (!made)
        c->comm = MPI_COMM_NULL;
    int by_one = bine_progress_is_by_one();
    int all = in_all(comm, c->p,
                     (made ? MADE : 0) | (bine_progress_is_hooked() ? HOOKED : 0) |
                         (by_one ? ONE_AT_A_TIME : 0));
    if (!(all & MADE)) {
        if (made)
            PMPI_Comm_free(&c->comm);
        c->plain = too_many;
        return;
    }
    bine_channel_open(&c->channel, c->comm);
    c->progresses = (all & HOOKED) != 0;
    c->one_at_a_time = (all & ONE_AT_A_TIME) != 0;
    atomic_store(&bine_one_thread, by_one);
    if (c->progresses && bine_policy_takes_nonblocking(&c->policy))
        atomic_store(&bine_taken_some, 1);
}

/* The torus that the settings give for so many ranks, or that of a Cartesian communicator, which is
 * row-major too, and says how the program thinks of its ranks, not how they are wired. */
static void find_torus(struct bine_context *c, MPI_Comm comm) {
    int kind = MPI_UNDEFINED, dims = 0, periods[BINE_DIMS_MOST], here[BINE_DIMS_MOST];
    const struct bine_shape *given = &c->policy.settings.dims;
    if (given->dims > 0 && bine_shape_nodes(given) == c->p) {
        c->dims = *given;
        c->wired = 1;
        return;
    }
    if (given->dims > 0)
        bine_policy_warn_of_dims(given, c->p);
    if (PMPI_Topo_test(comm, &kind) != MPI_SUCCESS || kind != MPI_CART ||
        PMPI_Cartdim_get(comm, &dims) != MPI_SUCCESS || dims < 1 || dims > BINE_DIMS_MOST ||
        PMPI_Cart_get(comm, dims, c->dims.size, periods, here) != MPI_SUCCESS)
        return;
    c->dims.dims = dims;
}

static struct bine_context *context_new(MPI_Comm comm) {
    struct bine_context *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->comm = c->asks = MPI_COMM_NULL;
    PMPI_Comm_rank(comm, &c->rank);
    PMPI_Comm_size(comm, &c->p);
    c->shortcuts = (struct bine_shortcuts){.context = c, .rank = c->rank, .p = c->p};
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        c->forced[k] = (struct bine_forced){BINE_FORCED_NOTHING, -1};
    bine_policy_read(&c->policy);
    find_torus(c, comm);
    atomic_fetch_add(&contexts, 1);
    return c;
}

/* The torus of the machine, unless there is one already; but the same one is known to be wired. */
static void settle_torus(struct bine_context *c, struct bine_agreement *agreed) {
    int same = agreed->seats == NULL && bine_shape_same(&c->dims, &agreed->dims);
    if (agreed->dims.dims > 0 && (c->dims.dims == 0 || same)) {
        c->dims = agreed->dims;
        c->wired = 1;
        c->seats = agreed->seats;
        return;
    }
    bine_lineup_free(agreed->seats);
}

static void link_context(struct bine_context *c) {
    pthread_mutex_lock(&lock);
    c->older = newest;
    if (newest != NULL)
        newest->newer = c;
    newest = c;
    pthread_mutex_unlock(&lock);
}

/* The model, where ranks on several nodes know where they are: their groups, or a torus that has
 * them on its nodes in their order. Whether it is asked is the same on all ranks: they are not
 * alike where one has no memory for a context. */
static void find_adviser(struct bine_context *c, MPI_Comm comm, int p,
                         const struct bine_agreement *agreed) {
    struct bine_advice_place at = {p, agreed->nodes, agreed->groups, agreed->levels, NULL, 0};
    if (!agreed->alike || !c->policy.settings.model || agreed->nodes < 2 || p > BINE_ADVISED_RANKS)
        return;
    if (agreed->dims.dims > 0) {
        if (agreed->nodes != p || c->seats != NULL || !bine_shape_same(&c->dims, &agreed->dims))
            return;
        at = (struct bine_advice_place){p, p, 0, NULL, &c->dims, c->policy.settings.ports};
    } else if (agreed->levels == NULL || agreed->groups < 1)
        return;
    c->adviser = bine_adviser_open(comm, c->rank, &at);
}

/* All ranks agree on what choices depend on. `c` is NULL on a rank without memory, which must take
 * part all the same. */
static int context_settle(struct bine_context *c, MPI_Comm comm) {
    struct bine_agreement agreed;
    int p, rc = PMPI_Comm_size(comm, &p);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c == NULL && p == 1)
        return MPI_ERR_NO_MEM;
    int shares = c != NULL && c->policy.settings.shared > 0 && p > 1;
    if (shares)
        c->cards = bine_node_cards_new(p);
    struct bine_means has = {contexts <= CONTEXTS_MOST, !shares || c->cards != NULL};
    rc = bine_agree(comm, p, c != NULL ? &c->policy : NULL, has, &agreed);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c == NULL) {
        bine_agreement_free(&agreed);
        return rc;
    }
    c->speaks = c->rank == agreed.speaker;
    c->nodes = agreed.nodes;
    c->per_node = agreed.per_node;
    c->cores = agreed.cores;
    c->crowded = agreed.crowded;
    c->groups = agreed.groups;
    c->none_grouped = agreed.none_grouped;
    c->levels = agreed.levels;
    c->order = agreed.order;
    settle_torus(c, &agreed);
    find_adviser(c, comm, p, &agreed);
    c->node = agreed.node;
    c->could_share = bine_settings_share(&c->policy.settings, c->per_node) && agreed.alike &&
                     agreed.room && agreed.cards;
    if (!c->could_share) {
        free(c->cards);
        c->cards = NULL;
    }
    c->devices = agreed.devices && ((c->could_share && c->nodes == 1) || c->levels != NULL);
    c->looks = c->devices || agreed.foreign;
    if (!agreed.room)
        c->plain = too_many;
    if (!agreed.alike)
        c->plain = "the settings are not the same on all ranks";
    return rc;
}

static int context_make(MPI_Comm comm, struct bine_context **made) {
    bine_contexts_sweep();
    int rc = make_keys();
    if (rc != MPI_SUCCESS)
        return rc;
    struct bine_context *c = context_new(comm);
    int out = bine_leaves_world(comm);
    rc = out ? MPI_SUCCESS : context_settle(c, comm);
    if (out && c != NULL)
        c->plain = "not all of its processes are in MPI_COMM_WORLD";
    *made = c != NULL ? c : &nothing;
    if (rc == MPI_SUCCESS)
        rc = PMPI_Comm_set_attr(comm, keyval, *made);
    if (rc == MPI_SUCCESS && c != NULL)
        link_context(c);
    else if (c != NULL)
        context_drop(c);
    return rc;
}

int bine_context_find(MPI_Comm comm, struct bine_context **context) {
    struct bine_context *c = NULL;
    int found = 0, rc = MPI_SUCCESS;
    if (keyval != MPI_KEYVAL_INVALID)
        rc = PMPI_Comm_get_attr(comm, keyval, &c, &found);
    *context = rc == MPI_SUCCESS && found && !c->over ? c : NULL;
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

int bine_raise(MPI_Comm comm, int code) {
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_call_errhandler(comm, code);
    else if (bine_has_world())
        PMPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
    return code;
}
