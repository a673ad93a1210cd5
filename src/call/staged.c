#include "call/staged.h"

#include "call/call.h"
#include "call/pass_through.h"
#include "comm/context.h"
#include "engine/memory/stage.h"
#include "mpi/mpi_calls.h"

#include <stdlib.h>

/* Elements of a buffer that lie in a row. */
struct block {
    ptrdiff_t at; /* bytes behind the buffer's address */
    MPI_Aint n;
    struct bine_type type;
    MPI_Datatype held; /* the program may free its own before the end; or MPI_DATATYPE_NULL */
};

/* A buffer and its copy, in which every block is where it is in the buffer. The gaps between blocks
 * are not copied: the program may be writing there. */
struct side {
    const struct bine_memory *memory; /* NULL: it is the host's */
    char *there, *here;
    struct bine_pool_block *pinned; /* the copy's memory, or */
    char *room;
    int reads, writes;
    int blocks;
    struct block *block;
};

struct bine_staged {
    struct bine_arguments call;
    struct side send, recv;
    void *stream;
};

/* --- Sides */

/* The blocks of a buffer as the arguments give them. */
struct given {
    const void *buffer;
    const struct bine_type *type;
    int64_t n;                /* elements in all */
    struct bine_blocks apart; /* where each block has a place of its own */
};

static int hold(struct block *b) {
    if (b->type.dense || bine_type_is_built_in(b->type.handle))
        return MPI_SUCCESS;
    int rc = PMPI_Type_contiguous(1, b->type.handle, &b->held);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Type_commit(&b->held);
    if (rc == MPI_SUCCESS)
        b->type.handle = b->held;
    return rc;
}

static int list_blocks(struct side *x, const struct given *g, int p, int holds) {
    int apart = bine_counts_given(&g->apart.counts), rc = MPI_SUCCESS;
    x->block = calloc((size_t)(apart ? p : 1), sizeof *x->block);
    if (x->block == NULL)
        return MPI_ERR_NO_MEM;
    for (int k = 0; k < (apart ? p : 1) && rc == MPI_SUCCESS; k++) {
        struct block *b = &x->block[x->blocks];
        *b = (struct block){0, (MPI_Aint)g->n, *g->type, MPI_DATATYPE_NULL};
        if (apart)
            b->n = (MPI_Aint)bine_count_at(&g->apart.counts, k);
        if (b->n == 0)
            continue;
        if (g->apart.types != NULL)
            rc = bine_type_describe(g->apart.types[k], &b->type);
        if (apart)
            b->at = (ptrdiff_t)(bine_count_at(&g->apart.displs, k) *
                                (g->apart.types != NULL ? 1 : b->type.extent));
        if (rc != MPI_SUCCESS || b->type.size == 0)
            continue;
        x->blocks++;
        rc = holds ? hold(b) : rc;
    }
    return rc;
}

static ptrdiff_t begin_of(const struct block *b) {
    return b->at + bine_type_first(&b->type, b->n);
}

static ptrdiff_t end_of(const struct block *b) {
    return begin_of(b) + (ptrdiff_t)bine_type_reach(&b->type, b->n);
}

/* Memory for all of it, as well aligned as the buffer. */
static int take_room(struct side *x) {
    ptrdiff_t from = begin_of(x->block), to = end_of(x->block);
    for (int k = 1; k < x->blocks; k++) {
        from = begin_of(&x->block[k]) < from ? begin_of(&x->block[k]) : from;
        to = end_of(&x->block[k]) > to ? end_of(&x->block[k]) : to;
    }
    const struct bine_device *device = x->memory->device;
    size_t bytes = (size_t)(to - from) + 128;
    if (device != NULL)
        x->pinned = bine_pool_take(device, device->context(bine_at(x->there, from)),
                                   BINE_POOL_PINNED, bytes);
    if (x->pinned == NULL && (x->room = malloc(bytes)) == NULL)
        return MPI_ERR_NO_MEM;
    uintptr_t room = (uintptr_t)(x->pinned != NULL ? x->pinned->memory : x->room);
    room = ((room + 63) & ~(uintptr_t)63) + ((uintptr_t)bine_at(x->there, from) & 63);
    x->here = bine_at((void *)room, -from);
    return MPI_SUCCESS;
}

static int side_make(struct side *x, const struct given *g, int p, int holds) {
    if (g->n <= 0)
        return MPI_SUCCESS;
    int rc = list_blocks(x, g, p, holds);
    if (rc != MPI_SUCCESS || x->blocks == 0)
        return rc;
    x->there = bine_at(g->buffer, 0);
    x->memory = bine_memory_at(bine_at(x->there, begin_of(x->block)));
    return x->memory != NULL ? take_room(x) : MPI_SUCCESS;
}

static void side_free(struct side *x) {
    for (int k = 0; k < x->blocks; k++)
        if (x->block[k].held != MPI_DATATYPE_NULL)
            PMPI_Type_free(&x->block[k].held);
    free(x->block);
    free(x->room);
    bine_pool_give(x->pinned);
}

static int side_read(const struct side *x, void *stream) {
    if (x->memory == NULL)
        return MPI_SUCCESS;
    int rc = x->memory->wait(bine_at(x->there, begin_of(x->block)), stream);
    for (int k = 0; k < x->blocks && rc == MPI_SUCCESS && x->reads; k++) {
        const struct block *b = &x->block[k];
        rc = bine_stage_read(x->memory, &b->type, bine_at(x->there, b->at), bine_at(x->here, b->at),
                             b->n, bine_process_self(), 0);
    }
    return rc;
}

/* Elements with gaps go by their packed form. To send them to oneself is no way: messages to the
 * program's requests go there, and MPI may be in the midst of others. */
static int write_block(const struct side *x, const struct block *b) {
    const struct bine_type *t = &b->type;
    char *here = bine_at(x->here, b->at), *there = bine_at(x->there, b->at);
    MPI_Comm self = bine_process_self();
    if (t->dense)
        return x->memory->copy(there, here, (size_t)(b->n * t->size));
    char *packed = malloc((size_t)(b->n * t->size));
    if (packed == NULL)
        return MPI_ERR_NO_MEM;
    int rc = bine_type_pack(t, here, b->n, packed, self);
    if (rc == MPI_SUCCESS)
        rc = bine_stage_unpack(x->memory, t, packed, b->n, there, self);
    free(packed);
    return rc;
}

static int side_write(const struct side *x) {
    int rc = MPI_SUCCESS;
    for (int k = 0; k < x->blocks && rc == MPI_SUCCESS && x->memory != NULL && x->writes; k++)
        rc = write_block(x, &x->block[k]);
    return rc;
}

/* --- Calls */

/* Results are read before where they are given, too. */
static void find_ways(struct bine_staged *s, const struct bine_call *call, int rank) {
    int root_of_bcast = call->collective == BINE_BCAST && rank == call->root;
    s->send.reads = 1;
    s->recv.reads = call->in_place || root_of_bcast;
    s->recv.writes = !root_of_bcast;
}

static int fill(struct bine_staged *s, const struct bine_arguments *a, const struct bine_call *call,
                int rank, int p) {
    struct given send = {.buffer = a->sendbuf, .type = &call->sendtype},
                 recv = {.buffer = a->recvbuf, .type = &call->recvtype};
    struct bine_context *c = NULL;
    bine_call_elements(a, rank, p, &send.n, &recv.n);
    if (bine_collective_is_uneven(a->collective)) {
        send.apart = (struct bine_blocks){a->sendcounts, a->senddispls, a->sendtypes};
        recv.apart = (struct bine_blocks){a->recvcounts, a->recvdispls, a->recvtypes};
    }
    if (bine_context_find(a->comm, &c) == MPI_SUCCESS && c != NULL)
        s->stream = c->channel.stream;
    find_ways(s, call, rank);
    int rc = side_make(&s->send, &send, p, a->nonblocking);
    if (rc == MPI_SUCCESS)
        rc = side_make(&s->recv, &recv, p, a->nonblocking);
    s->call = *a;
    if (s->send.memory != NULL)
        s->call.sendbuf = s->send.here;
    if (s->recv.memory != NULL)
        s->call.recvbuf = s->recv.here;
    return rc;
}

static void staged_free(struct bine_staged *s) {
    if (s == NULL)
        return;
    side_free(&s->send);
    side_free(&s->recv);
    free(s);
}

/* Memory for the copies of a call; *staged is NULL where it needs none. MPI finds the mistakes in
 * the call; then nothing is copied. Returns an MPI error code. */
static int staged_new(const struct bine_arguments *a, struct bine_staged **staged) {
    struct bine_call call;
    int rank, p;
    *staged = NULL;
    if (a->collective == BINE_BARRIER || bine_process_begin() != MPI_SUCCESS ||
        PMPI_Comm_rank(a->comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(a->comm, &p) != MPI_SUCCESS || bine_is_inter(a->comm) ||
        (bine_call_make(a, rank, p, &call) != MPI_SUCCESS && !call.aliased))
        return MPI_SUCCESS;
    struct bine_staged *s = calloc(1, sizeof *s);
    int rc = s != NULL ? fill(s, a, &call, rank, p) : MPI_ERR_NO_MEM;
    if (rc == MPI_SUCCESS && (s->send.memory != NULL || s->recv.memory != NULL))
        *staged = s;
    else
        staged_free(s);
    return rc;
}

/* Before the call; and after it, if it went well. MPI error codes. */
static int staged_read(const struct bine_staged *s) {
    int rc = side_read(&s->send, s->stream);
    return rc == MPI_SUCCESS ? side_read(&s->recv, s->stream) : rc;
}

static int staged_write(const struct bine_staged *s) {
    return side_write(&s->recv);
}

/* Ready to be called. */
static int prepare(const struct bine_arguments *a, struct bine_staged **staged) {
    *staged = NULL;
    int is_off = a->drop_in && bine_pass_through_is_off();
    int rc = !is_off && bine_staged_is_due() ? staged_new(a, staged) : MPI_SUCCESS;
    if (rc == MPI_SUCCESS && *staged != NULL)
        rc = staged_read(*staged);
    if (rc == MPI_SUCCESS)
        return rc;
    staged_free(*staged);
    *staged = NULL;
    return bine_raise(a->comm, rc);
}

int bine_staged_end(struct bine_staged *s, int rc) {
    if (s == NULL)
        return rc;
    if (rc == MPI_SUCCESS && staged_write(s) != MPI_SUCCESS)
        rc = bine_raise(s->call.comm, MPI_ERR_OTHER);
    staged_free(s);
    return rc;
}

int bine_call_staged(const struct bine_arguments *a) {
    struct bine_staged *s;
    int rc = prepare(a, &s);
    if (rc != MPI_SUCCESS)
        return rc;
    return bine_staged_end(s, bine_call_mpi(s != NULL ? &s->call : a));
}

int bine_call_staged_start(const struct bine_arguments *a, MPI_Request *request,
                           struct bine_staged **staged) {
    int rc = prepare(a, staged);
    if (rc != MPI_SUCCESS)
        return rc;
    rc = bine_call_mpi_start(*staged != NULL ? &(*staged)->call : a, request);
    if (rc != MPI_SUCCESS) {
        staged_free(*staged);
        *staged = NULL;
    }
    return rc;
}
