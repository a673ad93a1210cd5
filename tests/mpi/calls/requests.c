/* Calls and plans that are started, several at once, among blocking ones, and completed in any
 * order by any of the functions: against the MPI library's own results.
 *
 *     requests [--seed N] [--calls N] [--max-count N] [--round N] [--boards 1]
 *
 * As in `conform`, ranks are dealt into two communicators in each round. Where they are on one
 * node, some calls are at boards; with `--boards` all are. */
#include "calls.h"
#include "on_device.h"
#include "rounds.h"
#include "shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6, BATCHES = 3 };

static struct rounds rounds;
static int boards_only;
static long at_boards; /* calls that were started there */

/* Some that have been started: as requests, or as plans. */
struct batch {
    int n, left, plans;
    Bine_Request request[MOST];
    Bine_Plan plan[MOST];
    struct scene *scene[MOST];
};

static void note_over(struct batch *b, int i) {
    check_that(b->request[i] == NULL, "a request that is over is not NULL");
    if (b->scene[i] == NULL || b->plan[i] != NULL)
        return;
    scene_end(b->scene[i]);
    b->scene[i] = NULL;
    b->left--;
}

/* One of the plans, if there is one. */
static int complete_plan(struct batch *b, struct rng *r) {
    int i = rng_below(r, b->n), over = 1;
    if (b->plan[i] == NULL)
        return MPI_SUCCESS;
    int rc = rng_once_in(r, 2) ? Bine_Plan_wait(b->plan[i]) : Bine_Plan_test(b->plan[i], &over);
    if (!over || rc != MPI_SUCCESS)
        return rc;
    rc = Bine_Plan_free(&b->plan[i]);
    check_that(b->plan[i] == NULL, "Bine_Plan_free");
    scene_end(b->scene[i]);
    b->scene[i] = NULL;
    b->plans--;
    return rc;
}

static int wait_one(struct batch *b, struct rng *r) {
    int i = rng_below(r, b->n);
    int rc = Bine_Wait(&b->request[i]);
    note_over(b, i);
    return rc;
}

static int test_one(struct batch *b, struct rng *r) {
    int i = rng_below(r, b->n), over = 0, rc = Bine_Test(&b->request[i], &over);
    if (over)
        note_over(b, i);
    return rc;
}

static int wait_all(struct batch *b, struct rng *r) {
    int n = rng_once_in(r, 2) ? b->n : rng_below(r, b->n + 1), rc = Bine_Waitall(n, b->request);
    for (int i = 0; i < n; i++)
        note_over(b, i);
    return rc;
}

static int test_all(struct batch *b, struct rng *r) {
    int n = 1 + rng_below(r, b->n), over = 0, rc = Bine_Testall(n, b->request, &over);
    for (int i = 0; i < n && over; i++)
        note_over(b, i);
    return rc;
}

static int wait_any(struct batch *b, struct rng *r) {
    int i = -1, rc = Bine_Waitany(b->n, b->request, &i);
    (void)r;
    check_that((i == MPI_UNDEFINED) == (b->left == 0), "Bine_Waitany: %d", i);
    if (i != MPI_UNDEFINED)
        note_over(b, i);
    return rc;
}

static int test_any(struct batch *b, struct rng *r) {
    int i = -1, over = -1, rc = Bine_Testany(b->n, b->request, &i, &over);
    (void)r;
    if (over && i != MPI_UNDEFINED)
        note_over(b, i);
    check_that(over || i == MPI_UNDEFINED, "Bine_Testany: %d", i);
    return rc;
}

static int some(struct batch *b, int wait) {
    int n = -1, which[MOST],
        rc = wait ? Bine_Waitsome(b->n, b->request, &n, which)
                  : Bine_Testsome(b->n, b->request, &n, which);
    check_that((n == MPI_UNDEFINED) == (b->left == 0) && (n != 0 || !wait), "some: %d", n);
    for (int i = 0; n != MPI_UNDEFINED && i < n; i++)
        note_over(b, which[i]);
    return rc;
}

static int wait_some(struct batch *b, struct rng *r) {
    (void)r;
    return some(b, 1);
}

static int test_some(struct batch *b, struct rng *r) {
    (void)r;
    return some(b, 0);
}

/* Each rank as it likes. */
static void complete(struct batch *b, struct rng *r) {
    static int (*const way[])(struct batch *, struct rng *) = {wait_one,  test_one,  wait_all,
                                                               test_all,  wait_any,  test_any,
                                                               wait_some, test_some, complete_plan};
    while (b->left > 0 || b->plans > 0) {
        int rc = way[rng_below(r, (int)(sizeof way / sizeof *way))](b, r);
        check_that(rc == MPI_SUCCESS, "completion: %d", rc);
    }
}

/* Ranks compare results at different times: they cannot ask each other. Operators of the program's
 * are MPI's unless the drop-in library is there, and Open MPI takes few types then. */
static void draw(struct call *c, struct rng *r, MPI_Comm comm, MPI_Comm oracle,
                 const struct call_limits *limits) {
    const char *preload = getenv("LD_PRELOAD");
    int ours = preload != NULL && strstr(preload, "bine-preload") != NULL;
    call_draw(c, r, comm, oracle, limits);
    while (bine_collective_reduces(c->collective) && c->op >= OP_USER_XOR && !ours &&
           (c->recv_form != FORM_PLAIN || c->how != HOW_DEFAULT)) {
        call_free(c);
        call_draw(c, r, comm, oracle, limits);
    }
    c->inexact = 0;
    if (bine_collective_reduces(c->collective))
        c->bottom = 0;
}

static void run_batch(struct rng *r, struct rng *own, MPI_Comm comm, MPI_Comm oracle,
                      const struct call_limits *limits) {
    struct batch b = {.n = 1 + rng_below(r, MOST)};
    for (int i = 0; i < b.n; i++) {
        struct call c;
        draw(&c, r, comm, oracle, limits);
        if (rng_once_in(r, 4)) {
            call_check(&c);
            call_free(&c);
            continue;
        }
        int plan = c.plan > 0 && !on_device_is_there();
        at_boards += bine_algorithm_needs(c.algorithm) == BINE_NEEDS_BOARDS;
        b.scene[i] = scene_start(&c, plan ? NULL : &b.request[i], plan ? &b.plan[i] : NULL);
        b.left += !plan;
        b.plans += plan;
    }
    complete(&b, own);
}

/* The first communicator is over p ranks, the second over the others. */
static MPI_Comm split(struct rng *r, int *second) {
    int world, rank;
    MPI_Comm comm;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int p = 1 + rng_below(r, world), turned = rng_once_in(r, 2);
    *second = rank >= p;
    MPI_Comm_split(MPI_COMM_WORLD, *second, turned ? -rank : rank, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

/* It is freed with the last ones under way. */
static void run_round(long round) {
    const struct rounds *o = &rounds;
    struct rng r = rng_make(o->seed, (uint64_t)round, 0);
    int second, rank, x = 1, sum = 0, before = check_failures();
    MPI_Comm comm = split(&r, &second), oracle;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct rng all = rng_make(o->seed, (uint64_t)round, 1 + (uint64_t)second);
    struct rng own = rng_make(o->seed, (uint64_t)round, 3 + (uint64_t)rank);
    struct call_limits limits = {.max_count = o->max_count, .boards_only = boards_only};
    MPI_Comm_dup(comm, &oracle);
    limits.reorders = shapes_draw(&r, 0);
    if (boards_only)
        shapes_none();
    limits.levels = shapes_levels(comm);
    limits.boards = shapes_boards(comm);
    /* This opens it, and makes boards. */
    Bine_Set(comm, "allreduce", limits.boards > 0 ? "board-flat" : "recursive-doubling");
    Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm);
    Bine_Set(comm, "allreduce", NULL);
    for (int i = 0; i < BATCHES; i++)
        run_batch(&all, &own, comm, oracle, &limits);
    Bine_Request last;
    Bine_Iallreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm, &last);
    MPI_Comm_free(&comm);
    Bine_Wait(&last);
    MPI_Comm_size(oracle, &x);
    check_that(sum == x, "after its communicator was freed: %d, not %d", sum, x);
    MPI_Comm_free(&oracle);
    types_forget();
    if (check_failures() > before && check_failures() < 4)
        fprintf(stderr, "  in round %ld, seed %llu\n", round, (unsigned long long)o->seed);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    on_device_begin();
    rounds_begin(&rounds, argc, argv, 20250102);
    boards_only = (int)check_option(argc, argv, "boards", 0);
    operators_take_any();
    rounds_run(&rounds, BATCHES * MOST / 2, run_round);
    check_that(rounds.only >= 0 || at_boards > 0, "no call was started at boards");
    return rounds_end();
}
