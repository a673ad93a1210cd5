/* An MPI program that knows nothing of Bine: every collective, on every kind of communicator, from
 * every place that MPI allows, and the results checked.
 *
 *     calls [--sizes] [--many N] [--apart] [--none]
 *
 * --sizes: only each collective for many sizes on all ranks, once each.
 * --many N: also N communicators at a time.
 * --apart: only communicators of rank 0 alone and of all others, some at a time.
 * --none: no collective but one that Bine does not have. */
#include "../check.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *room(size_t n) {
    int *memory = malloc(n * sizeof *memory);
    if (memory == NULL)
        abort();
    return memory;
}

/* All nine, with n numbers to a block. */
static void all_nine(MPI_Comm comm, int n, int root, const char *what) {
    int rank, p, ok = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    size_t all = (size_t)n * (size_t)p;
    int *in = room(all), *out = room(all), *counts = room((size_t)p);
    for (size_t i = 0; i < all; i++)
        in[i] = rank * 1000 + (int)i;
    memcpy(out, in, (size_t)n * sizeof *out);
    MPI_Bcast(out, n, MPI_INT, root, comm);
    for (int i = 0; i < n; i++)
        ok = ok && out[i] == root * 1000 + i;
    check_that(ok, "%s: bcast of %d", what, n);
    MPI_Reduce(in, out, n, MPI_INT, MPI_SUM, root, comm);
    for (int i = 0; i < n && rank == root; i++)
        ok = ok && out[i] == p * (p - 1) / 2 * 1000 + p * i;
    check_that(ok, "%s: reduce of %d", what, n);
    MPI_Allreduce(in, out, n, MPI_INT, MPI_MAX, comm);
    for (int i = 0; i < n; i++)
        ok = ok && out[i] == (p - 1) * 1000 + i;
    check_that(ok, "%s: allreduce of %d", what, n);
    MPI_Gather(in, n, MPI_INT, out, n, MPI_INT, root, comm);
    for (size_t i = 0; i < all && rank == root; i++)
        ok = ok && out[i] == (int)(i / (size_t)n) * 1000 + (int)(i % (size_t)n);
    check_that(ok, "%s: gather of %d", what, n);
    MPI_Scatter(in, n, MPI_INT, out, n, MPI_INT, root, comm);
    for (int i = 0; i < n; i++)
        ok = ok && out[i] == root * 1000 + rank * n + i;
    check_that(ok, "%s: scatter of %d", what, n);
    MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, comm);
    for (size_t i = 0; i < all; i++)
        ok = ok && out[i] == (int)(i / (size_t)n) * 1000 + (int)(i % (size_t)n);
    check_that(ok, "%s: allgather of %d", what, n);
    MPI_Alltoall(in, n, MPI_INT, out, n, MPI_INT, comm);
    for (size_t i = 0; i < all; i++)
        ok = ok && out[i] == (int)(i / (size_t)n) * 1000 + rank * n + (int)(i % (size_t)n);
    check_that(ok, "%s: alltoall of %d", what, n);
    for (int i = 0; i < p; i++)
        counts[i] = n;
    MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
        ok = ok && out[i] == p * (p - 1) / 2 * 1000 + p * (rank * n + i);
    check_that(ok, "%s: reduce_scatter of %d", what, n);
    MPI_Reduce_scatter_block(in, out, n, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
        ok = ok && out[i] == p * (p - 1) / 2 * 1000 + p * (rank * n + i);
    check_that(ok, "%s: reduce_scatter_block of %d", what, n);
    free(in);
    free(out);
    free(counts);
}

static void sizes(void) {
    for (int n = 1; n <= 1 << 15; n *= 4)
        all_nine(MPI_COMM_WORLD, n, 0, "sizes");
}

/* Halves, evens, backwards, and alone. */
static void communicators(void) {
    int rank, p;
    MPI_Comm comm[5];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_split(MPI_COMM_WORLD, rank < p / 2, rank, &comm[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm[1]);
    MPI_Comm_split(MPI_COMM_WORLD, 0, p - rank, &comm[2]);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &comm[3]);
    MPI_Comm_dup(MPI_COMM_SELF, &comm[4]);
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < 5; k++) {
            int size;
            MPI_Comm_size(comm[k], &size);
            all_nine(comm[k], 7 + 100 * round, (round + k) % size, "sub-communicators");
        }
    all_nine(MPI_COMM_SELF, 5, 0, "MPI_COMM_SELF");
    for (int k = 0; k < 5; k++)
        MPI_Comm_free(&comm[k]);
}

/* What is not taken over: between groups, nonblocking, with counts, neighbours. */
static void others(void) {
    int rank, p, x, sum = 0;
    MPI_Comm half, inter, line;
    MPI_Request request;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    x = rank + 1;
    MPI_Iallreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    all_nine(MPI_COMM_WORLD, 3, p - 1, "beside a nonblocking one");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_that(sum == p * (p + 1) / 2, "nonblocking: %d", sum);
    if (p < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank < p / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < p / 2 ? p / 2 : 0, 5, &inter);
    sum = 0;
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, inter);
    int low = p / 2 * (p / 2 + 1) / 2;
    check_that(sum == (rank < p / 2 ? p * (p + 1) / 2 - low : low), "between groups: %d", sum);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    int ring = 1, got[2] = {-1, -1}, dims = p;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &dims, &ring, 0, &line);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, line);
    check_that(got[0] == (rank + p - 1) % p && got[1] == (rank + 1) % p, "neighbours");
    MPI_Comm_free(&line);
}

/* --- From inside functions that MPI calls */

static int inside;

static int agree(MPI_Comm comm, const char *what) {
    int rank, p, sum = -1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    inside++;
    return check_that(sum == p * (p - 1) / 2, "%s: %d", what, sum);
}

static int on_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
    (void)key;
    (void)extra;
    *(void **)out = in;
    *flag = 1;
    agree(comm, "as it is duplicated");
    return MPI_SUCCESS;
}

static int on_delete(MPI_Comm comm, int key, void *value, void *extra) {
    (void)key;
    (void)value;
    (void)extra;
    agree(comm, "as it is freed");
    return MPI_SUCCESS;
}

/* MPI_Finalize begins with this: the world is still whole. */
static int on_end(MPI_Comm comm, int key, void *value, void *extra) {
    (void)comm;
    (void)key;
    (void)value;
    (void)extra;
    all_nine(MPI_COMM_WORLD, 9, 0, "in MPI_Finalize");
    if (check_failures() > 0)
        fprintf(stderr, "FAIL in MPI_Finalize\n");
    return MPI_SUCCESS;
}

static void attributes(void) {
    MPI_Comm comm, copy;
    int key, last;
    MPI_Comm_create_keyval(on_copy, on_delete, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, NULL);
    MPI_Comm_dup(comm, &copy); /* before comm was ever used */
    all_nine(comm, 4, 0, "with attributes");
    MPI_Comm_free(&comm);
    MPI_Comm_free(&copy); /* never used before it is freed */
    MPI_Comm_free_keyval(&key);
    check_that(inside == 3, "%d calls from inside", inside);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_end, &last, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, last, NULL);
    MPI_Comm_free_keyval(&last);
}

/* More at a time than MPI could give twice. */
static void many(int n) {
    MPI_Comm *comm = malloc((size_t)n * sizeof *comm);
    if (comm == NULL)
        abort();
    for (int i = 0; i < n; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
        agree(comm[i], "many communicators");
    }
    for (int i = 0; i < n; i++)
        MPI_Comm_free(&comm[i]);
    free(comm);
}

static void apart(void) {
    enum { N = 10 };
    MPI_Comm comm[N];
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < N; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &comm[i]);
        MPI_Comm_size(comm[i], &size);
        all_nine(comm[i], 5, i % size, "apart");
    }
    for (int i = 0; i < N; i++)
        MPI_Comm_free(&comm[i]);
}

/* A program that breaks the rules, and that Open MPI lets go: a rank's own block lies in what it
 * gathers. */
static void overlapping(void) {
    enum { N = 5000 };
    int rank, p, ok = 1;
    if (!check_is_openmpi())
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int *x = room((size_t)p * N);
    for (int i = 0; i < N; i++)
        x[rank * N + i] = rank + i;
    MPI_Gather(x + rank * N, N, MPI_INT, x, N, MPI_INT, p - 1, MPI_COMM_WORLD);
    for (int i = 0; i < p * N && rank == p - 1; i++)
        ok = ok && x[i] == i / N + i % N;
    check_that(ok, "the root's block in what it gathers");
    for (int i = 0; i < N; i++)
        x[rank * N + i] = 2 * rank + i;
    MPI_Allgather(x + rank * N, N, MPI_INT, x, N, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < p * N; i++)
        ok = ok && x[i] == 2 * (i / N) + i % N;
    check_that(ok, "every rank's block in what it gathers");
    free(x);
}

/* The first rank's result of an exclusive scan does not count: neither where it is, nor what is
 * around it, and it makes no difference to how the call goes. */
static void first_of_a_scan(void) {
    enum { N = 200 };
    int rank, ok = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *x = room(2 * N);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 2 * N; i++)
            x[i] = i + turn;
        MPI_Exscan(x, x + (rank > 0 ? N : N / 2), N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int i = 0; i < N; i++)
            ok =
                ok && x[i] == i + turn && x[N + i] == (rank > 0 ? rank * (i + turn) : N + i + turn);
    }
    check_that(ok, "an exclusive scan whose first rank gets nothing");
    free(x);
}

/* A collective that Bine does not have. */
static void neighbours(void) {
    int p, round_all = 1, mine = 1, theirs[2];
    MPI_Comm ring;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &p, &round_all, 0, &ring);
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, ring);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    if (argc > 1 && strcmp(argv[1], "--apart") == 0) {
        apart();
        MPI_Finalize();
        return check_failures() > 0;
    }
    if (argc > 1 && strcmp(argv[1], "--none") == 0) {
        neighbours();
        MPI_Finalize();
        return 0;
    }
    int only_sizes = argc > 1 && strcmp(argv[1], "--sizes") == 0;
    sizes();
    if (!only_sizes) {
        communicators();
        others();
        attributes();
        overlapping();
        first_of_a_scan();
    }
    if (argc > 2 && strcmp(argv[1], "--many") == 0)
        many(atoi(argv[2]));
    int status = check_end();
    MPI_Finalize();
    return status;
}
