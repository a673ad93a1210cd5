/* Requests that a program uses wrongly, and what it may free while it has them: MPI's error classes
 * on the rank that erred, and everything goes on.
 *
 *     mistakes */
#include "../check.h"
#include "persistent.h"

#include <string.h>

static int rank, p, a[4], b[4];
static MPI_Comm comm;
static MPI_Request none = MPI_REQUEST_NULL;

static void is_class(int expected, int code, const char *what) {
    int class = check_class(code);
    check_that(class == expected, "%s: class %d, expected %d", what, class, expected);
}

#define IS_REQUEST(CALL) is_class(MPI_ERR_REQUEST, CALL, #CALL)
#define IS_RIGHT(CALL) is_class(MPI_SUCCESS, CALL, #CALL)

static MPI_Request make(void) {
    MPI_Request r;
    for (int i = 0; i < 4; i++) {
        a[i] = rank + i;
        b[i] = -1;
    }
    INIT(Allreduce)(a, b, 4, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
    return r;
}

static void is_sum(const char *what) {
    int sum = p * (p - 1) / 2;
    check_that(b[0] == sum && b[3] == sum + 3 * p, "%s: %d %d", what, b[0], b[3]);
}

static void until_over(MPI_Request r) {
    for (int over = 0; !over;)
        MPI_Request_get_status(r, &over, MPI_STATUS_IGNORE);
}

/* MPI_Request_get_status leaves a request as it is; but from MPICH 4.2 on a persistent one is not
 * active any more once that has said that it is over. What MPI does with its own is right. */
static int started_after_status(void) {
    int class, x = 1, y = 0;
    MPI_Request r;
    if (check_is_openmpi())
        return MPI_ERR_REQUEST;
    MPI_Recv_init(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
    MPI_Start(&r);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    until_over(r);
    class = check_class(MPI_Start(&r));
    if (class == MPI_SUCCESS)
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    return class;
}

/* Started when it is pending, and when it is over but nobody was told. */
static void started_twice(void) {
    MPI_Request r = make();
    MPI_Status s;
    IS_RIGHT(MPI_Wait(&r, &s)); /* it is not active: over at once */
    check_that(s.MPI_TAG == MPI_ANY_TAG, "the status of an inactive request: %d", s.MPI_TAG);
    IS_RIGHT(MPI_Start(&r));
    IS_REQUEST(MPI_Start(&r));
    until_over(r);
    is_class(started_after_status(), MPI_Start(&r), "started when it is over");
    IS_RIGHT(MPI_Wait(&r, MPI_STATUS_IGNORE));
    is_sum("started twice");
    memset(b, 0, sizeof b);
    IS_RIGHT(MPI_Start(&r));
    IS_RIGHT(MPI_Wait(&r, MPI_STATUS_IGNORE));
    is_sum("started again");
    IS_RIGHT(MPI_Request_free(&r));
    check_that(r == MPI_REQUEST_NULL, "a request that was freed");
    IS_REQUEST(MPI_Request_free(&r));
    IS_REQUEST(MPI_Start(&r));
}

static void null_ones(void) {
    MPI_Request r[2] = {make(), MPI_REQUEST_NULL};
    IS_REQUEST(MPI_Start(&none));
    IS_REQUEST(MPI_Request_free(&none));
    IS_RIGHT(MPI_Wait(&none, MPI_STATUS_IGNORE));
    IS_REQUEST(MPI_Startall(2, r));
    MPI_Request_get_status(r[0], &(int){0}, MPI_STATUS_IGNORE);
    IS_RIGHT(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    IS_RIGHT(MPI_Request_free(&r[0]));
}

/* Which MPI forbids, and which must not break anything. */
static void freed_under_way(void) {
    MPI_Request r = make();
    IS_RIGHT(MPI_Start(&r));
    IS_RIGHT(MPI_Request_free(&r));
    for (int i = 0; i < 10; i++)
        MPI_Barrier(comm);
    is_sum("freed under way");
}

static void add(void *in, void *inout, int *len, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < 2 * *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Communicator, type and operator are freed before the call is started. */
static void used_later(void) {
    MPI_Comm c;
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Request r;
    int one = 1, all;
    MPI_Comm_dup(comm, &c);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, c);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add, 1, &op);
    INIT(Allreduce)(a, b, 2, pair, op, c, MPI_INFO_NULL, &r);
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
    MPI_Comm_free(&c);
    for (int turn = 0; turn < 3; turn++) {
        memset(b, 0, sizeof b);
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        is_sum("freed before the start");
    }
    MPI_Request_free(&r);
}

/* MPI's to find. MPICH 4.0 calls negative counts by another class. */
static void wrong_calls(void) {
    MPI_Request r = MPI_REQUEST_NULL;
    if (check_is_openmpi()) {
        is_class(MPI_ERR_COUNT,
                 INIT(Allreduce)(a, b, -1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r), "a count");
        is_class(MPI_ERR_COUNT, MPI_Iallreduce(a, b, -1, MPI_INT, MPI_SUM, comm, &r), "a count");
    }
    is_class(MPI_ERR_ROOT, INIT(Bcast)(a, 1, MPI_INT, p, comm, MPI_INFO_NULL, &r), "a root");
    is_class(MPI_ERR_TYPE, MPI_Ibcast(a, 1, MPI_DATATYPE_NULL, 0, comm, &r), "a type");
}

/* MPI_IN_PLACE was forgotten: each rank gives its block from the place where it gets it. MPICH
 * finds that, on every rank; Open MPI makes the call. All ranks go the same way: a call after it is
 * right only if nobody waits for this one. */
static int gather_forgotten(int form, const int *counts, const int *displs, int *buffer) {
    MPI_Request r = MPI_REQUEST_NULL;
    int *own = buffer + displs[rank], n = counts[rank], rc;
    for (int i = 0; i < n; i++)
        own[i] = 100 * rank + i;
    if (form == 0)
        return MPI_Allgatherv(own, n, MPI_INT, buffer, counts, displs, MPI_INT, comm);
    if (form == 1)
        rc = MPI_Iallgatherv(own, n, MPI_INT, buffer, counts, displs, MPI_INT, comm, &r);
    else
        rc = INIT(Allgatherv)(own, n, MPI_INT, buffer, counts, displs, MPI_INT, comm, MPI_INFO_NULL,
                              &r);
    if (rc == MPI_SUCCESS && form == 2)
        rc = MPI_Start(&r);
    if (rc == MPI_SUCCESS)
        rc = MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (r != MPI_REQUEST_NULL)
        MPI_Request_free(&r);
    return rc;
}

static void forgotten_in_place(void) {
    const int counts[] = {3, 5, 2, 4}, displs[] = {0, 3, 8, 10};
    for (int form = 0; form < 3 && p <= 4; form++) {
        int buffer[14] = {0};
        if (check_is_openmpi()) {
            IS_RIGHT(gather_forgotten(form, counts, displs, buffer));
            for (int k = 0; k < p; k++)
                check_that(buffer[displs[k]] == 100 * k, "allgatherv, form %d: block %d", form, k);
        } else {
            is_class(MPI_ERR_BUFFER, gather_forgotten(form, counts, displs, buffer), "a buffer");
        }
        for (int root = 0; root < p; root++) {
            int one = rank + 1, sum = 0;
            IS_RIGHT(MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, root, comm));
            check_that(rank != root || sum == p * (p + 1) / 2, "reduce, form %d: %d", form, sum);
        }
    }
}

int main(int argc, char **argv) {
    int one = 1, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm); /* from here on calls are taken */
    started_twice();
    null_ones();
    freed_under_way();
    used_later();
    wrong_calls();
    forgotten_in_place();
    MPI_Comm_free(&comm);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
