/* The engine over the loopback: p ranks in this process, by turns and by threads. */
#include "ranks.h"
#include "unit.h"

#include "comm/progress.h"
#include "schedule/catalogue.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 13, CALLS_MOST = 2000, AT_ONCE = 5, RUNS = 3 };

/* The calls of all ranks, in order. */
static struct {
    struct test_call call[CALLS_MOST];
    int n;
    const int32_t *node;
} list;

static const int32_t one_node[RANKS_MOST] = {0};
static const int32_t three_nodes[RANKS_MOST] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 0, 1, 2, 2};

static uint64_t draws = 1;
static int draw(int below) {
    draws = draws * 6364136223846793005u + 1442695040888963407u;
    return (int)((draws >> 33) % (uint64_t)below);
}

/* --- Lists of calls */

/* A call of an algorithm, or none: not every draw is possible. */
static void add_call(const struct bine_algorithm *a, int p, int most, const int32_t *node,
                     const struct bine_groups *groups) {
    struct test_call t = {.algorithm = a,
                          .layout = (enum bine_layout)a->layouts[0],
                          .p = p,
                          .count = draw(4) == 0 ? draw(3) : draw(most),
                          .elements = (enum elements)draw(ELEMENTS),
                          .segment = draw(2) == 0 ? 64 : (size_t)1 << 20,
                          .groups = groups,
                          .node = node,
                          .salt = (uint64_t)list.n + 1};
    int layouts = 1;
    while (a->layouts[layouts] >= 0)
        layouts++;
    t.layout = (enum bine_layout)a->layouts[draw(layouts)];
    if (bine_collective_is_rooted(a->collective))
        t.root = draw(p);
    t.in_place = draw(3) == 0 && bine_collective_has_in_place(a->collective);
    if (!call_is_possible(&t))
        t.elements = WORDS;
    if (list.n < CALLS_MOST && call_is_possible(&t))
        list.call[list.n++] = t;
}

/* Every algorithm that p ranks can run with messages alone; or (`node`) those that use boards or
 * groups. On one node, vectors may be larger than a slot. */
static void list_all(int p, const int32_t *node, const struct bine_groups *groups) {
    list.n = 0;
    list.node = node;
    for (size_t k = 0; k < bine_catalogue_size; k++) {
        const struct bine_algorithm *a = &bine_catalogue[k];
        if (bine_collective_is_uneven(a->collective) ||
            (bine_algorithm_needs(a) == BINE_NEEDS_NOTHING) != (node == NULL))
            continue;
        add_call(a, p, node == one_node ? 900 : 60, node, groups);
    }
}

/* --- Blocking calls */

static void complain(struct member *m, const struct rank_call *c, const char *when, int rc,
                     int wrong) {
    const struct test_call *t = &c->test;
    if (rc == BINE_OK && wrong == 0)
        return;
    if (atomic_fetch_add(&m->world->wrong, 1) < 5)
        fprintf(stderr,
                "%s: collective %d %s, layout %d, p %d, root %d, rank %d, in place %d, "
                "count %d, elements %d, segment %d: error %d, %d wrong\n",
                when, (int)t->algorithm->collective, t->algorithm->name, (int)t->layout, t->p,
                t->root, c->self, t->in_place, t->count, (int)t->elements, (int)t->segment, rc,
                wrong);
}

/* Once more with other values, as a repeated call. */
static int run_again(struct rank_call *c, struct member *m) {
    bine_channel_count(&m->channel);
    if (bine_bound_has_fast_path(&c->bound))
        return bine_bound_repeat(&c->bound, c->call.sendbuf, c->call.recvbuf);
    int rc = bine_rebind(&c->bound, c->call.sendbuf, c->call.recvbuf);
    return rc == BINE_OK ? bine_bound_run(&c->bound) : rc;
}

static void run_blocking(bine_comm_handle comm, void *with) {
    struct member m;
    struct rank_call c;
    if (member_open(&m, with, comm, list.node) != BINE_OK)
        atomic_fetch_add(&m.world->wrong, 1);
    for (int k = 0; k < list.n && atomic_load(&m.world->wrong) == 0; k++) {
        bine_channel_count(&m.channel);
        int rc = rank_call_make(&c, &list.call[k], &m);
        if (rc == BINE_OK)
            rc = bine_bound_run(&c.bound);
        complain(&m, &c, "blocking", rc, rank_call_check(&c));
        for (int i = 1; i < RUNS && rc == BINE_OK; i++) {
            rank_call_fill(&c, list.call[k].salt + (uint64_t)(i * 100000));
            rc = run_again(&c, &m);
            complain(&m, &c, "repeated", rc, rank_call_check(&c));
        }
        rank_call_end(&c);
    }
    member_close(&m);
}

/* --- Nonblocking calls */

/* Take all calls further in random order until they are over. */
static void complete_all(bine_comm_handle comm, struct member *m, struct rank_call *c, int n) {
    int done[AT_ONCE] = {0}, left = n, stuck = 0;
    while (left > 0 && !stuck) {
        int k = (int)(bine_loopback_draw(comm) % (uint64_t)n);
        if (done[k])
            continue;
        int rc = bine_bound_progress(&c[k].bound, 0, &done[k]);
        if (done[k]) {
            complain(m, &c[k], "nonblocking", rc, rank_call_check(&c[k]));
            left--;
        }
        stuck = bine_loopback_pause(comm) != BINE_OK;
    }
}

static int start(struct rank_call *c, struct member *m, int first) {
    bine_channel_count(&m->channel);
    return first ? bine_bound_start(&c->bound)
                 : bine_bound_restart(&c->bound, c->call.sendbuf, c->call.recvbuf);
}

/* Several at once; each is started RUNS times. */
static void run_nonblocking(bine_comm_handle comm, void *with) {
    struct member m;
    static _Thread_local struct rank_call none; /* too large for a stack of several */
    struct rank_call *c = malloc(AT_ONCE * sizeof none);
    if (c == NULL || member_open(&m, with, comm, list.node) != BINE_OK)
        atomic_fetch_add(&((struct test_world *)with)->wrong, 1);
    for (int k = 0; k < list.n && atomic_load(&m.world->wrong) == 0; k += AT_ONCE) {
        int n = list.n - k < AT_ONCE ? list.n - k : AT_ONCE;
        for (int run = 0; run < RUNS; run++) {
            for (int i = 0; i < n; i++) {
                int rc = run == 0 ? rank_call_make(&c[i], &list.call[k + i], &m) : BINE_OK;
                if (run > 0)
                    rank_call_fill(&c[i], list.call[k + i].salt + (uint64_t)(run * 100000));
                if (rc == BINE_OK)
                    rc = start(&c[i], &m, run == 0);
                complain(&m, &c[i], "start", rc, 0);
            }
            complete_all(comm, &m, c, n);
        }
        for (int i = 0; i < n; i++)
            rank_call_end(&c[i]);
    }
    free(c);
    member_close(&m);
}

/* --- Pending calls, which any rank takes further */

struct listed {
    struct bine_pending pending; /* the first field */
    struct rank_call call;
    int rc;
    atomic_int over;
};

static int advance(struct bine_pending *p) {
    struct listed *x = (struct listed *)p;
    int done;
    int rc = bine_bound_progress(&x->call.bound, 0, &done);
    if (done)
        x->rc = rc;
    return done;
}

static void end(struct bine_pending *p) {
    atomic_store(&((struct listed *)p)->over, 1);
}

static int is_detached(const struct bine_pending *p) {
    (void)p;
    return 0;
}

static void run_pending(bine_comm_handle comm, void *with) {
    struct member m;
    struct listed *x = calloc(AT_ONCE, sizeof *x);
    if (x == NULL || member_open(&m, with, comm, list.node) != BINE_OK)
        atomic_fetch_add(&((struct test_world *)with)->wrong, 1);
    for (int k = 0; k + AT_ONCE <= list.n && atomic_load(&m.world->wrong) == 0; k += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++) {
            int rc = rank_call_make(&x[i].call, &list.call[k + i], &m);
            x[i].pending =
                (struct bine_pending){.advance = advance, .end = end, .is_detached = is_detached};
            atomic_store(&x[i].over, 0);
            if (rc == BINE_OK)
                rc = start(&x[i].call, &m, 1);
            complain(&m, &x[i].call, "start", rc, 0);
            bine_progress_add(&x[i].pending);
        }
        for (int i = AT_ONCE - 1; i >= 0; i--) {
            while (!atomic_load(&x[i].over) && bine_loopback_pause(comm) == BINE_OK)
                bine_progress_poll();
            complain(&m, &x[i].call, "pending", x[i].rc, rank_call_check(&x[i].call));
        }
        for (int i = 0; i < AT_ONCE; i++)
            rank_call_end(&x[i].call);
    }
    free(x);
    member_close(&m);
}

/* --- Worlds */

static void run_world(struct bine_loopback_setup setup,
                      void (*function)(bine_comm_handle, void *)) {
    struct test_world w;
    setup.messages = 20000;
    struct bine_loopback *loopback = bine_loopback_new(&setup);
    assert_non_null(loopback);
    world_open(&w, setup.p, 4, list.node == one_node ? BINE_BOARD_HOLDS : BINE_BOARD_HOLDS_MOST);
    assert_int_equal(bine_loopback_run(loopback, function, &w), 0);
    assert_int_equal(atomic_load(&w.wrong), 0);
    assert_int_equal(bine_loopback_pending(loopback), 0);
    world_close(&w);
    bine_loopback_free(loopback);
}

static struct bine_groups *groups_of(int p, const int32_t *node) {
    const int32_t *const names[] = {node};
    return bine_groups_new(p, 1, names);
}

/* Every algorithm by messages; those on boards and in groups; for several p, seeds and ways. */
static void run_all(int threads, void (*function)(bine_comm_handle, void *)) {
    static const int ranks[] = {1, 2, 3, 5, 8, 13};
    for (size_t i = 0; i < (threads ? 4 : sizeof ranks / sizeof *ranks); i++) {
        struct bine_loopback_setup setup = {
            .p = ranks[i], .threads = threads, .seed = 17 + (uint64_t)i};
        list_all(ranks[i], NULL, NULL);
        run_world(setup, function);
        if (threads && function == run_pending) /* one thread at a time uses the boards of a rank */
            continue;
        list_all(ranks[i], one_node, NULL);
        run_world(setup, function);
        struct bine_groups *groups = groups_of(ranks[i], three_nodes);
        assert_non_null(groups);
        list_all(ranks[i], three_nodes, groups);
        run_world(setup, function);
        bine_groups_free(groups);
    }
}

static void test_blocking_by_turns(void **state) {
    (void)state;
    run_all(0, run_blocking);
}

static void test_blocking_by_threads(void **state) {
    (void)state;
    run_all(1, run_blocking);
}

static void test_nonblocking_by_turns(void **state) {
    (void)state;
    run_all(0, run_nonblocking);
}

static void test_nonblocking_by_threads(void **state) {
    (void)state;
    run_all(1, run_nonblocking);
}

static void test_pending_by_turns(void **state) {
    (void)state;
    run_all(0, run_pending);
}

static void test_pending_by_threads(void **state) {
    (void)state;
    run_all(1, run_pending);
}

/* With the word `threads` (ThreadSanitizer knows no turns), only these. */
int main(int argc, char **argv) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(test_blocking_by_threads),  cmocka_unit_test(test_nonblocking_by_threads),
        cmocka_unit_test(test_pending_by_threads),   cmocka_unit_test(test_blocking_by_turns),
        cmocka_unit_test(test_nonblocking_by_turns), cmocka_unit_test(test_pending_by_turns),
    };
    (void)argv;
    const struct CMUnitTest threads[] = {all[0], all[1], all[2]};
    return argc > 1 ? cmocka_run_group_tests(threads, NULL, NULL)
                    : cmocka_run_group_tests(all, NULL, NULL);
}
