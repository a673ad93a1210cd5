/* Choosing and asking: Bine_Set, Bine_Next, Bine_Last. */
#include "api/last_copied.h"
#include "call/pass_through.h"
#include "comm/context.h"
#include "report/warn.h"

#include "bine.h"

#include <stdio.h>
#include <string.h>

enum { WHY = 200 };

/* A name that this communicator can use, or MPI_ERR_ARG and why not; `known` says whether it is a
 * name at all. */
static int parse_for(struct bine_context *c, MPI_Comm comm, enum bine_collective collective,
                     const char *text, struct bine_selection *f, int *known, char why[WHY]) {
    int exposes;
    *known = bine_selection_parse(collective, text, f, why, WHY) == 0;
    if (!*known)
        return MPI_ERR_ARG;
    if (f->algorithm == BINE_SELECTION_MPI)
        return MPI_SUCCESS;
    if (bine_algorithm_needs(&bine_catalogue[f->algorithm]) == BINE_NEEDS_BOARDS)
        bine_context_make_boards(c, comm);
    struct bine_query q = {.collective = collective,
                           .p = c->id.p,
                           .commutative = 1,
                           .levels = c->place.levels != NULL,
                           .boards = bine_context_has_boards(c, 1, &exposes),
                           .dims = c->place.dims};
    q.exposes = exposes;
    const char *fails = bine_selection_fails(f, &q);
    if (fails != NULL)
        snprintf(why, WHY, "%s %.60s: %s", bine_collective_name(collective), text, fails);
    return fails == NULL ? MPI_SUCCESS : MPI_ERR_ARG;
}

static int returns_errors(MPI_Comm comm) {
    MPI_Errhandler handler;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return 0;
    int returns = handler == MPI_ERRORS_RETURN;
    PMPI_Errhandler_free(&handler);
    return returns;
}

/* MPI's errors have no room for a name. The name is equal on all ranks: the first rank prints
 * it. A program that gets its errors back may only be asking whether an algorithm serves; an
 * unknown name is a mistake anyhow. */
static int refuse(MPI_Comm comm, const char *call, int known, const char *why) {
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (!known || !returns_errors(comm))
        bine_warn(rank == 0, 0, "%s: %s", call, why);
    return bine_raise(comm, MPI_ERR_ARG);
}

/* The context of a communicator, made if need be. Errors go to the error handler. */
static int context_of(MPI_Comm comm, struct bine_context **c) {
    int rc = comm == MPI_COMM_NULL ? MPI_ERR_COMM : bine_context_get(comm, c);
    return rc == MPI_SUCCESS ? rc : bine_raise(comm, rc);
}

int Bine_Set(MPI_Comm comm, const char *collective, const char *algorithm) {
    struct bine_context *c;
    struct bine_selection f = {-1, -1};
    int k = collective == NULL ? -1 : bine_collective_find(collective);
    if (comm == MPI_COMM_NULL)
        return bine_raise(comm, MPI_ERR_COMM);
    char why[WHY] = "";
    int known;
    if (k < 0) {
        snprintf(why, sizeof why, "%.60s: not a collective, such as allreduce",
                 collective == NULL ? "NULL" : collective);
        return refuse(comm, "Bine_Set", 0, why);
    }
    int rc = context_of(comm, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    if (algorithm != NULL && *algorithm != '\0' &&
        parse_for(c, comm, (enum bine_collective)k, algorithm, &f, &known, why) != MPI_SUCCESS)
        return refuse(comm, "Bine_Set", known, why);
    bine_intercept_nonblocking();
    if (c->id.p > 0) {
        c->choosing.set[k] = f;
        bine_context_forget(c);
        bine_shortcuts_forget(&c->caches.shortcuts);
    }
    bine_pass_through_except((enum bine_collective)k);
    return MPI_SUCCESS;
}

int Bine_Next(MPI_Comm comm, const char *algorithm) {
    struct bine_context *c;
    int rc = context_of(comm, &c);
    if (rc != MPI_SUCCESS)
        return rc;
    if (c->id.p > 0)
        c->choosing.next_name[0] = '\0';
    if (algorithm == NULL || *algorithm == '\0')
        return MPI_SUCCESS;
    char why[WHY];
    int known = 0;
    rc = MPI_ERR_ARG;
    for (int k = 0, is; k < BINE_COLLECTIVES && rc != MPI_SUCCESS; k++) {
        struct bine_selection f;
        rc = parse_for(c, comm, (enum bine_collective)k, algorithm, &f, &is, why);
        known |= is;
    }
    if (rc != MPI_SUCCESS || strlen(algorithm) >= sizeof c->choosing.next_name) {
        snprintf(why, sizeof why, "%.60s: not an algorithm that a collective has%s", algorithm,
                 known ? " for this communicator" : "");
        return refuse(comm, "Bine_Next", known, why);
    }
    if (c->id.p > 0)
        strcpy(c->choosing.next_name, algorithm);
    return MPI_SUCCESS;
}

int Bine_Set_stream(MPI_Comm comm, void *stream) {
    struct bine_context *c;
    int rc = context_of(comm, &c);
    if (rc == MPI_SUCCESS && c->id.p > 0)
        c->channel.stream = stream;
    return rc;
}

int Bine_Last(MPI_Comm comm, char *text, int size) {
    struct bine_context *c;
    if (comm == MPI_COMM_NULL)
        return bine_raise(comm, MPI_ERR_COMM);
    if (text == NULL || size < 1)
        return bine_raise(comm, MPI_ERR_ARG);
    text[0] = '\0';
    int rc = bine_context_find(comm, &c);
    if (rc != MPI_SUCCESS || c == NULL) /* nothing has run */
        return rc;
    const struct bine_algorithm *a = c->choosing.last.algorithm;
    const char *forwarded = c->caches.shortcuts.last_reason;
    if (forwarded != NULL)
        snprintf(text, (size_t)size, "%s mpi (%s)",
                 bine_collective_name(c->caches.shortcuts.last_collective), forwarded);
    else if (a == NULL && c->choosing.last.reason != NULL)
        snprintf(text, (size_t)size, "%s device (%s)", bine_collective_name(c->devices.last),
                 c->choosing.last.reason);
    else if (a != NULL)
        snprintf(text, (size_t)size, "%s %s:%s (%s%s)", bine_collective_name(a->collective),
                 a->name, bine_layout_name(c->choosing.last.layout), c->choosing.last.reason,
                 bine_choice_more(&c->choosing.last));
    return MPI_SUCCESS;
}

int64_t bine_last_copied(MPI_Comm comm) {
    struct bine_context *c = NULL;
    if (comm == MPI_COMM_NULL || bine_context_find(comm, &c) != MPI_SUCCESS || c == NULL)
        return -1;
    const struct bine_execution *x = &c->caches.bound.execution;
    int made = c->caches.shortcuts.last_reason == NULL && c->choosing.last.algorithm != NULL;
    if (!made || x->plan == NULL || x->plan->schedule->boards || x->plan->schedule->exchanges_sizes)
        return -1;
    return bine_execution_copied(x);
}
