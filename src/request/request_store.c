/* They are not given back to the system before MPI_Finalize: a program that frees one twice finds
 * one that is free. */
#include "request/request_store.h"

#include "base/lock.h"
#include "comm/node.h"
#include "mpi/deferred_free.h"

#include <stdlib.h>

/* The most bytes that a bound request keeps. */
#define KEPT ((size_t)1 << 20)

static struct bine_request *unused;

void bine_requests_end(void) {
    for (struct bine_request *r; (r = unused) != NULL;) {
        unused = r->next;
        free(r);
    }
}

struct bine_request *bine_request_new(void) {
    bine_lock();
    struct bine_request *r = unused;
    if (r != NULL)
        unused = r->next;
    bine_unlock();
    static atomic_int made;
    if (r == NULL) {
        r = calloc(1, sizeof *r);
        if (r != NULL)
            r->tag = atomic_fetch_add(&made, 1) + 1;
    }
    if (r != NULL) {
        r->next = NULL;
        r->complete = NULL;
        r->place = BINE_REQUEST_NOWHERE;
        r->type[0] = r->type[1] = MPI_DATATYPE_NULL;
    }
    return r;
}

void bine_request_store(struct bine_request *r) {
    r->context = NULL;
    bine_lock();
    r->next = unused;
    unused = r;
    bine_unlock();
}

/* Unbind it: it is unused. */
static void unbind(struct bine_request *r) {
    bine_plan_free(r->plan);
    r->plan = NULL;
    r->stamp = 0;
    bine_workspace_free(&r->workspace);
    bine_request_store(r);
}

struct bine_request *bine_request_take(struct bine_context *c, int like) {
    int place = 0, found = -1;
    for (int i = 0; i < BINE_READY; i++) {
        int busy = atomic_load_explicit(&c->pending.busy[i], memory_order_acquire);
        int empty = atomic_load_explicit(&c->pending.ready[i], memory_order_acquire) == NULL;
        place |= empty;
        if (!empty && !busy)
            found = i;
    }
    if (found < 0 || (like && place))
        return bine_request_new();
    atomic_store_explicit(&c->pending.busy[found], 1, memory_order_relaxed);
    return atomic_load_explicit(&c->pending.ready[found], memory_order_relaxed);
}

void bine_requests_forget(struct bine_context *c) {
    for (int i = 0; i < BINE_READY; i++) {
        int busy = atomic_load_explicit(&c->pending.busy[i], memory_order_acquire);
        struct bine_request *r = atomic_load_explicit(&c->pending.ready[i], memory_order_acquire);
        if (busy || r == NULL)
            continue;
        atomic_store_explicit(&c->pending.ready[i], NULL, memory_order_relaxed);
        unbind(r);
    }
}

/* --- Letting go */

static int is_worth_keeping(const struct bine_context *c, const struct bine_request *r) {
    const struct bine_workspace_block *memory = r->workspace.kept;
    return c != NULL && !c->id.finalizing && r->stamp != 0 &&
           (memory == NULL || memory->size <= KEPT);
}

/* Make it one of the ready requests, if there is a place: then other calls may take it. */
static int join(struct bine_context *c, struct bine_request *r) {
    int joined = 0;
    for (int i = 0; i < BINE_READY && !joined; i++) {
        struct bine_request *none = NULL;
        r->place = i;
        joined = atomic_compare_exchange_strong(&c->pending.ready[i], &none, r);
    }
    if (!joined)
        r->place = BINE_REQUEST_NOWHERE;
    return joined;
}

static void release_retained(struct bine_request *r) {
    for (int i = 0; i < 2; i++)
        if (r->type[i] != MPI_DATATYPE_NULL)
            PMPI_Type_free(&r->type[i]);
    for (int i = 0; i < r->nretained; i++)
        PMPI_Type_free(&r->retained[i]);
    free(r->retained);
    r->retained = NULL;
    r->nretained = 0;
    if (r->retains_operator)
        bine_operator_release(&r->operator);
    r->retains_operator = 0;
    free(r->kept);
    r->kept = NULL;
    r->workspace.keeps_all = 0;
    r->bound.tag = 0;
    bine_node_free(r->bound.node);
    r->bound.node = NULL;
    r->retains = 0;
}

/* The context may go as soon as it is released. */
void bine_request_recycle(struct bine_request *r) {
    struct bine_context *c = r->context;
    int place = r->place, keep = is_worth_keeping(c, r);
    release_retained(r);
    atomic_store_explicit(&r->state, BINE_REQUEST_FREE, memory_order_release);
    if (place != BINE_REQUEST_NOWHERE && !keep)
        atomic_store_explicit(&c->pending.ready[place], NULL, memory_order_relaxed);
    if (!keep || (place == BINE_REQUEST_NOWHERE && !join(c, r)))
        unbind(r);
    if (place != BINE_REQUEST_NOWHERE)
        atomic_store_explicit(&c->pending.busy[place], 0, memory_order_release);
    else if (c != NULL)
        bine_context_release(c);
}
