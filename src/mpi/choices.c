/* Choosing and asking: Bine_Set, Bine_Next, Bine_Last. */
#include "mpi/context.h"

#include "bine.h"

#include <stdio.h>
#include <string.h>

/* A name that this communicator can use, or MPI_ERR_ARG. */
static int parse_for(struct bine_context *c, MPI_Comm comm, enum bine_collective collective,
                     const char *text, struct bine_forced *f) {
    char why[200];
    int exposes;
    if (bine_forced_parse(collective, text, f, why, sizeof why) != 0)
        return MPI_ERR_ARG;
    if (f->algorithm == BINE_FORCED_MPI)
        return MPI_SUCCESS;
    if (bine_algorithm_needs(&bine_catalogue[f->algorithm]) == BINE_NEEDS_BOARDS)
        bine_context_share(c, comm);
    struct bine_question q = {.collective = collective,
                              .p = c->p,
                              .commutative = 1,
                              .levels = c->levels != NULL,
                              .boards = bine_context_shares(c, 1, &exposes),
                              .dims = c->dims};
    q.exposes = exposes;
    return bine_forced_fails(f, &q) == NULL ? MPI_SUCCESS : MPI_ERR_ARG;
}

int Bine_Set(MPI_Comm comm, const char *collective, const char *algorithm) {
    struct bine_context *c;
    struct bine_forced f = {-1, -1};
    int k = collective == NULL ? -1 : bine_collective_find(collective);
    if (comm == MPI_COMM_NULL)
        return bine_raise(comm, MPI_ERR_COMM);
    if (k < 0)
        return bine_raise(comm, MPI_ERR_ARG);
    int rc = bine_context_get(comm, &c);
    if (rc == MPI_SUCCESS && algorithm != NULL && *algorithm != '\0')
        rc = parse_for(c, comm, (enum bine_collective)k, algorithm, &f);
    if (rc != MPI_SUCCESS)
        return bine_raise(comm, rc);
    c->forced[k] = f;
    bine_context_forget(c);
    return MPI_SUCCESS;
}

int Bine_Next(MPI_Comm comm, const char *algorithm) {
    struct bine_context *c;
    if (comm == MPI_COMM_NULL)
        return bine_raise(comm, MPI_ERR_COMM);
    int rc = bine_context_get(comm, &c);
    if (rc != MPI_SUCCESS)
        return bine_raise(comm, rc);
    c->next_name[0] = '\0';
    if (algorithm == NULL || *algorithm == '\0')
        return MPI_SUCCESS;
    rc = MPI_ERR_ARG;
    for (int k = 0; k < BINE_COLLECTIVES && rc != MPI_SUCCESS; k++) {
        struct bine_forced f;
        rc = parse_for(c, comm, (enum bine_collective)k, algorithm, &f);
    }
    if (rc != MPI_SUCCESS || strlen(algorithm) >= sizeof c->next_name)
        return bine_raise(comm, MPI_ERR_ARG);
    strcpy(c->next_name, algorithm);
    return MPI_SUCCESS;
}

int Bine_Last(MPI_Comm comm, char *text, int size) {
    struct bine_context *c;
    if (comm == MPI_COMM_NULL)
        return bine_raise(comm, MPI_ERR_COMM);
    if (text == NULL || size < 1)
        return bine_raise(comm, MPI_ERR_ARG);
    int rc = bine_context_get(comm, &c);
    if (rc != MPI_SUCCESS)
        return bine_raise(comm, rc);
    text[0] = '\0';
    const struct bine_algorithm *a = c->last.algorithm;
    if (a != NULL)
        snprintf(text, (size_t)size, "%s %s:%s (%s)", bine_collective_name(a->collective), a->name,
                 bine_layout_name(c->last.layout), c->last.reason);
    else if (c->last.reason != NULL)
        snprintf(text, (size_t)size, "%s mpi (%s)", bine_collective_name(c->last_collective),
                 c->last.reason);
    return MPI_SUCCESS;
}
