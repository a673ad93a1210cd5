/* Calls that are started again and again with nothing new but buffers, more of them at once than
 * are kept ready, and completed in any order; by code, by steps, and with memory that is borrowed.
 *
 *     repeats [--rounds N] */
#include "../check.h"

#include "bine.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 7, LARGEST = 300000 };

static int rank, p;
static MPI_Comm comm;

struct scene {
    int *in, *out; /* `in` of the bcast is not used */
    int n;
    Bine_Request request;
};

static struct scene scene[AT_ONCE];

/* Element i of what rank r gives in a call. */
static int given(const struct scene *x, int r, int i) {
    return (int)(x - scene) * 1000 + r * 10 + i % 7;
}

static int sum_at(const struct scene *x, int i) {
    int sum = 0;
    for (int r = 0; r < p; r++)
        sum += given(x, r, i);
    return sum;
}

/* Each starts one kind of call of n elements; below, what is in `out` at its end. */
static int start_allreduce(struct scene *x) {
    return Bine_Iallreduce(x->in, x->out, x->n, MPI_INT, MPI_SUM, comm, &x->request);
}
static int start_bcast(struct scene *x) {
    memcpy(x->out, x->in, (size_t)x->n * sizeof *x->out);
    return Bine_Ibcast(x->out, x->n, MPI_INT, p - 1, comm, &x->request);
}
static int start_allgather(struct scene *x) {
    return Bine_Iallgather(x->in, x->n, MPI_INT, x->out, x->n, MPI_INT, comm, &x->request);
}
/* Programs free the counts too early. */
static int start_reduce_scatter(struct scene *x) {
    int *counts = malloc((size_t)p * sizeof *counts);
    for (int r = 0; counts != NULL && r < p; r++)
        counts[r] = x->n / p;
    int rc = Bine_Ireduce_scatter(x->in, x->out, counts, MPI_INT, MPI_SUM, comm, &x->request);
    if (counts != NULL)
        memset(counts, -1, (size_t)p * sizeof *counts);
    free(counts);
    return rc;
}

static int expect_sum(const struct scene *x, int i) {
    return sum_at(x, i);
}
static int expect_last(const struct scene *x, int i) {
    return given(x, p - 1, i);
}
static int expect_all(const struct scene *x, int i) {
    return given(x, i / x->n, i % x->n);
}
static int expect_part(const struct scene *x, int i) {
    return sum_at(x, rank * (x->n / p) + i);
}

static const struct kind {
    const char *name;
    int (*start)(struct scene *x);
    int (*expect)(const struct scene *x, int i);
    int all, part; /* of n there are p, or one p-th */
} kind[] = {{"allreduce", start_allreduce, expect_sum, 0, 0},
            {"bcast", start_bcast, expect_last, 0, 0},
            {"allgather", start_allgather, expect_all, 1, 0},
            {"reduce_scatter", start_reduce_scatter, expect_part, 0, 1}};

static void start(const struct kind *k, struct scene *x, int n) {
    x->n = k->part ? n / p * p : n;
    for (int i = 0; i < x->n; i++)
        x->in[i] = given(x, rank, i);
    memset(x->out, -1, (size_t)x->n * (size_t)(k->all ? p : 1) * sizeof *x->out);
    int rc = k->start(x);
    check_that(rc == MPI_SUCCESS, "%s of %d: %d", k->name, n, rc);
}

static void check(const struct kind *k, const struct scene *x) {
    int wrong = 0, n = k->all ? x->n * p : k->part ? x->n / p : x->n;
    for (int i = 0; i < n; i++)
        wrong += x->out[i] != k->expect(x, i);
    check_that(wrong == 0, "%s of %d: %d wrong", k->name, x->n, wrong);
}

/* One after the other, in an order of this rank's own. */
static void complete(struct rng *own, int many) {
    for (int left = many; left > 0;) {
        struct scene *x = &scene[rng_below(own, many)];
        int over = 0;
        if (x->request == NULL)
            continue;
        if (rng_once_in(own, 2))
            over = Bine_Wait(&x->request) == MPI_SUCCESS;
        else
            Bine_Test(&x->request, &over);
        left -= over;
    }
}

static void repeat(const struct kind *k, struct rng *own, int many, int n) {
    for (int i = 0; i < many; i++)
        start(k, &scene[i], n);
    complete(own, many);
    for (int i = 0; i < many; i++)
        check(k, &scene[i]);
}

/* Requests that nobody asks for, and a communicator that goes before they end. */
static void check_freed(struct rng *own) {
    MPI_Comm kept = comm;
    int one = 1, sum = 0;
    MPI_Comm_dup(kept, &comm);
    Bine_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < 3; i++)
        repeat(&kind[0], own, AT_ONCE, 5);
    for (int i = 0; i < AT_ONCE; i++)
        start(&kind[0], &scene[i], 5);
    Bine_Request_free(&scene[1].request);
    Bine_Request_free(&scene[AT_ONCE - 1].request);
    MPI_Comm_free(&comm);
    for (int i = 0; i < AT_ONCE; i++)
        if (scene[i].request != NULL)
            Bine_Wait(&scene[i].request);
    comm = kept;
    repeat(&kind[0], own, 1, 5);
    for (int i = 2; i < AT_ONCE - 1; i++)
        check(&kind[0], &scene[i]);
}

int main(int argc, char **argv) {
    static const int size[] = {5, 5, 900, 5, 60000, LARGEST};
    int one = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    Bine_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm); /* which opens it */
    for (int i = 0; i < AT_ONCE; i++) {
        scene[i].in = malloc(LARGEST * sizeof(int));
        scene[i].out = malloc((size_t)p * LARGEST * sizeof(int));
        if (scene[i].in == NULL || scene[i].out == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    struct rng all = rng_make(7, 1, 0), own = rng_make(7, 2, (uint64_t)rank);
    for (long i = check_option(argc, argv, "rounds", 60); i > 0; i--) {
        const struct kind *k = &kind[rng_below(&all, (int)(sizeof kind / sizeof *kind))];
        int n = size[rng_below(&all, (int)(sizeof size / sizeof *size))];
        for (int again = n < LARGEST ? 4 : 2; again > 0; again--)
            repeat(k, &own, n < LARGEST ? 1 + rng_below(&all, AT_ONCE) : 2, n);
    }
    check_freed(&own);
    MPI_Comm_free(&comm);
    int failed = check_end();
    MPI_Finalize();
    /* Not before: a call that nobody asks for may be pending on this rank until then. */
    for (int i = 0; i < AT_ONCE; i++) {
        free(scene[i].in);
        free(scene[i].out);
    }
    return failed;
}
