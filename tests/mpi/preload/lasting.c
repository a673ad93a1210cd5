/* Persistent collectives at boards of their own, by a program that knows nothing of Bine.
 *
 *     lasting [--taken N]
 *
 * Started in another order on every rank, one by one and by MPI_Startall, beside blocking and
 * nonblocking calls on the boards of the communicator; by a root that runs ahead; more of them than
 * there is memory for, which all ranks find alike; freed while they are pending; with counts that
 * differ. `--taken 1`: Bine takes as many at once as there is memory for, and more once these are
 * freed; 2: all of them, some without boards. Which calls Bine has taken is told by their status,
 * which is that of a message. */
#include "../check.h"
#include "persistent.h"

#include <stdlib.h>
#include <string.h>

enum { SOME = 12, MANY = 40, WORDS = 1 << 16, TURNS = 20 };

static int rank, p, taken;
static MPI_Comm comm;

static int is_taken(const MPI_Status *s) {
    return s->MPI_SOURCE == 0 && s->MPI_TAG > 0;
}

/* MPICH's own persistent calls leave a status like that of a message. */
static int tells(void) {
    return check_is_openmpi();
}

/* --- In any order */

struct call {
    int root, n, *in, *out;
};

/* Of 1 to WORDS words: in a line, in a slot, and in rounds. */
static MPI_Request make(struct call *x, int k) {
    MPI_Request r;
    x->root = k % p;
    x->n = (int[]){1, 100, 5000, WORDS}[k / 3 % 4];
    x->in = malloc((size_t)x->n * sizeof(int));
    x->out = malloc((size_t)x->n * sizeof(int));
    if (k % 3 == 0)
        INIT(Bcast)(x->out, x->n, MPI_INT, x->root, comm, MPI_INFO_NULL, &r);
    else if (k % 3 == 1)
        INIT(Allreduce)(x->in, x->out, x->n, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r);
    else
        INIT(Reduce)(x->in, x->out, x->n, MPI_INT, MPI_SUM, x->root, comm, MPI_INFO_NULL, &r);
    return r;
}

static int value(int k, int turn, int i, int who) {
    return 1000 * k + 10 * turn + i % 97 + who;
}

static void fill(const struct call *x, int k, int turn) {
    for (int i = 0; i < x->n; i++) {
        x->in[i] = value(k, turn, i, rank);
        x->out[i] = k % 3 == 0 && rank == x->root ? value(k, turn, i, rank) : -1;
    }
}

static void compare(const struct call *x, int k, int turn) {
    int wrong = 0;
    for (int i = 0; i < x->n; i++) {
        int sum = p * value(k, turn, i, 0) + p * (p - 1) / 2;
        int expected = k % 3 == 0                      ? value(k, turn, i, x->root)
                       : k % 3 == 2 && rank != x->root ? -1
                                                       : sum;
        wrong += x->out[i] != expected;
    }
    check_that(wrong == 0, "call %d, turn %d, %d words: %d wrong", k, turn, x->n, wrong);
}

static void shuffle(int *list, int n, struct rng *r) {
    for (int i = n - 1; i > 0; i--) {
        int j = rng_below(r, i + 1), x = list[i];
        list[i] = list[j];
        list[j] = x;
    }
}

/* Some one by one, with calls that are no persistent ones in between; the others at once. */
static void start_all(MPI_Request *request, struct rng *own, int turn) {
    int which[SOME], single = rng_below(own, SOME + 1), at = rng_below(own, single + 1);
    int one = 1, sum = 0, started = rank == turn % p ? turn : -1;
    MPI_Request some[SOME], ibcast;
    for (int i = 0; i < SOME; i++)
        which[i] = i;
    shuffle(which, SOME, own);
    for (int i = 0; i < single; i++) {
        if (i == at)
            MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        MPI_Start(&request[which[i]]);
    }
    if (at == single)
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Ibcast(&started, 1, MPI_INT, turn % p, comm, &ibcast);
    for (int i = single; i < SOME; i++)
        some[i] = request[which[i]];
    MPI_Startall(SOME - single, some + single);
    for (int i = single; i < SOME; i++)
        request[which[i]] = some[i];
    MPI_Wait(&ibcast, MPI_STATUS_IGNORE);
    check_that(sum == p, "an allreduce in between, turn %d: %d", turn, sum);
    check_that(started == turn, "a bcast in between, turn %d: %d", turn, started);
}

static void any_order(void) {
    struct rng own = rng_make(7, 1, (uint64_t)rank);
    struct call call[SOME];
    MPI_Request request[SOME];
    MPI_Status status[SOME];
    for (int k = 0; k < SOME; k++)
        request[k] = make(&call[k], k);
    for (int turn = 0; turn < TURNS; turn++) {
        for (int k = 0; k < SOME; k++)
            fill(&call[k], k, turn);
        start_all(request, &own, turn);
        MPI_Waitall(SOME, request, status);
        for (int k = 0; k < SOME; k++) {
            compare(&call[k], k, turn);
            check_that(!taken || is_taken(&status[k]), "call %d was not taken", k);
        }
    }
    for (int k = 0; k < SOME; k++) {
        MPI_Request_free(&request[k]);
        free(call[k].in);
        free(call[k].out);
    }
}

/* --- Ahead */

/* The root starts the next one as soon as its last one is over there: two hundred of them, and
 * another call that only the others look at late. */
static void ahead(void) {
    MPI_Request r, other;
    int x = 0, sum = 0, mine = rank, words[100];
    INIT(Bcast)(&x, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &r);
    INIT(Allreduce)(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &other);
    MPI_Start(&other);
    for (int turn = 0; turn < 200; turn++) {
        x = rank == 0 ? turn : -1;
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        check_that(x == turn, "bcast %d gave %d", turn, x);
        for (int i = 0; i < 100 && turn == 100; i++)
            words[i] = rank == 1 ? i : -1;
        if (turn == 100)
            MPI_Bcast(words, 100, MPI_INT, 1, comm);
    }
    MPI_Wait(&other, MPI_STATUS_IGNORE);
    check_that(sum == p * (p - 1) / 2 && words[99] == 99, "beside others: %d %d", sum, words[99]);
    MPI_Request_free(&r);
    MPI_Request_free(&other);
}

/* --- More than there is memory for */

static int count_taken(MPI_Request *request, int *in, int *out) {
    MPI_Status s;
    int n = 0;
    for (int k = 0; k < MANY; k++) {
        for (int i = 0; i < WORDS; i++) {
            in[i] = rank + k + i;
            out[i] = -1;
        }
        MPI_Start(&request[k]);
        MPI_Wait(&request[k], &s);
        n += is_taken(&s);
        int sum = p * (p - 1) / 2 + p * k, last = sum + p * (WORDS - 1);
        check_that(out[0] == sum && out[WORDS - 1] == last, "one of many, %d: %d %d", k, out[0],
                   out[WORDS - 1]);
    }
    return n;
}

static void too_many(void) {
    static int in[WORDS], out[WORDS];
    MPI_Request request[MANY];
    int before = -1;
    for (int turn = 0; turn < 3; turn++) {
        for (int k = 0; k < MANY; k++)
            INIT(Allreduce)(in, out, WORDS, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request[k]);
        int n = count_taken(request, in, out), least, most;
        MPI_Allreduce(&n, &least, 1, MPI_INT, MPI_MIN, comm);
        MPI_Allreduce(&n, &most, 1, MPI_INT, MPI_MAX, comm);
        check_that(least == most, "%d were taken here, %d to %d elsewhere", n, least, most);
        check_that(!taken || (taken == 1 && tells() ? n > 0 && n < MANY : n == MANY),
                   "%d were taken", n);
        check_that(before < 0 || n == before, "%d were taken, %d before", n, before);
        before = n;
        for (int k = 0; k < MANY; k++)
            MPI_Request_free(&request[k]);
        MPI_Barrier(comm); /* all have let go of them */
    }
}

/* --- Freed while they are pending */

static void freed(void) {
    int in[3] = {rank, rank + 1, rank + 2}, out[3][2] = {{0}};
    for (int turn = 0; turn < 30; turn++) {
        MPI_Request r[3];
        for (int k = 0; k < 3; k++)
            INIT(Allreduce)(&in[k], out[k], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &r[k]);
        for (int k = 0; k < 3; k++) /* in an order of this rank's own */
            MPI_Start(&r[(k + rank) % 3]);
        for (int k = 0; k < 3; k++)
            MPI_Request_free(&r[(k + turn) % 3]);
        for (int i = 0; i < 10; i++)
            MPI_Barrier(comm);
        for (int k = 0; k < 3; k++)
            check_that(out[k][0] == p * (p - 1) / 2 + k * p, "freed, turn %d, %d: %d", turn, k,
                       out[k][0]);
    }
}

/* --- Mistakes */

/* The last rank has room for one word of two. It gets an error, and by a later start again; so do
 * the others then, as it does not come. */
static void counts_differ(void) {
    int words[2] = {-1, -1}, two = rank < p - 1 ? 2 : 1, turns = 2;
    MPI_Request r;
    if (taken != 1)
        return;
    INIT(Bcast)(words, two, MPI_INT, 0, comm, MPI_INFO_NULL, &r);
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < two && rank == 0; i++)
            words[i] = 5 + i;
        int rc = MPI_Start(&r);
        if (rc == MPI_SUCCESS)
            rc = MPI_Wait(&r, MPI_STATUS_IGNORE);
        if (rank == p - 1)
            check_that(rc != MPI_SUCCESS, "a count that is too small, turn %d", turn);
        else if (turn == 0)
            check_that(rc == MPI_SUCCESS && words[1] == 6, "beside a wrong count: %d", words[1]);
        MPI_Barrier(comm);
    }
    MPI_Request_free(&r);
}

int main(int argc, char **argv) {
    int one = 1, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    taken = (int)check_option(argc, argv, "taken", 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm);
    any_order();
    ahead();
    too_many();
    freed();
    counts_differ();
    MPI_Comm_free(&comm);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
