/* One random collective call: what is called, with which arguments, how; run by Bine and by MPI. */
#ifndef BINE_TESTS_CALLS_H
#define BINE_TESTS_CALLS_H

#include "buffers.h"
#include "operators.h"

#include "bine.h"
#include "schedule/catalogue.h"

/* How Bine is told what to do. */
enum how { HOW_DEFAULT, HOW_NEXT, HOW_SET, HOWS };

struct call {
    /* Equal on all ranks. */
    enum bine_collective collective;
    int block; /* reduce_scatter: the form with equal counts */
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    enum how how;
    int plan;    /* through a plan, run so many times; 0: a plain call */
    int wide;    /* by the form with large counts */
    int inexact; /* a sum of doubles that depends on the order: all ranks must agree */
    int kind, op, root, in_place;
    long n;      /* elements of the kind in a block, or in the vector */
    int *counts; /* reduce_scatter: elements of the form for each rank */
    MPI_Count *wide_counts;
    MPI_Comm comm;
    MPI_Comm oracle; /* over the same ranks, for MPI */
    int rank, p;
    uint64_t seed;
    /* This rank's own. */
    int send_form, recv_form;
    int bottom;  /* with MPI_BOTTOM and absolute addresses */
    int garbage; /* nonsense in what is not significant here */
    int null;    /* NULL for an empty buffer */
};

struct arguments {
    const void *sendbuf;
    void *recvbuf;
    int sendcount, recvcount;
    const int *recvcounts;
    MPI_Datatype sendtype, recvtype;
};

/* What a call may be. */
struct call_limits {
    int max_count;
    int levels;      /* the groups of the ranks are known */
    int boards;      /* the ranks have boards; 2: and can read each other's memory */
    int boards_only; /* where they have, nothing else is called */
    int nodes_only;  /* where there are levels, only what knows them is called */
    int reorders;    /* ranks are taken in another order: their blocks cannot be permuted */
    const struct bine_algorithm *only; /* this one, with columns of matrices; or NULL */
};

/* Whether an algorithm can be had on so many ranks. */
int call_can(const struct bine_algorithm *a, int p, const struct call_limits *limits);

/* Draw a call. `r` is the same on all ranks. */
void call_draw(struct call *c, struct rng *r, MPI_Comm comm, MPI_Comm oracle,
               const struct call_limits *limits);
/* Calls that follow are on a torus, or (NULL) on none. */
void calls_on_torus(const struct bine_shape *dims);
void call_free(struct call *c);
void call_describe(const struct call *c, char *text, size_t size);

/* Blocks on both sides of this rank, and elements of the form; 0 where it has none. */
struct sides {
    long send_count, send_total, recv_count, recv_total;
    int sends, gets;
};
void call_sides(const struct call *c, struct sides *s);

int call_mpi(const struct call *c, const struct arguments *a);
/* Runs it as `how` and `plan` say; `restore` makes the buffers as they were before each run. */
int call_bine(const struct call *c, const struct arguments *a, void (*restore)(void *),
              void *state);

/* Starts it, as `how` says; or makes a plan of it, and starts that. */
int call_start(const struct call *c, const struct arguments *a, Bine_Request *request,
               Bine_Plan *plan);

/* Run both and compare. */
void call_check(const struct call *c);

/* The same in two parts: start it, as a request or as a plan, and compare once that is over. */
struct scene;
struct scene *scene_start(const struct call *c, Bine_Request *request, Bine_Plan *plan);
void scene_end(struct scene *x);

#endif
