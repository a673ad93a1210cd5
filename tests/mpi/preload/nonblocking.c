/* Nonblocking collectives of a program that knows nothing of Bine: every function of MPI takes
 * their requests, alone and among others.
 *
 *     nonblocking [--rounds N] [--taken 0|1]
 *
 * A call that Bine has taken is told by its status, which MPI leaves undefined: it is that of a
 * message. */
#include "../check.h"
#include "persistent.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 24, WORDS = 700 };

static int rank, p, taken = 1;
static MPI_Comm comm;

static void rest(int milliseconds) {
    nanosleep(&(struct timespec){0, 1000000L * milliseconds}, NULL);
}

/* --- Every collective, among messages */

struct item {
    int in[WORDS], out[WORDS], counts[64], n, kind;
};

static struct item item[MOST];
static MPI_Request request[MOST];
static MPI_Status status[MOST];

static void start(int i, int kind, int n, int root) {
    struct item *x = &item[i];
    MPI_Request *r = &request[i];
    x->kind = kind;
    x->n = n;
    for (int k = 0; k < WORDS; k++) {
        x->in[k] = rank + k;
        x->out[k] = kind == 0 && rank == root ? 7 * k : -1;
    }
    for (int k = 0; k < p; k++)
        x->counts[k] = n;
    switch (kind) {
    case 0:
        MPI_Ibcast(x->out, n, MPI_INT, root, comm, r);
        break;
    case 1:
        MPI_Ireduce(x->in, x->out, n, MPI_INT, MPI_SUM, root, comm, r);
        break;
    case 2:
        MPI_Iallreduce(x->in, x->out, n, MPI_INT, MPI_SUM, comm, r);
        break;
    case 3:
        MPI_Iallgather(x->in, n, MPI_INT, x->out, n, MPI_INT, comm, r);
        break;
    case 4:
        MPI_Ireduce_scatter(x->in, x->out, x->counts, MPI_INT, MPI_MAX, comm, r);
        break;
    case 5:
        MPI_Ireduce_scatter_block(x->in, x->out, n, MPI_INT, MPI_MAX, comm, r);
        break;
    case 6:
        MPI_Ialltoall(x->in, n, MPI_INT, x->out, n, MPI_INT, comm, r);
        break;
    case 7:
        MPI_Igather(x->in, n, MPI_INT, x->out, n, MPI_INT, root, comm, r);
        break;
    case 8:
        MPI_Iscatter(x->in, n, MPI_INT, x->out, n, MPI_INT, root, comm, r);
        break;
    case 9:
        MPI_Iscan(x->in, x->out, n, MPI_INT, MPI_SUM, comm, r);
        break;
    case 10:
        MPI_Ibarrier(comm, r);
        break;
    case 11: /* a message round the ring */
        MPI_Isend(x->in, n, MPI_INT, (rank + 1) % p, 5, MPI_COMM_WORLD, r);
        break;
    default:
        MPI_Irecv(x->out, n, MPI_INT, (rank + p - 1) % p, 5, MPI_COMM_WORLD, r);
    }
}

enum { KINDS = 11 };

/* What stands at place k of the result. */
static int expected(const struct item *x, int k, int root) {
    int n = x->n, sum = p * (p - 1) / 2;
    switch (x->kind) {
    case 0:
        return 7 * k;
    case 1:
    case 2:
        return sum + p * k;
    case 3:
    case 7:
        return k / n + k % n;
    case 4:
    case 5:
        return p - 1 + rank * n + k;
    case 6:
        return k / n + rank * n + k % n;
    case 8:
        return root + rank * n + k;
    case 9:
        return rank * (rank + 1) / 2 + (rank + 1) * k;
    default:
        return (rank + p - 1) % p + k;
    }
}

static void check_item(int i, int root) {
    const struct item *x = &item[i];
    int all = x->kind == 3 || x->kind == 6 || x->kind == 7 ? p : 1, wrong = 0;
    if ((x->kind == 1 || x->kind == 7) && rank != root)
        return;
    if (x->kind == 10 || x->kind == 11)
        return;
    for (int k = 0; k < x->n * all; k++)
        wrong += x->out[k] != expected(x, k, root);
    check_that(wrong == 0, "kind %d, %d elements, root %d: %d wrong", x->kind, x->n, root, wrong);
}

static void check_taken(const struct item *x, const MPI_Status *s) {
    if (x->kind < 11 && taken)
        check_that(s->MPI_SOURCE == 0 && s->MPI_TAG > 0, "kind %d: not taken", x->kind);
}

/* By one of MPI's functions until all are over. */
static void complete(struct rng *r, int n) {
    int left = n, flag, i, some, which[MOST];
    MPI_Status s, each[MOST];
    while (left > 0) {
        for (int k = 0; k < MOST; k++)
            each[k].MPI_SOURCE = each[k].MPI_TAG = -77;
        s = each[0];
        some = 0;
        switch (rng_below(r, 8)) {
        case 0:
            i = rng_below(r, n);
            flag = request[i] != MPI_REQUEST_NULL;
            MPI_Wait(&request[i], &s);
            some = flag;
            break;
        case 1:
            i = rng_below(r, n);
            some = request[i] != MPI_REQUEST_NULL;
            MPI_Test(&request[i], &flag, &s);
            some = some && flag;
            break;
        case 2:
            MPI_Waitany(n, request, &i, &s);
            some = i != MPI_UNDEFINED;
            break;
        case 3:
            MPI_Testany(n, request, &i, &flag, &s);
            some = flag && i != MPI_UNDEFINED;
            break;
        case 4:
            MPI_Waitsome(n, request, &i, which, each);
            some = -i;
            break;
        case 5:
            MPI_Testsome(n, request, &i, which, each);
            some = i == MPI_UNDEFINED ? 0 : -i;
            break;
        case 6:
            i = rng_below(r, n);
            if (request[i] != MPI_REQUEST_NULL)
                MPI_Request_get_status(request[i], &flag, &s);
            continue;
        default:
            if (left < n)
                continue;
            MPI_Waitall(n, request, status);
            return;
        }
        if (some > 0)
            status[i] = s;
        for (int k = 0; k < -some; k++)
            status[which[k]] = each[k];
        left -= abs(some);
    }
}

static void mix(struct rng *all, struct rng *own) {
    int n = 2 + rng_below(all, MOST / 2), root = rng_below(all, p), same = rng_once_in(all, 2);
    start(0, 11, 10, 0);
    start(1, 12, 10, 0);
    for (int i = 2; i < n; i++) /* of all kinds, or of few, of which only the buffers differ */
        start(i, same ? i % 3 : rng_below(all, KINDS), same ? 5 : 1 + rng_below(all, WORDS / p),
              root);
    if (rng_once_in(all, 2))
        MPI_Barrier(comm);
    complete(own, n);
    for (int i = 0; i < n; i++) {
        check_item(i, root);
        check_taken(&item[i], &status[i]);
    }
}

/* --- What is freed before the end */

static void add(void *in, void *inout, int *len, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < 2 * *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void add_one(void *in, void *inout, int *len, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *len; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void check_freed(void) {
    int x[4] = {1, 2, 3, 4}, sum[4] = {0}, all = 1, of_all;
    MPI_Comm c;
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Request r;
    MPI_Comm_dup(comm, &c);
    MPI_Allreduce(&all, &of_all, 1, MPI_INT, MPI_SUM, c);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(add, 1, &op);
    if (rank == 0)
        rest(10);
    MPI_Iallreduce(x, sum, 2, pair, op, c, &r);
    MPI_Type_free(&pair);
    MPI_Op_free(&op);
    MPI_Comm_free(&c);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    check_that(sum[0] == p && sum[3] == 4 * p, "freed before the end: %d %d", sum[0], sum[3]);
    MPI_Op_create(add, 1, &op);
    MPI_Op_free(&op);
    check_that(op == MPI_OP_NULL, "MPI_Op_free");
}

static void start_another(MPI_Comm c, MPI_Op op, MPI_Request *r) {
    static int one = 1, sum;
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, op, c, r);
}

/* Operators that are freed before their calls are over, while another call is pending all the
 * time, for which rank 0 comes late: they do not stay until MPI_Finalize. */
static void check_operators_go(void) {
    enum { CALLS = 6000, MORE = 2000 }; /* kilobytes: a quarter of what they would take */
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}, late;
    MPI_Comm other;
    MPI_Op another;
    int x[2] = {1, 2}, sum[2][2], before = 0;
    MPI_Comm_dup(comm, &other);
    MPI_Allreduce(x, sum, 1, MPI_INT, MPI_SUM, other);
    MPI_Op_create(add_one, 1, &another);
    if (rank > 0)
        start_another(other, another, &late);
    for (int i = 0; i < CALLS + 100; i++) {
        MPI_Op op;
        if (i == 100)
            before = (int)check_memory();
        MPI_Op_create(add_one, 1, &op);
        MPI_Iallreduce(x, sum[i % 2], 2, MPI_INT, op, comm, &r[i % 2]);
        MPI_Op_free(&op);
        MPI_Wait(&r[1 - i % 2], MPI_STATUS_IGNORE);
    }
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    if (rank == 0)
        start_another(other, another, &late);
    MPI_Wait(&late, MPI_STATUS_IGNORE);
    MPI_Op_free(&another);
    MPI_Comm_free(&other);
    int grown = (int)check_memory() - before;
    check_that(grown < MORE, "%d calls with operators of their own: %d KB more", CALLS, grown);
    check_that(sum[0][1] == 2 * p && sum[1][0] == p, "their sums: %d %d", sum[0][1], sum[1][0]);
}

/* An operator that looks at the type it is passed, which is the program's own; a type that is never
 * copied, as its attribute tells. */
static MPI_Datatype own_pair;
static int copies;

static void add_own(void *in, void *inout, int *len, MPI_Datatype *type) {
    for (int i = 0; i < 2 * *len; i++)
        ((int *)inout)[i] += *type == own_pair ? ((int *)in)[i] : 0;
}

static int on_copy(MPI_Datatype type, int key, void *extra, void *in, void *out, int *flag) {
    (void)type;
    (void)key;
    (void)extra;
    (void)out;
    (void)in;
    copies++;
    *flag = 0;
    return MPI_SUCCESS;
}

static void check_own_type(void) {
    int x[4] = {1, 2, 3, 4}, sum[4], key;
    MPI_Op op;
    MPI_Datatype type;
    MPI_Type_create_keyval(on_copy, MPI_TYPE_NULL_DELETE_FN, &key, NULL);
    MPI_Op_create(add_own, 1, &op);
    for (int form = 0; form < 4; form++) {
        MPI_Request r;
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_set_attr(type, key, &key);
        own_pair = type;
        memset(sum, 0, sizeof sum);
        if (form % 2 == 0)
            MPI_Iallreduce(x, sum, 2, type, op, comm, &r);
        else
            INIT(Allreduce)(x, sum, 2, type, op, comm, MPI_INFO_NULL, &r);
        if (form >= 2) /* it is held until the end of the call */
            MPI_Type_free(&type);
        if (form % 2 == 1)
            MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (form % 2 == 1)
            MPI_Request_free(&r);
        if (form < 2)
            MPI_Type_free(&type);
        check_that(sum[0] == p && sum[3] == 4 * p, "the operator's type, form %d: %d %d", form,
                   sum[0], sum[3]);
    }
    check_that(copies == 0, "%d copies of a type's attribute", copies);
    MPI_Op_free(&op);
    MPI_Type_free_keyval(&key);
}

/* Open MPI 4.1 waits for ever if it is made to look for messages between these. */
static void check_between_idups(void) {
    enum { TIMES = 10 };
    MPI_Request r[2 * TIMES];
    MPI_Comm copy[TIMES];
    int x[TIMES], sum[TIMES];
    for (int i = 0; i < TIMES; i++) {
        x[i] = rank + i;
        MPI_Iallreduce(&x[i], &sum[i], 1, MPI_INT, MPI_SUM, comm, &r[2 * i]);
        MPI_Comm_idup(comm, &copy[i], &r[2 * i + 1]);
    }
    MPI_Waitall(2 * TIMES, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < TIMES; i++) {
        check_that(sum[i] == p * (p - 1) / 2 + p * i, "between duplicates: %d", sum[i]);
        MPI_Comm_free(&copy[i]);
    }
}

int main(int argc, char **argv) {
    int one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    taken = (int)check_option(argc, argv, "taken", 1);
    int rounds = (int)check_option(argc, argv, "rounds", 40);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm); /* from here on calls are taken */
    struct rng all = rng_make(1, 2, 3), own = rng_make(1, 2, 4 + (uint64_t)rank);
    for (int i = 0; i < rounds; i++)
        mix(&all, &own);
    check_between_idups();
    check_operators_go();
    check_own_type();
    if (taken) /* Open MPI 4.1.4 itself crashes there */
        check_freed();
    MPI_Comm_free(&comm);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
