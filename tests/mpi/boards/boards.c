/* What boards must be besides right.
 *
 *     boards progress        who waits at a board lets MPI go on
 *     boards started         who asks for a call that was started there does, too; and nobody waits
 *                            for others to start one
 *     boards refused         where one rank cannot have shared memory, all do without
 *     boards off             with BINE_SHARED=off there are none
 *     boards small           with very little of it there are some
 *     boards full            where /dev/shm is full, there are boards all the same: BINE_TEST_FILL
 *                            is a file there to fill it with
 *     boards asleep          ranks that sleep at boards are woken, and let messages go on
 *     boards crowded         on more ranks than cores they are no slower than messages
 *     boards loop            calls without end, for the test that kills a rank */
#define _GNU_SOURCE /* usleep */

#include "../check.h"

#include "bine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *const collectives[] = {"bcast",   "reduce",    "allreduce", "gather",
                                          "scatter", "allgather", "alltoall",  "reduce_scatter"};

/* Whether the algorithm can be had for all collectives; the same on all ranks. */
static int use(MPI_Comm comm, const char *name) {
    int ok = 1;
    for (size_t k = 0; k < sizeof collectives / sizeof *collectives; k++)
        ok &= Bine_Set(comm, collectives[k], name) == MPI_SUCCESS;
    return ok;
}

static void sum(MPI_Comm comm, int n, const char *what) {
    int rank, p, wrong = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    int *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = rank + i;
    int rc = Bine_Allreduce(x, y, n, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < n; i++)
        wrong += y[i] != p * (p - 1) / 2 + p * i;
    check_that(rc == MPI_SUCCESS && wrong == 0, "%s: rc %d, %d of %d wrong", what, rc, wrong, n);
    free(x);
    free(y);
}

/* Rank 0 has a pending message that only goes on when it lets MPI go on, and waits in a
 * collective for rank 1, which waits for the message. */
static void test_progress(MPI_Comm comm) {
    enum { LARGE = 1 << 22 };
    int rank, p, root = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    char *data = calloc(LARGE, 1);
    check_that(use(comm, "board-flat"), "no boards");
    for (int k = 0; k < 6; k++) {
        MPI_Request request = MPI_REQUEST_NULL;
        int x = rank, y = -1;
        if (rank == 0) {
            data[LARGE - 1] = (char)k;
            MPI_Isend(data, LARGE, MPI_CHAR, 1, 0, comm, &request);
        } else if (rank == 1) {
            usleep(20000);
            MPI_Recv(data, LARGE, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
            check_that(data[LARGE - 1] == k, "the message of round %d", k);
        }
        if (k % 2 == 0)
            Bine_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm);
        else
            Bine_Bcast(&x, 1, MPI_INT, root, comm);
        check_that(k % 2 == 0 ? y == p * (p - 1) / 2 : x == root, "the collective of round %d", k);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(data);
}

/* The request comes to its end by one of the functions that ask. */
static void ask_until_over(Bine_Request *request, int way) {
    int over = 0, index, n = 0;
    while (!over && n == 0) {
        if (way == 0)
            Bine_Test(request, &over);
        else if (way == 1)
            Bine_Testall(1, request, &over);
        else if (way == 2)
            Bine_Testsome(1, request, &n, &index);
        else
            over = Bine_Waitany(1, request, &index) == MPI_SUCCESS;
    }
}

/* As above, with a call that rank 0 only asks for. */
static void start_and_ask(MPI_Comm comm, char *data, int bytes) {
    int rank, p;
    char last[200] = "";
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    for (int way = 0; way < 4; way++) {
        MPI_Request message = MPI_REQUEST_NULL;
        Bine_Request call;
        int x = rank, y = -1;
        if (rank == 0) {
            MPI_Isend(data, bytes, MPI_CHAR, 1, 0, comm, &message);
        } else if (rank == 1) {
            usleep(20000);
            MPI_Recv(data, bytes, MPI_CHAR, 0, 0, comm, MPI_STATUS_IGNORE);
        }
        Bine_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm, &call);
        Bine_Last(comm, last, (int)sizeof last);
        ask_until_over(&call, way);
        check_that(y == p * (p - 1) / 2 && strncmp(last, "allreduce board-flat", 20) == 0,
                   "asked in way %d: %d, %s", way, y, last);
        MPI_Wait(&message, MPI_STATUS_IGNORE);
    }
}

/* Rank 0 starts a call and tells the others, who start it only then. It must not make boards. */
static void start_first(MPI_Comm comm, const char *text, const char *algorithm) {
    int rank, p, x, y = -1;
    Bine_Request call;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    x = rank;
    int rc = Bine_Set(comm, "allreduce", algorithm);
    check_that(rc == MPI_SUCCESS, "%s: %s", text, algorithm);
    if (rank > 0)
        MPI_Recv(NULL, 0, MPI_CHAR, rank - 1, 1, comm, MPI_STATUS_IGNORE);
    rc = Bine_Iallreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm, &call);
    if (rank + 1 < p)
        MPI_Send(NULL, 0, MPI_CHAR, rank + 1, 1, comm);
    rc = rc == MPI_SUCCESS ? Bine_Wait(&call) : rc;
    check_that(rc == MPI_SUCCESS && y == p * (p - 1) / 2, "%s: %d, %d", text, rc, y);
    Bine_Set(comm, "allreduce", NULL);
}

/* Two nodes, by what a file says of them. */
static void make_nodes(char *path, int p) {
    FILE *f = fdopen(mkstemp(path), "w");
    for (int r = 0; f != NULL && r < p; r++)
        fprintf(f, "g%d/n%d\n", r % 2, r % 2);
    if (f != NULL)
        fclose(f);
    setenv("BINE_GROUPS", path, 1);
}

static MPI_Comm open_by_messages(MPI_Comm from) {
    int x = 1, y;
    MPI_Comm comm;
    MPI_Comm_dup(from, &comm);
    Bine_Set(comm, "allreduce", "ring");
    Bine_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, comm);
    Bine_Set(comm, "allreduce", NULL);
    return comm;
}

/* A call is started as before, but boards have been made since, and one rank has another type. */
static void start_as_before(MPI_Comm from) {
    enum { N = 10 };
    int rank, x[N];
    Bine_Request call;
    MPI_Datatype all;
    setenv("BINE_BCAST", "board-flat", 1);
    MPI_Comm comm = open_by_messages(from);
    unsetenv("BINE_BCAST");
    MPI_Comm_rank(comm, &rank);
    MPI_Type_contiguous(N, MPI_INT, &all);
    MPI_Type_commit(&all);
    for (int k = 0; k < 2; k++) {
        int whole = k == 1 && rank == 1;
        x[N - 1] = rank + k;
        Bine_Ibcast(x, whole ? 1 : N, whole ? all : MPI_INT, 0, comm, &call);
        Bine_Wait(&call);
        check_that(x[N - 1] == k, "started for the time %d: %d", k, x[N - 1]);
        Bine_Bcast(x, N, MPI_INT, 0, comm);
    }
    MPI_Type_free(&all);
    MPI_Comm_free(&comm);
}

static void test_started(MPI_Comm comm) {
    enum { LARGE = 1 << 22 };
    char *data = calloc(LARGE, 1), path[] = "/tmp/bine-boards-XXXXXX";
    int p;
    MPI_Comm_size(comm, &p);
    MPI_Comm without = open_by_messages(comm);
    start_first(without, "no boards yet", "board-flat");
    MPI_Comm_free(&without);
    start_as_before(comm);
    check_that(use(comm, "board-flat"), "no boards");
    sum(comm, 5, "makes boards");
    start_and_ask(comm, data, LARGE);
    start_first(comm, "boards", "board-flat");
    make_nodes(path, p);
    without = open_by_messages(comm);
    start_first(without, "no boards inside nodes yet", "bine-group");
    MPI_Comm_free(&without);
    unlink(path);
    free(data);
}

/* A limit that one rank has by itself. */
static void test_refused(MPI_Comm comm) {
    struct rlimit limit = {1000, RLIM_INFINITY};
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 1)
        setrlimit(RLIMIT_FSIZE, &limit);
    check_that(Bine_Set(comm, "allreduce", "board-flat") != MPI_SUCCESS, "boards without memory");
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
    sum(comm, 1000, "without boards");
    MPI_Comm again; /* and where nothing is in the way any more, there are some */
    MPI_Comm_dup(comm, &again);
    check_that(Bine_Set(again, "allreduce", "board-flat") == MPI_SUCCESS, "boards with memory");
    sum(again, 1000, "with boards");
    MPI_Comm_free(&again);
}

static void test_off(MPI_Comm comm) {
    for (size_t k = 0; k < sizeof collectives / sizeof *collectives; k++)
        check_that(Bine_Set(comm, collectives[k], "board-flat") != MPI_SUCCESS, "boards for %s",
                   collectives[k]);
    sum(comm, 1000, "without boards");
}

static void fill(const char *path) {
    static char zeros[1 << 12];
    FILE *f = fopen(path, "w");
    if (!check_that(f != NULL, "%s cannot be written", path))
        return;
    setvbuf(f, NULL, _IONBF, 0);
    while (fwrite(zeros, 1, sizeof zeros, f) == sizeof zeros)
        ;
    fclose(f);
}

/* It becomes full when MPI has taken what it needs. */
static void test_full(MPI_Comm comm) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && getenv("BINE_TEST_FILL") != NULL)
        fill(getenv("BINE_TEST_FILL"));
    MPI_Barrier(comm);
    check_that(use(comm, "board-flat"), "boards take nothing from /dev/shm");
    for (int n = 1; n < 300000; n *= 7)
        sum(comm, n, "with a full /dev/shm");
}

/* More communicators than there is room for: the last ones do without, and get along. */
static void test_small(MPI_Comm comm) {
    enum { MANY = 12 };
    MPI_Comm all[MANY];
    int with = 0;
    for (int k = 0; k < MANY; k++) {
        MPI_Comm_dup(comm, &all[k]);
        MPI_Comm_set_errhandler(all[k], MPI_ERRORS_RETURN);
        with += Bine_Set(all[k], "allreduce", "board-flat") == MPI_SUCCESS;
        sum(all[k], 3000, "one of many communicators");
    }
    check_that(with > 0 && with < MANY, "%d of %d communicators have boards", with, MANY);
    for (int k = 0; k < MANY; k++)
        MPI_Comm_free(&all[k]);
    MPI_Comm_dup(comm, &all[0]);
    check_that(Bine_Set(all[0], "allreduce", "board-flat") == MPI_SUCCESS,
               "no boards although there is room again");
    MPI_Comm_free(&all[0]);
}

static double time_of(MPI_Comm comm, const char *name, int calls) {
    Bine_Set(comm, "allreduce", name);
    sum(comm, 16, name);
    MPI_Barrier(comm);
    double begin = MPI_Wtime();
    for (int i = 0; i < calls; i++)
        sum(comm, 16, name);
    return MPI_Wtime() - begin;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In turn, and the median of their ratio: absolute times mean nothing here. */
static void test_crowded(MPI_Comm comm) {
    enum { TURNS = 9, CALLS = 60 };
    double ratio[TURNS];
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int k = 0; k < TURNS; k++) {
        double messages = time_of(comm, "recursive-doubling", CALLS);
        ratio[k] = time_of(comm, "board-flat", CALLS) / messages;
    }
    qsort(ratio, TURNS, sizeof *ratio, ascending);
    if (rank == 0)
        printf("boards over messages: %.2f (%.2f to %.2f)\n", ratio[TURNS / 2], ratio[0],
               ratio[TURNS - 1]);
    if (rank == 0)
        check_that(ratio[TURNS / 2] < 1.0, "boards take %.2f times as long as messages",
                   ratio[TURNS / 2]);
}

/* Ranks that wait long sleep (where there are more ranks than cores), and are woken; a message that
 * one of them has under way arrives all the same. */
static void test_asleep(MPI_Comm comm) {
    enum { CALLS = 40, LARGE = 1 << 18 };
    static int message[LARGE];
    int rank, p;
    MPI_Request sent = MPI_REQUEST_NULL;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    check_that(use(comm, "board-flat"), "no boards");
    for (int k = 0; k < CALLS; k++) {
        if (rank == k % p)
            usleep(3000);
        if (rank == 1 && k % 10 == 0)
            MPI_Isend(message, LARGE, MPI_INT, 0, k, comm, &sent);
        if (rank == 0 && k % 10 == 0)
            MPI_Recv(message, LARGE, MPI_INT, 1, k, comm, MPI_STATUS_IGNORE);
        sum(comm, k % 2 == 0 ? 5 : 50000, "after a sleep");
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
}

/* With a started call pending, too: rank 1 is killed between its start and its end. */
static void loop(MPI_Comm comm) {
    int rank, in[1000] = {0}, out[1000];
    Bine_Request started;
    MPI_Comm_rank(comm, &rank);
    check_that(use(comm, "board-flat"), "no boards");
    for (int k = 0;; k++) {
        sum(comm, 5000, "in the loop");
        Bine_Iallreduce(in, out, 1000, MPI_INT, MPI_SUM, comm, &started);
        if (k == 100 && rank == 0) {
            printf("looping\n");
            fflush(stdout);
        }
        if (k == 200 && rank == 1)
            raise(SIGKILL);
        Bine_Wait(&started);
    }
}

/* Rank 0 leaves a call that takes many rounds to itself, and goes to MPI_Finalize; the others begin
 * it only then. Nothing can be agreed on behind it: the result goes to the exit status. */
static int leave_one(MPI_Comm comm, const char *algorithm) {
    enum { LARGE = 1 << 20 };
    static int in[LARGE], out[LARGE];
    int rank, p;
    Bine_Request call;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    for (int i = 0; i < LARGE; i++)
        in[i] = rank;
    Bine_Set(comm, "allreduce", algorithm);
    if (rank > 0)
        usleep(200000);
    Bine_Iallreduce(in, out, LARGE, MPI_INT, MPI_SUM, comm, &call);
    if (rank == 0)
        return Bine_Request_free(&call) != MPI_SUCCESS;
    return Bine_Wait(&call) != MPI_SUCCESS || out[LARGE - 1] != p * (p - 1) / 2;
}

/* What comes before it; see main. */
static void test_left(MPI_Comm comm) {
    check_that(use(comm, "board-flat"), "no boards");
    sum(comm, 5, "makes boards");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*test)(MPI_Comm comm);
    } tests[] = {{"asleep", test_asleep},   {"progress", test_progress}, {"started", test_started},
                 {"refused", test_refused}, {"off", test_off},           {"small", test_small},
                 {"full", test_full},       {"crowded", test_crowded},   {"loop", loop},
                 {"left", test_left}};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int found = 0;
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
        if (argc > 1 && strcmp(argv[1], tests[k].name) == 0) {
            tests[k].test(MPI_COMM_WORLD);
            found = 1;
        }
    check_that(found, "%s: no such test", argc > 1 ? argv[1] : "");
    int status = check_end();
    if (argc > 2 && strcmp(argv[1], "left") == 0)
        status |= leave_one(MPI_COMM_WORLD, argv[2]);
    if (getenv("BINE_TEST_UNFINALIZED") != NULL) {
        MPI_Barrier(MPI_COMM_WORLD); /* rank 0 has printed the result */
        _exit(status);
    }
    MPI_Finalize();
    return status;
}
