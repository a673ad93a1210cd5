/* The calls, as Bine's and as the MPI library's, and their buffers. */
#include "bench/bench.h"

#include "base/numbers.h"

#include <bine.h>
#include <stdlib.h>
#include <string.h>

#define T call->wish->type.type
#define OP call->wish->op.op
#define ROOT call->wish->root
#define BOTH(NAME, FUNCTION, STARTED, ...)                                                         \
    static int own_##NAME(const struct bench_call *call) {                                         \
        return Bine_##FUNCTION(__VA_ARGS__);                                                       \
    }                                                                                              \
    static int library_##NAME(const struct bench_call *call) {                                     \
        return MPI_##FUNCTION(__VA_ARGS__);                                                        \
    }                                                                                              \
    static int start_own_##NAME(const struct bench_call *call, Bine_Request *request) {            \
        return Bine_##STARTED(__VA_ARGS__, request);                                               \
    }                                                                                              \
    static int start_library_##NAME(const struct bench_call *call, MPI_Request *request) {         \
        return MPI_##STARTED(__VA_ARGS__, request);                                                \
    }

BOTH(bcast, Bcast, Ibcast, call->receive, call->count, T, ROOT, call->comm)
BOTH(reduce, Reduce, Ireduce, call->send, call->receive, call->count, T, OP, ROOT, call->comm)
BOTH(allreduce, Allreduce, Iallreduce, call->send, call->receive, call->count, T, OP, call->comm)
BOTH(gather, Gather, Igather, call->send, call->block, T, call->receive, call->block, T, ROOT,
     call->comm)
BOTH(scatter, Scatter, Iscatter, call->send, call->block, T, call->receive, call->block, T, ROOT,
     call->comm)
BOTH(allgather, Allgather, Iallgather, call->send, call->block, T, call->receive, call->block, T,
     call->comm)
BOTH(alltoall, Alltoall, Ialltoall, call->send, call->block, T, call->receive, call->block, T,
     call->comm)
BOTH(scatter_counts, Reduce_scatter, Ireduce_scatter, call->send, call->receive, call->counts, T,
     OP, call->comm)
BOTH(scatter_block, Reduce_scatter_block, Ireduce_scatter_block, call->send, call->receive,
     call->block, T, OP, call->comm)

BOTH(barrier, Barrier, Ibarrier, call->comm)
BOTH(allgatherv, Allgatherv, Iallgatherv, call->send, call->block, T, call->receive, call->counts,
     call->displs, T, call->comm)
BOTH(alltoallv, Alltoallv, Ialltoallv, call->send, call->counts, call->displs, T, call->receive,
     call->counts, call->displs, T, call->comm)
BOTH(alltoallw, Alltoallw, Ialltoallw, call->send, call->counts, call->bytes_at, call->types,
     call->receive, call->counts, call->bytes_at, call->types, call->comm)
BOTH(gatherv, Gatherv, Igatherv, call->send, call->block, T, call->receive, call->counts,
     call->displs, T, ROOT, call->comm)
BOTH(scatterv, Scatterv, Iscatterv, call->send, call->counts, call->displs, T, call->receive,
     call->block, T, ROOT, call->comm)
BOTH(scan, Scan, Iscan, call->send, call->receive, call->count, T, OP, call->comm)
BOTH(exscan, Exscan, Iexscan, call->send, call->receive, call->count, T, OP, call->comm)

#define ROW(NAME, KIND, FUNCTION)                                                                  \
    {                                                                                              \
        NAME, KIND, own_##FUNCTION, library_##FUNCTION, start_own_##FUNCTION,                      \
            start_library_##FUNCTION                                                               \
    }
const struct bench_collective bench_collectives[] = {
    ROW("bcast", BINE_BCAST, bcast),
    ROW("reduce", BINE_REDUCE, reduce),
    ROW("allreduce", BINE_ALLREDUCE, allreduce),
    ROW("gather", BINE_GATHER, gather),
    ROW("scatter", BINE_SCATTER, scatter),
    ROW("allgather", BINE_ALLGATHER, allgather),
    ROW("alltoall", BINE_ALLTOALL, alltoall),
    ROW("reduce_scatter", BINE_REDUCE_SCATTER, scatter_counts),
    ROW("reduce_scatter_block", BINE_REDUCE_SCATTER, scatter_block),
    ROW("barrier", BINE_BARRIER, barrier),
    ROW("allgatherv", BINE_ALLGATHERV, allgatherv),
    ROW("alltoallv", BINE_ALLTOALLV, alltoallv),
    ROW("alltoallw", BINE_ALLTOALLV, alltoallw),
    ROW("gatherv", BINE_GATHERV, gatherv),
    ROW("scatterv", BINE_SCATTERV, scatterv),
    ROW("scan", BINE_SCAN, scan),
    ROW("exscan", BINE_EXSCAN, exscan),
};
const int bench_collectives_count = sizeof bench_collectives / sizeof *bench_collectives;

const struct bench_collective *bench_collective_find(const char *name) {
    for (int i = 0; i < bench_collectives_count; i++)
        if (strcmp(name, bench_collectives[i].name) == 0)
            return &bench_collectives[i];
    return NULL;
}

const char *bench_collective_name(const struct bench_wish *w, const struct bench_collective *c,
                                  char text[BENCH_NAME]) {
    snprintf(text, BENCH_NAME, "%s%s", w->nonblocking ? "i" : "", c->name);
    return text;
}

int bench_has_blocks(const struct bench_collective *c) {
    return !bine_cuts_a_vector(c->kind);
}

int64_t bench_size(const struct bench_collective *c, const struct bench_type *t, int p,
                   int64_t bytes) {
    if (c->kind == BINE_BARRIER)
        return 0;
    int64_t unit = (int64_t)t->size * (bench_has_blocks(c) ? p : 1);
    return bytes < unit ? unit : bytes / unit * unit;
}

/* What a rank's two buffers must hold. */
static void plan_bytes(struct bench_call *call) {
    int at_root = call->world->rank == call->wish->root;
    size_t whole = (size_t)call->bytes, block = whole / (size_t)call->world->p;
    switch (bine_collective_kind(call->collective->kind)) {
    case BINE_BCAST:
        call->in_bytes = 0, call->out_bytes = whole;
        break;
    case BINE_REDUCE:
        call->in_bytes = whole, call->out_bytes = at_root ? whole : 0;
        break;
    case BINE_GATHER:
        call->in_bytes = block, call->out_bytes = at_root ? whole : 0;
        break;
    case BINE_SCATTER:
        call->in_bytes = at_root ? whole : 0, call->out_bytes = block;
        break;
    case BINE_ALLGATHER:
        call->in_bytes = block, call->out_bytes = whole;
        break;
    case BINE_REDUCE_SCATTER: /* in place, the whole vector is in the receive buffer */
        call->in_bytes = whole, call->out_bytes = call->wish->in_place ? whole : block;
        break;
    default:
        call->in_bytes = call->out_bytes = whole;
    }
}

/* Room for a buffer at every offset, with a guard behind it; touched, so that no page is new. */
static char *make_arena(size_t bytes, int on_device, char **there) {
    size_t room = (bytes + BENCH_GUARD + 4095) / 4096 * 4096;
    char *arena = on_device ? bench_device_host(room) : aligned_alloc(4096, room);
    *there = on_device ? bench_device_new(room) : NULL;
    if (on_device && *there == NULL)
        return NULL;
    if (arena != NULL)
        memset(arena, 0, room);
    return arena;
}

int bench_call_begin(struct bench_call *call) {
    int p = call->world->p;
    call->count = (int)((size_t)call->bytes / call->wish->type.size);
    call->block = call->count / p;
    plan_bytes(call);
    call->arena = (size_t)call->wish->rotate / 4096 * 4096;
    call->counts = malloc(3 * (size_t)p * sizeof *call->counts);
    call->types = malloc((size_t)p * sizeof *call->types);
    int device = call->wish->on_device;
    call->in_arena = make_arena(call->in_bytes + call->arena, device, &call->in_there);
    call->out_arena = make_arena(call->out_bytes + call->arena, device, &call->out_there);
    if (call->counts == NULL || call->types == NULL || call->in_arena == NULL ||
        call->out_arena == NULL)
        return -1;
    call->displs = call->counts + p;
    call->bytes_at = call->displs + p;
    for (int i = 0; i < p; i++) {
        call->counts[i] = call->block;
        call->displs[i] = i * call->block;
        call->bytes_at[i] = (int)((size_t)call->displs[i] * call->wish->type.size);
        call->types[i] = call->wish->type.type;
    }
    bench_call_aim(call, 0);
    return 0;
}

void bench_call_aim(struct bench_call *call, uint64_t round) {
    enum bine_collective kind = bine_collective_kind(call->collective->kind);
    int at_root = call->world->rank == call->wish->root;
    size_t most = bine_max(call->in_bytes, call->out_bytes);
    size_t stride = (most + 4095) / 4096 * 4096, offset = 0;
    if (call->arena >= stride && stride > 0)
        offset = (size_t)(round % (call->arena / stride)) * stride;
    call->in = call->in_arena + offset;
    call->out = call->out_arena + offset;
    call->send = call->in;
    call->receive = call->out;
    if (!call->wish->in_place || !bine_collective_has_in_place(kind))
        return;
    if (kind == BINE_SCATTER)
        call->receive = at_root ? MPI_IN_PLACE : call->out;
    else if ((kind != BINE_REDUCE && kind != BINE_GATHER) || at_root)
        call->send = MPI_IN_PLACE;
}

void bench_call_end(struct bench_call *call) {
    free(call->counts);
    free(call->types);
    if (call->wish->on_device) {
        bench_device_host_free(call->in_arena);
        bench_device_host_free(call->out_arena);
        bench_device_free(call->in_there);
        bench_device_free(call->out_there);
    } else {
        free(call->in_arena);
        free(call->out_arena);
    }
    call->counts = NULL;
    call->types = NULL;
    call->in_arena = call->out_arena = call->in_there = call->out_there = NULL;
}
