/* Communicators and calls: many of them, overlapping, of every kind, and what must be gone when
 * they are freed.
 *
 *     lifecycle [--communicators N] [--seconds N] */
#include "lifecycle.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>

int agree(MPI_Comm comm, const char *what) {
    int rank, p, sum = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    int x = rank + 1;
    int rc = Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm);
    return check_that(rc == MPI_SUCCESS && sum == p * (p + 1) / 2, "%s: rc %d, sum %d for %d ranks",
                      what, rc, sum, p);
}

int calls(MPI_Comm comm, struct rng *r, const char *what) {
    enum { N = 40 };
    int rank, p, ok = 1, root;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    int *many = malloc((size_t)p * N * sizeof *many), *got = malloc((size_t)p * N * sizeof *got);
    if (many == NULL || got == NULL)
        abort();
    root = rng_below(r, p);
    for (int i = 0; i < p * N; i++)
        many[i] = rank * 100000 + i;
    switch (rng_below(r, 5)) {
    case 0:
        Bine_Bcast(many, N, MPI_INT, root, comm);
        for (int i = 0; i < N; i++)
            ok = ok && many[i] == root * 100000 + i;
        break;
    case 1:
        Bine_Allgather(many, N, MPI_INT, got, N, MPI_INT, comm);
        for (int i = 0; i < p * N; i++)
            ok = ok && got[i] == i / N * 100000 + i % N;
        break;
    case 2:
        Bine_Alltoall(many, N, MPI_INT, got, N, MPI_INT, comm);
        for (int i = 0; i < p * N; i++)
            ok = ok && got[i] == i / N * 100000 + rank * N + i % N;
        break;
    case 3:
        Bine_Reduce_scatter_block(many, got, N, MPI_INT, MPI_MAX, comm);
        for (int i = 0; i < N; i++)
            ok = ok && got[i] == (p - 1) * 100000 + rank * N + i;
        break;
    default:
        Bine_Reduce(many, got, N, MPI_INT, MPI_MIN, root, comm);
        for (int i = 0; i < N && rank == root; i++)
            ok = ok && got[i] == i;
    }
    free(many);
    free(got);
    return check_that(ok, "%s: wrong result", what);
}

/* Back to back and interleaved on communicators that share ranks, in an order that is the same on
 * all ranks but otherwise any. Halves overlap with everything; the reversed one gives each rank
 * another number. */
static void test_overlapping(void) {
    int rank, world;
    MPI_Comm comm[4];
    struct rng common = rng_make(11, 0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, world - rank, &comm[2]);
    MPI_Comm_split(MPI_COMM_WORLD, rank < (world + 1) / 2, -rank, &comm[3]);
    for (int i = 0; i < 400; i++) {
        int k = rng_below(&common, 4);
        struct rng r = rng_make(12, (uint64_t)i, 0);
        calls(comm[k], &r, "overlapping communicators");
    }
    for (int k = 0; k < 4; k++)
        MPI_Comm_free(&comm[k]);
}

/* Ranks that are late must not be handed messages of a later call. */
static void test_skewed(void) {
    int rank;
    volatile double x = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 100; i++) {
        struct rng r = rng_make(13, (uint64_t)i, 0),
                   own = rng_make(14, (uint64_t)i, (uint64_t)rank);
        for (int k = rng_below(&own, 20000); k > 0; k--)
            x = x * 1.0000001;
        calls(MPI_COMM_WORLD, &r, "back to back");
    }
}

static int make_many(long n) {
    for (long i = 0; i < n; i++) {
        MPI_Comm comm;
        if (MPI_Comm_dup(MPI_COMM_WORLD, &comm) != MPI_SUCCESS)
            return check_that(0, "communicator %ld of %ld", i, n);
        if (!agree(comm, "many communicators"))
            return 0;
        MPI_Comm_free(&comm);
    }
    return 1;
}

/* More than there are identifiers for communicators (MPICH: 2,048), none of them lost, and no
 * memory: in the last nine tenths less than 100 bytes each. MPICH 4.2 is still growing then, once:
 * as many again must not need more. */
static void test_many(long n) {
    int grows = 1, all = 1;
    long early = 0, late = 0;
    for (int turn = 0; turn < 2 && all; turn++) {
        if (!make_many(n / 10))
            return;
        early = check_memory();
        if (!make_many(n - n / 10))
            return;
        late = check_memory();
        grows = n >= 1000 && late - early >= n / 10; /* a few tell nothing */
#ifdef __SANITIZE_ADDRESS__
        grows = 0; /* the sanitizer keeps what is freed; it looks for lost memory itself */
#endif
        MPI_Allreduce(&grows, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    check_that(!grows, "%ld communicators: from %ld to %ld KiB", n, early, late);
}

int main(int argc, char **argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    attributes_before_finalize();
    test_overlapping();
    test_skewed();
    test_kinds();
    test_attributes();
    if (provided == MPI_THREAD_MULTIPLE && check_threads_work())
        test_threads(check_option(argc, argv, "seconds", 3));
    else if (rank == 0)
        printf("threads: not supported here\n");
    test_many(check_option(argc, argv, "communicators", 3000));
    agree(MPI_COMM_WORLD, "the world at the end");
    int status = check_end();
    MPI_Finalize();
    return attributes_after_finalize() == 0 ? status : 1;
}
