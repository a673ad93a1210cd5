/* The bits of reductions (BINE_REPRODUCIBLE): sums of doubles of all sizes and both signs, so that
 * another order of adding up shows. Prints one line for each form of the calls, with the hash of
 * the results of all ranks.
 *
 *     bits [--mpi]     with --mpi, MPI's functions, as the drop-in library takes them over */
#include "../check.h"

#include "bine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40000, TURNS = 3 };
enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
static const char *const form_names[FORMS] = {"blocking", "nonblocking", "persistent"};

struct bits {
    MPI_Comm comm;
    int rank, p, by_mpi;
    enum form form;
    double *in, *out;
    uint64_t hash;
};

/* Sums lose most of their digits, each in another way. */
static void fill(struct bits *b, int seed, int n) {
    struct rng r = rng_make((uint64_t)seed, (uint64_t)b->rank, 1);
    for (int i = 0; i < n; i++) {
        double sign = rng_below(&r, 2) ? 1 : -1;
        b->in[i] = sign * ldexp(1 + rng_below(&r, 1 << 30) * 1e-9, rng_below(&r, 60) - 30);
    }
    memset(b->out, 0, MOST * sizeof *b->out);
}

static void add(struct bits *b, int n) {
    uint64_t word;
    for (int i = 0; i < n; i++) {
        memcpy(&word, &b->out[i], sizeof word);
        b->hash = (b->hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        b->hash ^= b->hash >> 29;
    }
}

/* One call in the form of the turn: NAME and its arguments without the communicator. */
#define CALL(b, NAME, ...)                                                                         \
    do {                                                                                           \
        MPI_Request started = MPI_REQUEST_NULL;                                                    \
        Bine_Request request = NULL;                                                               \
        Bine_Plan plan = NULL;                                                                     \
        int rc;                                                                                    \
        if ((b)->by_mpi && (b)->form == BLOCKING) {                                                \
            rc = MPI_##NAME(__VA_ARGS__, (b)->comm);                                               \
        } else if ((b)->by_mpi) {                                                                  \
            rc = MPI_I##NAME(__VA_ARGS__, (b)->comm, &started);                                    \
            rc |= MPI_Wait(&started, MPI_STATUS_IGNORE);                                           \
        } else if ((b)->form == BLOCKING) {                                                        \
            rc = Bine_##NAME(__VA_ARGS__, (b)->comm);                                              \
        } else if ((b)->form == NONBLOCKING) {                                                     \
            rc = Bine_I##NAME(__VA_ARGS__, (b)->comm, &request);                                   \
            rc |= Bine_Wait(&request);                                                             \
        } else {                                                                                   \
            rc = Bine_##NAME##_init(__VA_ARGS__, (b)->comm, &plan);                                \
            rc |= Bine_Plan_run(plan);                                                             \
            Bine_Plan_free(&plan);                                                                 \
        }                                                                                          \
        check_that(rc == MPI_SUCCESS, #NAME " %s: error", form_names[(b)->form]);                  \
    } while (0)

/* Names as the macro needs them. */
#define MPI_IAllreduce MPI_Iallreduce
#define MPI_IReduce MPI_Ireduce
#define MPI_IReduce_scatter_block MPI_Ireduce_scatter_block
#define MPI_IScan MPI_Iscan
#define MPI_IExscan MPI_Iexscan
#define Bine_IAllreduce Bine_Iallreduce
#define Bine_IReduce Bine_Ireduce
#define Bine_IReduce_scatter_block Bine_Ireduce_scatter_block
#define Bine_IScan Bine_Iscan
#define Bine_IExscan Bine_Iexscan

/* All collectives that add up, with n elements. Some again: a size that comes again may be chosen
 * for otherwise. */
static void run_size(struct bits *b, int n) {
    for (int turn = 0; turn < TURNS; turn++) {
        fill(b, n + turn, n);
        CALL(b, Allreduce, b->in, b->out, n, MPI_DOUBLE, MPI_SUM);
        add(b, n);
        fill(b, n + turn, n);
        CALL(b, Reduce, b->in, b->out, n, MPI_DOUBLE, MPI_SUM, turn % b->p);
        add(b, b->rank == turn % b->p ? n : 0);
        fill(b, n + turn, n);
        CALL(b, Reduce_scatter_block, b->in, b->out, n / b->p, MPI_DOUBLE, MPI_SUM);
        add(b, n / b->p);
        fill(b, n + turn, n);
        CALL(b, Scan, b->in, b->out, n, MPI_DOUBLE, MPI_SUM);
        add(b, n);
        fill(b, n + turn, n);
        CALL(b, Exscan, b->in, b->out, n, MPI_DOUBLE, MPI_SUM);
        add(b, b->rank > 0 ? n : 0);
    }
}

/* The hash of all ranks' hashes, at rank 0. */
static uint64_t hash_of_all(const struct bits *b) {
    uint64_t mine = b->hash, all = 0, *each = calloc((size_t)b->p, sizeof *each);
    MPI_Gather(&mine, 1, MPI_UINT64_T, each, 1, MPI_UINT64_T, 0, b->comm);
    for (int r = 0; b->rank == 0 && r < b->p; r++)
        all = (all ^ each[r]) * UINT64_C(0x9e3779b97f4a7c15);
    free(each);
    return all;
}

int main(int argc, char **argv) {
    static const int sizes[] = {8, 200, 1500, 5000, MOST};
    struct bits b = {.comm = MPI_COMM_WORLD, .by_mpi = argc > 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(b.comm, &b.rank);
    MPI_Comm_size(b.comm, &b.p);
    b.in = calloc(MOST, sizeof *b.in);
    b.out = calloc(MOST, sizeof *b.out);
    if (b.in == NULL || b.out == NULL)
        MPI_Abort(b.comm, 1);
    for (b.form = BLOCKING; b.form < (b.by_mpi ? PERSISTENT : FORMS); b.form++) {
        b.hash = 1;
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            run_size(&b, sizes[k]);
        uint64_t all = hash_of_all(&b);
        if (b.rank == 0)
            printf("bits %016llx %s%s\n", (unsigned long long)all, b.by_mpi ? "MPI_ " : "",
                   form_names[b.form]);
    }
    free(b.in);
    free(b.out);
    int status = check_end();
    MPI_Finalize();
    return status;
}
