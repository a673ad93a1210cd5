/* A program that knows nothing of Bine, and counts its calls.
 *
 *     program [calls|many|often|wait|kill|abort|fork]
 *
 * Rank 0 prints a line for each kind of calls: collective, form, ranks of the communicator, bytes
 * as docs/profile.md has them (-1: they differ), calls of a rank, all bytes of these. */
#define _DEFAULT_SOURCE /* usleep */
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 4096 };
static int rank, p;
static double a[MOST], b[MOST];

static void say(const char *collective, const char *form, int ranks, long bytes, long calls,
                long all) {
    if (rank == 0)
        printf("%s %s %d %ld %ld %ld\n", collective, form, ranks, bytes, calls, all);
}

static void sizes(void) {
    for (int i = 0; i < 40; i++)
        MPI_Allreduce(a, b, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    say("allreduce", "blocking", p, 24, 40, 40 * 24);
    for (int i = 0; i < 12; i++)
        MPI_Bcast(a, 100 * (i % 2 + 1), MPI_INT, i % p, MPI_COMM_WORLD);
    say("bcast", "blocking", p, 400, 6, 6 * 400);
    say("bcast", "blocking", p, 800, 6, 6 * 800);
    for (int i = 0; i < 7; i++)
        MPI_Allgather(rank == 1 ? MPI_IN_PLACE : a, 10, MPI_FLOAT, b, 10, MPI_FLOAT,
                      MPI_COMM_WORLD);
    say("allgather", "blocking", p, 40L * p, 7, 7 * 40L * p);
    for (int i = 0; i < 5; i++)
        MPI_Gather(a, 6, MPI_CHAR, b, 6, MPI_CHAR, 1, MPI_COMM_WORLD);
    say("gather", "blocking", p, 6L * p, 5, 5 * 6L * p);
    for (int i = 0; i < 9; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    say("barrier", "blocking", p, 0, 9, 0);
}

/* Blocks of rank + 1 doubles. */
static void uneven(void) {
    int counts[64], displs[64], sends[64];
    long sum = 0;
    for (int i = 0; i < p; i++) {
        counts[i] = i + 1;
        displs[i] = 64 * i;
        sends[i] = rank + 1;
        sum += counts[i];
    }
    for (int i = 0; i < 4; i++)
        MPI_Gatherv(a, rank + 1, MPI_DOUBLE, b, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    say("gatherv", "blocking", p, -1, 4, 4 * 8 * sum);
    for (int i = 0; i < 3; i++)
        MPI_Alltoallv(a, sends, displs, MPI_DOUBLE, b, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    say("alltoallv", "blocking", p, -1, 3, 3 * 8 * sum); /* the mean rank sends sum / p to each */
    for (int i = 0; i < 2; i++)
        MPI_Allgatherv(a, rank + 1, MPI_DOUBLE, b, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    say("allgatherv", "blocking", p, 8 * sum, 2, 2 * 8 * sum);
    for (int i = 0; i < 2; i++)
        MPI_Reduce_scatter(a, b, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    say("reduce_scatter", "blocking", p, 8 * sum, 2, 2 * 8 * sum);
}

static void forms(void) {
    MPI_Request request;
    for (int i = 0; i < 11; i++) {
        MPI_Iallreduce(a, b, 64, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    say("allreduce", "nonblocking", p, 256, 11, 11 * 256);
#if MPI_VERSION >= 4
    MPI_Request two[2];
    MPI_Bcast_init(a, 32, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &two[0]);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &two[1]);
    for (int i = 0; i < 6; i++) {
        MPI_Startall(2, two);
        MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    }
    MPI_Start(&two[0]);
    MPI_Wait(&two[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&two[0]);
    MPI_Request_free(&two[1]);
    say("bcast", "persistent", p, 128, 7, 7 * 128);
    say("barrier", "persistent", p, 0, 6, 0);
#endif
}

/* Communicators made and freed, of equal ranks and of all. */
static void many(int rounds) {
    MPI_Comm part, all;
    for (int i = 0; i < rounds; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
        MPI_Comm_dup(MPI_COMM_WORLD, &all);
        MPI_Bcast(a, 1, MPI_DOUBLE, 0, part);
        MPI_Bcast(a, 2, MPI_DOUBLE, 0, all);
        MPI_Comm_free(&part);
        MPI_Comm_free(&all);
    }
    say("bcast", "blocking", p / 2, 8, rounds, 8L * rounds);
    say("bcast", "blocking", p, 16, rounds, 16L * rounds);
}

/* More calls of a kind than a timeline has room for. */
static void often(void) {
    for (int i = 0; i < 700; i++)
        MPI_Allreduce(a, b, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* The last rank comes 20 ms late each time. */
static void wait_for_last(void) {
    for (int i = 0; i < 30; i++) {
        if (rank == p - 1)
            usleep(20000);
        MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Calls, and then a pause in which all ranks are known to have made them. */
static void before_end(void) {
    for (int i = 0; i < 50; i++)
        MPI_Allreduce(a, b, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    say("allreduce", "blocking", p, 24, 50, 50 * 24);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    usleep(200000);
}

/* A child that ends by itself, and one that another program runs in. */
static void fork_two(void) {
    pid_t child = fork();
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
    if (system("true") != 0)
        abort();
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "calls";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (strcmp(what, "calls") == 0) {
        sizes();
        uneven();
        forms();
    } else if (strcmp(what, "many") == 0)
        many(3000);
    else if (strcmp(what, "often") == 0)
        often();
    else if (strcmp(what, "wait") == 0)
        wait_for_last();
    else if (strcmp(what, "fork") == 0) {
        sizes();
        fork_two();
    } else {
        before_end();
        if (strcmp(what, "kill") == 0 && rank == 1)
            kill(getpid(), SIGKILL);
        if (strcmp(what, "abort") == 0 && rank == 0)
            MPI_Abort(MPI_COMM_WORLD, 3);
        sleep(20);
    }
    MPI_Finalize();
    return 0;
}
