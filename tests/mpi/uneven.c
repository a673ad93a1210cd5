/* The collectives with uneven blocks, against what they must give: every algorithm, counts with zeros
 * and a huge one, displacements in any order with gaps, in place, several datatypes; called, as
 * plans, and started, several at once; each with large counts, too.
 *
 *     uneven [--seed N] [--calls N] [--max-count N]
 *
 * What a block holds follows from its sender and its receiver, so every rank knows what it must
 * get, and that gaps are left alone. */
#include "check.h"
#include "shapes.h"

#include "bine.h"
#include "schedule/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, GAP_MOST = 3, PENDING = 4 };
enum form { NOW, PLAN, STARTED };

/* One side of a call at this rank. */
struct side {
    int *counts, *displs; /* elements; of bytes, with types */
    MPI_Count *wide_counts;
    MPI_Aint *wide_displs;
    MPI_Datatype *types;
    unsigned char *memory, *expected;
    size_t bytes;
};

struct call {
    MPI_Comm comm;
    int p, rank, root;
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int in_place, by_types, strided, max_count, wide;
    enum form form;
    int *matrix; /* elements from i to j; of an allgatherv and so on, the row or column of one */
    MPI_Datatype type;
    int extent; /* of the type, in words */
};

/* A call that is under way, and what it needs. */
struct under_way {
    struct call call;
    struct side send, recv;
    unsigned char *before; /* what is sent */
    char name[80], text[200];
    Bine_Request request;
};

static void *need(size_t bytes) {
    void *memory = calloc(bytes + 1, 1);
    if (memory == NULL)
        abort();
    return memory;
}

/* What word k of the block from i to j holds. */
static unsigned word_of(int i, int j, int k) {
    return (unsigned)i * 2654435761u + (unsigned)j * 40503u + (unsigned)k * 97u + 1;
}

static int is_all(const struct call *c) {
    return c->algorithm->collective == BINE_ALLTOALLV;
}

static int elements(const struct call *c, int from, int to) {
    return c->matrix[from * c->p + to];
}

/* Counts: each by itself, half of them nothing, or all nothing but one. */
static void draw_matrix(struct call *c, struct rng *r) {
    int how = rng_below(r, 4), p = c->p, huge = rng_below(r, p * p);
    enum bine_collective k = c->algorithm->collective;
    for (int i = 0; i < p * p; i++) {
        int n = rng_below(r, c->max_count + 1);
        c->matrix[i] = how == 0 || (how == 1 && rng_once_in(r, 2)) ? rng_below(r, 8)
                       : how == 2                                  ? 0
                                                                   : n;
        if (how >= 2 && i == huge)
            c->matrix[i] = 20 * c->max_count;
    }
    int *own =
        need((size_t)p * sizeof *own); /* a block is the same for all, or of the root alone */
    for (int i = 0; i < p; i++)
        own[i] = c->matrix[i * p + i];
    for (int i = 0; i < p && k != BINE_ALLTOALLV; i++)
        for (int j = 0; j < p; j++)
            c->matrix[i * p + j] = k == BINE_ALLGATHERV ? own[i]
                                   : k == BINE_GATHERV  ? (j == c->root ? own[i] : 0)
                                   : i == c->root       ? own[j]
                                                        : 0;
    free(own);
    for (int i = 0; i < p && c->in_place && k == BINE_ALLTOALLV; i++)
        for (int j = 0; j < i; j++) /* what is sent is what is received */
            c->matrix[i * p + j] = c->matrix[j * p + i];
}

/* Where the blocks of a side lie: in order or in any, side by side or with gaps. */
static void lay_out(const struct call *c, struct side *s, const int *counts) {
    struct rng r = rng_make((uint64_t)c->root + 11, (uint64_t)c->rank, (uint64_t)counts[0]);
    int *order = need((size_t)c->p * sizeof *order), at = 0;
    int gaps = rng_once_in(&r, 2), shuffled = rng_once_in(&r, 2);
    s->counts = need((size_t)c->p * sizeof *s->counts);
    s->displs = need((size_t)c->p * sizeof *s->displs);
    s->types = need((size_t)c->p * sizeof *s->types);
    for (int i = 0; i < c->p; i++)
        order[i] = i;
    for (int i = c->p - 1; shuffled && i > 0; i--) {
        int k = rng_below(&r, i + 1), t = order[i];
        order[i] = order[k];
        order[k] = t;
    }
    for (int i = 0; i < c->p; i++) {
        int k = order[i], scale = c->by_types ? WORD * c->extent : 1;
        s->counts[k] = counts[k];
        s->displs[k] = at * scale;
        s->types[k] = c->type;
        at += counts[k] + (gaps ? rng_below(&r, GAP_MOST) : 0);
    }
    s->bytes = (size_t)(at + 1) * WORD * (size_t)c->extent;
    s->memory = need(s->bytes);
    s->expected = need(s->bytes);
    memset(s->memory, 0xa5, s->bytes);
    memset(s->expected, 0xa5, s->bytes);
    free(order);
}

static void free_side(struct side *s) {
    free(s->counts);
    free(s->displs);
    free(s->wide_counts);
    free(s->wide_displs);
    free(s->types);
    free(s->memory);
    free(s->expected);
}

/* Write the block from i to j where block k of a side lies. */
static void put_block(const struct call *c, const struct side *s, unsigned char *memory, int k,
                      int i, int j) {
    size_t at = (size_t)s->displs[k] * (c->by_types ? 1 : WORD * (size_t)c->extent);
    int all = is_all(c);
    for (int n = 0; n < s->counts[k]; n++) {
        unsigned w = word_of(i, all ? j : -1, n);
        memcpy(memory + at + (size_t)n * WORD * (size_t)c->extent, &w, WORD);
    }
}

/* The counts of what a rank gives, and of what it gets, by rank. */
static int *row_of(const struct call *c, int gets) {
    int *counts = need((size_t)c->p * sizeof *counts);
    for (int k = 0; k < c->p; k++)
        counts[k] = gets ? elements(c, k, c->rank) : elements(c, c->rank, k);
    return counts;
}

static int has_send(const struct call *c) {
    return c->algorithm->collective != BINE_SCATTERV || c->rank == c->root;
}

static int has_recv(const struct call *c) {
    return c->algorithm->collective != BINE_GATHERV || c->rank == c->root;
}

static void *memory_of(const struct side *s, int used) {
    return used ? s->memory : NULL;
}

static void widen(const struct call *c, struct side *s) {
    s->wide_counts = need((size_t)c->p * sizeof *s->wide_counts);
    s->wide_displs = need((size_t)c->p * sizeof *s->wide_displs);
    for (int i = 0; i < c->p; i++) {
        s->wide_counts[i] = s->counts[i];
        s->wide_displs[i] = s->displs[i];
    }
}

/* By name; the arrays and the ending are those of one size of counts. */
#define FORM(NAME, OWN, SIZE, ...)                                                                 \
    (plan != NULL      ? Bine_##NAME##_init##SIZE(__VA_ARGS__, c->comm, plan)                      \
     : request != NULL ? Bine_I##OWN##SIZE(__VA_ARGS__, c->comm, request)                          \
                       : Bine_##NAME##SIZE(__VA_ARGS__, c->comm))
#define EACH(SIZE, COUNTS, DISPLS)                                                                 \
    (k == BINE_ALLGATHERV ? FORM(Allgatherv, allgatherv, SIZE, send, one, c->type, recv,           \
                                 r->COUNTS, r->DISPLS, c->type)                                    \
     : k == BINE_GATHERV  ? FORM(Gatherv, gatherv, SIZE, send, one, c->type, recv, r->COUNTS,      \
                                 r->DISPLS, c->type, c->root)                                      \
     : k == BINE_SCATTERV ? FORM(Scatterv, scatterv, SIZE, send, s->COUNTS, s->DISPLS, c->type,    \
                                 recv, one, c->type, c->root)                                      \
     : c->by_types ? FORM(Alltoallw, alltoallw, SIZE, send, s->COUNTS, s->DISPLS, s->types, recv,  \
                          r->COUNTS, r->DISPLS, r->types)                                          \
                   : FORM(Alltoallv, alltoallv, SIZE, send, s->COUNTS, s->DISPLS, c->type, recv,   \
                          r->COUNTS, r->DISPLS, c->type))

static int once(const struct call *c, const struct side *s, const struct side *r, Bine_Plan *plan,
                Bine_Request *request) {
    enum bine_collective k = c->algorithm->collective;
    const void *send = memory_of(s, has_send(c));
    void *recv = memory_of(r, has_recv(c));
    int one = k == BINE_SCATTERV ? elements(c, c->root, c->rank) : elements(c, c->rank, c->root);
    if (k == BINE_SCATTERV && c->in_place && c->rank == c->root)
        recv = MPI_IN_PLACE;
    else if (k != BINE_SCATTERV && c->in_place && has_recv(c))
        send = MPI_IN_PLACE;
    return c->wide ? EACH(_c, wide_counts, wide_displs) : EACH(, counts, displs);
}
#undef EACH
#undef FORM

/* To its end, or as far as it comes by itself. */
static int run(struct under_way *u) {
    const struct call *c = &u->call;
    Bine_Plan plan = NULL;
    if (c->form != PLAN)
        return once(c, &u->send, &u->recv, NULL, c->form == STARTED ? &u->request : NULL);
    int rc = once(c, &u->send, &u->recv, &plan, NULL);
    if (rc == MPI_SUCCESS)
        rc = Bine_Plan_run(plan);
    Bine_Plan_free(&plan);
    return rc;
}

/* What this rank gives, and what it should get. One block lies at the beginning. */
static void fill(const struct call *c, struct side *s, struct side *r) {
    enum bine_collective k = c->algorithm->collective;
    int in = c->in_place && k != BINE_SCATTERV && has_recv(c);
    for (int j = 0; j < c->p && has_send(c); j++)
        if (k == BINE_ALLTOALLV || k == BINE_SCATTERV)
            put_block(c, s, s->memory, j, k == BINE_SCATTERV ? j : c->rank, j);
    if (k == BINE_ALLGATHERV || k == BINE_GATHERV) {
        s->displs[0] = 0;
        s->counts[0] = elements(c, c->rank, c->root);
        put_block(c, s, s->memory, 0, c->rank, 0);
    }
    if (k == BINE_SCATTERV) {
        r->displs[0] = 0;
        r->counts[0] = elements(c, c->root, c->rank);
        if (!(c->in_place && c->rank == c->root))
            put_block(c, r, r->expected, 0, c->rank, 0);
        return;
    }
    for (int i = 0; i < c->p && has_recv(c); i++) {
        put_block(c, r, r->expected, i, i, c->rank);
        if (in && (k == BINE_ALLTOALLV || i == c->rank))
            put_block(c, r, r->memory, i, k == BINE_ALLTOALLV ? c->rank : i, i);
    }
}

static void describe(struct under_way *u) {
    static const char *const forms[] = {"", " plan", " started"};
    const struct call *c = &u->call;
    snprintf(u->name, sizeof u->name, "%s:%s", c->algorithm->name, bine_layout_name(c->layout));
    snprintf(u->text, sizeof u->text, "%s%s %s p=%d rank=%d root=%d%s%s%s%s",
             bine_collective_name(c->algorithm->collective), c->wide ? "_c" : "", u->name, c->p,
             c->rank, c->root, c->in_place ? " in-place" : "", c->by_types ? " types" : "",
             c->strided ? " strided" : "", forms[c->form]);
}

/* MPI makes calls that are started with a type for each rank. */
static void check_ran(const struct under_way *u) {
    char ran[200];
    if (u->call.form == STARTED && u->call.by_types)
        return;
    Bine_Last(u->call.comm, ran, (int)sizeof ran);
    check_that(strstr(ran, u->name) != NULL, "%s: ran %s", u->text, ran);
}

static struct under_way *begin_call(const struct call *drawn) {
    struct under_way *u = need(sizeof *u);
    struct call *c = &u->call;
    *c = *drawn;
    int *gives = row_of(c, 0), *gets = row_of(c, 1);
    if (c->algorithm->collective == BINE_SCATTERV) /* room for the own block at the beginning */
        gets[0] = gets[0] > gets[c->root] ? gets[0] : gets[c->root];
    if (!is_all(c) && c->algorithm->collective != BINE_SCATTERV)
        gives[0] = gives[c->root];
    lay_out(c, &u->send, gives);
    lay_out(c, &u->recv, gets);
    fill(c, &u->send, &u->recv);
    widen(c, &u->send);
    widen(c, &u->recv);
    u->before = need(u->send.bytes);
    memcpy(u->before, u->send.memory, u->send.bytes);
    describe(u);
    check_that(Bine_Next(c->comm, u->name) == MPI_SUCCESS, "%s: refused", u->text);
    int rc = run(u);
    check_that(rc == MPI_SUCCESS, "%s: error %d", u->text, rc);
    check_ran(u);
    free(gives);
    free(gets);
    return u;
}

static void end_call(struct under_way *u) {
    check_that(memcmp(u->recv.memory, u->recv.expected, u->recv.bytes) == 0, "%s: wrong data",
               u->text);
    check_that(memcmp(u->send.memory, u->before, u->send.bytes) == 0, "%s: the input changed",
               u->text);
    free(u->before);
    free(u->call.matrix);
    free_side(&u->send);
    free_side(&u->recv);
    free(u);
}

/* Each rank in an order of its own. */
static void end_some(struct under_way **pending, int *n, int left, struct rng *own) {
    while (*n > left) {
        int i = rng_below(own, *n), over = 1;
        struct under_way *u = pending[i];
        int rc = rng_once_in(own, 2) ? Bine_Wait(&u->request) : Bine_Test(&u->request, &over);
        check_that(rc == MPI_SUCCESS, "%s: completed with error %d", u->text, rc);
        if (!over)
            continue;
        check_that(u->request == NULL, "%s: a request that is over is not NULL", u->text);
        end_call(u);
        pending[i] = pending[--*n];
    }
}

static int can(const struct bine_algorithm *a, int p, int levels, int boards) {
    enum bine_needs needs = bine_algorithm_needs(a);
    return bine_collective_is_uneven(a->collective) && bine_algorithm_takes(a, p) &&
           (needs == BINE_NEEDS_NOTHING || (needs == BINE_NEEDS_GROUPS && levels) ||
            (needs == BINE_NEEDS_BOARDS && boards));
}

static void draw(struct call *c, struct rng *r, int levels, int boards) {
    c->form = (enum form)(rng_once_in(r, 3) ? STARTED : rng_once_in(r, 3) ? PLAN : NOW);
    c->wide = rng_once_in(r, 3);
    do /* nobody who started a call waits at boards */
        c->algorithm = &bine_catalogue[rng_below(r, (int)bine_catalogue_size)];
    while (!can(c->algorithm, c->p, levels, boards && c->form != STARTED));
    do
        c->layout = (enum bine_layout)rng_below(r, BINE_LAYOUTS);
    while (!bine_algorithm_has_layout(c->algorithm, c->layout, c->p));
    c->root = rng_below(r, c->p);
    c->in_place = rng_once_in(r, 3);
    c->by_types = is_all(c) && rng_once_in(r, 2);
    c->strided = rng_once_in(r, 3);
    c->extent = c->strided ? 3 : 1;
    if (bine_collective_is_rooted(c->algorithm->collective) && c->rank != c->root)
        c->in_place = 0;
    c->matrix = need((size_t)c->p * (size_t)c->p * sizeof *c->matrix);
    draw_matrix(c, r);
}

/* Only a blocking call of Bine's opens a communicator for calls that are started. */
static void open_for_started(MPI_Comm comm) {
    int one = 1, sum;
    Bine_Next(comm, "recursive-doubling");
    Bine_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
}

static void round_of(uint64_t seed, int round, int calls, int max_count, MPI_Datatype strided) {
    struct rng r = rng_make(seed, (uint64_t)round, 5);
    int world, rank, p;
    struct call c = {.max_count = max_count};
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    shapes_draw(&r, 0);
    p = 1 + rng_below(&r, world);
    MPI_Comm_split(MPI_COMM_WORLD, rank < p, rng_once_in(&r, 2) ? rank : -rank, &c.comm);
    MPI_Comm_set_errhandler(c.comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(c.comm, &c.p);
    MPI_Comm_rank(c.comm, &c.rank);
    int levels = shapes_levels(c.comm), boards = shapes_one_node(c.comm) && c.p > 1, n = 0;
    struct rng own = rng_make(seed, (uint64_t)round, 6 + (uint64_t)rank);
    struct under_way *pending[PENDING];
    open_for_started(c.comm);
    for (int i = 0; i < calls; i++) {
        struct rng here = rng_make(seed, (uint64_t)round * 1000 + (uint64_t)i, (uint64_t)c.p);
        draw(&c, &here, levels, boards);
        c.type = c.strided ? strided : MPI_UNSIGNED;
        struct under_way *u = begin_call(&c);
        if (c.form == STARTED)
            pending[n++] = u;
        else
            end_call(u);
        end_some(pending, &n, PENDING - 1, &own);
    }
    end_some(pending, &n, 0, &own);
    MPI_Comm_free(&c.comm);
}

int main(int argc, char **argv) {
    MPI_Datatype strided;
    MPI_Init(&argc, &argv);
    uint64_t seed = (uint64_t)check_option(argc, argv, "seed", 20250101);
    int calls = (int)check_option(argc, argv, "calls", 400), of_a_round = 12;
    int max_count = (int)check_option(argc, argv, "max-count", 40);
    MPI_Type_create_resized(MPI_UNSIGNED, 0, 3 * WORD, &strided);
    MPI_Type_commit(&strided);
    for (int round = 0; round * of_a_round < calls; round++)
        round_of(seed, round, of_a_round, max_count, strided);
    shapes_none();
    shapes_end();
    MPI_Type_free(&strided);
    int status = check_end();
    MPI_Finalize();
    return status;
}
