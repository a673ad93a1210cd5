#include "record/clocks.h"

#include "mpi/mpi_calls.h"
#include "profile/ticks.h"

enum { ROUNDS = 20, TAG = 1 };

/* Tell a rank the time as often as it asks, then the alignment of this clock. */
static int answer(MPI_Comm leaders, int rank, const struct bine_alignment *mine) {
    int rc = MPI_SUCCESS;
    for (int i = 0; i < ROUNDS && rc == MPI_SUCCESS; i++) {
        rc = PMPI_Recv(NULL, 0, MPI_BYTE, rank, TAG, leaders, MPI_STATUS_IGNORE);
        int64_t now = bine_monotonic_ns();
        if (rc == MPI_SUCCESS)
            rc = PMPI_Send(&now, 1, MPI_INT64_T, rank, TAG, leaders);
    }
    int64_t known[] = {mine->at_ns, mine->ahead_ns, mine->error_ns};
    return rc == MPI_SUCCESS ? PMPI_Send(known, 3, MPI_INT64_T, rank, TAG, leaders) : rc;
}

static int ask(MPI_Comm leaders, int rank, struct bine_alignment *a) {
    int64_t there, known[3] = {0, 0, -1};
    int rc = MPI_SUCCESS;
    for (int i = 0; i < ROUNDS && rc == MPI_SUCCESS; i++) {
        int64_t asked = bine_monotonic_ns();
        rc = PMPI_Send(NULL, 0, MPI_BYTE, rank, TAG, leaders);
        if (rc == MPI_SUCCESS)
            rc = PMPI_Recv(&there, 1, MPI_INT64_T, rank, TAG, leaders, MPI_STATUS_IGNORE);
        if (rc == MPI_SUCCESS)
            bine_alignment_answer(a, asked, bine_monotonic_ns(), there);
    }
    if (rc == MPI_SUCCESS)
        rc = PMPI_Recv(known, 3, MPI_INT64_T, rank, TAG, leaders, MPI_STATUS_IGNORE);
    bine_alignment_chain(a, &(struct bine_alignment){known[0], known[1], known[2]});
    return rc;
}

static int align_leaders(MPI_Comm leaders, struct bine_alignment *a) {
    int rank, p, rc = PMPI_Comm_rank(leaders, &rank);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Comm_size(leaders, &p);
    if (rc == MPI_SUCCESS && rank == 0)
        *a = (struct bine_alignment){bine_monotonic_ns(), 0, 0};
    for (int64_t step = 1; rc == MPI_SUCCESS && step < p; step *= 2) {
        if (rank < step && rank + step < p)
            rc = answer(leaders, rank + (int)step, a);
        else if (rank >= step && rank < 2 * step)
            rc = ask(leaders, rank - (int)step, a);
    }
    return rc;
}

void bine_clocks_open(struct bine_clocks *c, MPI_Comm comm) {
    int rank = 0, here = 0;
    *c = (struct bine_clocks){MPI_COMM_NULL, MPI_COMM_NULL};
    PMPI_Comm_rank(comm, &rank);
    if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &c->node) !=
        MPI_SUCCESS)
        c->node = MPI_COMM_NULL;
    if (c->node != MPI_COMM_NULL)
        PMPI_Comm_rank(c->node, &here);
    if (PMPI_Comm_split(comm, here == 0 ? 0 : MPI_UNDEFINED, rank, &c->leaders) != MPI_SUCCESS)
        c->leaders = MPI_COMM_NULL;
}

void bine_clocks_align(const struct bine_clocks *c, struct bine_alignment *a) {
    *a = bine_alignment_unknown();
    if (c->leaders != MPI_COMM_NULL && align_leaders(c->leaders, a) != MPI_SUCCESS)
        *a = bine_alignment_unknown();
    int64_t known[] = {a->at_ns, a->ahead_ns, a->error_ns};
    if (c->node == MPI_COMM_NULL ||
        bine_mpi->bcast(known, 3, MPI_INT64_T, 0, c->node) != MPI_SUCCESS)
        known[2] = -1;
    *a = (struct bine_alignment){known[0], known[1], known[2]};
}

void bine_clocks_close(struct bine_clocks *c) {
    if (c->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&c->leaders);
    if (c->node != MPI_COMM_NULL)
        PMPI_Comm_free(&c->node);
}
