#include "mpi/call.h"

#include "mpi/context.h"
#include "mpi/library.h"
#include "mpi/operators.h"

#include <string.h>

/* What a rank must give. */
struct side {
    const void *buffer;
    MPI_Aint count;
    MPI_Datatype type;
};

/* Types that everybody uses, which need not be looked at. */
static int is_common(MPI_Datatype type) {
    const MPI_Datatype common[] = {MPI_BYTE,      MPI_CHAR,   MPI_INT,           MPI_LONG,
                                   MPI_FLOAT,     MPI_DOUBLE, MPI_UNSIGNED_LONG, MPI_INT64_T,
                                   MPI_LONG_LONG, MPI_2INT};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (type == common[i])
            return 1;
    return 0;
}

/* Another type that was freed or never committed would be found out in the middle of a collective,
 * or where errors go to another handler than that of the communicator. Only sending asks whether it
 * is fit to be sent: to nobody, who reads nothing. */
static int can_be_sent(MPI_Datatype type) {
    MPI_Comm self = bine_context_self();
    return self == MPI_COMM_NULL ||
           PMPI_Send(&self, 1, type, MPI_PROC_NULL, 0, self) == MPI_SUCCESS;
}

static int is_fit(MPI_Datatype type) {
    return is_common(type) || can_be_sent(type);
}

static int is_wrong(const struct side *x) {
    return x->count < 0 || x->type == MPI_DATATYPE_NULL || !is_fit(x->type) ||
           (x->buffer == NULL && x->count > 0 && is_common(x->type));
}

static int describe(const struct side *x, struct bine_type *t) {
    if (x->count < 0)
        return MPI_ERR_COUNT;
    if (x->type == MPI_DATATYPE_NULL || !is_fit(x->type))
        return MPI_ERR_TYPE;
    return bine_type_describe(x->type, t) == MPI_SUCCESS ? MPI_SUCCESS : MPI_ERR_TYPE;
}

/* A buffer of so many elements of a dense type: its bytes, for the checks of addresses. Where the
 * type has gaps two buffers may lie between each other, and at MPI_BOTTOM it has the address. */
static int64_t span_of(const struct bine_type *t, int64_t elements) {
    return t->dense ? elements * (int64_t)t->size : 0;
}

static int is_missing(const void *buffer, int64_t span) {
    return buffer == NULL && span > 0;
}

/* The addresses of a call whose arguments are right otherwise. */
static int check_buffers(struct bine_call *call, int64_t sends, int64_t gets) {
    call->send_span = span_of(&call->sendtype, sends);
    call->recv_span = span_of(&call->recvtype, gets);
    call->sends = sends;
    if (is_missing(call->sendbuf, call->send_span) || is_missing(call->recvbuf, call->recv_span))
        return MPI_ERR_BUFFER;
    /* The very same elements of a type with gaps. */
    int same = call->sendbuf == call->recvbuf && call->sendbuf != MPI_BOTTOM && sends > 0 &&
               gets > 0 && call->sendtype.handle == call->recvtype.handle;
    call->aliased = bine_call_is_aliased(call) || (same && call->sendtype.size > 0);
    return call->aliased ? MPI_ERR_BUFFER : MPI_SUCCESS;
}

static int make_bcast(const struct bine_arguments *a, struct bine_call *call) {
    struct side x = {a->recvbuf, a->recvcount, a->recvtype};
    int rc = describe(&x, &call->recvtype);
    if (rc != MPI_SUCCESS)
        return rc;
    call->sendtype = call->recvtype;
    call->sendcount = call->recvcount = a->recvcount;
    call->bytes = (int64_t)(call->recvcount * call->recvtype.size);
    return is_missing(a->recvbuf, span_of(&call->recvtype, a->recvcount)) ? MPI_ERR_BUFFER
                                                                          : MPI_SUCCESS;
}

/* reduce, allreduce, reduce_scatter: one datatype, which is the operator's. */
static int make_reduction(const struct bine_arguments *a, int rank, int p, struct bine_call *call) {
    struct side x = {a->recvbuf, a->recvcount, a->recvtype};
    int64_t total = a->recvcount, mine = a->recvcount, gets = 1;
    if (a->by_counts && a->recvcounts == NULL)
        return MPI_ERR_ARG;
    for (int i = 0; a->recvcounts != NULL && i < p; i++) {
        if (a->recvcounts[i] < 0)
            return MPI_ERR_COUNT;
        total = i == 0 ? a->recvcounts[0] : total + a->recvcounts[i];
    }
    if (a->op == MPI_OP_NULL)
        return MPI_ERR_OP;
    int rc = describe(&x, &call->recvtype);
    if (rc == MPI_SUCCESS && PMPI_Op_commutative(a->op, &call->commutative) != MPI_SUCCESS)
        rc = MPI_ERR_OP;
    if (rc == MPI_SUCCESS && !bine_operator_takes(a->op, a->recvtype))
        rc = MPI_ERR_OP;
    if (rc != MPI_SUCCESS)
        return rc;
    if (a->collective == BINE_REDUCE)
        gets = rank == a->root;
    if (a->collective == BINE_REDUCE_SCATTER && a->recvcounts == NULL)
        total *= p;
    call->sendtype = call->recvtype;
    call->sendcount = call->recvcount = a->recvcount;
    call->recvcounts = a->recvcounts;
    call->op = a->op;
    call->bytes = total * (int64_t)call->recvtype.size;
    if (call->bytes == 0) { /* elements of nothing are nothing: MPI would be asked to reduce them */
        call->sendcount = call->recvcount = 0;
        call->recvcounts = NULL;
    }
    if ((a->recvbuf == MPI_IN_PLACE && gets) || (a->sendbuf == MPI_IN_PLACE && !gets))
        return MPI_ERR_BUFFER;
    if (a->collective != BINE_REDUCE_SCATTER || call->in_place)
        mine = total;
    else if (a->recvcounts != NULL)
        mine = a->recvcounts[rank];
    return check_buffers(call, call->in_place ? 0 : total, gets ? mine : 0);
}

/* gather, scatter, allgather, alltoall: two sides, of which one may count at the root only and one
 * may be MPI_IN_PLACE. */
struct sides {
    int sends, gets, send_in_place, recv_in_place;
    int misplaced; /* MPI_IN_PLACE where it may not be */
};

static struct sides sides_of(const struct bine_arguments *a, int rank) {
    int at_root = rank == a->root, scatter = a->collective == BINE_SCATTER;
    struct sides x = {.sends = !scatter || at_root,
                      .gets = a->collective != BINE_GATHER || at_root};
    x.send_in_place = x.sends && !scatter && x.gets && a->sendbuf == MPI_IN_PLACE;
    x.recv_in_place = scatter && at_root && a->recvbuf == MPI_IN_PLACE;
    x.misplaced = (x.sends && !x.send_in_place && a->sendbuf == MPI_IN_PLACE) ||
                  (x.gets && !x.recv_in_place && a->recvbuf == MPI_IN_PLACE);
    return x;
}

static int make_blocks(const struct bine_arguments *a, int rank, int p, struct bine_call *call) {
    int scatter = a->collective == BINE_SCATTER;
    struct sides x = sides_of(a, rank);
    int sends = x.sends, gets = x.gets, send_in_place = x.send_in_place,
        recv_in_place = x.recv_in_place;
    struct side send = {a->sendbuf, a->sendcount, a->sendtype},
                recv = {a->recvbuf, a->recvcount, a->recvtype};
    int rc = MPI_SUCCESS;
    if (x.misplaced)
        return MPI_ERR_BUFFER;
    if (sends && !send_in_place)
        rc = describe(&send, &call->sendtype);
    if (rc == MPI_SUCCESS && gets && !recv_in_place)
        rc = describe(&recv, &call->recvtype);
    if (rc != MPI_SUCCESS)
        return rc;
    call->sendcount = a->sendcount;
    call->recvcount = a->recvcount;
    if (!sends || send_in_place) {
        call->sendtype = call->recvtype;
        call->sendcount = call->recvcount;
    } else if (!gets || recv_in_place) {
        call->recvtype = call->sendtype;
        call->recvcount = call->sendcount;
    }
    call->in_place = send_in_place || recv_in_place;
    /* The block's bytes are the same on both sides of a correct call; of two, believe the one that
     * others send to. */
    int64_t block = gets ? (int64_t)(call->recvcount * call->recvtype.size)
                         : (int64_t)(call->sendcount * call->sendtype.size);
    call->bytes = block * p;
    if (sends && gets && !call->in_place &&
        (int64_t)(call->sendcount * call->sendtype.size) != block)
        return MPI_ERR_TRUNCATE;
    int alltoall = a->collective == BINE_ALLTOALL;
    int send_blocks = !sends || send_in_place ? 0 : scatter || alltoall ? p : 1;
    int recv_blocks = !gets || recv_in_place ? 0 : scatter ? 1 : p;
    return check_buffers(call, call->sendcount * (int64_t)send_blocks,
                         call->recvcount * (int64_t)recv_blocks);
}

int bine_call_make(const struct bine_arguments *a, int rank, int p, struct bine_call *call) {
    memset(call, 0, sizeof *call);
    if (a->root < 0 || a->root >= p)
        return MPI_ERR_ROOT;
    call->collective = a->collective;
    bine_call_address(a, rank, call);
    call->root = a->root;
    call->commutative = 1;
    call->op = MPI_OP_NULL;
    if (a->collective == BINE_BCAST)
        return make_bcast(a, call);
    if (!bine_collective_reduces(a->collective))
        return make_blocks(a, rank, p, call);
    call->in_place = a->sendbuf == MPI_IN_PLACE;
    return make_reduction(a, rank, p, call);
}

static int reduction_is_wrong(const struct bine_arguments *a, int rank, int p) {
    int gets = a->collective != BINE_REDUCE || rank == a->root,
        in_place = a->sendbuf == MPI_IN_PLACE;
    struct side send = {a->sendbuf, a->recvcount, a->recvtype},
                recv = {a->recvbuf, a->recvcount, a->recvtype};
    if (a->by_counts && a->recvcounts == NULL)
        return 1;
    for (int i = 0; a->by_counts && i < p; i++)
        if (a->recvcounts[i] < 0)
            return 1;
    return a->op == MPI_OP_NULL || (in_place && !gets) || (gets && a->recvbuf == MPI_IN_PLACE) ||
           is_wrong(&send) || (gets && is_wrong(&recv)) ||
           (is_common(a->recvtype) && !bine_operator_takes(a->op, a->recvtype));
}

int bine_call_is_wrong(const struct bine_arguments *a, int rank, int p) {
    struct side send = {a->sendbuf, a->sendcount, a->sendtype},
                recv = {a->recvbuf, a->recvcount, a->recvtype};
    if (a->root < 0 || a->root >= p)
        return 1;
    if (a->collective == BINE_BCAST)
        return is_wrong(&recv);
    if (bine_collective_reduces(a->collective))
        return reduction_is_wrong(a, rank, p);
    struct sides x = sides_of(a, rank);
    return x.misplaced || (x.sends && !x.send_in_place && is_wrong(&send)) ||
           (x.gets && !x.recv_in_place && is_wrong(&recv));
}

int64_t bine_call_bytes(const struct bine_arguments *a, int rank, int p, int *commutative,
                        int *lasting) {
    int size, whole = a->collective <= BINE_ALLREDUCE; /* what every rank gives is the vector */
    int by_send = (a->collective == BINE_GATHER && rank != a->root);
    MPI_Datatype type = by_send ? a->sendtype : a->recvtype;
    int count = by_send ? a->sendcount : a->recvcount, common = is_common(type);
    *commutative = 1;
    if (a->by_counts || count < 0 || type == MPI_DATATYPE_NULL ||
        (a->collective == BINE_SCATTER && a->recvbuf == MPI_IN_PLACE) ||
        (BINE_LIBRARY == BINE_LIBRARY_MPICH && !common &&
         !can_be_sent(type))) /* Open MPI could not tell either */
        return -1;
    if (bine_collective_reduces(a->collective) &&
        (a->op == MPI_OP_NULL || PMPI_Op_commutative(a->op, commutative) != MPI_SUCCESS))
        return -1;
    *lasting = common && (!bine_collective_reduces(a->collective) || bine_memo_is_built_in(a->op));
    if (PMPI_Type_size(type, &size) != MPI_SUCCESS || size == MPI_UNDEFINED)
        return -1;
    return (int64_t)count * size * (whole ? 1 : p);
}
