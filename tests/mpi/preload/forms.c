/* Every collective of MPI in all its forms, by a program that knows nothing of Bine: blocking,
 * nonblocking and persistent, with int and, where MPI has them, with large counts; several under
 * way at once, persistent ones started in another order on every rank and again with other data,
 * all completed by any of MPI's functions. What every rank must end with is worked out here.
 *
 *     forms [--rounds N] [--seed N] [--taken 0|1]
 *
 * A call that Bine has taken is told by its status, which MPI leaves undefined: it is that of a
 * message. */
#include "../check.h"
#include "persistent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10, RANKS = 16, WORDS = 2000, UNTOUCHED = -5 };

/* Without these: */
#if MPI_VERSION < 4
#define LARGE(...) abort()
enum { FORMS = 3 };
#else
#define LARGE(...) __VA_ARGS__
enum { FORMS = 6 };
#endif
enum form { NOW, STARTED, LASTING, WIDE }; /* WIDE: and the same three with large counts */

enum kind {
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    BARRIER,
    ALLGATHERV,
    ALLTOALLV,
    ALLTOALLW,
    GATHERV,
    SCATTERV,
    SCAN,
    EXSCAN,
    KINDS
};

/* The same numbers as int, as counts and as displacements. */
struct numbers {
    int i[RANKS];
    MPI_Count c[RANKS];
    MPI_Aint a[RANKS];
};

struct arrays {
    struct numbers sends, send_at, gets, get_at; /* at: in ints, of alltoallw in bytes */
    MPI_Datatype types[RANKS];
};

struct scene {
    enum kind kind;
    enum form form;
    int wide, root, n, shape, data;
    int in[WORDS], out[WORDS], expected[WORDS];
    struct arrays has, given; /* given: what MPI gets */
};

static int rank, p, taken = 1;
static MPI_Comm comm;
static struct scene scenes[MOST];
static MPI_Request request[MOST];
static MPI_Status status[MOST];

/* --- What they send and get */

/* What a rank has for another, at a place; and how much. */
static int value(const struct scene *x, int from, int to, int k) {
    return (from + 1) * 1000 + to * 100 + k % 97 + x->data;
}

static int length(const struct scene *x, int from, int to) {
    int h = (from * 7 + to * 3 + x->shape) % 11;
    return h < 3 ? 0 : h == 10 ? 60 : h;
}

static void set(struct numbers *x, int i, int to) {
    x->i[i] = to;
    x->c[i] = to;
    x->a[i] = to;
}

/* Blocks of a buffer in some order, with gaps. Returns how far they reach. */
static int lay(const struct scene *x, struct numbers *counts, struct numbers *at, int sends) {
    int end = 0;
    for (int k = 0; k < p; k++) {
        int i = (k * (p % 3 == 0 ? 1 : 3) + x->shape) % p; /* every rank once */
        int from = sends ? rank : i, to = sends ? i : rank;
        if (x->kind != ALLTOALLV && x->kind != ALLTOALLW) /* one block for each rank */
            from = to = i;
        int n = x->kind == REDUCE_SCATTER || (x->kind < ALLGATHERV) ? x->n : length(x, from, to);
        if (x->kind < ALLGATHERV && x->kind != REDUCE_SCATTER) {
            i = k; /* all blocks alike, in order */
        } else {
            end += x->kind == REDUCE_SCATTER ? 0 : (k + x->shape) % 3;
        }
        set(counts, i, n);
        set(at, i, x->kind == ALLTOALLW ? end * (int)sizeof(int) : end);
        end += n;
    }
    return end;
}

static int *block(const struct scene *x, int *buffer, const struct numbers *at, int i) {
    return buffer + (x->kind == ALLTOALLW ? at->i[i] / (int)sizeof(int) : at->i[i]);
}

static int total(const struct scene *x, int from, int to, int k) {
    int sum = 0;
    for (int i = from; i < to; i++)
        sum += value(x, i, 0, k);
    return sum;
}

/* The first n words of the result: the sum of what some ranks have, from a place on. */
static void expect_sum(struct scene *x, int from, int to, int at, int n) {
    for (int k = 0; k < n; k++)
        x->expected[k] = total(x, from, to, at + k);
}

/* Block i of the result comes from rank i, which has it for rank `to`. */
static void expect_blocks(struct scene *x, int to) {
    for (int i = 0; i < p; i++)
        for (int k = 0; k < x->has.gets.i[i]; k++)
            block(x, x->expected, &x->has.get_at, i)[k] = value(x, i, to, k);
}

static void send_block(struct scene *x, int *to, int whom, int n) {
    for (int k = 0; k < n; k++)
        to[k] = value(x, rank, whom, k);
}

static void expect(struct scene *x) {
    int all = x->n * p, mine = x->kind >= ALLGATHERV ? length(x, rank, rank) : x->n;
    switch (x->kind) {
    case BCAST:
        for (int k = 0; k < x->n; k++)
            x->expected[k] = value(x, x->root, 0, k);
        break;
    case REDUCE:
        expect_sum(x, 0, rank == x->root ? p : 0, 0, rank == x->root ? x->n : 0);
        break;
    case ALLREDUCE:
        expect_sum(x, 0, p, 0, x->n);
        break;
    case SCAN:
        expect_sum(x, 0, rank + 1, 0, x->n);
        break;
    case EXSCAN:
        expect_sum(x, 0, rank, 0, rank > 0 ? x->n : 0);
        break;
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
        expect_sum(x, 0, p, rank * x->n, x->n);
        break;
    case GATHER:
    case GATHERV:
        if (rank == x->root)
            expect_blocks(x, 0);
        break;
    case ALLGATHER:
    case ALLGATHERV:
        expect_blocks(x, 0);
        break;
    case SCATTER:
    case SCATTERV:
        for (int k = 0; k < mine; k++)
            x->expected[k] = value(x, x->root, rank, k);
        break;
    case ALLTOALL:
    case ALLTOALLV:
    case ALLTOALLW:
        expect_blocks(x, rank);
        break;
    default:
        break;
    }
    check_that(all <= WORDS, "%d words", all);
}

/* New data, as before in shape. */
static void fill(struct scene *x, int data) {
    int whole = x->kind == REDUCE_SCATTER || x->kind == REDUCE_SCATTER_BLOCK ? x->n * p : WORDS;
    int scatters = x->kind == SCATTER || x->kind == SCATTERV || x->kind == ALLTOALL ||
                   x->kind == ALLTOALLV || x->kind == ALLTOALLW;
    x->data = data;
    for (int k = 0; k < WORDS; k++) {
        x->in[k] = k < whole ? value(x, rank, 0, k) : UNTOUCHED;
        x->out[k] = x->expected[k] = UNTOUCHED;
    }
    for (int i = 0; i < p && scatters; i++)
        send_block(x, block(x, x->in, &x->has.send_at, i), i, x->has.sends.i[i]);
    if (x->kind == BCAST && rank == x->root)
        send_block(x, x->out, 0, x->n);
    expect(x);
}

/* Persistent collectives of MPICH 4.0 itself hang, fail or give wrong results when there are
 * several of them. */
static int is_broken(const struct scene *x) {
    return x->form == LASTING && !taken && !check_is_openmpi();
}

static void draw(struct scene *x, struct rng *r) {
    x->kind = (enum kind)rng_below(r, KINDS);
    int form = rng_below(r, FORMS);
    x->wide = form >= WIDE && x->kind != BARRIER;
    x->form = (enum form)(form % WIDE);
    if (is_broken(x))
        x->form = STARTED;
    x->root = rng_below(r, p);
    x->n = rng_below(r, WORDS / RANKS);
    x->shape = rng_below(r, 1000);
    lay(x, &x->has.sends, &x->has.send_at, 1);
    lay(x, &x->has.gets, &x->has.get_at, 0);
    for (int i = 0; i < p; i++)
        x->has.types[i] = MPI_INT;
    fill(x, rng_below(r, 1000));
}

static void compare(const struct scene *x) {
    static const char *const forms[] = {"blocking", "nonblocking", "persistent"};
    int wrong = 0;
    for (int k = 0; k < WORDS; k++)
        wrong += x->out[k] != x->expected[k] &&
                 !(x->kind == EXSCAN && rank == 0 && x->expected[k] == UNTOUCHED);
    check_that(wrong == 0, "collective %d, %s%s, %d elements, root %d, shape %d: %d wrong", x->kind,
               forms[x->form], x->wide ? " with large counts" : "", x->n, x->root, x->shape, wrong);
}

/* --- Making the calls */

#define CALL(KIND, NAME, OWN, ARGUMENTS)                                                           \
    case KIND:                                                                                     \
        switch (x->form + (x->wide ? WIDE : 0)) {                                                  \
        case NOW:                                                                                  \
            MPI_##NAME(ARGUMENTS(i, i));                                                           \
            break;                                                                                 \
        case STARTED:                                                                              \
            MPI_I##OWN(ARGUMENTS(i, i), r);                                                        \
            break;                                                                                 \
        case LASTING:                                                                              \
            INIT(NAME)(ARGUMENTS(i, i), MPI_INFO_NULL, r);                                         \
            break;                                                                                 \
        case WIDE + NOW:                                                                           \
            LARGE(MPI_##NAME##_c(ARGUMENTS(c, a)));                                                \
            break;                                                                                 \
        case WIDE + STARTED:                                                                       \
            LARGE(MPI_I##OWN##_c(ARGUMENTS(c, a), r));                                             \
            break;                                                                                 \
        default:                                                                                   \
            LARGE(MPI_##NAME##_init_c(ARGUMENTS(c, a), MPI_INFO_NULL, r));                         \
        }                                                                                          \
        break;

#define ONE_TO_ONE(C, A) x->in, x->n, MPI_INT, x->out, x->n, MPI_INT, comm
#define ROOTED(C, A) x->in, x->n, MPI_INT, x->out, x->n, MPI_INT, x->root, comm
#define SUMMED(C, A) x->in, x->out, x->n, MPI_INT, MPI_SUM, comm
#define OF_BCAST(C, A) x->out, x->n, MPI_INT, x->root, comm
#define OF_REDUCE(C, A) x->in, x->out, x->n, MPI_INT, MPI_SUM, x->root, comm
#define OF_REDUCE_SCATTER(C, A) x->in, x->out, x->given.gets.C, MPI_INT, MPI_SUM, comm
#define OF_ALLGATHERV(C, A)                                                                        \
    x->in, mine, MPI_INT, x->out, x->given.gets.C, x->given.get_at.A, MPI_INT, comm
#define OF_ALLTOALLV(C, A)                                                                         \
    x->in, x->given.sends.C, x->given.send_at.A, MPI_INT, x->out, x->given.gets.C,                 \
        x->given.get_at.A, MPI_INT, comm
#define OF_ALLTOALLW(C, A)                                                                         \
    x->in, x->given.sends.C, x->given.send_at.A, x->given.types, x->out, x->given.gets.C,          \
        x->given.get_at.A, x->given.types, comm
#define OF_GATHERV(C, A)                                                                           \
    x->in, mine, MPI_INT, x->out, x->given.gets.C, x->given.get_at.A, MPI_INT, x->root, comm
#define OF_SCATTERV(C, A)                                                                          \
    x->in, x->given.sends.C, x->given.send_at.A, MPI_INT, x->out, mine, MPI_INT, x->root, comm

static void call(struct scene *x, MPI_Request *r) {
    int mine = length(x, rank, rank);
    switch (x->kind) {
        CALL(BCAST, Bcast, bcast, OF_BCAST)
        CALL(REDUCE, Reduce, reduce, OF_REDUCE)
        CALL(ALLREDUCE, Allreduce, allreduce, SUMMED)
        CALL(GATHER, Gather, gather, ROOTED)
        CALL(SCATTER, Scatter, scatter, ROOTED)
        CALL(ALLGATHER, Allgather, allgather, ONE_TO_ONE)
        CALL(ALLTOALL, Alltoall, alltoall, ONE_TO_ONE)
        CALL(REDUCE_SCATTER, Reduce_scatter, reduce_scatter, OF_REDUCE_SCATTER)
        CALL(REDUCE_SCATTER_BLOCK, Reduce_scatter_block, reduce_scatter_block, SUMMED)
        CALL(ALLGATHERV, Allgatherv, allgatherv, OF_ALLGATHERV)
        CALL(ALLTOALLV, Alltoallv, alltoallv, OF_ALLTOALLV)
        CALL(ALLTOALLW, Alltoallw, alltoallw, OF_ALLTOALLW)
        CALL(GATHERV, Gatherv, gatherv, OF_GATHERV)
        CALL(SCATTERV, Scatterv, scatterv, OF_SCATTERV)
        CALL(SCAN, Scan, scan, SUMMED)
        CALL(EXSCAN, Exscan, exscan, SUMMED)
    case BARRIER:
        if (x->form == NOW)
            MPI_Barrier(comm);
        else if (x->form == STARTED)
            MPI_Ibarrier(comm, r);
        else
            INIT(Barrier)(comm, MPI_INFO_NULL, r);
        break;
    default:
        abort();
    }
}

/* The types may be freed as soon as the call is made. So may the arrays of a persistent one; those
 * of one that is started may not, but no MPI library looks at them later, and programs do it. */
static void issue(struct scene *x, MPI_Request *r) {
    MPI_Datatype own;
    MPI_Type_contiguous(1, MPI_INT, &own);
    MPI_Type_commit(&own);
    x->given = x->has;
    for (int i = 0; i < p && taken; i++)
        if ((x->shape + i) % 3 > 0)
            x->given.types[i] = own;
    call(x, r);
    MPI_Type_free(&own);
    if (taken)
        memset(&x->given, 0x55, sizeof x->given);
}

/* Those persistent, in an order of this rank's own: one by one, or some at once. */
static void start_lasting(struct rng *own, int n) {
    int which[MOST], k = 0;
    MPI_Request some[MOST];
    for (int i = 0; i < n; i++) {
        if (scenes[i].form == LASTING)
            which[k++] = i;
    }
    for (int i = k - 1; i > 0; i--) {
        int j = rng_below(own, i + 1), x = which[i];
        which[i] = which[j];
        which[j] = x;
    }
    int single = rng_below(own, k + 1);
    for (int i = 0; i < single; i++)
        MPI_Start(&request[which[i]]);
    for (int i = single; i < k; i++)
        some[i] = request[which[i]];
    MPI_Startall(k - single, some + single);
    for (int i = single; i < k; i++)
        request[which[i]] = some[i];
}

/* To the end of all: an inactive request is over at once. */
static void complete(struct rng *own, int n) {
    int i = 0, flag = 0, which[MOST];
    MPI_Status each[MOST];
    switch (rng_below(own, 5)) {
    case 0:
        while (!flag)
            MPI_Testall(n, request, &flag, status);
        return;
    case 1:
        for (MPI_Waitany(n, request, &i, &each[0]); i != MPI_UNDEFINED;
             MPI_Waitany(n, request, &i, &each[0]))
            status[i] = each[0];
        return;
    case 2:
        for (MPI_Waitsome(n, request, &i, which, each); i != MPI_UNDEFINED;
             MPI_Waitsome(n, request, &i, which, each))
            for (int k = 0; k < i; k++)
                status[which[k]] = each[k];
        return;
    case 3:
        for (int k = 0; k < n; k++)
            for (flag = 0; !flag;)
                MPI_Test(&request[k], &flag, &status[k]);
        return;
    default:
        MPI_Waitall(n, request, status);
    }
}

static void check_taken(const struct scene *x, const MPI_Status *s) {
    if (x->form != NOW && taken)
        check_that(s->MPI_SOURCE == 0 && s->MPI_TAG > 0, "collective %d, form %d%s: not taken",
                   x->kind, x->form, x->wide ? ", large counts" : "");
}

static void play(struct rng *all, struct rng *own) {
    int n = 1 + rng_below(all, MOST);
    for (int i = 0; i < n; i++) {
        request[i] = MPI_REQUEST_NULL;
        draw(&scenes[i], all);
        issue(&scenes[i], &request[i]);
    }
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < n; i++)
            if (turn > 0 && scenes[i].form == LASTING)
                fill(&scenes[i], rng_below(all, 1000));
        start_lasting(own, n);
        complete(own, n);
        for (int i = 0; i < n; i++) {
            compare(&scenes[i]);
            if (turn == 0 || scenes[i].form == LASTING)
                check_taken(&scenes[i], &status[i]);
        }
    }
    for (int i = 0; i < n; i++)
        if (request[i] != MPI_REQUEST_NULL && !rng_once_in(all, 20)) /* some are never freed */
            MPI_Request_free(&request[i]);
}

int main(int argc, char **argv) {
    int one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    if (p > RANKS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    taken = (int)check_option(argc, argv, "taken", 1);
    int rounds = (int)check_option(argc, argv, "rounds", 150);
    uint64_t seed = (uint64_t)check_option(argc, argv, "seed", 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm); /* from here on calls are taken */
    struct rng all = rng_make(seed, 2, 3), own = rng_make(seed, 2, 4 + (uint64_t)rank);
    for (int i = 0; i < rounds; i++)
        play(&all, &own);
    MPI_Comm_free(&comm);
    int failed = check_end();
    MPI_Finalize();
    return failed;
}
