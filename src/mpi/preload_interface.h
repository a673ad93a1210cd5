/* What the drop-in library (preload/), which is the same for all MPI libraries and knows none of
 * their types, and the library of Bine for one of them tell each other. Does not include mpi.h. */
#ifndef BINE_MPI_PRELOAD_INTERFACE_H
#define BINE_MPI_PRELOAD_INTERFACE_H

#include <stdatomic.h>

/* The functions of MPI that are taken over: X(M, NAME, S, SHAPE) for M##NAME##S, as MPI_Bcast or
 * MPIX_Bcast_init or MPI_Bcast_c. SHAPE says how many arguments it has. In the order of
 * mpi/entries.def: the collectives that have counts, */
#define BINE_EACH_COUNTED(X, M, S)                                                                 \
    X(M, Bcast, S, FIVE)                                                                           \
    X(M, Reduce, S, SEVEN)                                                                         \
    X(M, Allreduce, S, SIX)                                                                        \
    X(M, Gather, S, EIGHT)                                                                         \
    X(M, Scatter, S, EIGHT)                                                                        \
    X(M, Allgather, S, SEVEN)                                                                      \
    X(M, Alltoall, S, SEVEN)                                                                       \
    X(M, Reduce_scatter, S, SIX)                                                                   \
    X(M, Reduce_scatter_block, S, SIX)                                                             \
    X(M, Allgatherv, S, EIGHT)                                                                     \
    X(M, Alltoallv, S, NINE)                                                                       \
    X(M, Alltoallw, S, NINE)                                                                       \
    X(M, Gatherv, S, NINE)                                                                         \
    X(M, Scatterv, S, NINE)                                                                        \
    X(M, Scan, S, SIX)                                                                             \
    X(M, Exscan, S, SIX)

/* the same, started: with a request, */
#define BINE_EACH_COUNTED_STARTED(X, M, S)                                                         \
    X(M, Ibcast, S, SIX)                                                                           \
    X(M, Ireduce, S, EIGHT)                                                                        \
    X(M, Iallreduce, S, SEVEN)                                                                     \
    X(M, Igather, S, NINE)                                                                         \
    X(M, Iscatter, S, NINE)                                                                        \
    X(M, Iallgather, S, EIGHT)                                                                     \
    X(M, Ialltoall, S, EIGHT)                                                                      \
    X(M, Ireduce_scatter, S, SEVEN)                                                                \
    X(M, Ireduce_scatter_block, S, SEVEN)                                                          \
    X(M, Iallgatherv, S, NINE)                                                                     \
    X(M, Ialltoallv, S, TEN)                                                                       \
    X(M, Ialltoallw, S, TEN)                                                                       \
    X(M, Igatherv, S, TEN)                                                                         \
    X(M, Iscatterv, S, TEN)                                                                        \
    X(M, Iscan, S, SEVEN)                                                                          \
    X(M, Iexscan, S, SEVEN)

/* and persistent: with an info and a request; */
#define BINE_EACH_COUNTED_PERSISTENT(X, M, S)                                                      \
    X(M, Bcast_init, S, SEVEN)                                                                     \
    X(M, Reduce_init, S, NINE)                                                                     \
    X(M, Allreduce_init, S, EIGHT)                                                                 \
    X(M, Gather_init, S, TEN)                                                                      \
    X(M, Scatter_init, S, TEN)                                                                     \
    X(M, Allgather_init, S, NINE)                                                                  \
    X(M, Alltoall_init, S, NINE)                                                                   \
    X(M, Reduce_scatter_init, S, EIGHT)                                                            \
    X(M, Reduce_scatter_block_init, S, EIGHT)                                                      \
    X(M, Allgatherv_init, S, TEN)                                                                  \
    X(M, Alltoallv_init, S, ELEVEN)                                                                \
    X(M, Alltoallw_init, S, ELEVEN)                                                                \
    X(M, Gatherv_init, S, ELEVEN)                                                                  \
    X(M, Scatterv_init, S, ELEVEN)                                                                 \
    X(M, Scan_init, S, EIGHT)                                                                      \
    X(M, Exscan_init, S, EIGHT)

/* all of them, */
#define BINE_EACH_ENTRY(X, M) BINE_EACH_COUNTED(X, M, ) X(M, Barrier, , ONE)
#define BINE_EACH_STARTED(X, M) BINE_EACH_COUNTED_STARTED(X, M, ) X(M, Ibarrier, , TWO)
#define BINE_EACH_PERSISTENT(X, M) BINE_EACH_COUNTED_PERSISTENT(X, M, ) X(M, Barrier_init, , THREE)

/* and everything: with what goes with them, and the forms with large counts. */
#define BINE_EACH_TAKEN(X)                                                                         \
    BINE_EACH_ENTRY(X, MPI_)                                                                       \
    X(MPI_, Comm_free, , ONE)                                                                      \
    BINE_EACH_STARTED(X, MPI_)                                                                     \
    X(MPI_, Op_free, , ONE)                                                                        \
    BINE_EACH_PERSISTENT(X, MPI_)                                                                  \
    X(MPI_, Start, , ONE)                                                                          \
    X(MPI_, Startall, , TWO)                                                                       \
    X(MPI_, Request_free, , ONE)                                                                   \
    BINE_EACH_COUNTED(X, MPI_, _c)                                                                 \
    BINE_EACH_COUNTED_STARTED(X, MPI_, _c)                                                         \
    BINE_EACH_COUNTED_PERSISTENT(X, MPI_, _c)

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
