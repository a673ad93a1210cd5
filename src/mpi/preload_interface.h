/* The interface between the drop-in library (dropin/preload/), which serves all MPI libraries and
 * knows none of their types, and the library of Bine for one of them. Does not include mpi.h. */
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

/* and everything: the functions that go with them, and the forms with large counts. */
#define BINE_EACH_INTERCEPTED(X)                                                                   \
    BINE_EACH_OF(BINE_AS_IT_IS, X, MPI_)                                                           \
    X(MPI_, Comm_free, , ONE)                                                                      \
    X(MPI_, Comm_disconnect, , ONE)                                                                \
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
    BINE_EACH_INTERCEPTED(BINE_ENTRY_OF)
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

/* Where the calls of an entry go: to Bine; to MPI; or to MPI as long as no program object has been
 * loaded since Bine looked for devices' runtimes last, and to Bine otherwise. */
enum bine_direction { BINE_TO_BINE, BINE_TO_MPI, BINE_TO_MPI_FROM_HOST };

struct link_map;

struct bine_preload {
    /* From the drop-in library. */
    bine_function *mpi[BINE_ENTRIES]; /* the MPI library's own; NULL: it has none */
    void (*redirect)(int entry, enum bine_direction to);
    const struct bine_other_call *other; /* ending with one without a name */
    const char *tool[BINE_ENTRIES];      /* the file of a tool that gets the calls first, or NULL */
    /* From the library. */
    bine_function *take[BINE_ENTRIES]; /* the function to call instead */
    void (*begin)(void);               /* to be called when MPI has begun */
    int count_others;                  /* whether anybody wants to know of their calls */
    _Atomic(struct link_map *) *last;  /* the last object, if there is no runtime; else NULL */
    const atomic_int *pending;         /* calls that want to go on, */
    int (*poll)(void);                 /* by this, when MPI has looked for messages */
    atomic_int told;                   /* what there was to print at the end has been printed */
    atomic_int *polled;                /* set it when MPI has, for the first time */
};

#define BINE_PRELOAD_ATTACH "bine_preload_attach_6" /* changes with this struct */

void bine_preload_attach_6(struct bine_preload *d);

#endif
