/* Communicators that come and go: none is opened for a few calls, and one that stays is opened on
 * all ranks in the same call, also where one rank has made a wrong call meanwhile. witness.c stands
 * behind the drop-in library and counts what comes to MPI: the program's calls, and Bine's own.
 *
 *     many 0|1     whether there is anything to take on communicators that stay
 *     many 2       there is, and nonblocking calls may be taken: the first few communicators are
 *                  opened as they are made; those that follow are once the program has started a
 *                  call, and their number has doubled */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "../check.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { MANY = 40, WAITED = 16, OPENED = 8, DOUBLED = 64 };

static int rank, p;
static void (*witness)(int *, int *);

/* How many allreduces came to MPI during these calls. */
static int allreduce(MPI_Comm comm, int calls) {
    int before, after, others, size, bad = 0;
    MPI_Comm_size(comm, &size);
    witness(&before, &others);
    for (int i = 0; i < calls; i++) {
        int in = i + 1, out = 0;
        MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm);
        bad += out != in * size;
    }
    witness(&after, &others);
    check_that(bad == 0, "%d of %d sums are wrong", bad, calls);
    return after - before;
}

/* From one number to another; those from and below other ones are open from the beginning. */
static void check_short(int from, int below, int open_from, int open_below) {
    for (int k = from; k < below; k++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, k % 2 ? rank % 2 : 0, rank, &comm);
        int n = allreduce(comm, 3), is_open = k >= open_from && k < open_below;
        check_that(is_open ? n < 3 : n == 3, "communicator %d: 3 calls, %d at MPI", k, n);
        MPI_Comm_free(&comm);
    }
}

static void check_started(void) {
    MPI_Request r;
    check_short(0, MANY, 0, OPENED);
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_short(MANY, 2 * MANY, DOUBLED, 2 * MANY);
}

/* A wrong call of one rank, which no other rank pairs, does not count. */
static void check_long(int takes, int wrong) {
    MPI_Comm comm;
    int x = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int first = allreduce(comm, 5);
    if (wrong && rank == 1)
        check_that(MPI_Bcast(&x, -1, MPI_INT, 0, comm) != MPI_SUCCESS, "a count of -1");
    first += allreduce(comm, WAITED - 5);
    int opens = allreduce(comm, 1), rest = allreduce(comm, MANY);
    check_that(first == WAITED, "%d calls of %d are forwarded to MPI", first, WAITED);
    if (takes)
        check_that(opens > 0 && rest == 0, "opened by %d calls; then %d at MPI", opens, rest);
    else
        check_that(opens == 1 && rest == MANY, "nothing to take: %d and %d at MPI", opens, rest);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
    int takes = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&witness = dlsym(RTLD_DEFAULT, "witness_counts");
    if (witness == NULL) {
        fprintf(stderr, "many: without its witness\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    allreduce(MPI_COMM_WORLD, 1);
    if (takes == 2) {
        check_started();
    } else {
        check_short(0, MANY, 0, 0);
        check_long(takes, 0);
        check_long(takes, 1);
    }
    int status = check_end();
    MPI_Finalize();
    return status;
}
