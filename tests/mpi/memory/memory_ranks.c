/* One rank of several has no memory: all get an error or agree, nobody waits for ever where that
 * can be helped, and the next call is right. */
#include "../check.h"
#include "memory.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int sum_up(int started, const int *in, int *out, int n, MPI_Comm comm) {
    Bine_Request request;
    if (!started)
        return Bine_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
    int rc = Bine_Iallreduce(in, out, n, MPI_INT, MPI_SUM, comm, &request);
    return rc == MPI_SUCCESS ? Bine_Wait(&request) : rc;
}

/* One rank has no memory for a plan on boards: all get an error, also those who read only sums of
 * others (in levels), nobody waits for ever, and the next call is right again. In rounds, too, and
 * for calls that are started. */
static void test_boards(int rank, int started) {
    static const char *const name[] = {"board-flat", "board-levels", "board-shared"};
    enum { MANY = 30000 };
    static int in[MANY], out[MANY];
    int p, sum;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    sum = p * (p - 1) / 2;
    for (int k = 0; k < 6; k++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        int n = k < 3 ? 5 : MANY;
        for (int i = 0; i < n; i++)
            in[i] = rank;
        check_that(Bine_Set(comm, "bcast", "board-flat") == MPI_SUCCESS &&
                       Bine_Set(comm, "allreduce", name[k % 3]) == MPI_SUCCESS,
                   "boards");
        check_that(Bine_Bcast(out, 1, MPI_INT, 0, comm) == MPI_SUCCESS, "a first call");
        fail_all = rank == 1;
        int rc = sum_up(started, in, out, n, comm);
        fail_all = 0;
        check_that(check_class(rc) == (rank == 1 ? MPI_ERR_NO_MEM : MPI_ERR_OTHER),
                   "%s without memory on rank 1: class %d", name[k % 3], check_class(rc));
        rc = sum_up(started, in, out, n, comm);
        check_that(rc == MPI_SUCCESS && out[0] == sum && out[n - 1] == sum,
                   "%s with memory: class %d, %d, %d", name[k % 3], check_class(rc), out[0],
                   out[n - 1]);
        MPI_Comm_free(&comm);
    }
}

/* Each allocation of a call that is started at boards fails once on one rank. It may find other
 * memory. If not, all get an error; and the next call is right. */
static void test_start_at_boards(int rank) {
    enum { MANY = 30000 };
    static int in[MANY], out[MANY];
    int p, reached = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < MANY; i++)
        in[i] = rank;
    for (int n = 0; reached; n++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        int size = n % 2 == 0 ? 5 : MANY, failed[2];
        Bine_Set(comm, "bcast", "board-flat");
        Bine_Set(comm, "allreduce", "board-shared");
        check_that(Bine_Bcast(out, 1, MPI_INT, 0, comm) == MPI_SUCCESS, "a first call");
        fail_at = rank == 1 ? n / 2 : -1;
        int rc = sum_up(1, in, out, size, comm);
        reached = rank == 1 && fail_at < 0;
        fail_at = -1;
        failed[0] = rc != MPI_SUCCESS;
        failed[1] = rc == MPI_SUCCESS;
        MPI_Allreduce(MPI_IN_PLACE, failed, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        check_that(failed[0] == 0 || failed[1] == 0, "allocation %d: %d ranks failed", n / 2,
                   failed[0]);
        rc = sum_up(1, in, out, size, comm);
        check_that(rc == MPI_SUCCESS && out[size - 1] == p * (p - 1) / 2, "after allocation %d: %d",
                   n / 2, rc);
        MPI_Comm_free(&comm);
    }
}

/* A plan is started, and one rank has no memory: all get an error. The next call, and the plan once
 * it is started again, are right: that rank has counted the call as others did. */
static void test_start_plan(int rank) {
    int p, x = rank, y = -1, z = -1;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm comm = fresh(MPI_COMM_WORLD);
    Bine_Plan plan;
    Bine_Set(comm, "allreduce", "board-flat");
    check_that(Bine_Allreduce_init(&x, &y, 1, MPI_INT, MPI_SUM, comm, &plan) == MPI_SUCCESS,
               "a plan on boards");
    fail_all = rank == 1;
    int rc = Bine_Plan_start(plan);
    fail_all = 0;
    if (rc == MPI_SUCCESS)
        rc = Bine_Plan_wait(plan);
    check_that(check_class(rc) == (rank == 1 ? MPI_ERR_NO_MEM : MPI_ERR_OTHER),
               "a plan started without memory on rank 1: class %d", check_class(rc));
    for (int k = 0; k < 3; k++) {
        x = rank + k;
        rc = Bine_Allreduce(&x, &z, 1, MPI_INT, MPI_SUM, comm);
        check_that(rc == MPI_SUCCESS && z == p * (p - 1) / 2 + p * k, "behind it: %d, %d", rc, z);
        Bine_Set(comm, "allreduce", k == 0 ? "recursive-doubling" : "board-flat");
        rc = Bine_Plan_start(plan);
        rc = rc == MPI_SUCCESS ? Bine_Plan_wait(plan) : rc;
        check_that(rc == MPI_SUCCESS && y == p * (p - 1) / 2 + p * k, "again: %d, %d", rc, y);
    }
    Bine_Plan_free(&plan);
    MPI_Comm_free(&comm);
}

/* The same for a call that is made ready, on boards or by messages: no rank has it ready if one has
 * not. */
static void test_init(int rank, const char *algorithm) {
    static int in[5], out[5];
    MPI_Comm comm = fresh(MPI_COMM_WORLD);
    check_that(Bine_Set(comm, "allreduce", algorithm) == MPI_SUCCESS, "%s", algorithm);
    check_that(Bine_Allreduce(in, out, 1, MPI_INT, MPI_MAX, comm) == MPI_SUCCESS, "a first call");
    long before = alive;
    for (int n = 0; n < 8; n++) { /* each allocation in turn */
        Bine_Plan plan = NULL;
        in[0] = rank;
        fail_at = rank == 1 && n < 4 ? n : -1;
        int rc = Bine_Allreduce_init(in, out, 5, MPI_INT, MPI_SUM, comm, &plan);
        fail_at = -1;
        check_that(n >= 4 || check_class(rc) == MPI_ERR_NO_MEM, "%s: init, allocation %d: class %d",
                   algorithm, n, check_class(rc));
        check_that((rc == MPI_SUCCESS) == (plan != NULL), "init %d: a plan", n);
        if (plan != NULL)
            check_that(Bine_Plan_run(plan) == MPI_SUCCESS, "run %d", n);
        Bine_Plan_free(&plan);
    }
    check_that(alive == before, "%s: init: %ld lost", algorithm, alive - before);
    MPI_Comm_free(&comm);
}

/* By messages alone, each allocation of a first call in turn, and then of a larger one, fails on
 * one rank: nobody begins, and the same call is right once there is memory. */
static void test_messages(int rank, const char *name) {
    enum { MANY = 30000 };
    static int in[MANY], out[MANY];
    static const int count[] = {5, MANY};
    int p, reached = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < MANY; i++)
        in[i] = rank;
    for (int n = 0; reached > 0; n++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        check_that(Bine_Set(comm, "bcast", "bine-small") == MPI_SUCCESS &&
                       Bine_Set(comm, "allreduce", name) == MPI_SUCCESS &&
                       Bine_Bcast(out, 1, MPI_INT, 0, comm) == MPI_SUCCESS,
                   "a first call");
        reached = 0;
        for (int k = 0; k < 2; k++) {
            fail_at = rank == 1 ? n : -1;
            int rc = Bine_Allreduce(in, out, count[k], MPI_INT, MPI_SUM, comm);
            int lacks = rank == 1 && fail_at < 0;
            fail_at = -1;
            MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            check_that(check_class(rc) == (lacks ? MPI_ERR_NO_MEM : MPI_SUCCESS),
                       "%s, %d elements, allocation %d: class %d", name, count[k], n,
                       check_class(rc));
            rc = Bine_Allreduce(in, out, count[k], MPI_INT, MPI_SUM, comm);
            check_that(rc == MPI_SUCCESS && out[count[k] - 1] == p * (p - 1) / 2,
                       "%s, %d elements, with memory after %d: class %d", name, count[k], n,
                       check_class(rc));
            reached += lacks;
        }
        check_that(n > 1 || reached > 0, "%s: allocation %d is never made", name, n);
        MPI_Comm_free(&comm);
    }
}

/* The same for an allgatherv of which one rank gives less than the others expect of it, and so has
 * to copy its block first; started calls get the memory. */
static void test_misfit(int rank) {
    enum { MOST = 64 };
    static int counts[MOST], displs[MOST];
    const int in[3] = {rank, rank, rank};
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int i = 0; i < MOST; i++) {
        counts[i] = 3;
        displs[i] = 3 * i;
    }
    if (!check_that(p <= MOST, "%d ranks: expected at most %d", p, MOST))
        return;
    for (int n = 0, reached = 1; reached; n++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        reached = 0;
        check_that(Bine_Set(comm, "allgatherv", "bine-far") == MPI_SUCCESS &&
                       Bine_Barrier(comm) == MPI_SUCCESS,
                   "a first call");
        for (int started = 0; started < 2; started++) {
            int out[3 * MOST] = {0}, own = rank == 1 ? 2 : 3;
            Bine_Request request = NULL;
            fail_at = rank == 1 ? n : -1;
            int rc = started
                         ? Bine_Iallgatherv(in, own, MPI_INT, out, counts, displs, MPI_INT, comm,
                                            &request)
                         : Bine_Allgatherv(in, own, MPI_INT, out, counts, displs, MPI_INT, comm);
            int lacks = rank == 1 && fail_at < 0;
            fail_at = -1;
            if (rc == MPI_SUCCESS && started)
                rc = Bine_Wait(&request);
            MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            check_that(check_class(rc) == (lacks && !started ? MPI_ERR_NO_MEM : MPI_SUCCESS),
                       "misfit%s, allocation %d: class %d", started ? ", started" : "", n,
                       check_class(rc));
            check_that(rc != MPI_SUCCESS || (out[4] == 1 && out[3 * p - 1] == p - 1),
                       "misfit: %d, %d", out[4], out[3 * p - 1]);
            reached += lacks;
        }
        MPI_Comm_free(&comm);
    }
}

/* A call that is started cannot be agreed on. Where memory is short for a moment, it takes what is
 * kept for later calls, and all ranks get their result. */
static void test_started(int rank) {
    static int in[5], out[5];
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    for (int n = 0, reached = 1; reached; n++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        Bine_Request request = NULL;
        check_that(Bine_Set(comm, "bcast", "bine-small") == MPI_SUCCESS &&
                       Bine_Set(comm, "allreduce", "bine-large") == MPI_SUCCESS &&
                       Bine_Bcast(out, 1, MPI_INT, 0, comm) == MPI_SUCCESS,
                   "a first call");
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 5; i++)
                in[i] = rank;
            fail_at = rank == 1 && k == 0 ? n : -1;
            int rc = Bine_Iallreduce(in, out, 5, MPI_INT, MPI_SUM, comm, &request);
            if (k == 0)
                reached = rank == 1 && fail_at < 0;
            fail_at = -1;
            check_that(rc == MPI_SUCCESS && Bine_Wait(&request) == MPI_SUCCESS &&
                           out[4] == p * (p - 1) / 2,
                       "started, allocation %d: class %d, %d", n, check_class(rc), out[4]);
        }
        MPI_Allreduce(MPI_IN_PLACE, &reached, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Comm_free(&comm);
    }
}

/* In place of MPI's: hosts of a machine. */
static char host[MPI_MAX_PROCESSOR_NAME] = "here";

int PMPI_Get_processor_name(char *name, int *length) {
    strcpy(name, host);
    *length = (int)strlen(host);
    return MPI_SUCCESS;
}

/* The same with messages between two nodes: a rank without a plan could not even tell. So nobody
 * begins. */
static void test_nodes(int rank) {
    static int in[5], out[5];
    char last[200] = "";
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    snprintf(host, sizeof host, "n%d", rank / 2);
    for (int lacking = 0; lacking < 2; lacking++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        for (int i = 0; i < 5; i++)
            in[i] = rank;
        check_that(Bine_Set(comm, "bcast", "bine-group") == MPI_SUCCESS &&
                       Bine_Set(comm, "allreduce", "bine-group") == MPI_SUCCESS,
                   "nodes");
        check_that(Bine_Bcast(out, 1, MPI_INT, 0, comm) == MPI_SUCCESS, "a first call");
        fail_all = rank == lacking;
        int rc = Bine_Allreduce(in, out, 5, MPI_INT, MPI_SUM, comm);
        fail_all = 0;
        check_that(check_class(rc) == MPI_ERR_NO_MEM, "nodes without memory on rank %d: class %d",
                   lacking, check_class(rc));
        rc = Bine_Allreduce(in, out, 5, MPI_INT, MPI_SUM, comm);
        Bine_Last(comm, last, (int)sizeof last);
        check_that(rc == MPI_SUCCESS && out[4] == p * (p - 1) / 2 && strstr(last, "boards") != NULL,
                   "nodes with memory: class %d, %d, %s", check_class(rc), out[4], last);
        MPI_Comm_free(&comm);
    }
    strcpy(host, "here");
}

/* Ranks that find out that they are a torus, in another order: one of them is short of memory at
 * every allocation in turn, and all do the same then. */
static void test_places(int rank) {
    enum { ALLOCATIONS = 24 };
    char file[64];
    long before = 0;
    int p;
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    snprintf(file, sizeof file, "/tmp/bine-memory.%ld.machine", (long)getpid());
    snprintf(host, sizeof host, "h%d", p - 1 - rank);
    FILE *f = fopen(file, "w");
    if (!check_that(f != NULL, "%s cannot be written", file))
        return;
    fprintf(f, "topology torus\ndims %d\nhosts h[0-%d]\n", p, p - 1);
    fclose(f);
    setenv("BINE_MACHINE", file, 1);
    for (long n = -1; n < ALLOCATIONS; n++) {
        MPI_Comm comm = fresh(MPI_COMM_WORLD);
        fail_at = rank == 1 ? n : -1;
        int yes = Bine_Set(comm, "gather", "bine-torus") == MPI_SUCCESS, all[2] = {yes, !yes};
        fail_at = -1;
        check_that(yes || n >= 0, "a torus with memory");
        MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        check_that(all[0] != all[1], "a torus on some ranks only, with allocation %ld", n);
        for (int i = 0; i < CALLS; i++)
            check_that(call(i, comm) == MPI_SUCCESS, "call %d, allocation %ld", i, n);
        MPI_Comm_free(&comm);
        before = n < 0 ? alive : before; /* the machine was read and is kept */
        check_that(alive == before, "a torus: %ld lost with allocation %ld", alive - before, n);
    }
    unsetenv("BINE_MACHINE");
    unlink(file);
}

void memory_test_ranks(int rank) {
    test_boards(rank, 0);
    test_boards(rank, 1);
    test_start_at_boards(rank);
    test_start_plan(rank);
    test_init(rank, "board-flat");
    test_messages(rank, "bine-small");
    test_messages(rank, "bine-large");
    test_misfit(rank);
    test_init(rank, "bine-small");
    test_started(rank);
    test_nodes(rank);
    test_places(rank);
}
