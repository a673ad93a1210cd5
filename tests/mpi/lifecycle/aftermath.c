/* After an error in the middle of a call: nobody is left waiting, and the next calls are right.
 * Errors are a count that is too small on one rank, and failures of MPI itself, which this program
 * makes by standing between Bine and MPI. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "../check.h"

#include "bine.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static int rank, p;
static int lose_receive; /* the next receive fails, and the message stays where it is */
static int lose_wait;    /* waiting fails, and what was waited for goes on */

static void *real(const char *name) {
    void *f = dlsym(RTLD_NEXT, name);
    if (f == NULL)
        abort();
    return f;
}

int PMPI_Recv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *s) {
    static int (*f)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
    if (f == NULL)
        *(void **)&f = real("PMPI_Recv");
    return lose_receive > 0 && lose_receive-- > 0 ? MPI_ERR_OTHER
                                                  : f(to, n, type, from, tag, comm, s);
}

int PMPI_Irecv(void *to, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request *r) {
    static int (*f)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    if (f == NULL)
        *(void **)&f = real("PMPI_Irecv");
    return lose_receive > 0 && lose_receive-- > 0 ? MPI_ERR_OTHER
                                                  : f(to, n, type, from, tag, comm, r);
}

int PMPI_Wait(MPI_Request *r, MPI_Status *s) {
    static int (*f)(MPI_Request *, MPI_Status *);
    if (f == NULL)
        *(void **)&f = real("PMPI_Wait");
    return lose_wait ? MPI_ERR_OTHER : f(r, s);
}

int PMPI_Waitall(int n, MPI_Request *r, MPI_Status *s) {
    static int (*f)(int, MPI_Request *, MPI_Status *);
    if (f == NULL)
        *(void **)&f = real("PMPI_Waitall");
    return lose_wait ? MPI_ERR_OTHER : f(n, r, s);
}

/* Calls that show what an older message would do to them. */
static void works(MPI_Comm comm, const char *after) {
    int me, n;
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    for (int i = 0; i < 4; i++) {
        int x = 1000 * i + me, sum = -1, all[64], right = 1;
        int rc = Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, comm);
        check_that(rc == MPI_SUCCESS && sum == 1000 * i * n + n * (n - 1) / 2,
                   "allreduce %d after %s: %d, %d", i, after, rc, sum);
        rc = Bine_Allgather(&x, 1, MPI_INT, all, 1, MPI_INT, comm);
        for (int k = 0; k < n; k++)
            right = right && all[k] == 1000 * i + k;
        check_that(rc == MPI_SUCCESS && right, "allgather %d after %s: %d", i, after, rc);
        x = me == 0 ? 77 + i : -1;
        rc = Bine_Bcast(&x, 1, MPI_INT, 0, comm);
        check_that(rc == MPI_SUCCESS && x == 77 + i, "bcast %d after %s: %d, %d", i, after, rc, x);
    }
}

static const struct {
    const char *collective, *algorithm;
} rows[] = {{"bcast", "bine-small"},        {"bcast", "bine-large"}, {"allreduce", "bine-small"},
            {"allreduce", "bine-large"},    {"allreduce", "ring"},   {"allgather", "bine-far"},
            {"reduce", "bine-small"},       {"gather", "bine-far"},  {"alltoall", "linear"},
            {"reduce_scatter", "bine-near"}};

static int call(const char *what, int *in, int *out, int n, MPI_Comm comm) {
    if (strcmp(what, "bcast") == 0)
        return Bine_Bcast(out, n, MPI_INT, 0, comm);
    if (strcmp(what, "allreduce") == 0)
        return Bine_Allreduce(in, out, n, MPI_INT, MPI_SUM, comm);
    if (strcmp(what, "allgather") == 0)
        return Bine_Allgather(in, n, MPI_INT, out, n, MPI_INT, comm);
    if (strcmp(what, "reduce") == 0)
        return Bine_Reduce(in, out, n, MPI_INT, MPI_SUM, 1, comm);
    if (strcmp(what, "gather") == 0)
        return Bine_Gather(in, n, MPI_INT, out, n, MPI_INT, 1, comm);
    if (strcmp(what, "alltoall") == 0)
        return Bine_Alltoall(in, n, MPI_INT, out, n, MPI_INT, comm);
    return Bine_Reduce_scatter_block(in, out, n, MPI_INT, MPI_SUM, comm);
}

enum { SMALL = 64, LARGE = 1 << 18 }; /* messages that wait for their receives */

/* One rank's count is half of the others'; it gets an error where it gets too much. */
static void test_small_count(int count) {
    int *in = calloc((size_t)count * (size_t)p, sizeof *in),
        *out = calloc((size_t)count * (size_t)p, sizeof *out);
    MPI_Comm comm;
    if (in == NULL || out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (count > SMALL && strstr(rows[i].collective, "reduce") != NULL)
            continue; /* other counts make other numbers of segments */
        check_that(Bine_Set(comm, rows[i].collective, rows[i].algorithm) == MPI_SUCCESS, "%s %s",
                   rows[i].collective, rows[i].algorithm);
        int rc = call(rows[i].collective, in, out, rank == 1 ? count / 2 : count, comm);
        check_that(rank != 1 || rc != MPI_SUCCESS, "%s %s of %d: no error", rows[i].collective,
                   rows[i].algorithm, count);
        Bine_Set(comm, rows[i].collective, NULL);
        works(comm, rows[i].algorithm);
    }
    MPI_Comm_free(&comm);
    free(in);
    free(out);
}

/* A message that one rank never received must not be taken for another. */
static void test_lost_message(void) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    works(comm, "nothing");
    for (int i = 0; i < 3; i++) {
        int x = rank == 0 ? 5 : 0;
        Bine_Set(comm, "bcast", "bine-small");
        lose_receive = rank == 1;
        int rc = Bine_Bcast(&x, 1, MPI_INT, 0, comm);
        check_that((rc != MPI_SUCCESS) == (rank == 1), "a lost message: %d", rc);
        lose_receive = 0;
        Bine_Set(comm, "bcast", NULL);
        works(comm, "a lost message");
    }
    MPI_Comm_free(&comm);
}

static int is_at_boards(MPI_Comm comm) {
    char last[200] = "";
    Bine_Last(comm, last, sizeof last);
    return strstr(last, " board-") != NULL;
}

/* One rank's wrong argument, while the others make the call. They wait for nothing from it; or do
 * so at boards, and get an error. */
static void test_wrong_argument(void) {
    MPI_Comm comm;
    Bine_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    works(comm, "nothing");
    int x = 5, rc = Bine_Bcast(&x, rank == 1 ? -1 : 1, MPI_INT, 0, comm);
    check_that((rc != MPI_SUCCESS) == (rank == 1), "a wrong argument: %d", rc);
    works(comm, "one rank's wrong argument");
    if (is_at_boards(comm)) {
        int sum = 0, n = rank == 1 ? -1 : 1;
        rc = Bine_Allreduce(&x, &sum, n, MPI_INT, MPI_SUM, comm);
        check_that(rc != MPI_SUCCESS, "an allreduce without one rank");
        works(comm, "an allreduce without one rank");
        rc = Bine_Iallreduce(&x, &sum, n, MPI_INT, MPI_SUM, comm, &request);
        if (rc == MPI_SUCCESS)
            rc = Bine_Wait(&request);
        check_that(rc != MPI_SUCCESS, "a started allreduce without one rank");
        works(comm, "a started allreduce without one rank");
    }
    MPI_Comm_free(&comm);
}

/* The root cannot wait for what it sends from memory of Bine's own, and goes on to other calls; the
 * others must get what was sent. */
static void test_lost_wait(void) {
    enum { ROWS = 4096, WIDTH = 256, ROOT = 1 };
    size_t block = (size_t)ROWS * WIDTH, bad = 0;
    MPI_Comm comm;
    MPI_Datatype row;
    int *in = calloc(block * (size_t)p, sizeof *in), *out = calloc(block, sizeof *out);
    if (in == NULL || out == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(WIDTH - 1, MPI_INT, &row);
    MPI_Type_create_resized(row, 0, WIDTH * (MPI_Aint)sizeof *in, &row);
    MPI_Type_commit(&row);
    for (size_t i = 0; i < block * (size_t)p; i++)
        in[i] = (int)i;
    works(comm, "nothing");
    Bine_Set(comm, "scatter", "linear");
    lose_wait = rank == ROOT;
    int rc = Bine_Scatter(in, ROWS, row, out, ROWS, row, ROOT, comm);
    lose_wait = 0;
    check_that((rc != MPI_SUCCESS) == (rank == ROOT), "a lost wait: %d", rc);
    works(comm, "a lost wait");
    for (size_t i = 0; i < block && rank != ROOT; i++)
        bad += i % WIDTH < WIDTH - 1 && out[i] != (int)(block * (size_t)rank + i);
    check_that(bad == 0, "a lost wait: %zu wrong", bad);
    MPI_Type_free(&row);
    MPI_Comm_free(&comm);
    free(in);
    free(out);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    /* MPICH raises errors of MPI_Wait there. */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    test_lost_message();
    test_wrong_argument();
    test_lost_wait();
    test_small_count(SMALL);
    test_small_count(LARGE);
    int status = check_end();
    MPI_Finalize();
    return status;
}
