#include "call/device_work.h"

#include "mpi/halves.h"

#include <string.h>

/* --- From the call */

static int is_dense(const struct bine_call *call, int sends, int gets) {
    return (!sends || call->sendtype.dense) && (!gets || call->recvtype.dense);
}

/* Blocks that are read must not have been written: in an alltoall in place they might. */
static int is_safe(const struct bine_call *call, int p) {
    if (!call->in_place)
        return 1;
    int even = 1;
    const struct bine_counts *counts = &call->recv_blocks.counts;
    for (int r = 1; bine_counts_given(counts) && r < p; r++)
        even &= bine_count_at(counts, r) == bine_count_at(counts, 0);
    return call->collective != BINE_ALLTOALL && even;
}

static void set_buffers(const struct bine_call *call, int rank, int64_t block,
                        struct bine_work *w) {
    enum bine_collective c = call->collective;
    int at_root = rank == call->root;
    int sends = c == BINE_BCAST || c == BINE_SCATTER ? at_root : 1;
    int gets = c == BINE_BCAST ? !at_root : c == BINE_REDUCE || c == BINE_GATHER ? at_root : 1;
    char *in = (char *)(uintptr_t)call->sendbuf, *out = call->recvbuf;
    int own_block = c == BINE_ALLGATHER || c == BINE_GATHER;
    if (call->in_place && c == BINE_SCATTER)
        out = in + rank * block;
    else if (call->in_place)
        in = own_block ? out + rank * block : out;
    const struct bine_counts *counts = &call->recv_blocks.counts;
    int nothing = bine_counts_given(counts) && bine_count_at(counts, rank) == 0;
    w->in[rank] = sends ? in : NULL;
    w->out[rank] = gets && !nothing ? out : NULL;
}

int bine_work_name(MPI_Datatype type, MPI_Op op, int *class, int *operation) {
    return bine_pass_name(type, op, class, operation) == 0 ||
                   bine_halves_name(type, op, class, operation) == 0
               ? 0
               : -1;
}

int bine_work_make(const struct bine_call *call, int rank, int p, struct bine_work *w) {
    int reduces = bine_collective_reduces(call->collective);
    memset(w, 0, sizeof *w);
    w->collective = call->collective;
    w->p = p;
    w->root = call->root;
    w->size = reduces ? (int64_t)call->recvtype.size : 1;
    if (call->bytes == 0 || call->aliased || !is_safe(call, p) || !is_dense(call, 1, 1) ||
        (reduces && bine_work_name(call->recvtype.handle, call->op, &w->type, &w->op) != 0))
        return -1;
    if (call->collective == BINE_REDUCE_SCATTER)
        w->n = (int64_t)call->recvcount;
    else if (call->collective == BINE_BCAST || reduces)
        w->n = call->bytes / w->size;
    else
        w->n = call->bytes / p;
    w->counts = call->recv_blocks.counts;
    set_buffers(call, rank, w->n, w);
    return 0;
}

/* --- On the device */

struct doing {
    const struct bine_work *w;
    const struct bine_device *device;
    void *context;
    int share, shares;
    struct bine_job job;
};

/* Shares end where vectors do. */
enum { UNIT = 256 };

static int64_t bound(const struct doing *d, int64_t n, int share) {
    int64_t units = (n + UNIT - 1) / UNIT, at = units * share / d->shares * UNIT;
    return at < n ? at : n;
}

/* This worker's part of a job of n elements of `size` bytes: its offset. */
static int64_t take_share(struct doing *d, int64_t n, int64_t size) {
    int64_t from = bound(d, n, d->share), below = bound(d, n, d->share + 1);
    d->job.n = below - from;
    for (int i = 0; i < d->job.k; i++)
        d->job.from[i] = (const char *)d->job.from[i] + from * size;
    for (int i = 0; i < d->job.m; i++)
        d->job.to[i] = (char *)d->job.to[i] + from * size;
    return d->job.n;
}

static int spread(struct doing *d, int64_t n) {
    d->job.k = 1;
    return d->job.m == 0 || take_share(d, n, 1) == 0 ? 0 : d->device->spread(d->context, &d->job);
}

static int pairs(struct doing *d, int64_t n) {
    d->job.k = d->job.m;
    return d->job.m == 0 || take_share(d, n, 1) == 0 ? 0 : d->device->pairs(d->context, &d->job);
}

static int reduce(struct doing *d, int64_t n) {
    const struct bine_work *w = d->w;
    return take_share(d, n, w->size) == 0 ? 0
                                          : d->device->reduce(d->context, w->type, w->op, &d->job);
}

/* A place that is the source already is left out. */
static void add_place(struct doing *d, char *to, const char *from) {
    if (to != NULL && to != from)
        d->job.to[d->job.m++] = to;
}

static void add_pair(struct doing *d, char *to, const char *from) {
    if (to == from)
        return;
    d->job.from[d->job.m] = from;
    d->job.to[d->job.m++] = to;
}

/* --- The collectives */

static int do_bcast(struct doing *d) {
    const struct bine_work *w = d->w;
    d->job.from[0] = w->in[w->root];
    for (int r = 0; r < w->p; r++)
        add_place(d, w->out[r], w->in[w->root]);
    return spread(d, w->n);
}

/* Of all ranks' elements from some on. */
static void add_operands(struct doing *d, int64_t first) {
    const struct bine_work *w = d->w;
    d->job.k = w->p;
    for (int r = 0; r < w->p; r++)
        d->job.from[r] = w->in[r] + first * w->size;
}

static int do_reduce(struct doing *d) {
    const struct bine_work *w = d->w;
    add_operands(d, 0);
    for (int r = 0; r < w->p; r++)
        add_place(d, w->out[r], NULL);
    return reduce(d, w->n);
}

/* In place, a rank's own block goes to where its first one was: which is read by then. */
static int do_reduce_scatter(struct doing *d) {
    const struct bine_work *w = d->w;
    int64_t first = 0;
    int rc = 0;
    for (int r = 0; r < w->p && rc == 0; r++) {
        int64_t n = bine_counts_given(&w->counts) ? bine_count_at(&w->counts, r) : w->n;
        d->job.m = 0;
        add_operands(d, first);
        add_place(d, w->out[r], NULL);
        rc = reduce(d, n);
        first += n;
    }
    return rc;
}

static int do_gather(struct doing *d) {
    const struct bine_work *w = d->w;
    for (int r = 0; r < w->p; r++)
        add_pair(d, w->out[w->root] + r * w->n, w->in[r]);
    return pairs(d, w->n);
}

static int do_scatter(struct doing *d) {
    const struct bine_work *w = d->w;
    for (int r = 0; r < w->p; r++)
        add_pair(d, w->out[r], w->in[w->root] + r * w->n);
    return pairs(d, w->n);
}

static int do_allgather(struct doing *d) {
    const struct bine_work *w = d->w;
    int rc = 0;
    for (int b = 0; b < w->p && rc == 0; b++) {
        d->job.m = 0;
        d->job.from[0] = w->in[b];
        for (int r = 0; r < w->p; r++)
            add_place(d, w->out[r] + b * w->n, w->in[b]);
        rc = spread(d, w->n);
    }
    return rc;
}

static int do_alltoall(struct doing *d) {
    const struct bine_work *w = d->w;
    int rc = 0;
    for (int r = 0; r < w->p && rc == 0; r++) {
        d->job.m = 0;
        for (int b = 0; b < w->p; b++)
            add_pair(d, w->out[r] + b * w->n, w->in[b] + r * w->n);
        rc = pairs(d, w->n);
    }
    return rc;
}

static int (*const kinds[BINE_COLLECTIVES])(struct doing *d) = {
    [BINE_BCAST] = do_bcast,       [BINE_REDUCE] = do_reduce,
    [BINE_ALLREDUCE] = do_reduce,  [BINE_GATHER] = do_gather,
    [BINE_SCATTER] = do_scatter,   [BINE_ALLGATHER] = do_allgather,
    [BINE_ALLTOALL] = do_alltoall, [BINE_REDUCE_SCATTER] = do_reduce_scatter,
};

int bine_work_begin(const struct bine_work *w, const struct bine_device *device, void *context,
                    int share, int shares) {
    struct doing d = {
        .w = w, .device = device, .context = context, .share = share, .shares = shares};
    return kinds[w->collective](&d);
}
