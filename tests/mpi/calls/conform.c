/* The randomized conformance test: every collective, algorithm and layout, with any root, count,
 * datatype and operator, on communicators of many sizes, against the MPI library's own results.
 *
 *     conform [--seed N] [--calls N] [--max-count N] [--round N] [--boards 1] [--nodes 1|2]
 *
 * In each round the ranks have other made-up groups, or none, which some algorithms need, and may
 * be taken in another order. Ranks are dealt into two communicators in each round, in order,
 * reversed or shuffled, which work at the same time; `--round` repeats one round only. Some are
 * tori, Cartesian communicators or named in the environment, and use one port or several. With
 * `--boards` there are no groups, and algorithms on boards are called alone. With `--nodes` those
 * that know nodes are: 1: the groups and nodes are made up, 2: they are as the ranks are started;
 * some of them must use boards inside nodes. */
#include "calls.h"
#include "on_device.h"
#include "rounds.h"
#include "shapes.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_OF_A_ROUND 12
/* Every algorithm has had its columns once in so many rounds. */
#define ROUNDS_OF_COLUMNS 20

static const int sizes[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                            13, 14, 15, 16, 17, 24, 31, 32, 48, 64, 74};

struct options {
    struct rounds all;
    int boards, nodes;
};

static struct options options;
static long inside_nodes; /* calls with boards there */

static int draw_size(struct rng *r, int world) {
    int n = 0;
    while (n < (int)(sizeof sizes / sizeof *sizes) && sizes[n] <= world)
        n++;
    return n == 0 ? world : sizes[rng_below(r, n)];
}

/* A place for every rank: the first p form one communicator, the others another. */
static void deal(struct rng *r, int world, int *place) {
    int how = rng_below(r, 3);
    for (int i = 0; i < world; i++)
        place[i] = how == 1 ? world - 1 - i : i;
    for (int i = world - 1; how == 2 && i > 0; i--) {
        int j = rng_below(r, i + 1), t = place[i];
        place[i] = place[j];
        place[j] = t;
    }
}

static MPI_Comm make_comm(struct rng *r, int *second) {
    int world, rank, place[1024];
    MPI_Comm comm;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int p = draw_size(r, world);
    deal(r, world, place);
    *second = place[rank] >= p;
    MPI_Comm_split(MPI_COMM_WORLD, *second, place[rank], &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    return comm;
}

/* Small segments, so that short vectors are sent in parts too. Read at the communicator's first
 * call. */
static void draw_segment(struct rng *r) {
    static const char *const segments[] = {"1", "64", "1K", "4K", "256K"};
    setenv("BINE_SEGMENT", segments[rng_below(r, 5)], 1);
}

/* A torus of p ranks, of up to three dimensions. */
static struct bine_shape draw_shape(struct rng *r, int p) {
    struct bine_shape dims = {0};
    for (int left = 2; left > 0 && p > 1; left--) {
        int d = 1 + rng_below(r, p);
        while (p % d != 0)
            d--;
        dims.size[dims.dims++] = d;
        p /= d;
    }
    dims.size[dims.dims++] = p;
    return dims;
}

/* The communicator, perhaps as a torus. */
static MPI_Comm draw_torus(struct rng *r, MPI_Comm comm, struct bine_shape *dims) {
    static const int round_all[BINE_DIMS_MOST] = {1, 1, 1};
    char text[BINE_SHAPE_TEXT], ports[2] = {(char)('1' + rng_below(r, 6)), 0};
    int p, how = rng_below(r, 3);
    MPI_Comm cart;
    MPI_Comm_size(comm, &p);
    *dims = draw_shape(r, p);
    setenv("BINE_PORTS", rng_once_in(r, 2) ? "1" : ports, 1);
    setenv("BINE_DIMS", how == 0 ? bine_shape_text(dims, text) : "", 1);
    calls_on_torus(how < 2 ? dims : NULL);
    if (how != 1)
        return comm;
    MPI_Cart_create(comm, dims->dims, dims->size, round_all, 0, &cart);
    MPI_Comm_set_errhandler(cart, MPI_ERRORS_RETURN);
    MPI_Comm_free(&comm);
    return cart;
}

/* Whether the last call has used boards inside nodes, and messages between them. */
static void note_boards(MPI_Comm comm) {
    char text[200];
    Bine_Last(comm, text, (int)sizeof text);
    inside_nodes += strstr(text, "boards inside nodes") != NULL;
}

/* One call; `which` names it in the round. */
static void run_call(const struct options *o, struct rng *r, MPI_Comm comm, MPI_Comm oracle,
                     const struct call_limits *limits, long round, const char *kind, int which) {
    struct call c;
    int before = check_failures();
    call_draw(&c, r, comm, oracle, limits);
    call_check(&c);
    note_boards(comm);
    call_free(&c);
    if (check_failures() > before && check_failures() < 4)
        fprintf(stderr, "  in round %ld, %s %d, seed %llu\n", round, kind, which,
                (unsigned long long)o->all.seed);
}

/* Elements that reach into each other, so that not any number of them can lie side by side: with
 * every algorithm, in turn. */
static void run_columns(const struct options *o, struct rng *r, MPI_Comm comm, MPI_Comm oracle,
                        const struct call_limits *limits, long round) {
    struct call_limits here = *limits;
    int p;
    MPI_Comm_size(comm, &p);
    for (int i = (int)(round % ROUNDS_OF_COLUMNS); i < (int)bine_catalogue_size;
         i += ROUNDS_OF_COLUMNS) {
        here.only = &bine_catalogue[i];
        if (call_can(here.only, p, &here))
            run_call(o, r, comm, oracle, &here, round, "columns", i);
    }
}

/* Nodes for the round, as the options say. */
static void draw_nodes(const struct options *o, struct rng *r, MPI_Comm comm,
                       struct call_limits *limits) {
    limits->reorders = shapes_draw(r, o->nodes == 1);
    if (o->boards || o->nodes == 2)
        shapes_none();
    limits->levels = shapes_levels(comm);
    limits->nodes_only = o->nodes > 0;
    if (o->nodes == 2) {
        limits->levels = Bine_Set(comm, "gather", "bine-group") == MPI_SUCCESS;
        Bine_Set(comm, "gather", NULL);
    }
    limits->boards = o->nodes == 2 ? 0 : shapes_boards(comm);
}

static void run_round(long round) {
    const struct options *o = &options;
    struct rng r = rng_make(o->all.seed, (uint64_t)round, 0);
    int second, cancelled = 0;
    char trap;
    MPI_Request request;
    MPI_Status status;
    struct bine_shape dims;
    MPI_Comm comm = make_comm(&r, &second), oracle;
    struct rng mine = rng_make(o->all.seed, (uint64_t)round, 1 + (uint64_t)second);
    struct call_limits limits = {.max_count = o->all.max_count, .boards_only = o->boards};
    draw_segment(&mine);
    comm = draw_torus(&mine, comm, &dims);
    MPI_Comm_dup(comm, &oracle);
    draw_nodes(o, &r, comm, &limits);
    /* Nothing of Bine may be sent on the user's communicator: it would be received here. (MPICH
     * 4.0.2 itself hangs in MPI_Alltoall with such a receive at p = 1.) */
    MPI_Irecv(&trap, 1, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    for (int i = 0; i < CALLS_OF_A_ROUND; i++)
        run_call(o, &mine, comm, oracle, &limits, round, "call", i);
    run_columns(o, &mine, comm, oracle, &limits, round);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    check_that(cancelled, "round %ld: a message came on the user's communicator", round);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&oracle);
    types_forget();
}

/* Devices have made calls by themselves: this test would pass without, too. A real one does not
 * count. */
static void check_kernels(int rank) {
    long mine = on_device_launches(), all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    check_that(all != 0, "no kernel ran");
    if (rank == 0)
        printf("%ld kernels\n", all);
}

int main(int argc, char **argv) {
    int rank, world;
    struct options *o = &options;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    rounds_begin(&o->all, argc, argv, 20250101);
    o->boards = (int)check_option(argc, argv, "boards", 0);
    o->nodes = (int)check_option(argc, argv, "nodes", 0);
    int devices = on_device_begin();
    if (rank == 0)
        printf("seed %llu, %ld calls, %d a round on each of two communicators of %d ranks\n",
               (unsigned long long)o->all.seed, o->all.calls, CALLS_OF_A_ROUND, world);
    fflush(stdout);
    rounds_run(&o->all, CALLS_OF_A_ROUND, run_round);
    if (o->nodes > 0 && rank == 0)
        printf("%ld calls used boards inside nodes\n", inside_nodes);
    check_that(o->nodes == 0 || o->all.only >= 0 || inside_nodes > 0,
               "no call used boards inside nodes");
    if (devices)
        check_kernels(rank);
    return rounds_end();
}
