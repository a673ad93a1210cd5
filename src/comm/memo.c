#include "comm/memo.h"

#include "mpi/handles.h"

int bine_memo_has_counts(const struct bine_memo *m, const struct bine_arguments *a, int p) {
    int all = bine_counts_given(&a->recvcounts);
    for (int i = 0; i < p && all; i++)
        all = bine_count_at(&a->recvcounts, i) == (int64_t)m->call.recvcount;
    return all;
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
