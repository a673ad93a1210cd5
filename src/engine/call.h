/* A collective call as the caller made it, and what it takes to run it: bind a plan to its buffers.
 */
#ifndef BINE_ENGINE_CALL_H
#define BINE_ENGINE_CALL_H

#include "engine/run.h"

struct bine_call {
    enum bine_collective collective;
    const void *sendbuf; /* bcast: the buffer, at the root */
    void *recvbuf;       /* bcast: the buffer */
    int in_place;        /* MPI_IN_PLACE was given at this rank */
    MPI_Aint sendcount,
        recvcount; /* elements of a block (of the vector in bcast, reduce and allreduce) */
    struct bine_type sendtype, recvtype;
    const int *recvcounts; /* reduce_scatter; NULL where all blocks have recvcount elements */
    MPI_Op op;
    int commutative;
    int root;
    int64_t bytes; /* the paper's n: what decides between algorithms; equal on all ranks */
    int64_t send_span, recv_span; /* bytes of the buffers, where they are dense and used; or 0 */
    int64_t sends;                /* elements of the send buffer */
    int aliased;                  /* it is right, except that the buffers overlap */
};

/* Memory that grows when it must and is used again by every call. */
struct bine_workspace {
    char *memory;
    size_t size;
};

void bine_workspace_free(struct bine_workspace *w);

/* A call bound to its plan. */
struct bine_bound {
    struct bine_run_state run;
    struct bine_call call;
    int64_t block;                /* elements of a rank's block, where all have the same */
    char *packed_in, *packed_out; /* where the caller's data cannot be used as it lies: its packed
                                     form, or in reductions a copy, in the workspace */
};

/* `node`: the boards, for schedules that use them, or NULL; `segment`: bytes of the largest part of
 * a message of a reduction. Returns an MPI error code; MPI_ERR_NO_MEM leaves everything as it was.
 */
int bine_bind(struct bine_bound *bound, const struct bine_plan *plan, const struct bine_call *call,
              MPI_Comm comm, struct bine_node *node, size_t segment, struct bine_workspace *w);

/* The same call with other buffers: cheaper than to bind it again. Buffers may change only where
 * they are neither MPI_IN_PLACE nor MPI_BOTTOM. */
void bine_rebind(struct bine_bound *bound, const void *sendbuf, void *recvbuf);

/* Begin; progress with bine_run_progress(&bound->run, ...); finish when it is done. */
int bine_bound_start(struct bine_bound *bound);
int bine_bound_finish(struct bine_bound *bound);

#endif
