#include "check/sequences.h"

#include "cli/command.h"
#include "pattern/groups/groupings.h"
#include "schedule/check/sequence.h"
#include "schedule/walk/ranks.h"

#include <stdio.h>
#include <stdlib.h>

/* All interleavings of so many ranks, unless there are too many states; else so many at random. */
enum { RANKS_ALL = 3, STATES_MOST = 1 << 20, WALKS = 20 };
enum { CALLS = 3, SLOTS = 2, ROUNDS_MOST = 3 };

/* The schedules of one call. */
struct call {
    struct bine_spec request;
    struct bine_schedule **rank;
    int rounds, blocks, lasting; /* lasting: the request of struct bine_sequence_call */
};

/* What sequences are drawn from. */
struct pool {
    const struct bine_algorithm *const *list;
    size_t count;
    uint64_t state;
};

/* A call on the boards of one node or, where there are groups, inside each of the smallest. */
static struct call draw_call(struct pool *pool, const struct bine_groups *g, int p) {
    enum bine_needs needs = g != NULL ? BINE_NEEDS_GROUPS : BINE_NEEDS_BOARDS;
    const struct bine_algorithm *a;
    uint64_t *state = &pool->state;
    do
        a = pool->list[bine_draw(state, pool->count)];
    while (bine_algorithm_needs(a) != needs);
    int rooted = bine_collective_is_rooted(a->collective);
    struct call c = {
        .request = {.algorithm = a, .p = p, .groups = g, .layout = bine_algorithm_layout(a, p)}};
    c.request.node = g != NULL ? bine_groups_smallest(g) : NULL;
    c.request.segments = a->trees > 0 ? 1 + (int)bine_draw(state, 2) : 0;
    c.request.root = rooted ? (int)bine_draw(state, (uint64_t)p) : 0;
    c.rounds = 1 + (int)bine_draw(state, ROUNDS_MOST);
    c.blocks = (int)bine_draw(state, 2);
    return c;
}

static int build_call(struct call *c) {
    int rc;
    c->rank = bine_ranks_build(&c->request, NULL, NULL, &rc);
    return rc;
}

static void free_call(struct call *c) {
    bine_ranks_free(c->rank, c->request.p);
}

static void print_failure(const struct call *c, const struct bine_verdict *v) {
    printf("FAILED: %d ranks:", c->request.p);
    for (int i = 0; i < CALLS; i++)
        printf(" %s %s, root %d, %d round%s, %s;",
               bine_collective_name(c[i].request.algorithm->collective),
               c[i].request.algorithm->name, c[i].request.root, c[i].rounds,
               c[i].rounds == 1 ? "" : "s",
               c[i].lasting > 0 ? "persistent"
               : c[i].blocks    ? "blocking"
                                : "not blocking");
    printf(" rank %d, call %d: %s\n", v->rank, v->time, v->message);
}

/* Some calls of every third sequence are starts of persistent ones, on boards of one node. */
static void draw_requests(struct call *c, uint64_t *state) {
    for (int i = 0; i < CALLS; i++) {
        c[i].lasting = bine_draw(state, 2) > 0 ? i + 1 : 0;
        c[i].blocks &= c[i].lasting == 0;
    }
}

/* The order in which a rank starts its calls: any that leaves those of no request as they are. */
static void draw_order(const struct call *c, uint8_t order[CALLS], uint64_t *state) {
    for (int i = 0; i < CALLS; i++)
        order[i] = (uint8_t)i;
    for (int turns = 2 * CALLS; turns > 0; turns--) {
        int i = (int)bine_draw(state, CALLS - 1);
        uint8_t first = order[i], second = order[i + 1];
        if (c[first].lasting == 0 && c[second].lasting == 0)
            continue;
        order[i] = second;
        order[i + 1] = first;
    }
}

/* NULL when out of memory. */
static uint8_t (*draw_orders(const struct call *c, int p, uint64_t *state))[BINE_SEQUENCE_CALLS] {
    uint8_t(*order)[BINE_SEQUENCE_CALLS] = calloc((size_t)p, sizeof *order);
    for (int r = 0; order != NULL && r < p; r++)
        draw_order(c, order[r], state);
    return order;
}

/* 0: proved, 1: failed, -1: out of memory. */
static int prove_calls(struct call *c, int p, uint64_t *state) {
    uint8_t(*order)[BINE_SEQUENCE_CALLS] = draw_orders(c, p, state);
    struct bine_sequence q = {.p = p,
                              .slots = SLOTS,
                              .calls = CALLS,
                              .order = (const uint8_t(*)[BINE_SEQUENCE_CALLS])order};
    struct bine_verdict verdict;
    size_t states = 0;
    int rc = order != NULL ? 0 : -1;
    for (int i = 0; i < CALLS && rc == 0; i++) {
        rc = build_call(&c[i]);
        q.call[i] = (struct bine_sequence_call){c[i].rank, c[i].rounds, c[i].blocks, c[i].lasting};
    }
    if (rc == 0 && p <= RANKS_ALL)
        rc = bine_sequence_check(&q, STATES_MOST, &states, &verdict);
    if (rc == 0 ? p > RANKS_ALL : rc < 0 && states > STATES_MOST)
        rc = bine_sequence_walk(&q, WALKS, bine_draw(state, UINT32_MAX), &verdict);
    if (rc == 1)
        print_failure(c, &verdict);
    for (int i = 0; i < CALLS; i++)
        free_call(&c[i]);
    free(order);
    return rc;
}

static int has_need(const struct pool *pool, enum bine_needs needs) {
    for (size_t i = 0; i < pool->count; i++)
        if (bine_algorithm_needs(pool->list[i]) == needs)
            return 1;
    return 0;
}

/* One sequence: every second one is of ranks in nodes, if there are algorithms for both. */
static int prove(struct pool *pool, int p, long k) {
    int inside =
        has_need(pool, BINE_NEEDS_GROUPS) && (k % 2 == 1 || !has_need(pool, BINE_NEEDS_BOARDS));
    struct bine_groups *g = NULL;
    struct call c[CALLS];
    if (inside) {
        uint64_t groupings = (uint64_t)bine_groupings_count(p);
        g = bine_grouping_new(p, (int)bine_draw(&pool->state, groupings));
        if (g == NULL)
            return -1;
    }
    for (int j = 0; j < CALLS; j++)
        c[j] = draw_call(pool, g, p);
    if (!inside && k % 3 == 0)
        draw_requests(c, &pool->state);
    int rc = prove_calls(c, p, &pool->state);
    bine_groups_free(g);
    return rc;
}

int bine_sequences_prove(const struct bine_range *ranks, const struct bine_algorithm *const *list,
                         size_t count, long sequences, uint64_t seed) {
    size_t failed = 0, proved = 0;
    struct pool pool = {list, count, seed};
    for (size_t i = 0; i < ranks->count; i++)
        for (long k = 0; k < sequences; k++) {
            int rc = prove(&pool, ranks->value[i], k);
            if (rc < 0)
                return bine_complain("out of memory");
            failed += (size_t)rc;
            proved += rc == 0;
        }
    printf("%zu sequences proved, %zu failed\n", proved, failed);
    return failed == 0 ? BINE_EXIT_GOOD : BINE_EXIT_FAILED;
}
