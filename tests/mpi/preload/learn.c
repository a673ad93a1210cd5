/* A program that knows nothing of Bine and makes the same calls again and again: it learns, and all
 * ranks take the same algorithm in every call, or results are wrong or ranks wait for ever.
 *   learn [--calls N] [--seed N] [--only KIND] [--steady 1]
 * Every rank says that it is on a node of its own, comes late by chance, and its clock shows
 * anything, or is ahead by one second more than the rank's number each time that it is asked.
 * Datatypes differ between ranks, roots and counts between calls. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "../check.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 15 }; /* elements of a vector */

static struct rng chance; /* this rank's own */
static int rank_here = -1;
static int steady; /* the clock */

/* Asked in MPI_Init, too. */
int PMPI_Get_processor_name(char *name, int *length) {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_here);
    *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", rank_here);
    return MPI_SUCCESS;
}

/* Seconds that were anything between none and three times as long. */
double PMPI_Wtime(void) {
    static double now;
    if (steady)
        return now += rank_here + 1;
    now += 1e-3 * rng_below(&chance, 1000);
    return now;
}

struct part {
    MPI_Comm comm;
    int rank, p;
    MPI_Datatype four; /* four integers */
    int32_t *in, *out;
};

/* Elements of a block for each rank, all of them of one size class, and multiples of four. */
static int draw_count(struct rng *r, const struct part *x) {
    int least = 8192 / (int)sizeof(int32_t) / x->p / 4 + 1;
    return 4 * (least + rng_below(r, least / 2));
}

static int32_t value(int rank, int i) {
    return rank * 1000003 + i;
}

static void fill(const struct part *x, int n) {
    for (int i = 0; i < n; i++)
        x->in[i] = value(x->rank, i);
    memset(x->out, 0xee, (size_t)n * sizeof *x->out);
}

static int32_t sum(const struct part *x, int i) {
    return 1000003 * (x->p * (x->p - 1) / 2) + x->p * i;
}

/* Half of the ranks have the same elements in another type. */
static MPI_Datatype type_of(const struct part *x, int *count) {
    if (x->rank % 2 == 0)
        return MPI_INT32_T;
    *count /= 4;
    return x->four;
}

static int call_allreduce(const struct part *x, struct rng *r) {
    int n = draw_count(r, x) * x->p, wrong = 0;
    fill(x, n);
    MPI_Allreduce(x->in, x->out, n, MPI_INT32_T, MPI_SUM, x->comm);
    for (int i = 0; i < n; i++)
        wrong |= x->out[i] != sum(x, i);
    return wrong;
}

static int call_reduce(const struct part *x, struct rng *r) {
    int n = draw_count(r, x) * x->p, root = rng_below(r, x->p), wrong = 0;
    fill(x, n);
    MPI_Reduce(x->in, x->out, n, MPI_INT32_T, MPI_SUM, root, x->comm);
    for (int i = 0; i < n && x->rank == root; i++)
        wrong |= x->out[i] != sum(x, i);
    return wrong;
}

static int call_bcast(const struct part *x, struct rng *r) {
    int n = draw_count(r, x) * x->p, root = rng_below(r, x->p), count = n, wrong = 0;
    fill(x, n);
    if (x->rank == root)
        memcpy(x->out, x->in, (size_t)n * sizeof *x->in);
    MPI_Datatype type = type_of(x, &count);
    MPI_Bcast(x->out, count, type, root, x->comm);
    for (int i = 0; i < n; i++)
        wrong |= x->out[i] != value(root, i);
    return wrong;
}

static int call_allgather(const struct part *x, struct rng *r) {
    int n = draw_count(r, x), count = n, wrong = 0;
    fill(x, n * x->p);
    MPI_Datatype type = type_of(x, &count);
    MPI_Allgather(x->in, count, type, x->out, count, type, x->comm);
    for (int i = 0; i < n * x->p; i++)
        wrong |= x->out[i] != value(i / n, i % n);
    return wrong;
}

static int call_alltoall(const struct part *x, struct rng *r) {
    int n = draw_count(r, x), count = n, wrong = 0;
    fill(x, n * x->p);
    MPI_Datatype type = type_of(x, &count);
    MPI_Alltoall(x->in, count, type, x->out, count, type, x->comm);
    for (int i = 0; i < n * x->p; i++)
        wrong |= x->out[i] != value(i / n, x->rank * n + i % n);
    return wrong;
}

static int call_scatter(const struct part *x, struct rng *r) {
    int n = draw_count(r, x), count = n, root = rng_below(r, x->p), wrong = 0;
    fill(x, n * x->p);
    MPI_Datatype type = type_of(x, &count);
    MPI_Scatter(x->in, count, type, x->out, count, type, root, x->comm);
    for (int i = 0; i < n; i++)
        wrong |= x->out[i] != value(root, x->rank * n + i);
    return wrong;
}

static int call_gather(const struct part *x, struct rng *r) {
    int n = draw_count(r, x), count = n, root = rng_below(r, x->p), wrong = 0;
    fill(x, n * x->p);
    MPI_Datatype type = type_of(x, &count);
    MPI_Gather(x->in, count, type, x->out, count, type, root, x->comm);
    for (int i = 0; i < n * x->p && x->rank == root; i++)
        wrong |= x->out[i] != value(i / n, i % n);
    return wrong;
}

static int call_reduce_scatter(const struct part *x, struct rng *r) {
    int n = draw_count(r, x), wrong = 0;
    fill(x, n * x->p);
    MPI_Reduce_scatter_block(x->in, x->out, n, MPI_INT32_T, MPI_SUM, x->comm);
    for (int i = 0; i < n; i++)
        wrong |= x->out[i] != sum(x, x->rank * n + i);
    return wrong;
}

static const struct {
    const char *name;
    int (*call)(const struct part *x, struct rng *r);
} kinds[] = {{"allreduce", call_allreduce}, {"reduce", call_reduce},
             {"bcast", call_bcast},         {"allgather", call_allgather},
             {"alltoall", call_alltoall},   {"scatter", call_scatter},
             {"gather", call_gather},       {"reduce_scatter", call_reduce_scatter}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct part make_part(int color) {
    struct part x;
    MPI_Comm_split(MPI_COMM_WORLD, color, 0, &x.comm);
    MPI_Comm_rank(x.comm, &x.rank);
    MPI_Comm_size(x.comm, &x.p);
    MPI_Type_contiguous(4, MPI_INT32_T, &x.four);
    MPI_Type_commit(&x.four);
    x.in = malloc(MOST * sizeof *x.in);
    x.out = malloc(MOST * sizeof *x.out);
    return x;
}

static void free_part(struct part *x) {
    MPI_Type_free(&x->four);
    MPI_Comm_free(&x->comm);
    free(x->in);
    free(x->out);
}

static int only = -1; /* a number of `kinds`: no other call is made */

/* Calls of all kinds in an order that all ranks of the part know. */
static void call_all(const struct part *x, int calls, struct rng *r) {
    for (int i = 0; i < calls; i++) {
        int k = only >= 0 ? only : rng_below(r, KINDS);
        if (rng_once_in(&chance, 4))
            usleep((useconds_t)rng_below(&chance, 300));
        check_that(kinds[k].call(x, r) == 0, "%s, call %d of %d ranks", kinds[k].name, i, x->p);
    }
}

int main(int argc, char **argv) {
    int p, calls;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_here);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    calls = (int)check_option(argc, argv, "calls", 400);
    steady = (int)check_option(argc, argv, "steady", 0);
    only = (int)check_option(argc, argv, "only", -1);
    uint64_t seed = (uint64_t)check_option(argc, argv, "seed", 1);
    chance = rng_make(seed, 1, (uint64_t)rank_here);
    struct part all = make_part(0), half = make_part(rank_here < p / 2);
    struct rng r = rng_make(seed, 2, 0), of_half = rng_make(seed, 3, rank_here < p / 2);
    for (int i = 0; i < 4; i++) {
        call_all(&all, calls / 4, &r);
        call_all(&half, only >= 0 ? 0 : calls / 4, &of_half);
        struct part once = make_part(0); /* too few calls to learn from */
        check_that(call_allreduce(&once, &r) == 0, "allreduce, used once");
        free_part(&once);
    }
    free_part(&all);
    free_part(&half);
    int status = check_end();
    MPI_Finalize();
    return status;
}
