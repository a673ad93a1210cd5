#include "ranks.h"

#include "board/reduce.h"
#include "schedule/spec.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Elements */

static const struct bine_loopback_run word_runs[] = {{0, 8}}, gapped_runs[] = {{0, 8}, {12, 4}},
                                      function_runs[] = {{0, 16}};
static const struct bine_loopback_type types[ELEMENTS] = {
    [WORDS] = {8, BINE_REDUCE_I64, 1, word_runs},
    [GAPPED] = {24, -1, 2, gapped_runs},
    [FUNCTIONS] = {16, -1, 1, function_runs},
};

/* An element: two numbers, of which WORDS have one. A function is x -> a x + b. */
struct value {
    uint64_t a, b;
};

static uint64_t mix(uint64_t z) {
    z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Element i of the vector that a rank gives. */
static struct value value_of(const struct test_call *t, int rank, int i) {
    uint64_t seed = mix(t->salt * 1000003 + (uint64_t)rank * 8191 + (uint64_t)i);
    return (struct value){seed, mix(seed)};
}

static char *element(const char *from, enum elements kind, int i) {
    return bine_at(from, (ptrdiff_t)i * types[kind].extent);
}

static void put(char *to, enum elements kind, struct value v) {
    uint32_t low = (uint32_t)v.b;
    memcpy(to, &v.a, sizeof v.a);
    if (kind == GAPPED)
        memcpy(to + 12, &low, sizeof low);
    if (kind == FUNCTIONS)
        memcpy(to + 8, &v.b, sizeof v.b);
}

static struct value get(const char *from, enum elements kind) {
    struct value v = {0, 0};
    uint32_t low = 0;
    memcpy(&v.a, from, sizeof v.a);
    if (kind == GAPPED) {
        memcpy(&low, from + 12, sizeof low);
        v.b = low;
    }
    if (kind == FUNCTIONS)
        memcpy(&v.b, from + 8, sizeof v.b);
    return v;
}

/* The left operand first. */
static struct value combine(struct value x, struct value y, enum elements kind) {
    if (kind == FUNCTIONS)
        return (struct value){x.a * y.a, x.a * y.b + x.b};
    return (struct value){x.a + y.a, x.b + y.b};
}

static void combine_all(const void *from, void *to, int n, const struct bine_loopback_type *type) {
    enum elements kind = type == &types[GAPPED] ? GAPPED : FUNCTIONS;
    for (int i = 0; i < n; i++) {
        char *y = element(to, kind, i);
        put(y, kind, combine(get(element(from, kind, i), kind), get(y, kind), kind));
    }
}

static const struct bine_loopback_op operators[ELEMENTS] = {[WORDS] = {BINE_REDUCE_SUM, NULL},
                                                            [GAPPED] = {-1, combine_all},
                                                            [FUNCTIONS] = {-1, combine_all}};

/* --- What a rank gives and gets */

static enum bine_collective kind_of(const struct test_call *t) {
    return t->algorithm->collective;
}

static int is_root(const struct test_call *t, int rank) {
    return !bine_collective_is_rooted(kind_of(t)) || rank == t->root;
}

/* Elements of a rank's buffers; 0: none. */
static int gives(const struct test_call *t, int rank) {
    enum bine_collective c = kind_of(t);
    int all = c == BINE_ALLTOALL || c == BINE_REDUCE_SCATTER || c == BINE_SCATTER;
    if (c == BINE_BARRIER || ((c == BINE_SCATTER || c == BINE_BCAST) && rank != t->root))
        return 0;
    return t->count * (all ? t->p : 1);
}

static int gets(const struct test_call *t, int rank) {
    enum bine_collective c = kind_of(t);
    int all = c == BINE_ALLTOALL || c == BINE_ALLGATHER || c == BINE_GATHER;
    if (c == BINE_BARRIER || ((c == BINE_REDUCE || c == BINE_GATHER) && rank != t->root))
        return 0;
    return t->count * (all ? t->p : 1);
}

static struct value sum_of(const struct test_call *t, int from, int to, int i) {
    struct value sum = value_of(t, from, i);
    for (int r = from + 1; r < to; r++)
        sum = combine(sum, value_of(t, r, i), t->elements);
    return sum;
}

/* Element i of the result, by the definition of the collective. */
static struct value expected(const struct test_call *t, int rank, int i) {
    int n = t->count, block = n > 0 ? i / n : 0, at = n > 0 ? i % n : 0;
    switch (kind_of(t)) {
    case BINE_BCAST:
        return value_of(t, t->root, i);
    case BINE_SCATTER:
        return value_of(t, t->root, rank * n + i);
    case BINE_GATHER:
    case BINE_ALLGATHER:
        return value_of(t, block, at);
    case BINE_ALLTOALL:
        return value_of(t, block, rank * n + at);
    case BINE_REDUCE_SCATTER:
        return sum_of(t, 0, t->p, rank * n + i);
    case BINE_SCAN:
        return sum_of(t, 0, rank + 1, i);
    case BINE_EXSCAN:
        return sum_of(t, 0, rank, i);
    default:
        return sum_of(t, 0, t->p, i);
    }
}

/* In place, the rank's contribution is in the buffer for the result; of a scatter, the root leaves
 * its block where it is. */
static int is_in_place(const struct test_call *t, int rank) {
    return t->in_place && is_root(t, rank);
}

/* Where the contribution begins in the buffer for the result, in elements. */
static int place_of(const struct test_call *t, int rank) {
    enum bine_collective c = kind_of(t);
    return c == BINE_GATHER || c == BINE_ALLGATHER ? rank * t->count : 0;
}

void rank_call_fill(struct rank_call *c, uint64_t salt) {
    struct test_call *t = &c->test;
    enum bine_collective kind = kind_of(t);
    t->salt = salt;
    int in_out = kind == BINE_BCAST || (is_in_place(t, c->self) && kind != BINE_SCATTER);
    memset(c->out, 0xab, (size_t)(gets(t, c->self) * types[t->elements].extent));
    for (int i = 0; i < gives(t, c->self); i++)
        put(in_out ? element(c->out, t->elements, place_of(t, c->self) + i)
                   : element(c->in, t->elements, i),
            t->elements, value_of(t, c->self, i));
}

int rank_call_check(const struct rank_call *c) {
    const struct test_call *t = &c->test;
    int wrong = 0, n = gets(t, c->self);
    if (kind_of(t) == BINE_EXSCAN && c->self == 0)
        return 0;
    if (kind_of(t) == BINE_SCATTER && is_in_place(t, c->self))
        return 0;
    for (int i = 0; i < n; i++) {
        struct value v = get(element(c->out, t->elements, i), t->elements);
        struct value e = expected(t, c->self, i);
        if (t->elements == WORDS)
            e.b = 0;
        if (t->elements == GAPPED)
            e.b = (uint32_t)e.b;
        wrong += v.a != e.a || v.b != e.b;
    }
    return wrong;
}

/* --- Calls */

static struct bine_spec spec_of(const struct test_call *t, int rank) {
    return (struct bine_spec){.algorithm = t->algorithm,
                              .layout = t->layout,
                              .p = t->p,
                              .rank = rank,
                              .root = t->root,
                              .in_place = is_in_place(t, rank),
                              .groups = t->groups,
                              .node = t->node,
                              .segments = bine_segments_for(t->algorithm, t->p, 1 << 20)};
}

int call_is_possible(const struct test_call *t) {
    struct bine_spec spec = spec_of(t, t->root);
    char why[128];
    enum bine_needs needs = bine_algorithm_needs(t->algorithm);
    int reduces = bine_collective_reduces(kind_of(t));
    return (needs == BINE_NEEDS_NOTHING || (needs == BINE_NEEDS_BOARDS && t->node != NULL) ||
            (needs == BINE_NEEDS_GROUPS && t->groups != NULL)) &&
           (!t->in_place || bine_collective_has_in_place(kind_of(t))) &&
           (t->root == 0 || bine_collective_is_rooted(kind_of(t))) &&
           !(reduces && t->elements == FUNCTIONS && t->algorithm->commutative) &&
           bine_spec_error(&spec, why, sizeof why) == NULL;
}

static void describe(struct rank_call *c) {
    const struct test_call *t = &c->test;
    int size = (int)c->type.size, vector = bine_cuts_a_vector(kind_of(t));
    int in_place = is_in_place(t, c->self), scatter = kind_of(t) == BINE_SCATTER;
    c->call = (struct bine_call){.collective = kind_of(t),
                                 .sendbuf = kind_of(t) == BINE_BCAST ? c->out : c->in,
                                 .recvbuf = c->out,
                                 .in_place = in_place,
                                 .sendcount = t->count,
                                 .recvcount = t->count,
                                 .sendtype = c->type,
                                 .recvtype = c->type,
                                 .op = BINE_NO_OP,
                                 .commutative = t->elements != FUNCTIONS,
                                 .root = t->root,
                                 .bytes = (int64_t)t->count * size * (vector ? 1 : t->p)};
    if (bine_collective_reduces(kind_of(t)))
        c->call.op = &operators[t->elements];
    if (kind_of(t) == BINE_BARRIER) {
        c->call.bytes = c->call.sendcount = c->call.recvcount = 0;
        bine_type_describe(BINE_BYTE, &c->call.recvtype);
        c->call.sendtype = c->call.recvtype;
    }
    if (in_place && scatter)
        c->call.recvbuf = NULL;
    else if (in_place)
        c->call.sendbuf = NULL;
}

int rank_call_make(struct rank_call *c, const struct test_call *t, struct member *m) {
    bine_comm_handle comm = m->channel.comm;
    *c = (struct rank_call){.test = *t, .self = bine_loopback_self(comm)};
    bine_type_describe(&types[t->elements], &c->type);
    size_t extent = (size_t)types[t->elements].extent;
    c->in = calloc((size_t)gives(t, c->self) + 1, extent);
    /* A reduce_scatter in place has all contributions in the buffer for the result. */
    int most = gets(t, c->self) > gives(t, c->self) ? gets(t, c->self) : gives(t, c->self);
    c->out = calloc((size_t)most + 1, extent);
    struct bine_spec spec = spec_of(t, c->self);
    describe(c);
    if (c->in != NULL && c->out != NULL)
        c->plan = bine_plan_new(&spec);
    if (c->plan == NULL) {
        if (bine_algorithm_needs(t->algorithm) == BINE_NEEDS_BOARDS)
            bine_board_refuse_unplanned(&spec, &c->call, m->channel.node);
        return BINE_ERR_NO_MEM;
    }
    rank_call_fill(c, t->salt);
    return bine_bind(&c->bound, c->plan, &c->call, &m->channel, t->segment, &c->workspace);
}

int rank_call_run(struct rank_call *c, bine_comm_handle comm, int nonblocking) {
    if (!nonblocking)
        return bine_bound_run(&c->bound);
    int done = 0, rc = bine_bound_start(&c->bound);
    while (rc == BINE_OK && !done) {
        rc = bine_bound_progress(&c->bound, 0, &done);
        if (!done && bine_loopback_pause(comm) != BINE_OK)
            return BINE_ERR_INTERN;
    }
    return rc;
}

void rank_call_end(struct rank_call *c) {
    bine_plan_free(c->plan);
    bine_workspace_free(&c->workspace);
    free(c->in);
    free(c->out);
}

/* --- Ranks */

void world_open(struct test_world *w, int p, uint32_t slots, uint32_t holds) {
    *w = (struct test_world){.p = p, .shape = {slots, holds}};
    for (int k = 0; k < p && slots > 0; k++) {
        w->taken[k] = malloc(bine_board_bytes(&w->shape) + BINE_BOARD_LINE);
        uintptr_t line = (uintptr_t)w->taken[k] + BINE_BOARD_LINE - 1;
        w->memory[k] = (void *)(line / BINE_BOARD_LINE * BINE_BOARD_LINE);
        bine_board_init(w->memory[k], &w->shape);
    }
}

void world_close(struct test_world *w) {
    for (int k = 0; k < w->p; k++)
        free(w->taken[k]);
}

/* While a rank waits at a board: after a wrong result, peers may never come. */
static int let_others_go_on(void *with) {
    struct member *m = with;
    return atomic_load(&m->world->wrong) > 0 ? BINE_ERR_OTHER
                                             : bine_loopback_pause(m->channel.comm);
}

/* The boards of the ranks on this rank's node. */
static int open_boards(struct member *m, bine_comm_handle comm, const int32_t *node) {
    struct test_world *w = m->world;
    void *memory[64];
    int self = bine_loopback_self(comm), n = 0;
    for (int k = 0; k < w->p; k++) {
        m->seat[k] = node[k] == node[self] ? n : -1;
        m->pid[k] = (int64_t)getpid();
        if (node[k] == node[self])
            memory[n++] = w->memory[k];
    }
    m->node.boards = bine_boards_new(n, m->seat[self], memory, &w->shape);
    m->node.seat = m->seat;
    m->node.pid = m->pid;
    m->node.wait = (struct bine_wait){.progress = let_others_go_on, .with = m};
    m->channel.node = &m->node;
    return m->node.boards != NULL ? BINE_OK : BINE_ERR_NO_MEM;
}

int member_open(struct member *m, struct test_world *w, bine_comm_handle comm,
                const int32_t *node) {
    *m = (struct member){.world = w};
    bine_channel_open(&m->channel, comm);
    return node != NULL ? open_boards(m, comm, node) : BINE_OK;
}

void member_close(struct member *m) {
    bine_boards_free(m->node.boards);
    bine_channel_close(&m->channel);
}
