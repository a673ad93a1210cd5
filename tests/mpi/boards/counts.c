/* One rank of a call on boards has another count than the others, which is the program's mistake.
 * Who expects fewer bytes than were published for it gets MPI_ERR_TRUNCATE; the others come to an
 * end, with or without an error; and calls behind it, in which all ranks are right, are right. */
#include "../check.h"

#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements: a line, a slot of many blocks, some rounds, many rounds. */
static const int sizes[] = {1, 10, 500, 20000, 90000};
enum { LARGEST = 3 * 90000, ROOT = 1, NSIZES = sizeof sizes / sizeof *sizes };

enum kind { BCAST, REDUCE, ALLREDUCE, GATHER, SCATTER, ALLGATHER, KINDS };
static const char *const names[] = {"bcast",  "reduce",  "allreduce",
                                    "gather", "scatter", "allgather"};

static int *in, *out, rank, p;

static int start(enum kind kind, int n, MPI_Comm comm, Bine_Request *request) {
    switch (kind) {
    case BCAST:
        return Bine_Ibcast(out, n, MPI_INT, ROOT, comm, request);
    case REDUCE:
        return Bine_Ireduce(in, out, n, MPI_INT, MPI_SUM, ROOT, comm, request);
    case ALLREDUCE:
        return Bine_Iallreduce(in, out, n, MPI_INT, MPI_SUM, comm, request);
    case GATHER:
        return Bine_Igather(in, n, MPI_INT, out, n, MPI_INT, ROOT, comm, request);
    case SCATTER:
        return Bine_Iscatter(in, n, MPI_INT, out, n, MPI_INT, ROOT, comm, request);
    default:
        return Bine_Iallgather(in, n, MPI_INT, out, n, MPI_INT, comm, request);
    }
}

static int run(enum kind kind, int n, MPI_Comm comm) {
    switch (kind) {
    case BCAST:
        return Bine_Bcast(out, n, MPI_INT, ROOT, comm);
    case REDUCE:
        return Bine_Reduce(in, out, n, MPI_INT, MPI_SUM, ROOT, comm);
    case ALLREDUCE:
        return Bine_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
    case GATHER:
        return Bine_Gather(in, n, MPI_INT, out, n, MPI_INT, ROOT, comm);
    case SCATTER:
        return Bine_Scatter(in, n, MPI_INT, out, n, MPI_INT, ROOT, comm);
    default:
        return Bine_Allgather(in, n, MPI_INT, out, n, MPI_INT, comm);
    }
}

/* The class of the call's error, which may come when it is started, or when it ends. */
static int call(enum kind kind, int n, int nonblocking, MPI_Comm comm) {
    Bine_Request request;
    if (!nonblocking)
        return check_class(run(kind, n, comm));
    int rc = start(kind, n, comm, &request);
    return check_class(rc == MPI_SUCCESS ? Bine_Wait(&request) : rc);
}

/* Whether a rank reads publications of others, with an algorithm of one step. */
static int reads(enum kind kind) {
    return kind == BCAST || kind == SCATTER   ? rank != ROOT
           : kind == REDUCE || kind == GATHER ? rank == ROOT
                                              : 1;
}

/* Whether this rank reads what `peer` publishes. */
static int reads_from(enum kind kind, int peer) {
    if (kind == BCAST || kind == SCATTER)
        return rank != ROOT && peer == ROOT;
    return reads(kind) && peer != rank;
}

/* All calls right, so that a shift by one of them would be seen. */
static void right_calls(const char *text, MPI_Comm comm) {
    for (int k = 0; k < 3; k++)
        for (int n = 7; n <= 30000; n += 29993) {
            int wrong = 0, rc;
            for (int i = 0; i < n; i++) {
                in[i] = rank + i + k;
                out[i] = -1;
            }
            rc = Bine_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
            for (int i = 0; i < n; i++)
                wrong += out[i] != p * (p - 1) / 2 + p * (i + k);
            check_that(rc == MPI_SUCCESS && wrong == 0, "%s: sum of %d: rc %d, %d wrong", text, n,
                       rc, wrong);
            for (int i = 0; i < n; i++)
                out[i] = rank == k % p ? 3 * i + k : -1;
            rc = Bine_Bcast(out, n, MPI_INT, k % p, comm);
            wrong = 0;
            for (int i = 0; i < n; i++)
                wrong += out[i] != 3 * i + k;
            check_that(rc == MPI_SUCCESS && wrong == 0, "%s: broadcast of %d: rc %d, %d wrong",
                       text, n, rc, wrong);
        }
}

/* `odd` has m elements, the others n. */
static void differ(enum kind kind, const char *algorithm, int n, int m, int odd, int nonblocking,
                   MPI_Comm comm) {
    char text[200];
    int mine = rank == odd ? m : n, fewer = 0;
    for (int peer = 0; peer < p; peer++)
        fewer |= reads_from(kind, peer) && mine < (peer == odd ? m : n);
    snprintf(text, sizeof text, "%s%s %s of %d, %d on rank %d", nonblocking ? "i" : "", names[kind],
             algorithm, n, m, odd);
    memset(in, 0, (size_t)(p * LARGEST) * sizeof *in);
    int class = call(kind, mine, nonblocking, comm);
    if (fewer)
        check_that(class == MPI_ERR_TRUNCATE, "%s: class %d", text, class);
    else if ((kind == BCAST || kind == SCATTER) && rank == ROOT)
        check_that(class == MPI_SUCCESS, "%s: class %d at the root", text, class);
    right_calls(text, comm);
}

static void try_algorithm(enum kind kind, const char *algorithm, MPI_Comm comm) {
    if (!check_that(Bine_Set(comm, names[kind], algorithm) == MPI_SUCCESS, "no %s %s", names[kind],
                    algorithm))
        return;
    run(kind, 1, comm);
    for (int k = 0; k < NSIZES; k++)
        for (int form = 0; form < 6; form++) {
            int n = sizes[k], m = form % 3 == 0 ? 0 : form % 3 == 1 ? n / 2 : 3 * n;
            for (int odd = ROOT; odd <= ROOT + 1; odd++)
                differ(kind, algorithm, n, m, odd, form / 3, comm);
        }
    Bine_Set(comm, names[kind], "board-flat");
}

int main(int argc, char **argv) {
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    in = calloc((size_t)(p * LARGEST), sizeof *in);
    out = calloc((size_t)(p * LARGEST), sizeof *out);
    for (int kind = 0; kind < KINDS; kind++)
        check_that(Bine_Set(comm, names[kind], "board-flat") == MPI_SUCCESS, "no boards for %s",
                   names[kind]);
    for (int kind = 0; kind < KINDS; kind++) {
        try_algorithm((enum kind)kind, "board-flat", comm);
        if (kind != REDUCE && kind != ALLREDUCE)
            try_algorithm((enum kind)kind, "board-direct", comm);
    }
    free(in);
    free(out);
    int status = check_end();
    MPI_Finalize();
    return status;
}
