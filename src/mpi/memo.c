#include "mpi/memo.h"

#include "mpi/handles.h"

/* Addresses with a meaning of their own are only like themselves. */
static int is_ordinary(const void *buffer) {
    return buffer != MPI_BOTTOM && buffer != MPI_IN_PLACE && buffer != NULL;
}

static int is_like(const void *a, const void *b) {
    return a == b || (is_ordinary(a) && is_ordinary(b));
}

/* Where every rank has a count of its own: those remembered are all the same. */
static int has_counts(const struct bine_memo *m, const struct bine_arguments *a, int p) {
    int all = bine_counts_given(&a->recvcounts);
    for (int i = 0; i < p && all; i++)
        all = bine_count_at(&a->recvcounts, i) == (int64_t)m->call.recvcount;
    return all;
}

int bine_memo_fits(const struct bine_memo *m, const struct bine_arguments *a, int p) {
    const struct bine_arguments *b = &m->arguments;
    return m->valid && a->collective == b->collective && a->drop_in == b->drop_in &&
           a->nonblocking == b->nonblocking && a->recvcount == b->recvcount &&
           a->sendcount == b->sendcount && a->recvtype == b->recvtype &&
           a->sendtype == b->sendtype && a->op == b->op && a->root == b->root &&
           a->by_counts == b->by_counts && (!a->by_counts || has_counts(m, a, p)) &&
           !bine_collective_is_uneven(a->collective) &&
           (a->sendbuf != a->recvbuf || a->collective == BINE_BARRIER) &&
           is_like(a->sendbuf, b->sendbuf) && is_like(a->recvbuf, b->recvbuf);
}

/* The call has only types that count at this rank; the arguments may have anything. */
int bine_memo_is_lasting(const struct bine_arguments *a, const struct bine_call *call, int p) {
    if ((a->by_counts && !bine_counts_are_one(&a->recvcounts, p)) ||
        bine_collective_is_uneven(a->collective) ||
        (a->sendbuf == a->recvbuf && a->collective != BINE_BARRIER))
        return 0;
    if (bine_collective_reduces(a->collective) && !bine_operator_is_built_in(a->op))
        return 0;
    return bine_type_is_built_in(call->recvtype.handle) &&
           (call->sendtype.handle == call->recvtype.handle ||
            bine_type_is_built_in(call->sendtype.handle));
}

struct bine_call bine_memo_call(const struct bine_arguments *a, const struct bine_call *call) {
    struct bine_call kept = *call;
    if (a->by_counts) {
        kept.recvcount = (MPI_Aint)bine_count_at(&a->recvcounts, 0);
        kept.recv_blocks = (struct bine_blocks){.types = NULL};
    }
    return kept;
}
