/* The forms with large counts, Bine_X_c. Where all numbers are such that int has them, these are
 * the calls with int; otherwise the engine takes them as they are, and MPI cannot be handed them.
 */
#include "call/collectives.h"
#include "dropin/nonblocking.h"
#include "mpi/mpi_calls.h"
#include "record/own.h"
#include "request/requests.h"

#include "bine.h"

#include <limits.h>
#include <stdlib.h>

static int fits(MPI_Count n) {
    return n >= INT_MIN && n <= INT_MAX;
}

/* The ranks that arrays have numbers for; 0 where this rank has none. */
static int ranks_of(const struct bine_arguments *a) {
    int rank = 0, p = 0;
    if (a->comm == MPI_COMM_NULL)
        return 0;
    if (bine_is_inter(a->comm))
        PMPI_Comm_remote_size(a->comm, &p);
    else
        PMPI_Comm_size(a->comm, &p);
    PMPI_Comm_rank(a->comm, &rank);
    int at_root = a->collective == BINE_GATHERV || a->collective == BINE_SCATTERV;
    return at_root && rank != a->root && a->root != MPI_ROOT ? 0 : p;
}

static int all_fit(const struct bine_counts *c, int p) {
    for (int i = 0; c->wide != NULL && i < p; i++)
        if (!fits((MPI_Count)bine_count_at(c, i)))
            return 0;
    return 1;
}

static int *narrow(struct bine_counts *c, int p, int *to) {
    if (c->wide == NULL)
        return to;
    for (int i = 0; i < p; i++)
        to[i] = (int)bine_count_at(c, i);
    *c = (struct bine_counts){.narrow = to};
    return to + p;
}

/* Narrow the arguments to int, if they fit; *memory is for their arrays. Returns an MPI error
 * class. */
static int settle(struct bine_arguments *a, void **memory) {
    int p = ranks_of(a);
    *memory = NULL;
    a->large = !fits(a->sendcount) || !fits(a->recvcount) || !all_fit(&a->sendcounts, p) ||
               !all_fit(&a->recvcounts, p) || !all_fit(&a->senddispls, p) ||
               !all_fit(&a->recvdispls, p);
    if (a->large || (a->sendcounts.wide == NULL && a->recvcounts.wide == NULL))
        return MPI_SUCCESS;
    int *to = malloc((4 * (size_t)p + 1) * sizeof *to);
    if (to == NULL)
        return MPI_ERR_NO_MEM;
    *memory = to;
    to = narrow(&a->sendcounts, p, to);
    to = narrow(&a->recvcounts, p, to);
    to = narrow(&a->senddispls, p, to);
    narrow(&a->recvdispls, p, to);
    return MPI_SUCCESS;
}

static int now(struct bine_arguments *a) {
    void *memory;
    int rc = settle(a, &memory);
    rc = rc == MPI_SUCCESS ? bine_own.now(a) : bine_raise(a->comm, rc);
    free(memory);
    return rc;
}

/* A plan copies its arrays. */
static int as_plan(struct bine_arguments *a, Bine_Plan *plan) {
    void *memory;
    int rc = settle(a, &memory);
    rc = rc == MPI_SUCCESS ? bine_call_init(a, plan) : bine_raise(a->comm, rc);
    free(memory);
    return rc;
}

/* The arrays are needed until its end, where MPI makes it: otherwise the request has copies. */
static int started(struct bine_arguments *a, Bine_Request *request) {
    void *memory;
    int rc = settle(a, &memory);
    rc = rc == MPI_SUCCESS ? bine_own.start(a, request) : bine_raise(a->comm, rc);
    if (rc == MPI_SUCCESS && (*request)->kept == NULL)
        (*request)->kept = memory;
    else
        free(memory);
    return rc;
}

#include "mpi/wide.h"

_Static_assert(sizeof(MPI_Count) == 8 && sizeof(MPI_Aint) == 8, "as counts.h takes them");

#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    int Bine_##NAME##_c FORMAL {                                                                   \
        struct bine_arguments a = {.entry = BINE_ENTRY_##NAME, __VA_ARGS__};                       \
        return now(&a);                                                                            \
    }                                                                                              \
    int Bine_##NAME##_init_c(BINE_LISTED FORMAL, Bine_Plan *plan) {                                \
        struct bine_arguments a = {.entry = BINE_ENTRY_##NAME, __VA_ARGS__};                       \
        return as_plan(&a, plan);                                                                  \
    }                                                                                              \
    int Bine_I##OWN##_c(BINE_LISTED FORMAL, Bine_Request *request) {                               \
        struct bine_arguments a = {.nonblocking = 1, .entry = BINE_ENTRY_##NAME, __VA_ARGS__};     \
        return started(&a, request);                                                               \
    }
#include "mpi/entries.def"
#undef CALL

/* --- Intercepted from MPI, to which they are forwarded as they came */

#define BINE_ONLY_COUNTED
#define CALL(NAME, OWN, FORMAL, ACTUAL, ...)                                                       \
    BINE_INTERCEPT(NAME, OWN, _c, 1, FORMAL, ACTUAL, __VA_ARGS__)
#include "mpi/entries.def"
#undef CALL

void bine_large_attach(const struct bine_preload *d) {
#define CALL(NAME, OWN, ...) d->take[BINE_ENTRY_##NAME##_c] = (bine_function *)take_##OWN##_c;
#include "mpi/entries.def"
#undef CALL
}
