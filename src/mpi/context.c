#include "mpi/context.h"

#include "engine/tags.h"
#include "mpi/real.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int keyval = MPI_KEYVAL_INVALID; /* on communicators: their context */
static int watched; /* MPI_COMM_SELF has an attribute whose deletion begins MPI_Finalize */
static struct bine_context *newest;

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

/* An empty context has no communicator. */
static void context_empty(struct bine_context *c) {
    if (c->comm == MPI_COMM_NULL)
        return;
    for (int i = 0; i < BINE_PLANS; i++) {
        bine_plan_free(c->plan[i].plan);
        c->plan[i].plan = NULL;
    }
    bine_workspace_free(&c->workspace);
    PMPI_Comm_free(&c->comm);
    c->comm = MPI_COMM_NULL;
}

static void context_free(struct bine_context *c) {
    context_empty(c);
    unlink_context(c);
    free(c);
}

static int on_comm_free(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm;
    (void)key;
    (void)extra;
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
    for (struct bine_context *c = newest; c != NULL; c = c->older)
        context_empty(c);
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

/* Once; threads may come here together. The key of contexts is set last: where it is valid, all is
 * made. */
static int make_keys(void) {
    int rc = MPI_SUCCESS, key;
    pthread_mutex_lock(&lock);
    if (!watched) {
        rc = watch_finalize();
        watched = rc == MPI_SUCCESS;
    }
    if (rc == MPI_SUCCESS && keyval == MPI_KEYVAL_INVALID) {
        rc = PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_comm_free, &key, NULL);
        if (rc == MPI_SUCCESS)
            keyval = key;
    }
    pthread_mutex_unlock(&lock);
    return rc;
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

static int context_make(MPI_Comm comm, struct bine_context **made) {
    char why[200];
    struct bine_context *c = calloc(1, sizeof *c);
    int rc = c == NULL ? MPI_ERR_NO_MEM : make_keys();
    if (rc == MPI_SUCCESS)
        rc = make_private(comm, &c->comm);
    if (rc != MPI_SUCCESS) {
        free(c);
        return rc;
    }
    PMPI_Comm_rank(c->comm, &c->rank);
    PMPI_Comm_size(c->comm, &c->p);
    for (int k = 0; k < BINE_COLLECTIVES; k++)
        c->forced[k] = (struct bine_forced){-1, -1};
    if (c->rank == 0)
        bine_settings_read(&c->settings, why, sizeof why);
    rc = bine_real()->bcast(&c->settings, (int)sizeof c->settings, MPI_BYTE, 0, c->comm);
    pthread_mutex_lock(&lock);
    c->older = newest;
    if (newest != NULL)
        newest->newer = c;
    newest = c;
    pthread_mutex_unlock(&lock);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Comm_set_attr(comm, keyval, c);
    if (rc != MPI_SUCCESS) {
        context_free(c);
        return rc;
    }
    *made = c;
    return MPI_SUCCESS;
}

struct bine_context *bine_context_find(MPI_Comm comm) {
    struct bine_context *c = NULL;
    int found = 0;
    if (keyval == MPI_KEYVAL_INVALID ||
        PMPI_Comm_get_attr(comm, keyval, &c, &found) != MPI_SUCCESS || !found)
        return NULL;
    return c->comm == MPI_COMM_NULL ? NULL : c; /* empty: MPI_Finalize is under way */
}

int bine_context_get(MPI_Comm comm, struct bine_context **context) {
    *context = bine_context_find(comm);
    return *context != NULL ? MPI_SUCCESS : context_make(comm, context);
}

int bine_raise(MPI_Comm comm, int code) {
    PMPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
    return code;
}

void bine_context_forget(struct bine_context *c) {
    for (int k = 0; k < BINE_MEMOS; k++)
        c->memo[k].valid = 0;
    c->bound_to = NULL;
}

static int entry_fits(const struct bine_plan_entry *e, const struct bine_choice *choice, int root,
                      int in_place) {
    return e->plan != NULL && e->algorithm == choice->algorithm && e->layout == choice->layout &&
           e->segments == choice->segments && e->root == root && e->in_place == in_place;
}

struct bine_plan *bine_context_plan(struct bine_context *c, const struct bine_choice *choice,
                                    int root, int in_place) {
    struct bine_plan_entry *oldest = &c->plan[0];
    c->calls++;
    if (c->recent != NULL && entry_fits(c->recent, choice, root, in_place)) {
        c->recent->used = c->calls;
        return c->recent->plan;
    }
    for (int i = 0; i < BINE_PLANS; i++) {
        struct bine_plan_entry *e = &c->plan[i];
        if (entry_fits(e, choice, root, in_place)) {
            e->used = c->calls;
            c->recent = e;
            return e->plan;
        }
        if (e->plan == NULL || e->used < oldest->used)
            oldest = oldest->plan == NULL ? oldest : e;
    }
    struct bine_request rq = {.algorithm = choice->algorithm,
                              .layout = choice->layout,
                              .p = c->p,
                              .rank = c->rank,
                              .root = root,
                              .in_place = in_place,
                              .segments = choice->segments};
    struct bine_plan *plan = bine_plan_new(&rq);
    if (plan == NULL)
        return NULL;
    if (oldest->plan != NULL)
        bine_context_forget(c);
    bine_plan_free(oldest->plan);
    *oldest = (struct bine_plan_entry){
        choice->algorithm, choice->layout, choice->segments, root, in_place, c->calls, plan};
    c->recent = oldest;
    return plan;
}
