/* A collective call as the caller made it, and its binding: a plan with buffers. */
#ifndef BINE_ENGINE_BIND_H
#define BINE_ENGINE_BIND_H

#include "engine/channel.h"
#include "engine/code.h"
#include "engine/counts.h"
#include "engine/execution.h"
#include "engine/memory/memory.h"
#include "engine/workspace.h"

/* The blocks of one side of a call, where each has a size and a place of its own. */
struct bine_blocks {
    struct bine_counts counts; /* elements; not given: all blocks have one size */
    struct bine_counts displs; /* where each begins: extents of the type; or bytes, with types */
    const bine_type_handle *types; /* one for each, or NULL */
};

/* The type of a block, where each has its own. MPICH looks at none of an empty block, so that there
 * may be none. */
static inline bine_type_handle bine_blocks_type(const struct bine_blocks *b, int k) {
    return bine_count_at(&b->counts, k) != 0 ? b->types[k] : BINE_BYTE;
}

struct bine_call {
    enum bine_collective collective;
    const void *sendbuf; /* bcast: the buffer, at the root */
    void *recvbuf;       /* bcast: the buffer */
    int in_place;        /* MPI_IN_PLACE was given at this rank */
    ptrdiff_t sendcount,
        recvcount; /* elements of a block (of the vector in bcast, reduce and allreduce) */
    struct bine_type sendtype, recvtype;
    struct bine_blocks send_blocks, recv_blocks; /* where every rank's has a size of its own;
                                                    reduce_scatter: counts alone */
    bine_op_handle op;
    int commutative;
    int root;
    int64_t bytes; /* the paper's n, which decides between algorithms; equal on all ranks */
    int64_t send_span, recv_span; /* bytes of the buffers, where they are dense and used; or 0 */
    int64_t sends;                /* elements of the send buffer */
    int aliased;                  /* it is right, except that the buffers overlap: a copy is sent */
    int misfit;                   /* allgatherv: this rank sends more (1) or less (-1) than it has
                                     room for among the results: see mpi/call.h */
    int exchanges_sizes;          /* this is the first run of two (announce.h): blocks are words; */
    const int64_t *announced;     /* or the second one: the words of all blocks */
};

/* A call bound to its plan. */
struct bine_bound {
    struct bine_execution execution;
    struct bine_call call;
    struct bine_call
        wanted;     /* where it takes two runs (size_exchange.h): the call that the caller made, */
    int announcing; /* and whether the first one comes next, or is pending */
    struct bine_channel *channel;
    struct bine_node *node; /* boards of its own; NULL: those of the channel */
    struct bine_workspace *workspace;
    size_t segment;
    int tag;               /* its own, or 0: that of the call which the channel has counted last */
    int stale;             /* its memory has been given back: bind it anew */
    int fast_path;         /* run again, it takes the addresses of buffers and its code; no more */
    int uses_in, uses_out; /* whether it reads the send buffer, or reads or writes the other */
    const struct bine_memory *in_memory, *out_memory; /* the memory of these; NULL: the host's */
    int pinned_in, pinned_out; /* their packed forms are where the device reaches them */
    ptrdiff_t in_from,
        out_from;        /* uneven blocks: where the row of them begins, behind the address */
    int in_is_out;       /* in place: the input begins */
    ptrdiff_t in_behind; /* this many bytes behind the output */
    struct bine_counts block_bytes; /* of every block, on boards with uneven ones */
    int64_t block;                  /* elements of a rank's block, where all blocks are equal */
    char *packed_in, *packed_out;   /* where the caller's data cannot be used as it lies: its packed
                                     form, or in reductions a copy, in the workspace */
};

/* `segment`: bytes of the largest part of a message of a reduction. Returns an MPI error code;
 * BINE_ERR_NO_MEM leaves everything as it was. */
int bine_bind(struct bine_bound *bound, const struct bine_plan *plan, const struct bine_call *call,
              struct bine_channel *channel, size_t segment, struct bine_workspace *w);

/* Bind the call to other buffers: cheaper than to bind it again, where their memory is of one kind.
 * Buffers may change only where they are neither MPI_IN_PLACE nor MPI_BOTTOM. Returns an MPI error
 * code. */
int bine_rebind(struct bine_bound *bound, const void *sendbuf, void *recvbuf);

/* Whether rebinding needs no other work; rebind and run to the end. An MPI error code. */
static inline int bine_bound_has_fast_path(const struct bine_bound *b) {
    return b->fast_path && bine_memory_is_host_only() && !bine_code_is_lost(&b->execution);
}
int bine_bound_repeat(struct bine_bound *bound, const void *sendbuf, void *recvbuf);

/* Run it to its end, as the call that the channel has counted last. An MPI error code. */
int bine_bound_run(struct bine_bound *bound);

/* Or start it as a nonblocking call. An MPI error code: then it has not begun. */
int bine_bound_start(struct bine_bound *bound);
/* Start it with other buffers. */
int bine_bound_restart(struct bine_bound *bound, const void *sendbuf, void *recvbuf);
/* Take it as far as it goes, or with `wait` to its end; then *done, and the result is that of the
 * call: not again. */
int bine_bound_progress(struct bine_bound *bound, int wait, int *done);

#endif
