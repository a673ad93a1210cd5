#include "mpi/deferred_free.h"

#include "mpi/handles.h"
#include "mpi/mpi_calls.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* An operator that the program has freed while calls used it. MPI does not give its handle to
 * another one meanwhile. */
struct deferred {
    struct deferred *next;
    MPI_Op op;
};

int bine_operators_last;

static atomic_int in_use; /* calls with operators of the program's */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bine_held_operator *held; /* the pending calls with them */
static struct deferred *deferred;

static int is_used(MPI_Op op) {
    const struct bine_held_operator *h = held;
    while (h != NULL && h->op != op)
        h = h->next;
    return h != NULL;
}

void bine_operator_hold(struct bine_held_operator *h, MPI_Op op) {
    pthread_mutex_lock(&lock);
    *h = (struct bine_held_operator){held, NULL, op};
    if (held != NULL)
        held->previous = h;
    held = h;
    atomic_fetch_add(&in_use, 1);
    pthread_mutex_unlock(&lock);
}

/* Take the operator out of the deferred ones; or NULL. */
static struct deferred *take_deferred(MPI_Op op) {
    struct deferred **at = &deferred;
    while (*at != NULL && (*at)->op != op)
        at = &(*at)->next;
    struct deferred *d = *at;
    if (d != NULL)
        *at = d->next;
    return d;
}

void bine_operator_let_go(struct bine_held_operator *h) {
    pthread_mutex_lock(&lock);
    if (h->previous != NULL)
        h->previous->next = h->next;
    else
        held = h->next;
    if (h->next != NULL)
        h->next->previous = h->previous;
    atomic_fetch_sub(&in_use, 1);
    struct deferred *d = is_used(h->op) ? NULL : take_deferred(h->op);
    pthread_mutex_unlock(&lock);
    if (d != NULL)
        bine_mpi.op_free(&d->op);
    free(d);
}

void bine_operators_end(void) {
    pthread_mutex_lock(&lock);
    struct deferred *d = deferred;
    deferred = NULL;
    pthread_mutex_unlock(&lock);
    for (struct deferred *next; d != NULL; d = next) {
        next = d->next;
        bine_mpi.op_free(&d->op);
        free(d);
    }
}

/* Whether a call uses the operator: then it is freed at the call's end. */
static int defer(MPI_Op op) {
    struct deferred *d = malloc(sizeof *d);
    pthread_mutex_lock(&lock);
    int defers = d != NULL && is_used(op);
    if (defers) {
        *d = (struct deferred){deferred, op};
        deferred = d;
    }
    pthread_mutex_unlock(&lock);
    if (!defers)
        free(d);
    return defers;
}

int bine_operator_free(MPI_Op *op) {
    if (atomic_load_explicit(&in_use, memory_order_relaxed) == 0 || op == NULL ||
        *op == MPI_OP_NULL || bine_operator_is_built_in(*op) || !defer(*op))
        return bine_mpi.op_free(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
