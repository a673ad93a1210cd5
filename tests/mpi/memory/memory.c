/* Allocations that fail: MPI_ERR_NO_MEM and nothing lost; and none at all in a call that is made
 * again. Bine is built into this program with its malloc, calloc, realloc and free renamed. */
#include "memory.h"
#include "../check.h"

#include "bine.h"
#include "engine/plan.h"
#include "select/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *bine_test_malloc(size_t size);
void *bine_test_calloc(size_t n, size_t size);
void *bine_test_realloc(void *old, size_t size);
void bine_test_free(void *memory);

static long made; /* allocations so far */
long alive, fail_at = -1;
int fail_all;

static int fails(void) {
    made++;
    return fail_all || (fail_at >= 0 && fail_at-- == 0);
}

static void *count(void *memory) {
    alive += memory != NULL;
    return memory;
}

void *bine_test_malloc(size_t size) {
    return fails() ? NULL : count(malloc(size));
}

void *bine_test_calloc(size_t n, size_t size) {
    return fails() ? NULL : count(calloc(n, size));
}

void *bine_test_realloc(void *old, size_t size) {
    if (fails())
        return NULL;
    alive -= old != NULL;
    return count(realloc(old, size));
}

void bine_test_free(void *memory) {
    alive -= memory != NULL;
    free(memory);
}

/* --- Plans, for one rank of many: no communication is needed to make them */

static void break_plan(const struct bine_spec *spec, const char *what) {
    long before = alive;
    for (long n = 0;; n++) {
        fail_at = n;
        struct bine_plan *plan = bine_plan_new(spec);
        int done = fail_at >= 0; /* it was never reached */
        fail_at = -1;
        if (!check_that((plan != NULL) == done, "%s: allocation %ld", what, n))
            return;
        bine_plan_free(plan);
        if (!check_that(alive == before, "%s: %ld lost with allocation %ld", what, alive - before,
                        n))
            return;
        if (done)
            return;
    }
}

static void test_plans(void) {
    static const int sizes[] = {1, 5, 8, 12};
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (int l = 0; l < BINE_LAYOUTS; l++) {
                const struct bine_algorithm *a = &bine_catalogue[i];
                int p = sizes[k];
                if (!bine_algorithm_serves(a, p) ||
                    !bine_algorithm_has_layout(a, (enum bine_layout)l, p))
                    continue;
                struct bine_spec spec = {.algorithm = a,
                                         .layout = (enum bine_layout)l,
                                         .p = p,
                                         .rank = (int)(i % (size_t)p),
                                         .root = (int)(l % p),
                                         .segments = 2};
                break_plan(&spec, a->name);
            }
}

/* --- Calls */

static int a[64], b[64];

int call(int which, MPI_Comm comm) {
    static const int counts[64] = {3, 0, 1, 2};
    switch (which) {
    case 0:
        return Bine_Bcast(a, 5, MPI_INT, 0, comm);
    case 1:
        return Bine_Reduce(a, b, 5, MPI_INT, MPI_SUM, 0, comm);
    case 2:
        return Bine_Allreduce(a, b, 5, MPI_INT, MPI_SUM, comm);
    case 3:
        return Bine_Gather(a, 2, MPI_INT, b, 2, MPI_INT, 0, comm);
    case 4:
        return Bine_Scatter(a, 2, MPI_INT, b, 2, MPI_INT, 0, comm);
    case 5:
        return Bine_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, comm);
    case 6:
        return Bine_Alltoall(a, 2, MPI_INT, b, 2, MPI_INT, comm);
    case 7:
        return Bine_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm);
    default:
        return Bine_Reduce_scatter_block(a, b, 2, MPI_INT, MPI_SUM, comm);
    }
}

MPI_Comm fresh(MPI_Comm of) {
    MPI_Comm comm;
    MPI_Comm_dup(of, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

/* Every allocation of a first call in turn. Alone, because other ranks could not know. */
static void break_first(int which) {
    long before = alive;
    for (long n = 0;; n++) {
        MPI_Comm comm = fresh(MPI_COMM_SELF);
        fail_at = n;
        int rc = call(which, comm), done = fail_at >= 0;
        fail_at = -1;
        check_that(check_class(rc) == (done ? MPI_SUCCESS : MPI_ERR_NO_MEM),
                   "call %d, allocation %ld: class %d", which, n, check_class(rc));
        check_that(call(which, comm) == MPI_SUCCESS, "call %d again after %ld", which, n);
        MPI_Comm_free(&comm);
        if (!check_that(alive == before, "call %d: %ld lost", which, alive - before) || done)
            return;
    }
}

static void break_init(void) {
    long before = alive;
    for (long n = 0;; n++) {
        static const int counts[1] = {3};
        Bine_Plan plan;
        MPI_Comm comm = fresh(MPI_COMM_SELF);
        fail_at = n;
        int rc = Bine_Reduce_scatter_init(a, b, counts, MPI_INT, MPI_SUM, comm, &plan),
            done = fail_at >= 0;
        fail_at = -1;
        check_that(check_class(rc) == (done ? MPI_SUCCESS : MPI_ERR_NO_MEM) &&
                       (plan != NULL) == done,
                   "a plan, allocation %ld: class %d", n, check_class(rc));
        Bine_Plan_free(&plan);
        MPI_Comm_free(&comm);
        if (!check_that(alive == before, "a plan: %ld lost", alive - before) || done)
            return;
    }
}

/* No memory at all, on all ranks: at the first call MPI does it, then and later; when there is a
 * context but no plan, it is an error. */
static void test_none(int which) {
    long before = alive;
    for (int context = 0; context < 2; context++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        if (context)
            check_that(call((which + 2) % CALLS, comm) == MPI_SUCCESS, "before %d", which);
        fail_all = 1;
        int rc = call(which, comm);
        fail_all = 0;
        check_that(check_class(rc) == (context ? MPI_ERR_NO_MEM : MPI_SUCCESS),
                   "call %d without memory: class %d", which, check_class(rc));
        check_that(call((which + 2) % CALLS, comm) == MPI_SUCCESS, "another after %d", which);
        check_that(call(which, comm) == MPI_SUCCESS, "call %d with memory", which);
        MPI_Comm_free(&comm);
    }
    check_that(alive == before, "call %d without memory: %ld lost", which, alive - before);
}

/* The second time, and after the others. */
static void test_again(void) {
    MPI_Comm comm = fresh(MPI_COMM_WORLD);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < CALLS; i++) {
            long before = made;
            check_that(call(i, comm) == MPI_SUCCESS, "call %d", i);
            check_that(round < 2 || made == before, "call %d made again: %ld allocations", i,
                       made - before);
        }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        test_plans();
    bine_setting_value(BINE_SETTING_OFF, NULL); /* files of settings are read once, and kept */
    for (int i = 0; i < CALLS; i++) {
        break_first(i);
        test_none(i);
    }
    break_init();
    test_again();
    memory_test_ranks(rank);
    int status = check_end();
    MPI_Finalize();
    return status;
}
