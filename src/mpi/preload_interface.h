/* What the drop-in library (preload/), which is the same for all MPI libraries and knows none of
 * their types, and the library of Bine for one of them tell each other. Does not include mpi.h. */
#ifndef BINE_MPI_PRELOAD_INTERFACE_H
#define BINE_MPI_PRELOAD_INTERFACE_H

#include <stdatomic.h>

/* The MPI functions that are taken over. */
enum bine_entry {
    BINE_ENTRY_BCAST,
    BINE_ENTRY_REDUCE,
    BINE_ENTRY_ALLREDUCE,
    BINE_ENTRY_GATHER,
    BINE_ENTRY_SCATTER,
    BINE_ENTRY_ALLGATHER,
    BINE_ENTRY_ALLTOALL,
    BINE_ENTRY_REDUCE_SCATTER,
    BINE_ENTRY_REDUCE_SCATTER_BLOCK,
    BINE_ENTRY_COMM_FREE,
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
};

#define BINE_PRELOAD_ATTACH "bine_preload_attach_2" /* changes with what is above */

void bine_preload_attach_2(struct bine_preload *d);

#endif
