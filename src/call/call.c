#include "call/call.h"

#include "comm/context.h"
#include "engine/transport/mpi_library.h"
#include "mpi/handles.h"
#include "mpi/operators.h"

#include "engine/memory/stage.h"

#include <stdlib.h>
#include <string.h>

/* One of the two sides of a call at a rank: sending or receiving. */
struct side {
    int used;     /* the rank has this side, and it is not MPI_IN_PLACE */
    int in_place; /* it is MPI_IN_PLACE, and may be */
    const void *buffer;
    MPI_Aint count; /* of a block, or of the vector */
    MPI_Datatype type;
    struct bine_blocks blocks; /* of uneven sizes; else without counts */
    int64_t elements;          /* in all */
};

struct sides {
    struct side send, recv;
    int misplaced; /* MPI_IN_PLACE where it may not be */
};

/* A type that was freed or never committed would be found out in the middle of a collective, or
 * where errors go to another handler than the communicator's. Only a send checks that a type is
 * committed: so send to MPI_PROC_NULL, which reads nothing. */
static int can_be_sent(MPI_Datatype type) {
    MPI_Comm self = bine_process_self();
    return self == MPI_COMM_NULL ||
           PMPI_Send(&self, 1, type, MPI_PROC_NULL, 0, self) == MPI_SUCCESS;
}

static int is_fit(MPI_Datatype type) {
    return bine_type_is_common(type) || can_be_sent(type);
}

/* --- Reading the arguments */

static void place(struct side *x, int has, int may_be_in_place, int *misplaced) {
    int in_place = has && x->buffer == MPI_IN_PLACE;
    x->in_place = in_place && may_be_in_place;
    x->used = has && !in_place;
    *misplaced = *misplaced || (in_place && !may_be_in_place);
}

/* The blocks of the two sides, where each block has its own size. Arguments that a rank does not
 * use may be anything. */
static void take_blocks(const struct bine_arguments *a, struct sides *x) {
    if (!bine_collective_is_uneven(a->collective))
        return;
    if (x->send.used)
        x->send.blocks = (struct bine_blocks){a->sendcounts, a->senddispls, a->sendtypes};
    if (x->recv.used)
        x->recv.blocks = (struct bine_blocks){a->recvcounts, a->recvdispls, a->recvtypes};
}

static int is_uneven(const struct side *x) {
    return bine_counts_given(&x->blocks.counts);
}

/* The elements of the two sides in all. */
static void count_elements(const struct bine_arguments *a, int rank, int p, struct sides *x) {
    enum bine_collective c = bine_collective_kind(a->collective);
    MPI_Datatype type;
    if (bine_collective_reduces(c)) {
        int64_t all = bine_arguments_elements(a, rank, p, &type);
        x->send.elements = x->recv.elements = all;
        if (c == BINE_REDUCE_SCATTER && !x->send.in_place)
            x->recv.elements = a->by_counts ? bine_count_at(&a->recvcounts, rank) : a->recvcount;
        return;
    }
    int to_all = c == BINE_SCATTER || c == BINE_ALLTOALL;
    x->send.elements = (int64_t)a->sendcount * (to_all ? p : 1);
    x->recv.elements = (int64_t)a->recvcount * (c == BINE_SCATTER || c == BINE_BCAST ? 1 : p);
    if (is_uneven(&x->send))
        x->send.elements = bine_counts_sum(&x->send.blocks.counts, p);
    if (is_uneven(&x->recv))
        x->recv.elements = bine_counts_sum(&x->recv.blocks.counts, p);
}

/* Whether a rank's receive buffer counts. The first rank of an exclusive scan has no result: its
 * buffer may be too small for one, or lie where the others' may not. In place, it holds the
 * rank's contribution. */
static int has_results(const struct bine_arguments *a, int rank) {
    enum bine_collective c = bine_collective_kind(a->collective);
    if (c == BINE_EXSCAN)
        return rank > 0 || a->sendbuf == MPI_IN_PLACE;
    return (c != BINE_GATHER && c != BINE_REDUCE) || rank == a->root;
}

/* The root alone has a side to gather into, or to scatter from. MPI_IN_PLACE stands for the
 * contribution of a rank that gets everything, or for the result of a scatter's root. */
static struct sides sides_of(const struct bine_arguments *a, int rank, int p) {
    enum bine_collective c = bine_collective_kind(a->collective);
    int at_root = rank == a->root, reduces = bine_collective_reduces(c);
    int sends = c != BINE_BCAST && (c != BINE_SCATTER || at_root);
    int gets = has_results(a, rank);
    struct sides x = {
        .recv = {.buffer = a->recvbuf, .count = (MPI_Aint)a->recvcount, .type = a->recvtype}};
    x.send = reduces ? x.recv : (struct side){.count = (MPI_Aint)a->sendcount, .type = a->sendtype};
    x.send.buffer = a->sendbuf;
    place(&x.send, sends, c != BINE_SCATTER && gets, &x.misplaced);
    place(&x.recv, gets, c == BINE_SCATTER && at_root, &x.misplaced);
    take_blocks(a, &x);
    count_elements(a, rank, p, &x);
    return x;
}

/* The checks that need no datatypes. */
static int check_numbers(const struct bine_arguments *a, int p) {
    if (a->root < 0 || a->root >= p)
        return MPI_ERR_ROOT;
    if (a->by_counts && !bine_counts_given(&a->recvcounts))
        return MPI_ERR_ARG;
    if (a->by_counts && bine_counts_sum(&a->recvcounts, p) < 0)
        return MPI_ERR_COUNT;
    return bine_collective_reduces(a->collective) && a->op == MPI_OP_NULL ? MPI_ERR_OP
                                                                          : MPI_SUCCESS;
}

/* The checks of a side's blocks: whether they are given, and how many elements they have. */
static int check_blocks(const struct bine_arguments *a, const struct side *x, int has_blocks) {
    if (!x->used || !has_blocks)
        return MPI_SUCCESS;
    if (!is_uneven(x) || !bine_counts_given(&x->blocks.displs) ||
        (a->by_types && x->blocks.types == NULL))
        return MPI_ERR_ARG;
    return x->elements < 0 ? MPI_ERR_COUNT : MPI_SUCCESS;
}

static int check_uneven(const struct bine_arguments *a, const struct sides *x) {
    enum bine_collective c = a->collective;
    int rc = check_blocks(a, &x->send, c == BINE_ALLTOALLV || c == BINE_SCATTERV);
    if (rc == MPI_SUCCESS && bine_collective_is_uneven(c))
        rc = check_blocks(a, &x->recv, c != BINE_SCATTERV);
    return rc;
}

/* --- From the sides to the call */

static int describe_type(MPI_Datatype type, struct bine_type *t) {
    if (type == MPI_DATATYPE_NULL || !is_fit(type))
        return MPI_ERR_TYPE;
    return bine_type_describe(type, t) == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_TYPE;
}

/* A type for each block: they count as bytes, or as something that must be packed. */
static int describe_types(const struct side *x, int p, struct bine_type *t) {
    *t = (struct bine_type){MPI_BYTE, 1, 1, 0, 1, 1};
    for (int k = 0; k < p; k++) {
        struct bine_type one;
        int rc = describe_type(bine_blocks_type(&x->blocks, k), &one);
        if (rc != MPI_SUCCESS)
            return rc;
        t->dense = t->dense && one.dense;
    }
    return MPI_SUCCESS;
}

static int describe(const struct side *x, int p, struct bine_type *t) {
    if (x->count < 0)
        return MPI_ERR_COUNT;
    return x->blocks.types != NULL ? describe_types(x, p, t) : describe_type(x->type, t);
}

/* Where a rank does not use one side, it is like the other. */
static int describe_sides(const struct sides *x, int p, struct bine_call *call) {
    int rc = MPI_SUCCESS, one = x->send.type == x->recv.type && x->send.used && x->recv.used &&
                                x->recv.blocks.types == NULL;
    call->sendcount = x->send.count;
    call->recvcount = x->recv.count;
    if (x->send.used)
        rc = describe(&x->send, p, &call->sendtype);
    if (rc == MPI_SUCCESS && x->recv.used && one && x->recv.count >= 0)
        call->recvtype = call->sendtype;
    else if (rc == MPI_SUCCESS && x->recv.used)
        rc = describe(&x->recv, p, &call->recvtype);
    call->send_blocks = x->send.blocks;
    call->recv_blocks = x->recv.blocks;
    if (!x->send.used) {
        call->sendtype = call->recvtype;
        call->sendcount = call->recvcount;
        call->send_blocks = call->recv_blocks;
    } else if (!x->recv.used) {
        call->recvtype = call->sendtype;
        call->recvcount = call->sendcount;
        call->recv_blocks = call->send_blocks;
    }
    return rc;
}

/* One datatype, which is the operator's. */
static int check_operator(const struct bine_arguments *a, struct bine_call *call) {
    call->op = a->op;
    if (a->by_counts)
        call->recv_blocks.counts = a->recvcounts;
    if (PMPI_Op_commutative(a->op, &call->commutative) != MPI_SUCCESS ||
        !bine_operator_takes(a->op, a->recvtype))
        return MPI_ERR_OP;
    return MPI_SUCCESS;
}

/* The bytes of a buffer of a dense type, for the checks of addresses. Where the type has gaps two
 * buffers may lie between each other, and at MPI_BOTTOM it has the address. */
static int64_t span_of(const struct bine_type *t, int64_t elements) {
    return t->dense ? elements * (int64_t)t->size : 0;
}

static int is_missing(const void *buffer, int64_t span) {
    return buffer == NULL && span > 0;
}

/* Where a rank's own block begins, in bytes behind the buffer of all blocks. */
static ptrdiff_t own_place(const struct bine_blocks *x, MPI_Aint count, const struct bine_type *t,
                           int rank) {
    int64_t at = bine_counts_given(&x->displs) ? bine_count_at(&x->displs, rank)
                                               : (int64_t)rank * (int64_t)count;
    return (ptrdiff_t)(at * (int64_t)t->extent);
}

/* Whether a rank gives its block from the very place where it gets it: MPI_IN_PLACE was
 * forgotten. */
static int is_in_its_place(const struct bine_call *call, int rank) {
    enum bine_collective c = bine_collective_kind(call->collective);
    const char *from = call->sendbuf, *to = call->recvbuf;
    if (c == BINE_GATHER || c == BINE_ALLGATHER)
        to += own_place(&call->recv_blocks, call->recvcount, &call->recvtype, rank);
    else if (c == BINE_SCATTER)
        from += own_place(&call->send_blocks, call->sendcount, &call->sendtype, rank);
    return from == to;
}

/* The addresses of a call whose arguments are right otherwise. */
static int check_buffers(const struct sides *x, int rank, struct bine_call *call) {
    int64_t sends = x->send.used ? x->send.elements : 0, gets = x->recv.used ? x->recv.elements : 0;
    int64_t send_span = span_of(&call->sendtype, sends), recv_span = span_of(&call->recvtype, gets);
    if (is_missing(x->send.buffer, send_span) || is_missing(x->recv.buffer, recv_span))
        return MPI_ERR_BUFFER;
    if (call->collective == BINE_BCAST)
        return MPI_SUCCESS;
    if (is_uneven(&x->send) || is_uneven(&x->recv)) { /* which may lie between each other */
        int same = call->sendbuf == call->recvbuf || is_in_its_place(call, rank);
        call->aliased = same && call->sendbuf != MPI_BOTTOM && sends > 0 && gets > 0;
        call->sends = sends;
        return call->aliased ? MPI_ERR_BUFFER : MPI_SUCCESS;
    }
    call->send_span = send_span;
    call->recv_span = recv_span;
    call->sends = sends;
    /* The very same elements of a type with gaps. */
    int same = call->sendbuf == call->recvbuf && call->sendbuf != MPI_BOTTOM && sends > 0 &&
               gets > 0 && call->sendtype.handle == call->recvtype.handle;
    call->aliased = bine_call_is_aliased(call) || (same && call->sendtype.size > 0);
    return call->aliased ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

/* The bytes of a rank's own block on one side. */
static int64_t own_bytes(const struct side *x, int rank, const struct bine_type *t) {
    if (!is_uneven(x))
        return (int64_t)x->count * (int64_t)t->size;
    int size = (int)t->size;
    if (x->blocks.types != NULL)
        PMPI_Type_size(bine_blocks_type(&x->blocks, rank), &size);
    return bine_count_at(&x->blocks.counts, rank) * size;
}

/* The block's bytes are equal on both sides of a correct call; where they differ, take the side
 * that peers send to. */
static int measure(const struct bine_arguments *a, int rank, int p, const struct sides *x,
                   struct bine_call *call) {
    MPI_Datatype type;
    int64_t all = bine_arguments_elements(a, rank, p, &type);
    int by_send = bine_arguments_by_send(a, rank), reduces = bine_collective_reduces(a->collective);
    call->bytes = all * (int64_t)(by_send ? call->sendtype.size : call->recvtype.size);
    if (reduces && call->bytes == 0) { /* MPI would be asked to reduce elements of nothing */
        call->sendcount = call->recvcount = 0;
        call->recv_blocks = (struct bine_blocks){.types = NULL};
    }
    if (reduces || !x->send.used || !x->recv.used)
        return MPI_SUCCESS;
    int64_t gives = own_bytes(&x->send, rank, &call->sendtype),
            gets = own_bytes(&x->recv, rank, &call->recvtype);
    if (a->collective == BINE_ALLGATHERV && !a->persistent)
        call->misfit = gives > gets ? 1 : gives < gets ? -1 : 0;
    return gives != gets && call->misfit == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

int bine_call_fit(struct bine_call *call, int rank, MPI_Comm comm) {
    const struct bine_type *in = &call->sendtype, *out = &call->recvtype;
    if (call->misfit == 0)
        return MPI_SUCCESS;
    MPI_Aint n = (MPI_Aint)bine_count_at(&call->recv_blocks.counts, rank);
    size_t given = (size_t)call->sendcount * (size_t)in->size;
    char *packed = malloc(given + 1);
    if (packed == NULL)
        return MPI_ERR_NO_MEM;
    if (call->misfit < 0)
        n = (MPI_Aint)(given / (size_t)out->size);
    char *to = bine_at(call->recvbuf, (ptrdiff_t)(bine_count_at(&call->recv_blocks.displs, rank) *
                                                  (int64_t)out->extent));
    int rc = bine_stage_pack(bine_memory_of(call->sendbuf, in), in, call->sendbuf, call->sendcount,
                             packed, comm);
    if (rc == MPI_SUCCESS && n > 0)
        rc = bine_stage_unpack(bine_memory_of(to, out), out, packed, n, to, comm);
    free(packed);
    call->sendbuf = MPI_IN_PLACE;
    call->in_place = 1;
    call->sendtype = call->recvtype;
    call->sendcount = call->recvcount;
    call->send_blocks = call->recv_blocks;
    call->sends = 0;
    return rc;
}

int bine_call_make(const struct bine_arguments *a, int rank, int p, struct bine_call *call) {
    memset(call, 0, sizeof *call);
    int rc = check_numbers(a, p);
    if (rc != MPI_SUCCESS)
        return rc;
    call->collective = a->collective;
    if (a->collective == BINE_BARRIER) {
        bine_type_describe(MPI_BYTE, &call->recvtype);
        call->sendtype = call->recvtype;
        return MPI_SUCCESS;
    }
    struct sides x = sides_of(a, rank, p);
    bine_call_address(a, rank, call);
    call->root = a->root;
    call->commutative = 1;
    call->op = MPI_OP_NULL;
    call->in_place = x.send.in_place || x.recv.in_place;
    if (x.misplaced)
        return MPI_ERR_BUFFER;
    rc = check_uneven(a, &x);
    if (rc == MPI_SUCCESS)
        rc = describe_sides(&x, p, call);
    if (rc == MPI_SUCCESS && bine_collective_reduces(a->collective))
        rc = check_operator(a, call);
    if (rc == MPI_SUCCESS)
        rc = measure(a, rank, p, &x, call);
    return rc == MPI_SUCCESS ? check_buffers(&x, rank, call) : rc;
}

void bine_call_elements(const struct bine_arguments *a, int rank, int p, int64_t *sends,
                        int64_t *gets) {
    struct sides x = sides_of(a, rank, p);
    *sends = x.send.used ? x.send.elements : 0;
    *gets = x.recv.used ? x.recv.elements : 0;
}

/* Whether the MPI library makes a call whose buffers overlap. */
static int takes_aliased(const struct bine_arguments *a) {
    int same = a->sendbuf == a->recvbuf;
    return bine_mpi_is(BINE_LIBRARY_OPENMPI) &&
           !(same && (a->collective == BINE_REDUCE || a->collective == BINE_ALLREDUCE));
}

/* MPICH looks for MPI_IN_PLACE that was forgotten, not for every overlap. */
static int is_aliased_plainly(const struct bine_arguments *a, int rank,
                              const struct bine_call *call) {
    return !takes_aliased(a) && is_in_its_place(call, rank) &&
           call->sendtype.handle == call->recvtype.handle;
}

int bine_call_is_wrong_for_mpi(const struct bine_arguments *a, int rank,
                               const struct bine_call *call, int error) {
    if (error == MPI_ERR_BUFFER && call->aliased)
        return is_aliased_plainly(a, rank, call);
    if (error == MPI_ERR_BUFFER) {
        struct sides x = sides_of(a, rank, 1);
        return x.misplaced || ((!x.send.used || bine_type_is_common(x.send.type)) &&
                               (!x.recv.used || bine_type_is_common(x.recv.type)));
    }
    if (error == MPI_ERR_OP)
        return a->op == MPI_OP_NULL || bine_type_is_common(a->recvtype);
    return error != MPI_SUCCESS && error != MPI_ERR_TRUNCATE;
}

int bine_call_size(const struct bine_arguments *a, int rank, int p, struct bine_call_size *size) {
    MPI_Datatype type;
    int element;
    int64_t all = bine_arguments_elements(a, rank, p, &type);
    size->commutative = 1;
    if (all < 0 || type == MPI_DATATYPE_NULL)
        return -1;
    /* Open MPI could not tell such a type either. */
    if (bine_mpi_is(BINE_LIBRARY_MPICH) && !is_fit(type))
        return -1;
    if (bine_collective_reduces(a->collective) &&
        (a->op == MPI_OP_NULL || PMPI_Op_commutative(a->op, &size->commutative) != MPI_SUCCESS))
        return -1;
    if (PMPI_Type_size(type, &element) != MPI_SUCCESS || element == MPI_UNDEFINED)
        return -1;
    size->element = element;
    size->bytes = all * size->element;
    return 0;
}
