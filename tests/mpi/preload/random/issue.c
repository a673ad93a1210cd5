/* The calls of MPI. */
#include "random.h"

#include "../persistent.h"

#include <stdlib.h>

#define CALL(KIND, NAME, OWN, ...)                                                                 \
    case KIND:                                                                                     \
        return x->form == BLOCKING      ? MPI_##NAME(__VA_ARGS__)                                  \
               : x->form == NONBLOCKING ? MPI_I##OWN(__VA_ARGS__, r)                               \
                                        : INIT(NAME)(__VA_ARGS__, MPI_INFO_NULL, r);

static int ring(struct scene *x, MPI_Comm comm) {
    int me = x->group.rank, p = x->group.n, tag = (int)(x - scenes);
    int rc = MPI_Irecv(x->recv.base, x->recv.count[0], x->recv.type[0], (me + p - 1) % p, tag, comm,
                       &x->request);
    if (rc == MPI_SUCCESS)
        rc = MPI_Isend(x->send.base, x->send.count[0], x->send.type[0], (me + 1) % p, tag, comm,
                       &x->message);
    return rc;
}

static int issue(struct scene *x, const void *in, void *out) {
    const struct side *s = &x->send, *t = &x->recv;
    MPI_Comm comm = x->group.comm;
    MPI_Request *r = &x->request;
    int root = x->root;
    switch (x->kind) {
        CALL(BCAST, Bcast, bcast, out, t->count[0], t->type[0], root, comm)
        CALL(REDUCE, Reduce, reduce, in, out, s->count[0], s->type[0], x->handle, root, comm)
        CALL(ALLREDUCE, Allreduce, allreduce, in, out, t->count[0], t->type[0], x->handle, comm)
        CALL(SCAN, Scan, scan, in, out, t->count[0], t->type[0], x->handle, comm)
        CALL(EXSCAN, Exscan, exscan, in, out, t->count[0], t->type[0], x->handle, comm)
        CALL(REDUCE_SCATTER, Reduce_scatter, reduce_scatter, in, out, s->count, s->type[0],
             x->handle, comm)
        CALL(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, reduce_scatter_block, in, out, s->count[0],
             s->type[0], x->handle, comm)
        CALL(GATHER, Gather, gather, in, s->count[0], s->type[0], out, t->count[0], t->type[0],
             root, comm)
        CALL(GATHERV, Gatherv, gatherv, in, s->count[0], s->type[0], out, t->count, t->place,
             t->type[0], root, comm)
        CALL(SCATTER, Scatter, scatter, in, s->count[0], s->type[0], out, t->count[0], t->type[0],
             root, comm)
        CALL(SCATTERV, Scatterv, scatterv, in, s->count, s->place, s->type[0], out, t->count[0],
             t->type[0], root, comm)
        CALL(ALLGATHER, Allgather, allgather, in, s->count[0], s->type[0], out, t->count[0],
             t->type[0], comm)
        CALL(ALLGATHERV, Allgatherv, allgatherv, in, s->count[0], s->type[0], out, t->count,
             t->place, t->type[0], comm)
        CALL(ALLTOALL, Alltoall, alltoall, in, s->count[0], s->type[0], out, t->count[0],
             t->type[0], comm)
        CALL(ALLTOALLV, Alltoallv, alltoallv, in, s->count, s->place, s->type[0], out, t->count,
             t->place, t->type[0], comm)
        CALL(ALLTOALLW, Alltoallw, alltoallw, in, s->count, s->place, s->type, out, t->count,
             t->place, t->type, comm)
        CALL(BARRIER, Barrier, barrier, comm)
    case RING:
        return ring(x, comm);
    default:
        abort();
    }
}

/* A side without a buffer has what MPI does not look at. */
static void fill_up(struct side *s, const struct side *from) {
    if (s->blocks > 0)
        return;
    for (int k = 0; k < RANKS; k++) {
        s->count[k] = from->count[k];
        s->type[k] = from->blocks > 0 ? from->type[0] : MPI_BYTE;
    }
}

static void free_types(struct scene *x, struct side *s) {
    for (int k = 0; k < s->blocks && x->own_types; k++)
        if (s->form[k] != FORM_PLAIN && (k == 0 || x->kind == ALLTOALLW))
            MPI_Type_free(&s->type[k]);
}

/* Types may be freed at once, and so may an operator of the program's own. */
void scene_issue(struct scene *x) {
    const void *in = x->send.blocks > 0 ? x->send.base : NULL;
    void *out = x->recv.blocks > 0 ? x->recv.base : NULL;
    int at_root = !is_rooted(x->kind) || x->group.rank == x->root;
    if (x->in_place && at_root && x->send.blocks == 0)
        in = MPI_IN_PLACE;
    else if (x->in_place && at_root)
        out = MPI_IN_PLACE;
    fill_up(&x->send, &x->recv);
    fill_up(&x->recv, &x->send);
    x->handle = operators_handle(x->op);
    int rc = issue(x, in, out);
    check_that(rc == MPI_SUCCESS, "%s: returned %d", scene_text(x), rc);
    free_types(x, &x->send);
    free_types(x, &x->recv);
    x->active = x->form == NONBLOCKING;
}

void scene_start(struct scene *x) {
    int rc = MPI_Start(&x->request);
    check_that(rc == MPI_SUCCESS, "%s: MPI_Start returned %d", scene_text(x), rc);
    x->active = 1;
}
