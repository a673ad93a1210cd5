#include "mpi/deferred_free.h"

#include "base/lock.h"
#include "mpi/handles.h"
#include "mpi/mpi_calls.h"

#include <stdatomic.h>
#include <stddef.h>

static _Atomic(struct bine_held_operator *) held; /* the pending calls with operators */

void bine_operator_retain(struct bine_held_operator *h, MPI_Op op) {
    bine_lock();
    *h = (struct bine_held_operator){.next = held, .op = op};
    if (h->next != NULL)
        h->next->previous = h;
    held = h;
    bine_unlock();
}

/* Note on all calls with an operator whether the program has freed it; how many there are. MPI does
 * not give the operator's handle to another one meanwhile. */
static int mark(MPI_Op op, int freed) {
    int calls = 0;
    for (struct bine_held_operator *h = held; h != NULL; h = h->next)
        if (h->op == op) {
            h->freed = freed;
            calls++;
        }
    return calls;
}

void bine_operator_release(struct bine_held_operator *h) {
    bine_lock();
    if (h->previous != NULL)
        h->previous->next = h->next;
    else
        held = h->next;
    if (h->next != NULL)
        h->next->previous = h->previous;
    int frees = h->freed && mark(h->op, 1) == 0;
    bine_unlock();
    if (frees)
        bine_mpi->op_free(&h->op);
}

void bine_operators_end(void) {
    bine_lock();
    for (struct bine_held_operator *h = held; h != NULL; h = h->next)
        if (h->freed) {
            MPI_Op op = h->op;
            mark(op, 0);
            bine_mpi->op_free(&op);
        }
    bine_unlock();
}

/* Whether a call uses the operator: then it is freed at the call's end. */
static int defer(MPI_Op op) {
    bine_lock();
    int defers = mark(op, 1) > 0;
    bine_unlock();
    return defers;
}

int bine_operator_free(MPI_Op *op) {
    if (atomic_load_explicit(&held, memory_order_relaxed) == NULL || op == NULL ||
        *op == MPI_OP_NULL || bine_operator_is_built_in(*op) || !defer(*op))
        return bine_mpi->op_free(op);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
