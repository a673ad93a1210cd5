/* Functions of MPI 4 beside collectives that Bine makes: communicators without a parent, sessions,
 * partitioned messages; Fortran's types; and what programs see of MPI's handles while Bine is
 * between: statuses, communicators in error handlers, datatypes in operators. Where MPI lacks a
 * function, its test is left out. */
#include "../check.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 25, BLOCK = 300 };

/* Some blocking and started calls on a communicator are right. */
static void use(MPI_Comm comm, const char *what) {
    int rank, p, right = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &p);
    for (int i = 0; i < ROUNDS; i++) {
        int mine[BLOCK], sum[BLOCK], later[BLOCK], spread[BLOCK];
        MPI_Request r;
        for (int k = 0; k < BLOCK; k++)
            spread[k] = mine[k] = rank + i * k;
        MPI_Allreduce(mine, sum, BLOCK, MPI_INT, MPI_SUM, comm);
        MPI_Iallreduce(mine, later, BLOCK, MPI_INT, MPI_SUM, comm, &r);
        MPI_Bcast(spread, BLOCK, MPI_INT, i % p, comm);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        for (int k = 0; k < BLOCK; k++)
            right = right && sum[k] == p * (p - 1) / 2 + p * i * k && later[k] == sum[k] &&
                    spread[k] == i % p + i * k;
    }
    check_that(right, "%s", what);
}

static void duplicates(void) {
    MPI_Comm one, two;
    MPI_Request r[2];
    MPI_Comm_idup(MPI_COMM_WORLD, &one, &r[0]);
    MPI_Comm_idup(MPI_COMM_WORLD, &two, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    use(one, "a duplicate made by MPI_Comm_idup");
    use(two, "another one");
    MPI_Comm_free(&one);
    MPI_Comm_free(&two);
}

/* The status of a started collective, among others in an array; errors are not in it. */
static void statuses(int rank, int p) {
    int token = rank, got = -1, count = -1, cancelled = -1, sum = 0;
    MPI_Request r[3];
    MPI_Status s[3];
    memset(s, 0x55, sizeof s);
    MPI_Irecv(&got, 1, MPI_INT, (rank + p - 1) % p, 7, MPI_COMM_WORLD, &r[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&token, 1, MPI_INT, (rank + 1) % p, 7, MPI_COMM_WORLD, &r[2]);
    MPI_Waitall(3, r, s);
    MPI_Get_count(&s[0], MPI_INT, &count);
    MPI_Test_cancelled(&s[1], &cancelled);
    check_that(got == (rank + p - 1) % p && s[0].MPI_SOURCE == got && s[0].MPI_TAG == 7,
               "the status of a message beside a collective");
    check_that(count == 1 && cancelled == 0 && sum == p * (p - 1) / 2, "statuses");
}

static MPI_Datatype seen_type;
static int calls;

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
    const int *x = in;
    int *y = inout;
    for (int k = 0; k < *n; k++)
        y[k] += x[k];
    seen_type = *type;
    calls++;
}

static void operators(int p) {
    int one[BLOCK], sum[BLOCK], right = 1;
    int all_calls = 0;
    MPI_Op op;
    for (int k = 0; k < BLOCK; k++)
        one[k] = k;
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < ROUNDS; i++)
        MPI_Allreduce(one, sum, BLOCK, MPI_INT, op, MPI_COMM_WORLD);
    for (int k = 0; k < BLOCK; k++)
        right = right && sum[k] == p * k;
    MPI_Allreduce(&calls, &all_calls, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_that(right && all_calls > 0 && (calls == 0 || seen_type == MPI_INT),
               "an operator of the program's own gets the program's datatype");
    MPI_Op_free(&op);
}

static MPI_Comm raised_on;
static int raised;

static void on_error(MPI_Comm *comm, int *code, ...) {
    raised_on = *comm;
    raised = check_class(*code);
}

static void handlers(void) {
    MPI_Errhandler handler;
    MPI_Comm comm;
    int x = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Bcast(&x, 1, MPI_INT, 12345, comm);
    check_that(raised == MPI_ERR_ROOT && raised_on == comm,
               "the handler gets the program's communicator and the class %d", raised);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&comm);
}

/* --- Fortran: its handles are integers, and the library knows its types' sizes */

#ifdef MPI_ABI_VERSION
static MPI_Comm as_fortran_has(MPI_Comm comm) {
    return MPI_Comm_fromint(MPI_Comm_toint(comm));
}

/* What the standard's ABI says of Fortran, where the library was built with it. */
static int size_by_abi(const char *key, int otherwise) {
    MPI_Info info = MPI_INFO_NULL;
    char text[32];
    int found = 0, room = sizeof text;
    if (MPI_Abi_get_fortran_info(&info) == MPI_SUCCESS && info != MPI_INFO_NULL) {
        MPI_Info_get_string(info, key, &room, text, &found);
        MPI_Info_free(&info);
    }
    return found ? atoi(text) : otherwise;
}
#else
static MPI_Comm as_fortran_has(MPI_Comm comm) {
    return MPI_Comm_f2c(MPI_Comm_c2f(comm));
}

static int size_by_abi(const char *key, int otherwise) {
    (void)key;
    return otherwise;
}
#endif

/* 0: a library without Fortran. */
static int size_of(MPI_Datatype type) {
    int size = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (type == MPI_DATATYPE_NULL || MPI_Type_size(type, &size) != MPI_SUCCESS)
        size = 0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    return size;
}

static void fortran(int rank, int p) {
    MPI_Comm world = as_fortran_has(MPI_COMM_WORLD);
    int one = rank + 1, sum = 0, true_here = 1, all_true = 0, pair[2] = {rank, 100 + rank}, most[2];
    float real = 0.5f, reals = 0;
    if (size_of(MPI_INTEGER) != sizeof(int) || size_of(MPI_REAL) != sizeof(float) ||
        size_of(MPI_LOGICAL) != sizeof(int)) /* built without Fortran, or for other kinds */
        return;
    check_that(size_by_abi("mpi_logical_size", sizeof(int)) == sizeof(int) &&
                   size_by_abi("mpi_integer_size", sizeof(int)) == sizeof(int) &&
                   size_by_abi("mpi_real_size", sizeof(float)) == sizeof(float),
               "the ABI's sizes of Fortran's types");
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Allreduce(&one, &sum, 1, MPI_INTEGER, MPI_SUM, world);
        MPI_Allreduce(&real, &reals, 1, MPI_REAL, MPI_SUM, world);
        MPI_Allreduce(&true_here, &all_true, 1, MPI_LOGICAL, MPI_LAND, world);
        MPI_Allreduce(pair, most, 1, MPI_2INTEGER, MPI_MAXLOC, world);
    }
    check_that(sum == p * (p + 1) / 2 && (int)(2 * reals + 0.5f) == p, "Fortran's numbers");
    check_that(all_true != 0 && most[0] == p - 1 && most[1] == 99 + p,
               "Fortran's logicals and pairs");
}

#if MPI_VERSION >= 4
static void without_parent(void) {
    MPI_Group world;
    MPI_Comm comm;
    MPI_Session session;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_create_from_group(world, "bine-test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    use(comm, "a communicator from a group");
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
    MPI_Comm_create_from_group(world, "bine-test-2", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    use(comm, "a communicator of a session");
    MPI_Comm_free(&comm);
    MPI_Group_free(&world);
    MPI_Session_finalize(&session);
}

/* Partitions go out one by one, while collectives run. */
static void partitions(int rank, int p) {
    enum { PARTS = 4 };
    int out[PARTS] = {0}, in[PARTS] = {0}, sum, right = 1;
    MPI_Request r[2];
    MPI_Psend_init(out, PARTS, 1, MPI_INT, (rank + 1) % p, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &r[0]);
    MPI_Precv_init(in, PARTS, 1, MPI_INT, (rank + p - 1) % p, 3, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &r[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, r);
        for (int k = 0; k < PARTS; k++) {
            out[k] = 100 * i + 10 * rank + k;
            MPI_Pready(k, r[0]);
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            right = right && sum == p * (p - 1) / 2;
        }
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        for (int k = 0; k < PARTS; k++)
            right = right && in[k] == 100 * i + 10 * ((rank + p - 1) % p) + k;
    }
    check_that(right, "partitioned messages beside collectives");
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}
#endif

int main(int argc, char **argv) {
    int rank, p;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    use(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    duplicates();
    statuses(rank, p);
    operators(p);
    handlers();
    fortran(rank, p);
#if MPI_VERSION >= 4
    without_parent();
    partitions(rank, p);
#endif
    int rc = check_end();
    MPI_Finalize();
    return rc;
}
