/* Communicators of every kind, and threads. */
#include "lifecycle.h"

#include "bine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Freed by the caller. */
static void use(MPI_Comm comm, const char *what) {
    if (comm == MPI_COMM_NULL)
        return;
    for (int i = 0; i < 5; i++) {
        struct rng r = rng_make(21, (uint64_t)i, 0);
        calls(comm, &r, what);
    }
    agree(comm, what);
}

static void test_topologies(int rank, int world) {
    int dims[2] = {0, 0}, periods[2] = {1, 0}, keep[2] = {1, 0}, weights[2] = {1, 1};
    int around[2] = {(rank + 1) % world, (rank + world - 1) % world};
    MPI_Comm comm, row;
    MPI_Dims_create(world, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    use(comm, "cartesian");
    MPI_Cart_sub(comm, keep, &row);
    use(row, "a row of a cartesian one");
    MPI_Comm_free(&row);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, around, weights, 2, around, weights,
                                   MPI_INFO_NULL, 1, &comm);
    use(comm, "graph");
    MPI_Comm_free(&comm);
}

/* Nothing can be chosen between two groups, and trying to must not change what a call does. */
static void test_inter_choices(MPI_Comm inter, int others) {
    char text[80] = "?";
    int n = 0, one = 1;
    MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
    int rc = Bine_Last(inter, text, sizeof text);
    check_that(rc == MPI_SUCCESS && *text == '\0', "Bine_Last between groups: %d, %s", rc, text);
    rc = Bine_Set(inter, "allreduce", "bine-small");
    check_that(check_class(rc) == MPI_ERR_COMM, "Bine_Set between groups: %d", rc);
    rc = Bine_Next(inter, "bine-small");
    check_that(check_class(rc) == MPI_ERR_COMM, "Bine_Next between groups: %d", rc);
    rc = Bine_Allreduce(&one, &n, 1, MPI_INT, MPI_SUM, inter);
    check_that(rc == MPI_SUCCESS && n == others, "allreduce after choices between groups: %d of %d",
               n, others);
}

/* All collectives have a meaning between two groups; one of each shape is handed on here. */
static void test_inter(int rank, int world) {
    MPI_Comm half, inter;
    int side = rank % 2, n = 0, one = 1, value = rank;
    if (world < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side == 0 ? 1 : 0, 7, &inter);
    int others = side == 0 ? world / 2 : (world + 1) / 2;
    test_inter_choices(inter, others);
    int rc = Bine_Allreduce(&one, &n, 1, MPI_INT, MPI_SUM, inter);
    check_that(rc == MPI_SUCCESS && n == others, "intercommunicator: %d of %d", n, others);
    rc = Bine_Bcast(&value, 1, MPI_INT,
                    rank == 0   ? MPI_ROOT
                    : side == 0 ? MPI_PROC_NULL
                                : 0,
                    inter);
    check_that(rc == MPI_SUCCESS && value == (side == 0 ? rank : 0), "broadcast to other group");
    Bine_Plan plan;
    n = 0;
    rc = Bine_Allreduce_init(&one, &n, 1, MPI_INT, MPI_SUM, inter, &plan);
    check_that(rc == MPI_SUCCESS && Bine_Plan_run(plan) == MPI_SUCCESS && n == others,
               "a plan between groups: %d of %d", n, others);
    Bine_Plan_free(&plan);
    use(half, "half");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

void test_kinds(void) {
    int rank, world;
    MPI_Comm comm;
    MPI_Group group, reversed;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    use(MPI_COMM_SELF, "self");
    use(MPI_COMM_WORLD, "world");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    use(comm, "shared memory");
    MPI_Comm_free(&comm);
    int backwards[1][3] = {{world - 1, 0, -1}};
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_range_incl(group, 1, backwards, &reversed);
    MPI_Comm_create(MPI_COMM_WORLD, reversed, &comm);
    use(comm, "of a reversed group");
    MPI_Comm_free(&comm);
    MPI_Group_free(&reversed);
    MPI_Group_free(&group);
    test_topologies(rank, world);
    test_inter(rank, world);
}

/* --- Threads */

#define THREADS 4

struct worker {
    MPI_Comm comm;
    long rounds;
    int number;
};

/* check_that is not made for threads: failures are counted per thread and told at the end. */
struct result {
    long wrong;
};

static void *work(void *state) {
    struct worker *w = state;
    struct result *result = calloc(1, sizeof *result);
    int rank, p;
    MPI_Comm_rank(w->comm, &rank);
    MPI_Comm_size(w->comm, &p);
    for (long i = 0; i < w->rounds && result != NULL; i++) {
        MPI_Comm own;
        int x[64], sum[64], all[64 * 64];
        struct rng r = rng_make(31, (uint64_t)w->number, (uint64_t)i);
        int n = 1 + rng_below(&r, 64), root = rng_below(&r, p);
        for (int k = 0; k < n; k++)
            x[k] = rank * 7 + k + w->number;
        if (i % 8 == 0) /* communicators come and go in every thread */
            MPI_Comm_dup(w->comm, &own);
        else
            own = w->comm;
        Bine_Allreduce(x, sum, n, MPI_INT, MPI_SUM, own);
        for (int k = 0; k < n; k++)
            result->wrong += sum[k] != 7 * p * (p - 1) / 2 + p * (k + w->number);
        Bine_Allgather(x, n, MPI_INT, all, n, MPI_INT, own);
        for (int k = 0; k < n * p; k++)
            result->wrong += all[k] != k / n * 7 + k % n + w->number;
        Bine_Bcast(x, n, MPI_INT, root, own);
        for (int k = 0; k < n; k++)
            result->wrong += x[k] != root * 7 + k + w->number;
        if (i % 8 == 0)
            MPI_Comm_free(&own);
    }
    return result;
}

static long run_threads(MPI_Comm *comm, long rounds) {
    pthread_t thread[THREADS];
    struct worker worker[THREADS];
    long wrong = 0;
    for (int k = 0; k < THREADS; k++) {
        worker[k] = (struct worker){comm[k], rounds, k};
        if (pthread_create(&thread[k], NULL, work, &worker[k]) != 0)
            abort();
    }
    for (int k = 0; k < THREADS; k++) {
        void *result = NULL;
        pthread_join(thread[k], &result);
        wrong += result == NULL ? 1 : ((struct result *)result)->wrong;
        free(result);
    }
    return wrong;
}

/* Until the time is over, as rank 0 sees it. */
void test_threads(long seconds) {
    MPI_Comm comm[THREADS];
    time_t end = time(NULL) + seconds;
    long wrong = 0;
    int rank, on = 1, p;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (p > 64)
        return;
    for (int k = 0; k < THREADS; k++)
        MPI_Comm_split(MPI_COMM_WORLD, 0, k % 2 == 0 ? rank : -rank, &comm[k]);
    while (on) {
        wrong += run_threads(comm, 16);
        on = time(NULL) < end;
        MPI_Bcast(&on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    check_that(wrong == 0, "threads: %ld wrong", wrong);
    for (int k = 0; k < THREADS; k++)
        MPI_Comm_free(&comm[k]);
}
