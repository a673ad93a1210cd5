/* What the drop-in library (preload/), which is the same for all MPI libraries and knows none of
 * their types, and the library of Bine for one of them tell each other. Does not include mpi.h. */
#ifndef BINE_MPI_PRELOAD_INTERFACE_H
#define BINE_MPI_PRELOAD_INTERFACE_H

#include <stdatomic.h>

/* The collectives that are taken over, and how many arguments they have; in the order of
 * mpi/entries.def. */
#define BINE_EACH_ENTRY(X)                                                                         \
    X(Bcast, FIVE)                                                                                 \
    X(Reduce, SEVEN)                                                                               \
    X(Allreduce, SIX)                                                                              \
    X(Gather, EIGHT)                                                                               \
    X(Scatter, EIGHT)                                                                              \
    X(Allgather, SEVEN)                                                                            \
    X(Alltoall, SEVEN)                                                                             \
    X(Reduce_scatter, SIX)                                                                         \
    X(Reduce_scatter_block, SIX)                                                                   \
    X(Barrier, ONE)                                                                                \
    X(Allgatherv, EIGHT)                                                                           \
    X(Alltoallv, NINE)                                                                             \
    X(Alltoallw, NINE)                                                                             \
    X(Gatherv, NINE)                                                                               \
    X(Scatterv, NINE)                                                                              \
    X(Scan, SIX)                                                                                   \
    X(Exscan, SIX)

/* The same, started: with a request. */
#define BINE_EACH_STARTED(X)                                                                       \
    X(Ibcast, SIX)                                                                                 \
    X(Ireduce, EIGHT)                                                                              \
    X(Iallreduce, SEVEN)                                                                           \
    X(Igather, NINE)                                                                               \
    X(Iscatter, NINE)                                                                              \
    X(Iallgather, EIGHT)                                                                           \
    X(Ialltoall, EIGHT)                                                                            \
    X(Ireduce_scatter, SEVEN)                                                                      \
    X(Ireduce_scatter_block, SEVEN)                                                                \
    X(Ibarrier, TWO)                                                                               \
    X(Iallgatherv, NINE)                                                                           \
    X(Ialltoallv, TEN)                                                                             \
    X(Ialltoallw, TEN)                                                                             \
    X(Igatherv, TEN)                                                                               \
    X(Iscatterv, TEN)                                                                              \
    X(Iscan, SEVEN)                                                                                \
    X(Iexscan, SEVEN)

/* The MPI functions that are taken over. */
enum bine_entry {
#define BINE_ENTRY_OF(NAME, SHAPE) BINE_ENTRY_##NAME,
    BINE_EACH_ENTRY(BINE_ENTRY_OF) BINE_ENTRY_Comm_free,
    BINE_EACH_STARTED(BINE_ENTRY_OF) BINE_ENTRY_Op_free,
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
    bine_function *mpi[BINE_ENTRIES];        /* the MPI library's own */
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

#define BINE_PRELOAD_ATTACH "bine_preload_attach_4" /* changes with what is above */

void bine_preload_attach_4(struct bine_preload *d);

#endif
