/* What the drop-in library (preload/), which is the same for all MPI libraries and knows none of
 * their types, and the library of Bine for one of them tell each other. Does not include mpi.h. */
#ifndef BINE_MPI_PRELOAD_INTERFACE_H
#define BINE_MPI_PRELOAD_INTERFACE_H

#include <stdatomic.h>

/* The functions of MPI that are taken over: X(M, NAME, S, SHAPE) for M##NAME##S, as MPI_Bcast or
 * MPIX_Bcast_init or MPI_Bcast_c. SHAPE says how many arguments it has.
 *
 * A row for each collective that has counts, in the order of mpi/entries.def: its name, how it is
 * called behind an I, and its arguments. F is the form: as it is, started or persistent. */
#define BINE_EACH_COUNTED(F, X, M, S)                                                              \
    F(X, M, Bcast, bcast, S, FIVE)                                                                 \
    F(X, M, Reduce, reduce, S, SEVEN)                                                              \
    F(X, M, Allreduce, allreduce, S, SIX)                                                          \
    F(X, M, Gather, gather, S, EIGHT)                                                              \
    F(X, M, Scatter, scatter, S, EIGHT)                                                            \
    F(X, M, Allgather, allgather, S, SEVEN)                                                        \
    F(X, M, Alltoall, alltoall, S, SEVEN)                                                          \
    F(X, M, Reduce_scatter, reduce_scatter, S, SIX)                                                \
    F(X, M, Reduce_scatter_block, reduce_scatter_block, S, SIX)                                    \
    F(X, M, Allgatherv, allgatherv, S, EIGHT)                                                      \
    F(X, M, Alltoallv, alltoallv, S, NINE)                                                         \
    F(X, M, Alltoallw, alltoallw, S, NINE)                                                         \
    F(X, M, Gatherv, gatherv, S, NINE)                                                             \
    F(X, M, Scatterv, scatterv, S, NINE)                                                           \
    F(X, M, Scan, scan, S, SIX)                                                                    \
    F(X, M, Exscan, exscan, S, SIX)

/* Started, a call has a request more; persistent, an info and a request. */
#define BINE_AS_IT_IS(X, M, NAME, OWN, S, SHAPE) X(M, NAME, S, SHAPE)
#define BINE_STARTED(X, M, NAME, OWN, S, SHAPE) X(M, I##OWN, S, BINE_AND_ONE_##SHAPE)
#define BINE_PERSISTENT(X, M, NAME, OWN, S, SHAPE) X(M, NAME##_init, S, BINE_AND_TWO_##SHAPE)

#define BINE_AND_ONE_ONE TWO
#define BINE_AND_ONE_FIVE SIX
#define BINE_AND_ONE_SIX SEVEN
#define BINE_AND_ONE_SEVEN EIGHT
#define BINE_AND_ONE_EIGHT NINE
#define BINE_AND_ONE_NINE TEN
#define BINE_AND_TWO_ONE THREE
#define BINE_AND_TWO_FIVE SEVEN
#define BINE_AND_TWO_SIX EIGHT
#define BINE_AND_TWO_SEVEN NINE
#define BINE_AND_TWO_EIGHT TEN
#define BINE_AND_TWO_NINE ELEVEN

/* All of one form, */
#define BINE_EACH_OF(F, X, M) BINE_EACH_COUNTED(F, X, M, ) F(X, M, Barrier, barrier, , ONE)

/* and everything: with what goes with them, and the forms with large counts. */
#define BINE_EACH_TAKEN(X)                                                                         \
    BINE_EACH_OF(BINE_AS_IT_IS, X, MPI_)                                                           \
    X(MPI_, Comm_free, , ONE)                                                                      \
    BINE_EACH_OF(BINE_STARTED, X, MPI_)                                                            \
    X(MPI_, Op_free, , ONE)                                                                        \
    BINE_EACH_OF(BINE_PERSISTENT, X, MPI_)                                                         \
    X(MPI_, Start, , ONE)                                                                          \
    X(MPI_, Startall, , TWO)                                                                       \
    X(MPI_, Request_free, , ONE)                                                                   \
    BINE_EACH_COUNTED(BINE_AS_IT_IS, X, MPI_, _c)                                                  \
    BINE_EACH_COUNTED(BINE_STARTED, X, MPI_, _c)                                                   \
    BINE_EACH_COUNTED(BINE_PERSISTENT, X, MPI_, _c)

enum bine_entry {
#define BINE_ENTRY_OF(M, NAME, S, SHAPE) BINE_ENTRY_##NAME##S,
    BINE_EACH_TAKEN(BINE_ENTRY_OF)
#undef BINE_ENTRY_OF
        BINE_ENTRIES
};

/* Any function; cast before it is called. */
typedef void bine_function(void);

/* A collective that Bine does not have. */
struct bine_other_call {
    const char *name;
    atomic_ulong calls;
};

struct bine_preload {
    /* From the drop-in library. */
    bine_function *mpi[BINE_ENTRIES];        /* the MPI library's own; NULL: it has none */
    void (*redirect)(int entry, int to_mpi); /* let MPI have all calls, or take them */
    const struct bine_other_call *other;     /* ending with one without a name */
    /* From the library. */
    bine_function *take[BINE_ENTRIES]; /* what to call instead */
    void (*begin)(void);               /* to be called when MPI has begun */
    int count_others;                  /* whether anybody wants to know of their calls */
    const atomic_int *under_way;       /* calls that want to go on, */
    int (*poll)(void);                 /* by this, when MPI has looked for messages */
    atomic_int *polled;                /* set it when MPI has, for the first time */
};

#define BINE_PRELOAD_ATTACH "bine_preload_attach_5" /* changes with what is above */

void bine_preload_attach_5(struct bine_preload *d);

#endif
