/* The collectives without uneven blocks, by MPI and by Bine in all forms. */
#include "calls.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MPI_Reduce_scatter of MPICH 4.0.2 writes beyond its memory where the operator does not commute,
 * so there it is taken apart. */
static int reduce_then_scatter(const struct call *c, const struct arguments *a, MPI_Op op) {
    int total = 0, *first = malloc((size_t)c->p * sizeof *first);
    if (first == NULL)
        abort();
    for (int i = 0; i < c->p; i++) {
        first[i] = total;
        total += a->recvcounts[i];
    }
    struct buffer all;
    buffer_make(&all, a->recvtype, total);
    int rc = MPI_Reduce(a->sendbuf, all.base, total, a->recvtype, op, 0, c->oracle);
    if (rc == MPI_SUCCESS)
        rc = MPI_Scatterv(all.base, a->recvcounts, first, a->recvtype, a->recvbuf,
                          a->recvcounts[c->rank], a->recvtype, 0, c->oracle);
    buffer_free(&all);
    free(first);
    return rc;
}

int call_mpi(const struct call *c, const struct arguments *a) {
    MPI_Op op = operators_handle(c->op);
    switch (c->collective) {
    case BINE_BCAST:
        return MPI_Bcast(a->recvbuf, a->recvcount, a->recvtype, c->root, c->oracle);
    case BINE_REDUCE:
        return MPI_Reduce(a->sendbuf, a->recvbuf, a->sendcount, a->sendtype, op, c->root,
                          c->oracle);
    case BINE_ALLREDUCE:
        return MPI_Allreduce(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, op, c->oracle);
    case BINE_GATHER:
        return MPI_Gather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                          a->recvtype, c->root, c->oracle);
    case BINE_SCATTER:
        return MPI_Scatter(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                           a->recvtype, c->root, c->oracle);
    case BINE_ALLGATHER:
        return MPI_Allgather(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                             a->recvtype, c->oracle);
    case BINE_ALLTOALL:
        return MPI_Alltoall(a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                            a->recvtype, c->oracle);
    case BINE_BARRIER:
        return MPI_Barrier(c->oracle);
    case BINE_SCAN:
        return MPI_Scan(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, op, c->oracle);
    case BINE_EXSCAN:
        return MPI_Exscan(a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, op, c->oracle);
    default:
        if (!operators_commutes(c->op))
            return reduce_then_scatter(c, a, op);
        return c->block ? MPI_Reduce_scatter_block(a->sendbuf, a->recvbuf, a->recvcount,
                                                   a->recvtype, op, c->oracle)
                        : MPI_Reduce_scatter(a->sendbuf, a->recvbuf, a->recvcounts, a->recvtype, op,
                                             c->oracle);
    }
}

/* One of six forms: a plan is made, a request is started, or it is called; each with large counts,
 * too. */
static int make_call(const struct call *c, const struct arguments *a, Bine_Plan *plan,
                     Bine_Request *request) {
#define OF(NAME, OWN, SIZE, ...)                                                                   \
    (plan != NULL      ? Bine_##NAME##_init##SIZE(__VA_ARGS__, plan)                               \
     : request != NULL ? Bine_I##OWN##SIZE(__VA_ARGS__, request)                                   \
                       : Bine_##NAME##SIZE(__VA_ARGS__))
#define FORM(NAME, OWN, ...)                                                                       \
    (c->wide ? OF(NAME, OWN, _c, __VA_ARGS__) : OF(NAME, OWN, , __VA_ARGS__))
    MPI_Op op = operators_handle(c->op);
    switch (c->collective) {
    case BINE_BCAST:
        return FORM(Bcast, bcast, a->recvbuf, a->recvcount, a->recvtype, c->root, c->comm);
    case BINE_REDUCE:
        return FORM(Reduce, reduce, a->sendbuf, a->recvbuf, a->sendcount, a->sendtype, op, c->root,
                    c->comm);
    case BINE_ALLREDUCE:
        return FORM(Allreduce, allreduce, a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, op,
                    c->comm);
    case BINE_GATHER:
        return FORM(Gather, gather, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf, a->recvcount,
                    a->recvtype, c->root, c->comm);
    case BINE_SCATTER:
        return FORM(Scatter, scatter, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf,
                    a->recvcount, a->recvtype, c->root, c->comm);
    case BINE_ALLGATHER:
        return FORM(Allgather, allgather, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf,
                    a->recvcount, a->recvtype, c->comm);
    case BINE_ALLTOALL:
        return FORM(Alltoall, alltoall, a->sendbuf, a->sendcount, a->sendtype, a->recvbuf,
                    a->recvcount, a->recvtype, c->comm);
    case BINE_BARRIER:
        return FORM(Barrier, barrier, c->comm);
    case BINE_SCAN:
        return FORM(Scan, scan, a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, op, c->comm);
    case BINE_EXSCAN:
        return FORM(Exscan, exscan, a->sendbuf, a->recvbuf, a->recvcount, a->recvtype, op, c->comm);
    default:
        if (c->block)
            return FORM(Reduce_scatter_block, reduce_scatter_block, a->sendbuf, a->recvbuf,
                        a->recvcount, a->recvtype, op, c->comm);
        return c->wide ? OF(Reduce_scatter, reduce_scatter, _c, a->sendbuf, a->recvbuf,
                            c->wide_counts, a->recvtype, op, c->comm)
                       : OF(Reduce_scatter, reduce_scatter, , a->sendbuf, a->recvbuf, a->recvcounts,
                            a->recvtype, op, c->comm);
    }
#undef FORM
#undef OF
}

static int run_plan(const struct call *c, const struct arguments *a, void (*restore)(void *),
                    void *state) {
    Bine_Plan plan = NULL;
    int rc = make_call(c, a, &plan, NULL);
    for (int i = 0; i < c->plan && rc == MPI_SUCCESS; i++) {
        restore(state);
        rc = i % 2 == 0 ? Bine_Plan_run(plan) : Bine_Plan_start(plan);
        for (int over = 0; i % 4 == 1 && rc == MPI_SUCCESS && !over;)
            rc = Bine_Plan_test(plan, &over);
        rc = rc == MPI_SUCCESS ? Bine_Plan_wait(plan) : rc;
    }
    int freed = Bine_Plan_free(&plan);
    check_that(freed == MPI_SUCCESS && plan == NULL, "Bine_Plan_free");
    return rc;
}

/* What was asked for is what ran. */
static void check_last(const struct call *c, const char *name) {
    char text[200], expected[200];
    int rc = Bine_Last(c->comm, text, (int)sizeof text);
    snprintf(expected, sizeof expected, "%s %s ", bine_collective_name(c->collective), name);
    if (c->how != HOW_DEFAULT)
        check_that(rc == MPI_SUCCESS && strncmp(text, expected, strlen(expected)) == 0,
                   "asked for '%s', ran '%s'", expected, text);
    else
        check_that(rc == MPI_SUCCESS && text[0] != '\0', "Bine_Last says nothing");
}

/* Tell Bine what to run, before the call and after it. */
static void choose(const struct call *c, const char *name) {
    const char *collective = bine_collective_name(c->collective);
    int rc = MPI_SUCCESS;
    if (c->how == HOW_NEXT)
        rc = Bine_Next(c->comm, name);
    if (c->how == HOW_SET)
        rc = Bine_Set(c->comm, collective, name);
    check_that(rc == MPI_SUCCESS, "choosing %s %s: %d", collective, name, rc);
}

static void unchoose(const struct call *c, const char *name) {
    check_last(c, name);
    if (c->how == HOW_SET)
        Bine_Set(c->comm, bine_collective_name(c->collective), NULL);
}

static void name_algorithm(const struct call *c, char *name, size_t size) {
    snprintf(name, size, "%s:%s", c->algorithm->name, bine_layout_name(c->layout));
}

int call_bine(const struct call *c, const struct arguments *a, void (*restore)(void *),
              void *state) {
    char name[80];
    name_algorithm(c, name, sizeof name);
    choose(c, name);
    int rc = c->plan ? run_plan(c, a, restore, state) : make_call(c, a, NULL, NULL);
    unchoose(c, name);
    return rc;
}

int call_start(const struct call *c, const struct arguments *a, Bine_Request *request,
               Bine_Plan *plan) {
    char name[80];
    name_algorithm(c, name, sizeof name);
    choose(c, name);
    int rc = make_call(c, a, plan, request);
    if (rc == MPI_SUCCESS && plan != NULL)
        rc = Bine_Plan_start(*plan);
    unchoose(c, name);
    return rc;
}
