/* Between the drop-in library (preload/), which is the same for all MPI libraries and knows none of
 * their types, and the library of Bine for one of them. Does not include mpi.h. */
#ifndef BINE_MPI_DROP_H
#define BINE_MPI_DROP_H

enum bine_drop_call {
    BINE_DROP_BCAST,
    BINE_DROP_REDUCE,
    BINE_DROP_ALLREDUCE,
    BINE_DROP_GATHER,
    BINE_DROP_SCATTER,
    BINE_DROP_ALLGATHER,
    BINE_DROP_ALLTOALL,
    BINE_DROP_REDUCE_SCATTER,
    BINE_DROP_REDUCE_SCATTER_BLOCK,
    BINE_DROP_CALLS
};

/* Any function; cast before it is called. */
typedef void bine_drop_function(void);

struct bine_drop {
    bine_drop_function *real[BINE_DROP_CALLS]; /* in: the MPI library's own */
    bine_drop_function *take[BINE_DROP_CALLS]; /* out: what to call instead */
    void (*begin)(void);                       /* out: to be called when MPI has begun */
};

#define BINE_DROP_ATTACH "bine_drop_attach_1" /* changes with what is above */

void bine_drop_attach_1(struct bine_drop *d);

#endif
