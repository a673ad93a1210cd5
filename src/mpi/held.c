#include "mpi/held.h"

#include "mpi/handles.h"
#include "mpi/mpi_calls.h"

#include <pthread.h>
#include <stdlib.h>

struct deferred {
    struct deferred *next;
    MPI_Op op;
};

int bine_operators_last;

static atomic_int in_use; /* calls with operators of the program's */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct deferred *deferred;

void bine_operators_hold(int more) {
    atomic_fetch_add(&in_use, more);
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

int bine_operator_free(MPI_Op *op) {
    struct deferred *d;
    if (atomic_load_explicit(&in_use, memory_order_relaxed) == 0) {
        bine_operators_end();
        return bine_mpi.op_free(op);
    }
    if (op == NULL || *op == MPI_OP_NULL || bine_operator_is_built_in(*op) ||
        (d = malloc(sizeof *d)) == NULL)
        return bine_mpi.op_free(op);
    d->op = *op;
    *op = MPI_OP_NULL;
    pthread_mutex_lock(&lock);
    d->next = deferred;
    deferred = d;
    pthread_mutex_unlock(&lock);
    return MPI_SUCCESS;
}
