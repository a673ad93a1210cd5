#include "report/verbose_ranks.h"

#include "mpi/mpi_calls.h"
#include "mpi/world.h"

#include <stdlib.h>

/* Of all ranks, in the order of MPI_COMM_WORLD. A communicator of its own: messages that a wrong
 * program has left in MPI_COMM_WORLD do not come here. */
static MPI_Comm everyone = MPI_COMM_NULL;

int bine_verbose_ranks_are_open(void) {
    return everyone != MPI_COMM_NULL;
}

void bine_verbose_ranks_open(MPI_Comm comm) {
    if (bine_mpi->comm_split(comm, 0, bine_world_rank(), &everyone) != MPI_SUCCESS)
        everyone = MPI_COMM_NULL;
    else
        PMPI_Comm_set_errhandler(everyone, MPI_ERRORS_RETURN);
}

void bine_verbose_ranks_close(void) {
    if (everyone != MPI_COMM_NULL)
        PMPI_Comm_free(&everyone);
}

static const struct bine_verbose_time *find(const struct bine_verbose_time *t, size_t times,
                                            uint64_t key) {
    for (size_t i = 0; i < times; i++)
        if (t[i].key == key)
            return &t[i];
    return NULL;
}

/* The sent data, and its result at rank 0; for a number of keys of rank 0's. */
struct sharing {
    int keys;
    uint64_t *key;
    double *here;          /* seconds; then whether there are any */
    double *sum, *slowest; /* of both; of the seconds */
};

static int open_sharing(struct sharing *x, int keys) {
    size_t n = (size_t)keys;
    *x = (struct sharing){keys, malloc(n * sizeof *x->key), malloc(2 * n * sizeof *x->here),
                          malloc(2 * n * sizeof *x->sum), malloc(n * sizeof *x->slowest)};
    return x->key != NULL && x->here != NULL && x->sum != NULL && x->slowest != NULL;
}

static void close_sharing(struct sharing *x) {
    free(x->key);
    free(x->here);
    free(x->sum);
    free(x->slowest);
}

static int exchange(struct sharing *x, const struct bine_verbose_time *t, size_t times, int rank) {
    for (int i = 0; i < x->keys && rank == 0; i++)
        x->key[i] = t[i].key;
    if (bine_mpi->bcast(x->key, x->keys, MPI_UINT64_T, 0, everyone) != MPI_SUCCESS)
        return 0;
    for (int i = 0; i < x->keys; i++) {
        const struct bine_verbose_time *mine = find(t, times, x->key[i]);
        x->here[i] = mine != NULL ? mine->seconds : 0;
        x->here[x->keys + i] = mine != NULL;
    }
    return bine_mpi->reduce(x->here, x->sum, 2 * x->keys, MPI_DOUBLE, MPI_SUM, 0, everyone) ==
               MPI_SUCCESS &&
           bine_mpi->reduce(x->here, x->slowest, x->keys, MPI_DOUBLE, MPI_MAX, 0, everyone) ==
               MPI_SUCCESS;
}

/* A rank without memory must not be the only one that leaves. */
static int share(struct bine_verbose_time *t, size_t times) {
    struct sharing x;
    int rank, keys = (int)times, all = 0;
    if (PMPI_Comm_rank(everyone, &rank) != MPI_SUCCESS ||
        bine_mpi->bcast(&keys, 1, MPI_INT, 0, everyone) != MPI_SUCCESS)
        return 0;
    int able = open_sharing(&x, keys);
    int done = bine_mpi->allreduce(&able, &all, 1, MPI_INT, MPI_MIN, everyone) == MPI_SUCCESS &&
               all && exchange(&x, t, times, rank);
    for (int i = 0; i < keys && done && rank == 0; i++) {
        t[i].mean = x.sum[i] / x.sum[keys + i];
        t[i].slowest = x.slowest[i];
    }
    close_sharing(&x);
    return done;
}

int bine_verbose_ranks_share(struct bine_verbose_time *t, size_t times) {
    for (size_t i = 0; i < times; i++)
        t[i].mean = t[i].slowest = t[i].seconds;
    return everyone != MPI_COMM_NULL && share(t, times);
}
