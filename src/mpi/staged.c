#include "mpi/staged.h"

#include "engine/memory.h"
#include "engine/stage.h"
#include "mpi/call.h"
#include "mpi/context.h"
#include "mpi/mpi_calls.h"

#include <stdlib.h>

/* A buffer on a device, and its copy: elements as they lie there. */
struct copy {
    const struct bine_memory *memory; /* NULL: the buffer is the host's */
    const struct bine_type *type;
    MPI_Aint n;
    void *there;
    char *room, *here;
};

static const struct bine_memory *memory_of(const void *buffer, const struct bine_type *t) {
    return bine_memory_at(bine_at(buffer, t->true_lb));
}

static int copy_make(struct copy *x, const void *buffer, const struct bine_type *t, MPI_Aint n) {
    *x = (struct copy){.type = t, .n = n, .there = (void *)(uintptr_t)buffer};
    x->memory = n > 0 ? memory_of(buffer, t) : NULL;
    if (x->memory == NULL)
        return MPI_SUCCESS;
    x->room = malloc(bine_type_span(t, n) + 1);
    if (x->room == NULL)
        return MPI_ERR_NO_MEM;
    x->here = bine_at(x->room, bine_type_shift(t, n));
    ptrdiff_t first = bine_type_first(t, n);
    return x->memory->copy(bine_at(x->here, first), bine_at(x->there, first),
                           bine_type_reach(t, n));
}

static int copy_back(const struct copy *x) {
    ptrdiff_t first = bine_type_first(x->type, x->n);
    if (x->memory == NULL)
        return MPI_SUCCESS;
    return x->memory->copy(bine_at(x->there, first), bine_at(x->here, first),
                           bine_type_reach(x->type, x->n));
}

/* What is wrong with the call is MPI's to find; then nothing is copied. */
static int call_with_copies(const struct bine_arguments *a) {
    struct bine_call call;
    struct bine_arguments here = *a;
    struct copy send, recv = {.memory = NULL};
    int rank, p;
    if (bine_context_begin() != MPI_SUCCESS || PMPI_Comm_rank(a->comm, &rank) != MPI_SUCCESS ||
        PMPI_Comm_size(a->comm, &p) != MPI_SUCCESS || bine_is_inter(a->comm) ||
        bine_call_make(a, rank, p, &call) != MPI_SUCCESS)
        return bine_call_mpi(a);
    int64_t sends, gets;
    bine_call_elements(a, rank, p, &sends, &gets);
    int rc = copy_make(&send, a->sendbuf, &call.sendtype, (MPI_Aint)sends);
    if (rc == MPI_SUCCESS)
        rc = copy_make(&recv, a->recvbuf, &call.recvtype, (MPI_Aint)gets);
    here.sendbuf = send.memory != NULL ? send.here : a->sendbuf;
    here.recvbuf = recv.memory != NULL ? recv.here : a->recvbuf;
    if (rc == MPI_SUCCESS)
        rc = bine_call_mpi(&here);
    else
        bine_raise(a->comm, rc);
    if (rc == MPI_SUCCESS && copy_back(&recv) != MPI_SUCCESS)
        rc = bine_raise(a->comm, MPI_ERR_OTHER);
    free(send.room);
    free(recv.room);
    return rc;
}

int bine_call_staged(const struct bine_arguments *a) {
    return bine_memory_is_host_only() || bine_memory_is_taken_by_mpi() ||
                   !bine_collective_is_plain(a->collective)
               ? bine_call_mpi(a)
               : call_with_copies(a);
}
