#include "call/opening.h"

#include "call/collectives.h"
#include "call/query.h"
#include "mpi/mpi_calls.h"

#include <limits.h>
#include <stdatomic.h>

enum { OPENED_FIRST = 8 }; /* communicators made of one; a power of two */

static atomic_int started; /* this process has started a call */

static const char unknown[] = "MPI_Init has not opened MPI_COMM_WORLD for nonblocking calls";
static _Atomic(const char *) never = unknown;

/* A nonblocking call of a collective on this communicator; it may be persistent. */
static struct bine_query query_of(const struct bine_context *c, int k) {
    const struct bine_arguments a = {
        .collective = (enum bine_collective)k, .drop_in = 1, .nonblocking = 1};
    return bine_query_make(c, &a, 0, 1);
}

/* By facts that are equal on all ranks, as if there were boards. 2: at boards; 1: by messages; 0:
 * all of them are MPI's. */
static int may_start(const struct bine_context *c) {
    static const int64_t sizes[] = {8, 2 << 10, 32 << 10, 512 << 10, 16 << 20};
    int may = 0;
    for (int k = 0; k < BINE_COLLECTIVES && may < 2; k++) {
        struct bine_selector s = bine_selector_make(c, (enum bine_collective)k);
        struct bine_query q = query_of(c, k);
        q.boards = bine_context_has_boards(c, 1, &q.exposes);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes && may < 2; i++) {
            struct bine_decision d;
            q.bytes = sizes[i];
            bine_select(&s, &q, &d);
            if (d.choice.algorithm != NULL)
                may = bine_algorithm_needs(d.choice.algorithm) == BINE_NEEDS_BOARDS ? 2 : 1;
        }
    }
    return may;
}

static void open_for_started(struct bine_context *c, MPI_Comm comm) {
    int may = may_start(c);
    if (may == 0)
        return;
    bine_context_open(c, comm);
    if (c->id.forward_reason != NULL || !c->pending.progresses)
        return;
    if (may == 2 && c->pending.one_at_a_time)
        bine_context_make_boards(c, comm);
    bine_communicators_add(comm, &c->caches.shortcuts);
}

/* All ranks of the communicator come here. An error is that of its first call. Where there are
 * devices, their runtime may be loaded later; whether there is one is found at the first call. */
static struct bine_context *open_made(MPI_Comm comm) {
    struct bine_context *c;
    int p = 0;
    if (PMPI_Comm_size(comm, &p) != MPI_SUCCESS || p < 2 || bine_is_inter(comm) ||
        bine_context_get(comm, &c) != MPI_SUCCESS)
        return NULL;
    if (c->caches.shortcuts.may_have_device_buffers) {
        bine_context_discard(comm);
        return NULL;
    }
    if (bine_context_make_for(comm, &c) != MPI_SUCCESS)
        return NULL;
    if (c->id.p > 0 && c->id.forward_reason == NULL)
        open_for_started(c, comm);
    return c;
}

/* NULL: some communicator of these ranks may have nonblocking calls of Bine's. */
static const char *find_never(const struct bine_context *c) {
    const char *reason = c->id.forward_reason;
    for (int k = 0; k < BINE_COLLECTIVES && c->id.forward_reason == NULL; k++) {
        struct bine_selector s = bine_selector_make(c, (enum bine_collective)k);
        struct bine_query q = query_of(c, k);
        s.tuning = NULL; /* which knows blocking calls */
        reason = bine_select_never(&s, &q, c->place.none_grouped, c->place.cores);
        if (reason == NULL)
            return NULL;
    }
    return reason;
}

void bine_opening_begin(void) {
    const struct bine_context *c = open_made(MPI_COMM_WORLD);
    if (c != NULL && c->id.p > 0)
        never = find_never(c);
    if (never == NULL)
        bine_intercept_nonblocking();
}

void bine_opening_note(void) {
    if (!atomic_load_explicit(&started, memory_order_relaxed))
        atomic_store(&started, 1);
}

/* All ranks of the communicator come here, with one more that they make of it. */
static int is_due(struct bine_context *c, MPI_Comm comm) {
    int n = c->id.made, mine = atomic_load(&started), any = 0;
    if (n >= OPENED_FIRST && (n & (n - 1)) == 0)
        c->id.leaves_made =
            bine_mpi->allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, comm) != MPI_SUCCESS || !any;
    c->id.made += n < INT_MAX;
    return !c->id.leaves_made;
}

int bine_opening_is_due(MPI_Comm comm) {
    struct bine_context *c;
    return comm != MPI_COMM_NULL && bine_opening_never() == NULL && bine_process_is_running() &&
           bine_context_find(comm, &c) == MPI_SUCCESS && c != NULL && c->id.p > 0 &&
           c->id.forward_reason == NULL && is_due(c, comm);
}

void bine_opening_made(MPI_Comm made) {
    if (made != MPI_COMM_NULL)
        open_made(made);
}

const char *bine_opening_never(void) {
    return atomic_load_explicit(&never, memory_order_relaxed);
}
