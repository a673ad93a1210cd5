/* Bad input: the right error class, the same on every rank, through the communicator's error
 * handler once, nothing hangs, and the communicator works afterwards. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "../check.h"

#include "bine.h"

#include "schedule/catalogue.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int handled, handled_code;
static int a[64], b[64];
static MPI_Op sum_in_order;

/* As MPICH 5 has it: a call that failed returns MPI_SUCCESS after a handler of the user's. */
static int forgiven;

int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *found) {
    int (*real)(MPI_Comm, int, void *, int *);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
    int rc = real(comm, key, value, found);
    return forgiven ? MPI_SUCCESS : rc;
}

static void on_error(MPI_Comm *comm, int *code, ...) {
    (void)comm;
    handled++;
    handled_code = *code;
}

static void add_in_order(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* It still works, with any of the ways to use it. */
static void works(MPI_Comm comm, const char *after) {
    int rank, p, x, sum = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    x = rank + 1;
    int rc = Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm);
    check_that(rc == MPI_SUCCESS && sum == p * (p + 1) / 2, "after %s: %d, %d", after, rc, sum);
}

static void expect(MPI_Comm comm, const char *what, int class, int code) {
    check_that(check_class(code) == class, "%s: class %d, expected %d", what, check_class(code),
               class);
    check_that(handled == 1 && check_class(handled_code) == class,
               "%s: handler called %d times, class %d", what, handled, check_class(handled_code));
    handled = 0;
    works(comm, what);
    check_that(handled == 0, "%s: handler called again", what);
    handled = 0;
}

#define EXPECT(CLASS, CALL) expect(comm, #CALL, CLASS, CALL)

static void test_communicator(MPI_Comm comm) {
    MPI_Comm none = MPI_COMM_NULL;
    Bine_Plan plan;
    char text[10];
    EXPECT(MPI_ERR_COMM, Bine_Bcast(a, 1, MPI_INT, 0, none));
    EXPECT(MPI_ERR_COMM, Bine_Allreduce(a, b, 1, MPI_INT, MPI_SUM, none));
    EXPECT(MPI_ERR_COMM, Bine_Allreduce_init(a, b, 1, MPI_INT, MPI_SUM, none, &plan));
    EXPECT(MPI_ERR_COMM, Bine_Set(none, "bcast", "linear"));
    EXPECT(MPI_ERR_COMM, Bine_Next(none, "linear"));
    EXPECT(MPI_ERR_COMM, Bine_Last(none, text, 10));
}

/* One that was freed goes through the handler of MPI_COMM_WORLD. Open MPI's is a pointer to memory
 * that may be anything by then. */
static void test_freed(MPI_Comm comm) {
#ifdef MPICH_VERSION
    MPI_Comm freed, copy;
    MPI_Comm_dup(comm, &freed);
    copy = freed;
    MPI_Comm_free(&freed);
    for (forgiven = 0; forgiven < 2; forgiven++) {
        EXPECT(MPI_ERR_COMM, Bine_Bcast(a, 1, MPI_INT, 0, copy));
        EXPECT(MPI_ERR_COMM, Bine_Allreduce(a, b, 1, MPI_INT, MPI_SUM, copy));
    }
    forgiven = 0;
#else
    (void)comm;
#endif
}

static void test_counts(MPI_Comm comm, int p) {
    int counts[64] = {0};
    EXPECT(MPI_ERR_COUNT, Bine_Bcast(a, -1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Reduce(a, b, -1, MPI_INT, MPI_SUM, 0, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Allreduce(a, b, -1, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Allgather(a, -1, MPI_INT, b, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Allgather(a, 1, MPI_INT, b, -1, MPI_INT, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Alltoall(a, 1, MPI_INT, b, -1, MPI_INT, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Gather(a, -1, MPI_INT, b, -1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Scatter(a, -1, MPI_INT, b, -1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Reduce_scatter_block(a, b, -1, MPI_INT, MPI_SUM, comm));
    counts[p - 1] = -1;
    EXPECT(MPI_ERR_COUNT, Bine_Reduce_scatter(a, b, counts, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_ARG, Bine_Reduce_scatter(a, b, NULL, MPI_INT, MPI_SUM, comm));
}

static void test_roots(MPI_Comm comm, int p) {
    EXPECT(MPI_ERR_ROOT, Bine_Bcast(a, 1, MPI_INT, p, comm));
    EXPECT(MPI_ERR_ROOT, Bine_Bcast(a, 1, MPI_INT, -1, comm));
    EXPECT(MPI_ERR_ROOT, Bine_Reduce(a, b, 1, MPI_INT, MPI_SUM, p, comm));
    EXPECT(MPI_ERR_ROOT, Bine_Gather(a, 1, MPI_INT, b, 1, MPI_INT, -7, comm));
    EXPECT(MPI_ERR_ROOT, Bine_Scatter(a, 1, MPI_INT, b, 1, MPI_INT, p + 1, comm));
    EXPECT(MPI_ERR_ROOT, Bine_Bcast(a, 1, MPI_INT, MPI_ROOT, comm));
}

static void test_types(MPI_Comm comm) {
    const MPI_Datatype none = MPI_DATATYPE_NULL;
    MPI_Datatype two;
    EXPECT(MPI_ERR_TYPE, Bine_Bcast(a, 1, none, 0, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Allreduce(a, b, 1, none, MPI_SUM, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Allgather(a, 1, none, b, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Allgather(a, 1, MPI_INT, b, 1, none, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Reduce_scatter_block(a, b, 1, none, MPI_SUM, comm));
    EXPECT(MPI_ERR_OP, Bine_Reduce(a, b, 1, MPI_INT, MPI_OP_NULL, 0, comm));
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm));
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_INT, MPI_REPLACE, comm));
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_DOUBLE, MPI_BAND, comm));
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, comm));
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_INT, MPI_MAXLOC, comm));
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_DOUBLE_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_OP, Bine_Reduce_scatter_block(a, b, 1, MPI_BYTE, MPI_SUM, comm));
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, two, MPI_SUM, comm));
    MPI_Type_free(&two);
}

/* Blocks of their own sizes, and scans. */
static void test_uneven(MPI_Comm comm, int rank, int p) {
    const MPI_Datatype none = MPI_DATATYPE_NULL;
    int one[64], two[64], negative[64], at[64];
    MPI_Datatype ints[64];
    for (int i = 0; i < p && i < 64; i++) {
        one[i] = 1;
        two[i] = i == rank ? 2 : 1;
        negative[i] = i == p - 1 ? -1 : 1;
        at[i] = i;
        ints[i] = i == p - 1 ? none : MPI_INT;
    }
    EXPECT(MPI_ERR_COUNT, Bine_Allgatherv(a, 1, MPI_INT, b, negative, at, MPI_INT, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Allgatherv(a, -1, MPI_INT, b, one, at, MPI_INT, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Alltoallv(a, negative, at, MPI_INT, b, one, at, MPI_INT, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Alltoallv(a, one, at, MPI_INT, b, negative, at, MPI_INT, comm));
    EXPECT(MPI_ERR_ARG, Bine_Alltoallv(a, NULL, at, MPI_INT, b, one, at, MPI_INT, comm));
    EXPECT(MPI_ERR_ARG, Bine_Allgatherv(a, 1, MPI_INT, b, one, NULL, MPI_INT, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Allgatherv(a, 1, none, b, one, at, MPI_INT, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Alltoallv(a, one, at, MPI_INT, b, one, at, none, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Alltoallw(a, one, at, ints, b, one, at, ints, comm));
    EXPECT(MPI_ERR_TRUNCATE, Bine_Alltoallv(a, two, at, MPI_INT, b, one, at, MPI_INT, comm));
    EXPECT(MPI_ERR_TRUNCATE, Bine_Allgatherv(a, 2, MPI_INT, b, one, at, MPI_INT, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Alltoallv(a, one, at, MPI_INT, a, one, at, MPI_INT, comm));
    EXPECT(MPI_ERR_ROOT, Bine_Gatherv(a, 1, MPI_INT, b, one, at, MPI_INT, p, comm));
    EXPECT(MPI_ERR_ROOT, Bine_Scatterv(a, one, at, MPI_INT, b, 1, MPI_INT, -1, comm));
    EXPECT(MPI_ERR_OP, Bine_Scan(a, b, 1, MPI_INT, MPI_OP_NULL, comm));
    EXPECT(MPI_ERR_TYPE, Bine_Exscan(a, b, 1, none, MPI_SUM, comm));
    EXPECT(MPI_ERR_COUNT, Bine_Scan(a, b, -1, MPI_INT, MPI_SUM, comm));
}

/* What lies in the same memory on every rank; where that matters at the root only, on
 * MPI_COMM_SELF, because others cannot know. */
static void test_buffers(MPI_Comm comm, int rank, int p) {
    EXPECT(MPI_ERR_BUFFER, Bine_Allreduce(a, a, 8, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Allreduce(a, a + 1, 8, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Allgather(a, 1, MPI_INT, a, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Allgather(a + rank, 1, MPI_INT, a, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Alltoall(a, 1, MPI_INT, a, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Reduce_scatter_block(a, a, 1, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Bcast(NULL, 1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Allreduce(NULL, b, 1, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Allreduce(a, NULL, 1, MPI_INT, MPI_SUM, comm));
    EXPECT(MPI_ERR_TRUNCATE, Bine_Alltoall(a, 2, MPI_INT, b, 1, MPI_INT, comm));
    /* A call that was right, made again with the buffers in the same place. */
    Bine_Allreduce(a, b, 8, MPI_INT, MPI_SUM, comm);
    EXPECT(MPI_ERR_BUFFER, Bine_Allreduce(a, a + 1, 8, MPI_INT, MPI_SUM, comm));
    /* Side by side is right. */
    check_that(Bine_Allreduce(a, a + 8, 8, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "side by side");
    check_that(Bine_Allreduce(a, a, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS, "nothing, aliased");
    check_that(p > 32 || Bine_Allgather(a + 32, 1, MPI_INT, a, 1, MPI_INT, comm) == MPI_SUCCESS,
               "allgather side by side");
}

static void test_buffers_at_root(MPI_Comm comm) {
    EXPECT(MPI_ERR_BUFFER, Bine_Reduce(a, a, 1, MPI_INT, MPI_SUM, 0, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Gather(a, 1, MPI_INT, a, 1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Scatter(a, 1, MPI_INT, a, 1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Scatter(MPI_IN_PLACE, 1, MPI_INT, a, 1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Gather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, comm));
    EXPECT(MPI_ERR_BUFFER, Bine_Gather(a, 1, MPI_INT, NULL, 1, MPI_INT, 0, comm));
}

/* Whether the algorithm reads no memory of other processes, or the system permits that. */
static int can_expose(MPI_Comm comm, const struct bine_algorithm *x) {
    if (x->composition != BINE_MAKE_BOARD_DIRECT)
        return 1;
    int can = Bine_Set(comm, "bcast", "board-direct") == MPI_SUCCESS;
    Bine_Set(comm, "bcast", NULL);
    handled = 0;
    return can;
}

/* Every algorithm and layout: refused if it does not serve this number of ranks, and only then. */
static void test_catalogue(MPI_Comm comm, int p) {
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int l = 0; l < BINE_LAYOUTS; l++) {
            const struct bine_algorithm *x = &bine_catalogue[i];
            const char *collective = bine_collective_name(x->collective);
            char name[80];
            snprintf(name, sizeof name, "%s:%s", x->name, bine_layout_name((enum bine_layout)l));
            /* All ranks are on one node: several have boards. */
            int boards =
                p > 1 && bine_algorithm_needs(x) == BINE_NEEDS_BOARDS && can_expose(comm, x);
            int rc = Bine_Set(comm, collective, name);
            if ((bine_algorithm_serves(x, p) || boards) &&
                bine_algorithm_has_layout(x, (enum bine_layout)l, p)) {
                check_that(rc == MPI_SUCCESS, "Bine_Set %s %s: %d", collective, name, rc);
                Bine_Set(comm, collective, NULL);
            } else {
                expect(comm, name, MPI_ERR_ARG, rc);
            }
        }
}

static void test_choices(MPI_Comm comm, int p) {
    char text[8], longest[200];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    EXPECT(MPI_ERR_ARG, Bine_Next(comm, "no-such-thing"));
    EXPECT(MPI_ERR_ARG, Bine_Next(comm, longest));
    EXPECT(MPI_ERR_ARG, Bine_Next(comm, "ring:permute"));
    EXPECT(MPI_ERR_ARG, Bine_Next(comm, "ring:nonsense"));
    EXPECT(MPI_ERR_ARG, Bine_Set(comm, "no-such-collective", "ring"));
    EXPECT(MPI_ERR_ARG, Bine_Set(comm, NULL, "ring"));
    EXPECT(MPI_ERR_ARG, Bine_Set(comm, "bcast", "ring"));
    EXPECT(MPI_ERR_ARG, Bine_Set(comm, "allreduce", "bruck"));
    EXPECT(MPI_ERR_ARG, Bine_Last(comm, NULL, 10));
    EXPECT(MPI_ERR_ARG, Bine_Last(comm, text, 0));
    test_catalogue(comm, p);
    /* The name of another collective's, and an operator that it does not take. */
    check_that(Bine_Next(comm, "ring") == MPI_SUCCESS, "ring");
    EXPECT(MPI_ERR_ARG, Bine_Bcast(a, 1, MPI_INT, 0, comm));
    check_that(Bine_Next(comm, "ring") == MPI_SUCCESS, "ring");
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_INT, sum_in_order, comm));
    check_that(Bine_Set(comm, "allreduce", "ring") == MPI_SUCCESS, "ring");
    EXPECT(MPI_ERR_OP, Bine_Allreduce(a, b, 1, MPI_INT, sum_in_order, comm));
    check_that(Bine_Set(comm, "allreduce", "") == MPI_SUCCESS, "given back");
    check_that(Bine_Allreduce(a, b, 1, MPI_INT, sum_in_order, comm) == MPI_SUCCESS, "given back");
    /* A choice is taken back. */
    check_that(Bine_Next(comm, "ring") == MPI_SUCCESS && Bine_Next(comm, NULL) == MPI_SUCCESS &&
                   Bine_Bcast(a, 1, MPI_INT, 0, comm) == MPI_SUCCESS,
               "a choice for the next call, taken back");
    check_that(Bine_Last(comm, text, (int)sizeof text) == MPI_SUCCESS && strlen(text) == 7,
               "Bine_Last cuts to fit: '%s'", text);
}

static void test_plans(MPI_Comm comm) {
    Bine_Plan plan = NULL;
    EXPECT(MPI_ERR_ARG, Bine_Allreduce_init(a, b, 1, MPI_INT, MPI_SUM, comm, NULL));
    EXPECT(MPI_ERR_COUNT, Bine_Allreduce_init(a, b, -1, MPI_INT, MPI_SUM, comm, &plan));
    check_that(plan == NULL, "a plan that was not made is NULL");
    EXPECT(MPI_ERR_ARG, Bine_Plan_run(plan));
    EXPECT(MPI_ERR_ARG, Bine_Plan_free(NULL));
    check_that(Bine_Plan_free(&plan) == MPI_SUCCESS, "freeing a NULL plan");
}

/* One rank's mistake at the first use of a communicator keeps nobody waiting. */
static void test_alone(MPI_Errhandler handler, int rank) {
    for (int i = 0; i < 6; i++) {
        MPI_Comm comm;
        Bine_Plan plan;
        int class = -1, rc = MPI_SUCCESS;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, handler);
        if (rank == 1) {
            static const int classes[] = {MPI_ERR_COUNT, MPI_ERR_ROOT, MPI_ERR_TYPE,
                                          MPI_ERR_OP,    MPI_ERR_TYPE, MPI_ERR_COUNT};
            class = classes[i];
            rc = i == 0   ? Bine_Bcast(a, -1, MPI_INT, 0, comm)
                 : i == 1 ? Bine_Reduce(a, b, 1, MPI_INT, MPI_SUM, 64, comm)
                 : i == 2 ? Bine_Allgather(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, comm)
                 : i == 3 ? Bine_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm)
                 : i == 4 ? Bine_Scatter(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, 0, comm)
                          : Bine_Allreduce_init(a, b, -1, MPI_INT, MPI_SUM, comm, &plan);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            expect(comm, "one rank's mistake", class, rc);
        else
            works(comm, "another rank's mistake");
        MPI_Comm_free(&comm);
    }
}

/* The environment counts when a communicator is first used. What cannot be followed is warned of,
 * and left out; where ranks differ, MPI does it all. */
static void test_environment(int rank) {
    MPI_Comm comm;
    char text[100] = "";
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_error, &handler);
    static const struct {
        const char *name, *value, *then;
    } rows[] = {{"BINE_ALLREDUCE", "ring", "allreduce ring:"},
                {"BINE_ALLREDUCE", "mpi", "allreduce mpi (forced by BINE_ALLREDUCE)"},
                {"BINE_ALLREDUCE", "no-such-thing", "allreduce bine-4:"},
                {"BINE_ALLREDUCE", "ring:permute", "allreduce bine-4:"},
                {"BINE_ALLREDUCE_LAYOUT", "nonsense", "allreduce bine-4:"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv(rows[i].name, rows[i].value, 1);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, handler);
        works(comm, rows[i].name);
        Bine_Last(comm, text, (int)sizeof text);
        check_that(strncmp(text, rows[i].then, strlen(rows[i].then)) == 0, "%s=%s: '%s'",
                   rows[i].name, rows[i].value, text);
        unsetenv(rows[i].name);
        MPI_Comm_free(&comm);
    }
    setenv("BINE_ALLREDUCE", rank == 0 ? "ring" : "recursive-doubling", 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    works(comm, "different environments");
    Bine_Last(comm, text, (int)sizeof text);
    check_that(strstr(text, "allreduce mpi (the settings are not the same") != NULL,
               "different environments: '%s'", text);
    unsetenv("BINE_ALLREDUCE");
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler);
}

/* What is said on stderr goes to a file between these two. */
static int catch_begin(FILE *file) {
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    return kept;
}

static void catch_end(FILE *file, int kept, char *text, size_t size) {
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* One line for each mistake, with the call and the word, on the first rank alone. Asking whether an
 * algorithm serves is no mistake if the program gets its errors back. */
static void test_messages(MPI_Errhandler handler, int rank) {
    char said[4096];
    MPI_Comm comm;
    FILE *file = tmpfile();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    int kept = catch_begin(file);
    Bine_Set(comm, "allreduce", "bine-larg");
    Bine_Set(comm, "allredce", "ring");
    Bine_Set(comm, "allreduce", "bine-torus");
    Bine_Next(comm, "bine-larg");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    Bine_Set(comm, "bcast", "bine-torus");
    Bine_Set(comm, "bcast", "lineer");
    MPI_Comm_free(&comm);
    setenv("BINE_DIMS", "5x5", 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    works(comm, "BINE_DIMS");
    unsetenv("BINE_DIMS");
    MPI_Comm_free(&comm);
    catch_end(file, kept, said, sizeof said);
    int p;
    char expected[1000] = "";
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (rank == 0)
        snprintf(expected, sizeof expected,
                 "bine: Bine_Set: bine-larg: not an algorithm of allreduce; did you mean "
                 "bine-large?\n"
                 "bine: Bine_Set: allredce: not a collective, such as allreduce\n"
                 "bine: Bine_Set: allreduce bine-torus: needs a torus: BINE_DIMS, a Cartesian "
                 "communicator or BINE_MACHINE\n"
                 "bine: Bine_Next: bine-larg: not an algorithm that a collective has\n"
                 "bine: Bine_Set: lineer: not an algorithm of bcast; did you mean linear?\n"
                 "bine: BINE_DIMS=5x5: a torus of 25 ranks, but MPI_COMM_WORLD has %d: it is not "
                 "followed there\n",
                 p);
    check_that(strcmp(said, expected) == 0, "said on rank %d:\n%s", rank, said);
    handled = 0;
}

static void test_all(MPI_Comm comm) {
    int rank, p;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    test_communicator(comm);
    test_freed(comm);
    test_counts(comm, p);
    test_roots(comm, p);
    test_types(comm);
    test_uneven(comm, rank, p);
    test_buffers(comm, rank, p);
    if (p == 1)
        test_buffers_at_root(comm);
    test_choices(comm, p);
    test_plans(comm);
}

/* With a handler of the user's on a communicator, and on MPI_COMM_WORLD, where errors without a
 * communicator go; then with MPI_ERRORS_RETURN. */
int main(int argc, char **argv) {
    int rank, p;
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Op_create(add_in_order, 0, &sum_in_order);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    test_messages(handler, rank);
    test_all(comm);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    test_all(MPI_COMM_SELF);
    test_alone(handler, rank);
    test_environment(rank);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int rc = Bine_Bcast(a, -1, MPI_INT, 0, comm);
    check_that(check_class(rc) == MPI_ERR_COUNT && handled == 0, "MPI_ERRORS_RETURN");
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler);
    MPI_Op_free(&sum_in_order);
    int status = check_end();
    MPI_Finalize();
    return status;
}
