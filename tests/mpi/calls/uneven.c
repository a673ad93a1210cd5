/* The collectives with uneven blocks, against messages: every algorithm, counts with zeros and a
 * huge one, displacements in any order with gaps, in place, several datatypes.
 *
 *     uneven [--seed N] [--calls N] [--max-count N]
 *
 * What a block holds follows from its sender and its receiver, so every rank knows what it must
 * get, and that gaps are left alone. */
#include "../check.h"
#include "shapes.h"

#include "bine.h"
#include "schedule/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 4, GAP_MOST = 3 };

/* How a call is made: at once, by a plan, or started, with other calls before it is waited for. */
enum manner { NOW, PLANNED, STARTED, MANNERS };

/* One side of a call at this rank. */
struct side {
    int *counts, *displs; /* elements; of bytes, with types */
    MPI_Datatype *types;
    unsigned char *memory, *expected;
    size_t bytes;
};

struct call {
    MPI_Comm comm;
    int p, rank, root;
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    int in_place, by_types, strided, max_count;
    enum manner manner;
    int *matrix; /* elements from i to j; of an allgatherv and so on, the row or column of one */
    MPI_Datatype type;
    int extent; /* of the type, in words */
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
            c->matrix[i] = 40 * c->max_count;
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
        s->types[k] = counts[k] > 0 || rng_once_in(&r, 2) ? c->type : MPI_DATATYPE_NULL;
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

/* What a call makes that is not made at once. */
struct handles {
    Bine_Plan plan;
    Bine_Request request;
};

static int once(const struct call *c, const struct side *s, const struct side *r,
                struct handles *h) {
    enum bine_collective k = c->algorithm->collective;
    const void *send = memory_of(s, has_send(c));
    void *recv = memory_of(r, has_recv(c));
    int one = k == BINE_SCATTERV ? elements(c, c->root, c->rank) : elements(c, c->rank, c->root);
    if (k == BINE_SCATTERV && c->in_place && c->rank == c->root)
        recv = MPI_IN_PLACE;
    else if (k != BINE_SCATTERV && c->in_place && has_recv(c))
        send = MPI_IN_PLACE;
#define MAKE(NAME, name, ...)                                                                      \
    (c->manner == PLANNED   ? Bine_##NAME##_init(__VA_ARGS__, c->comm, &h->plan)                   \
     : c->manner == STARTED ? Bine_I##name(__VA_ARGS__, c->comm, &h->request)                      \
                            : Bine_##NAME(__VA_ARGS__, c->comm))
    switch (k) {
    case BINE_ALLGATHERV:
        return MAKE(Allgatherv, allgatherv, send, one, c->type, recv, r->counts, r->displs,
                    c->type);
    case BINE_GATHERV:
        return MAKE(Gatherv, gatherv, send, one, c->type, recv, r->counts, r->displs, c->type,
                    c->root);
    case BINE_SCATTERV:
        return MAKE(Scatterv, scatterv, send, s->counts, s->displs, c->type, recv, one, c->type,
                    c->root);
    default:
        return c->by_types ? MAKE(Alltoallw, alltoallw, send, s->counts, s->displs, s->types, recv,
                                  r->counts, r->displs, r->types)
                           : MAKE(Alltoallv, alltoallv, send, s->counts, s->displs, c->type, recv,
                                  r->counts, r->displs, c->type);
    }
#undef MAKE
}

/* Another call comes between the start of one and its end. */
static int between(const struct call *c) {
    int x = c->rank + 1, sum = 0, rc = Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, c->comm);
    check_that(sum == c->p * (c->p + 1) / 2, "an allreduce between start and end: %d", sum);
    return rc;
}

/* Run it; a plan twice, unless that would send back what has come. And what ran. */
static int run(const struct call *c, const struct side *s, const struct side *r, char *ran,
               int size) {
    struct handles h = {NULL, NULL};
    int rc = once(c, s, r, &h), times = is_all(c) && c->in_place ? 1 : 2;
    if (c->manner == STARTED)
        Bine_Last(c->comm, ran, size);
    if (rc == MPI_SUCCESS && c->manner == STARTED) {
        rc = between(c);
        int end = Bine_Wait(&h.request);
        rc = rc == MPI_SUCCESS ? end : rc;
    }
    for (int i = 0; i < times && rc == MPI_SUCCESS && c->manner == PLANNED; i++)
        rc = Bine_Plan_run(h.plan);
    Bine_Plan_free(&h.plan);
    if (c->manner != STARTED)
        Bine_Last(c->comm, ran, size);
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

static void check_call(struct call *c) {
    struct side s, r;
    static const char *const manners[] = {"", " plan", " started"};
    char name[80], text[200], ran[200];
    int *gives = row_of(c, 0), *gets = row_of(c, 1);
    if (c->algorithm->collective == BINE_SCATTERV) /* room for the own block at the beginning */
        gets[0] = gets[0] > gets[c->root] ? gets[0] : gets[c->root];
    if (!is_all(c) && c->algorithm->collective != BINE_SCATTERV)
        gives[0] = gives[c->root];
    lay_out(c, &s, gives);
    lay_out(c, &r, gets);
    fill(c, &s, &r);
    unsigned char *before = need(s.bytes);
    memcpy(before, s.memory, s.bytes);
    snprintf(name, sizeof name, "%s:%s", c->algorithm->name, bine_layout_name(c->layout));
    snprintf(text, sizeof text, "%s %s p=%d rank=%d root=%d%s%s%s%s",
             bine_collective_name(c->algorithm->collective), name, c->p, c->rank, c->root,
             c->in_place ? " in-place" : "", c->by_types ? " types" : "",
             c->strided ? " strided" : "", manners[c->manner]);
    check_that(Bine_Next(c->comm, name) == MPI_SUCCESS, "%s: refused", text);
    int rc = run(c, &s, &r, ran, (int)sizeof ran);
    check_that(rc == MPI_SUCCESS, "%s: error %d", text, rc);
    check_that(strstr(ran, name) != NULL, "%s: ran %s", text, ran);
    check_that(memcmp(r.memory, r.expected, r.bytes) == 0, "%s: wrong data", text);
    check_that(memcmp(s.memory, before, s.bytes) == 0, "%s: the input changed", text);
    free(before);
    free(gives);
    free(gets);
    free_side(&s);
    free_side(&r);
}

static int can(const struct bine_algorithm *a, int p, int levels, int boards) {
    enum bine_needs needs = bine_algorithm_needs(a);
    return bine_collective_is_uneven(a->collective) && bine_algorithm_takes(a, p) &&
           (needs == BINE_NEEDS_NOTHING || (needs == BINE_NEEDS_GROUPS && levels) ||
            (needs == BINE_NEEDS_BOARDS && boards));
}

static void draw(struct call *c, struct rng *r, int levels, int boards) {
    do
        c->algorithm = &bine_catalogue[rng_below(r, (int)bine_catalogue_size)];
    while (!can(c->algorithm, c->p, levels, boards));
    do
        c->layout = (enum bine_layout)rng_below(r, BINE_LAYOUTS);
    while (!bine_algorithm_has_layout(c->algorithm, c->layout, c->p));
    c->root = rng_below(r, c->p);
    c->in_place = rng_once_in(r, 3);
    c->by_types = is_all(c) && rng_once_in(r, 2);
    c->strided = rng_once_in(r, 3);
    c->manner = (enum manner)rng_below(r, MANNERS);
    c->extent = c->strided ? 3 : 1;
    if (bine_collective_is_rooted(c->algorithm->collective) && c->rank != c->root)
        c->in_place = 0;
    c->matrix = need((size_t)c->p * (size_t)c->p * sizeof *c->matrix);
    draw_matrix(c, r);
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
    int levels = shapes_levels(c.comm), boards = shapes_one_node(c.comm) && c.p > 1;
    if (boards)
        Bine_Next(c.comm, "board-flat");
    Bine_Barrier(c.comm); /* calls can be started from here on */
    for (int i = 0; i < calls; i++) {
        struct rng here = rng_make(seed, (uint64_t)round * 1000 + (uint64_t)i, (uint64_t)c.p);
        draw(&c, &here, levels, boards);
        c.type = c.strided ? strided : MPI_UNSIGNED;
        check_call(&c);
        free(c.matrix);
    }
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
