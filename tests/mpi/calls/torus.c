/* The torus of a machine description, found from the names of the hosts: here they are made up.
 *
 *     torus [--calls N]
 *
 * Which communicators are one, what comes first of BINE_DIMS, a Cartesian communicator and the
 * machine, and calls on ranks in any order of the nodes, compared with MPI's. For 12 ranks. */
#include "calls.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORLD = 12 };

/* In place of MPI's: the library asks this. */
static char host[MPI_MAX_PROCESSOR_NAME] = "nowhere";

int PMPI_Get_processor_name(char *name, int *length) {
    strcpy(name, host);
    *length = (int)strlen(host);
    return MPI_SUCCESS;
}

/* --- Machines */

static int world_rank;
static char file[64];

/* This rank on a node of a torus with these dims, or on none of them (-1). A file is read once, so
 * each has a name of its own. */
static void be_on(const char *dims, int node) {
    static int files;
    struct bine_shape shape;
    bine_shape_parse(dims, strlen(dims), &shape);
    unlink(file);
    snprintf(file, sizeof file, "/tmp/bine-torus.%ld.%d.machine", (long)getpid(), files++);
    FILE *f = fopen(file, "w");
    check_that(f != NULL, "%s cannot be written", file);
    if (f != NULL) {
        fprintf(f, "topology torus\ndims %s\nhosts n[0-%d]\n", dims, bine_shape_nodes(&shape) - 1);
        fclose(f);
    }
    snprintf(host, sizeof host, node < 0 ? "elsewhere" : "n%d.cluster.org", node);
    setenv("BINE_MACHINE", file, 1);
}

/* Whether an algorithm can be had on a communicator of the ranks of a color; all must agree. */
static int has(MPI_Comm comm, const char *algorithm) {
    MPI_Comm fresh;
    MPI_Comm_dup(comm, &fresh);
    MPI_Comm_set_errhandler(fresh, MPI_ERRORS_RETURN);
    int yes = Bine_Set(fresh, "allgather", algorithm) == MPI_SUCCESS, all[2] = {yes, !yes};
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, fresh);
    check_that(all[0] != all[1], "%s on %s: not all ranks agree", algorithm, host);
    MPI_Comm_free(&fresh);
    return yes;
}

static int part_has(int color, const char *algorithm) {
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, color, world_rank, &part);
    int yes = has(part, algorithm);
    MPI_Comm_free(&part);
    return yes;
}

/* --- Which communicators are tori */

static void test_found(void) {
    static const int shuffled[WORLD] = {7, 2, 11, 0, 5, 9, 1, 10, 3, 8, 6, 4};
    int r = world_rank;
    check_that(!has(MPI_COMM_WORLD, "bine-torus"), "without a machine");
    be_on("3x4", r);
    check_that(has(MPI_COMM_WORLD, "bine-torus"), "all of it");
    check_that(!has(MPI_COMM_WORLD, "bine-torus-near"), "3x4, and not even");
    check_that(part_has(r / 4, "bine-torus"), "rows");
    check_that(part_has(r % 4, "bine-torus"), "columns");
    check_that(part_has(r / 8, "bine-torus"), "two rows next to each other, and one");
    check_that(part_has(r % 4 < 3, "bine-torus") == (r % 4 == 3), "three columns of four");
    check_that(part_has(r % 2, "bine-torus") == 0, "every second column");
    be_on("3x4", shuffled[r]);
    check_that(has(MPI_COMM_WORLD, "bine-torus"), "in another order");
    check_that(part_has(shuffled[r] / 4, "bine-torus"), "rows in another order");
    be_on("4x4", r);
    check_that(!has(MPI_COMM_WORLD, "bine-torus"), "three rows of four");
    be_on("3x4", r - r % 2);
    check_that(!has(MPI_COMM_WORLD, "bine-torus"), "two ranks on a node");
    be_on("3x4", r == 5 ? -1 : r);
    check_that(!has(MPI_COMM_WORLD, "bine-torus"), "a rank elsewhere");
    be_on(r == 7 ? "4x3" : "3x4", r);
    check_that(!has(MPI_COMM_WORLD, "bine-torus"), "another machine on one rank");
    be_on("3x4", r);
    setenv("BINE_GROUPS", "off", 1);
    check_that(has(MPI_COMM_WORLD, "bine-torus"), "groups that are off");
    setenv("BINE_GROUPS", "6,6", 1);
    check_that(has(MPI_COMM_WORLD, "bine-torus"), "groups besides");
    unsetenv("BINE_GROUPS");
}

static MPI_Comm cartesian(int rows, int periodic) {
    int dims[2] = {rows, WORLD / rows}, periods[2] = {periodic, periodic};
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    return cart;
}

/* BINE_DIMS, then a Cartesian communicator, then the machine: only 2x6 is even. */
static void test_precedence(void) {
    for (int periodic = 0; periodic < 2; periodic++) {
        MPI_Comm even = cartesian(2, periodic), odd = cartesian(3, periodic);
        be_on("3x4", world_rank);
        check_that(has(even, "bine-torus-near"), "Cartesian before the machine");
        be_on("2x6", world_rank);
        check_that(has(MPI_COMM_WORLD, "bine-torus-near"), "the machine alone");
        check_that(!has(odd, "bine-torus-near"), "Cartesian before the machine");
        setenv("BINE_DIMS", "2x6", 1);
        check_that(has(odd, "bine-torus-near"), "BINE_DIMS before Cartesian");
        setenv("BINE_DIMS", "3x4", 1);
        check_that(!has(MPI_COMM_WORLD, "bine-torus-near"), "BINE_DIMS before the machine");
        setenv("BINE_DIMS", "3x5", 1);
        check_that(!has(odd, "bine-torus-near"), "BINE_DIMS of other ranks");
        check_that(has(MPI_COMM_WORLD, "bine-torus-near"), "BINE_DIMS of other ranks");
        unsetenv("BINE_DIMS");
        MPI_Comm_free(&even);
        MPI_Comm_free(&odd);
    }
}

/* --- What is chosen */

static void expect_choice(MPI_Comm comm, const char *algorithm, const char *what) {
    enum { N = 2048 };
    static int x[N], sum[N];
    MPI_Comm fresh;
    char text[200] = "";
    MPI_Comm_dup(comm, &fresh);
    for (int i = 0; i < N; i++)
        x[i] = world_rank + i;
    Bine_Allreduce(x, sum, N, MPI_INT, MPI_SUM, fresh);
    Bine_Last(fresh, text, (int)sizeof text);
    const char *name = strchr(text, ' ');
    size_t n = strlen(algorithm);
    check_that(name != NULL && strncmp(name + 1, algorithm, n) == 0 && name[1 + n] == ':',
               "%s: %s, expected %s", what, text, algorithm);
    check_that(sum[7] == WORLD * (WORLD - 1) / 2 + 7 * WORLD, "%s: a sum of %d", what, sum[7]);
    MPI_Comm_free(&fresh);
}

/* A torus is followed without being asked to where it is one of the network. */
static void test_chosen(void) {
    MPI_Comm cart = cartesian(3, 1), other = cartesian(4, 1);
    be_on("4x4", world_rank);
    expect_choice(MPI_COMM_WORLD, "bine-small", "no torus");
    expect_choice(cart, "bine-small", "Cartesian");
    be_on("3x4", world_rank);
    expect_choice(MPI_COMM_WORLD, "bine-torus", "the machine's torus");
    expect_choice(cart, "bine-torus", "Cartesian, and wired so");
    expect_choice(other, "bine-small", "Cartesian, and wired otherwise");
    be_on("3x4", WORLD - 1 - world_rank);
    expect_choice(MPI_COMM_WORLD, "bine-torus", "the machine's torus backwards");
    expect_choice(cart, "bine-small", "Cartesian, wired backwards");
    unsetenv("BINE_MACHINE");
    setenv("BINE_DIMS", "3x4", 1);
    expect_choice(MPI_COMM_WORLD, "bine-torus", "BINE_DIMS");
    unsetenv("BINE_DIMS");
    MPI_Comm_free(&cart);
    MPI_Comm_free(&other);
}

/* --- Calls on ranks in any order */

/* A permutation of 0..n-1, the same on all ranks. */
static void deal(struct rng *r, int n, int *place) {
    for (int i = 0; i < n; i++) {
        int j = rng_below(r, i + 1);
        place[i] = place[j];
        place[j] = i;
    }
}

/* Every color is a torus of `dims` on the machine. */
struct torus_case {
    const char *machine;
    struct bine_shape dims;
};

static void run_calls(const struct torus_case *t, struct rng *r, int calls) {
    struct call_limits limits = {.max_count = 1500, .reorders = 1};
    int node[WORLD], p = bine_shape_nodes(&t->dims);
    char ports[2] = {(char)('1' + rng_below(r, 4)), 0};
    MPI_Comm comm, oracle;
    deal(r, WORLD, node);
    setenv("BINE_PORTS", ports, 1);
    be_on(t->machine, node[world_rank]);
    /* Rows are next to each other on the machine. */
    MPI_Comm_split(MPI_COMM_WORLD, node[world_rank] / p, world_rank, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_dup(comm, &oracle);
    calls_on_torus(&t->dims);
    struct rng mine = rng_make(3, rng_next(r), (uint64_t)(node[world_rank] / p));
    for (int i = 0; i < calls; i++) {
        struct call c;
        call_draw(&c, &mine, comm, oracle, &limits);
        call_check(&c);
        call_free(&c);
    }
    unsetenv("BINE_PORTS");
    MPI_Comm_free(&comm);
    MPI_Comm_free(&oracle);
}

static void test_calls(long calls) {
    static const struct torus_case cases[] = {{"3x4", {2, {3, 4}}},
                                              {"2x6", {2, {2, 6}}},
                                              {"2x3x2", {3, {2, 3, 2}}},
                                              {"3x2x2", {2, {2, 2}}},
                                              {"3x4", {1, {4}}}};
    enum { CASES = sizeof cases / sizeof *cases };
    struct rng r = rng_make(1, 2, 3);
    types_make();
    operators_make();
    for (int i = 0; i < CASES; i++)
        run_calls(&cases[i], &r, (int)(calls / CASES));
    operators_free();
    types_free();
}

int main(int argc, char **argv) {
    int p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (check_that(p == WORLD, "%d ranks, expected %d", p, WORLD)) {
        test_found();
        test_precedence();
        test_chosen();
        test_calls(check_option(argc, argv, "calls", 500));
    }
    unlink(file);
    int status = check_end();
    MPI_Finalize();
    return status;
}
