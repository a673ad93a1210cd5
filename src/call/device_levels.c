#include "call/device_levels.h"

#include "call/call.h"
#include "call/device_work.h"
#include "comm/device_comms.h"
#include "mpi/mpi_calls.h"

#include "bine.h"

#include <stdlib.h>

/* A call in three steps. */
struct levelled {
    struct bine_device_levels *l;
    const struct bine_arguments *a;
    int64_t size, block;        /* bytes of an element; elements of a rank's share */
    char *share, *shares;       /* on the device: this rank's; all of the node's */
    int counts[BINE_JOB_RANKS]; /* of all ranks of the node */
};

/* --- The communicators */

/* Ranks of each node, if all have equally many; else 0. */
static int even_nodes(const struct bine_context *c) {
    const int32_t *node = bine_groups_smallest(c->place.levels);
    int count[2] = {0, 0}, ranks = 0;
    for (int k = 0; k < c->id.p; k++) {
        count[0] = 0;
        for (int r = 0; r < c->id.p; r++)
            count[0] += node[r] == node[k];
        ranks = k == 0 ? count[0] : ranks == count[0] ? ranks : 0;
    }
    return ranks;
}

static int split(MPI_Comm comm, int colour, int key, MPI_Comm *made) {
    int rc = bine_mpi->comm_split(comm, colour, key, made);
    return rc == MPI_SUCCESS ? PMPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN) : rc;
}

/* All ranks together; NULL on all of them where one cannot. */
static struct bine_device_levels *make_levels(struct bine_context *c) {
    const int32_t *node = bine_groups_smallest(c->place.levels);
    struct bine_device_levels *l = calloc(1, sizeof *l);
    int good = l != NULL, all = 0, rc;
    rc = bine_mpi->allreduce(&good, &all, 1, MPI_INT, MPI_MIN, c->id.comm);
    if (rc != MPI_SUCCESS || !all) {
        free(l);
        return NULL;
    }
    l->node = l->across = MPI_COMM_NULL;
    l->ranks = even_nodes(c);
    for (int r = 0; r < c->id.rank; r++)
        l->place += node[r] == node[c->id.rank];
    good = split(c->id.comm, node[c->id.rank], c->id.rank, &l->node) == MPI_SUCCESS &&
           split(c->id.comm, l->place, c->id.rank, &l->across) == MPI_SUCCESS;
    rc = bine_mpi->allreduce(&good, &all, 1, MPI_INT, MPI_MIN, c->id.comm);
    if (rc == MPI_SUCCESS && all)
        return l;
    bine_device_levels_free(l);
    return NULL;
}

static int has_levels(struct bine_context *c, MPI_Comm comm) {
    if (c->devices.levels != NULL)
        return 1;
    int ranks = c->place.levels != NULL ? even_nodes(c) : 0;
    bine_context_open(c, comm);
    if (ranks > 1 && ranks <= BINE_JOB_RANKS && c->id.forward_reason == NULL)
        c->devices.levels = make_levels(c);
    c->devices.some = c->devices.levels != NULL;
    return c->devices.some;
}

/* --- Memory */

/* The device that both buffers are on, or NULL. */
static const struct bine_device *device_of(const struct bine_call *call, void **context) {
    const void *in = call->in_place ? call->recvbuf : call->sendbuf;
    const struct bine_memory *a = bine_memory_at(in), *b = bine_memory_at(call->recvbuf);
    if (a == NULL || a != b || a->device == NULL || !a->device->is_ready())
        return NULL;
    *context = a->device->context(call->recvbuf);
    return *context != NULL && a->device->context(in) == *context ? a->device : NULL;
}

static int take_memory(struct levelled *x) {
    struct bine_device_levels *l = x->l;
    size_t need = (size_t)(x->block * x->size) * (size_t)(l->ranks + 1);
    for (int i = 0; i < BINE_DEVICE_PIECES && l->piece[i] == NULL; i++)
        if ((l->piece[i] = l->device->allocate_host(l->context, BINE_DEVICE_PIECE)) == NULL)
            return -1;
    if (l->bytes < need) {
        l->device->release(l->context, l->room);
        l->room = l->device->allocate(l->context, need);
        l->bytes = l->room != NULL ? need : 0;
    }
    x->share = l->room;
    x->shares = l->room != NULL ? l->room + x->block * x->size : NULL;
    return l->room != NULL ? 0 : -1;
}

/* Whether this rank can. */
static int prepare(struct bine_context *c, struct levelled *x) {
    struct bine_device_levels *l = x->l;
    struct bine_call call;
    int class, op;
    void *context;
    if (bine_call_make(x->a, c->id.rank, c->id.p, &call) != MPI_SUCCESS || !call.recvtype.dense ||
        bine_work_name(call.recvtype.handle, call.op, &class, &op) != 0)
        return 0;
    const struct bine_device *device = device_of(&call, &context);
    if (device == NULL || (l->device != NULL && context != l->context))
        return 0;
    l->device = device;
    l->context = context;
    x->size = (int64_t)call.recvtype.size;
    x->block = ((int64_t)call.recvcount + l->ranks - 1) / l->ranks;
    for (int r = 0; r < l->ranks; r++) {
        int64_t left = (int64_t)call.recvcount - r * x->block;
        x->counts[r] = (int)(left < 0 ? 0 : left < x->block ? left : x->block);
    }
    return device->wait(context, c->channel.stream) == 0 && take_memory(x) == 0;
}

/* --- The three steps */

static int scatter_sums(const struct levelled *x) {
    const struct bine_arguments *a = x->a;
    const void *in = a->sendbuf == MPI_IN_PLACE ? a->recvbuf : a->sendbuf;
    return Bine_Reduce_scatter(in, x->share, x->counts, a->recvtype, a->op, x->l->node);
}

static int add_across(const struct levelled *x, char *piece, int64_t n) {
    return Bine_Allreduce(MPI_IN_PLACE, piece, (int)n, x->a->recvtype, x->a->op, x->l->across);
}

/* Piece by piece, through the host's memory: number k is added up while k + 1 is copied. */
static int cross(const struct levelled *x) {
    const struct bine_device_levels *l = x->l;
    int64_t all = x->counts[l->place], most = BINE_DEVICE_PIECE / x->size,
            pieces = (all + most - 1) / most;
    int rc = MPI_SUCCESS, failed = 0;
    for (int64_t k = -1; k < pieces; k++) {
        int64_t at = k * most, n = all - at < most ? all - at : most, left = all - at - most;
        char *here = l->piece[(k + BINE_DEVICE_PIECES) % BINE_DEVICE_PIECES],
             *there = x->share + at * x->size;
        if (left > 0)
            failed |= l->device->copy(l->context, l->piece[(k + 1) % BINE_DEVICE_PIECES],
                                      there + most * x->size,
                                      (size_t)((left < most ? left : most) * x->size));
        if (k >= 0) {
            int one = add_across(x, here, n);
            rc = rc == MPI_SUCCESS ? one : rc;
            failed |= l->device->copy(l->context, there, here, (size_t)(n * x->size));
        }
        failed |= l->device->finish(l->context);
    }
    return rc == MPI_SUCCESS && failed ? MPI_ERR_OTHER : rc;
}

/* Where the last share is shorter, all are gathered aside first. */
static int gather_shares(const struct levelled *x) {
    const struct bine_arguments *a = x->a;
    const struct bine_device_levels *l = x->l;
    int even = x->counts[l->ranks - 1] == x->block;
    int n = (int)x->block;
    int rc = Bine_Allgather(x->share, n, a->recvtype, even ? a->recvbuf : x->shares, n, a->recvtype,
                            l->node);
    if (rc != MPI_SUCCESS || even)
        return rc;
    int failed =
        l->device->copy(l->context, a->recvbuf, x->shares, (size_t)(a->recvcount * x->size)) != 0;
    return l->device->finish(l->context) == 0 && !failed ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int bine_device_levels_call(struct bine_context *c, const struct bine_arguments *a, int *rc) {
    int mine, all = 0;
    if (!has_levels(c, a->comm))
        return 0;
    struct levelled x = {.l = c->devices.levels, .a = a};
    mine = prepare(c, &x);
    *rc = bine_mpi->allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, c->id.comm);
    if (*rc != MPI_SUCCESS || !all)
        return *rc != MPI_SUCCESS;
    *rc = scatter_sums(&x);
    int crossed = cross(&x), gathered = gather_shares(&x);
    *rc = *rc != MPI_SUCCESS ? *rc : crossed != MPI_SUCCESS ? crossed : gathered;
    return 1;
}
