/* The walk of all ranks: messages and their ends, publications and their readers, and the order in
 * which steps are executed. */
#include "schedule/walk/walk.h"
#include "unit.h"

#include <string.h>

static struct bine_spec spec_of(const struct bine_algorithm *a, int p, int root) {
    int rooted = bine_collective_is_rooted(a->collective);
    return (struct bine_spec){
        .algorithm = a, .p = p, .root = rooted ? root : 0, .layout = bine_algorithm_layout(a, p)};
}

/* Algorithms that need nothing but ranks, or the boards of one node. */
static int is_simple(const struct bine_algorithm *a, int p) {
    int needs = bine_algorithm_needs(a);
    return bine_algorithm_takes(a, p) && needs != BINE_NEEDS_GROUPS && needs != BINE_NEEDS_DIMS;
}

static int time_of(const struct bine_schedule *s, uint32_t op, uint32_t *strand) {
    for (struct bine_visit v = bine_visit_begin(s); bine_visit_on(&v); v.op++)
        if (v.op == op) {
            *strand = v.strand;
            return v.step->time;
        }
    fail();
    return -1;
}

static uint32_t pieces_of(const struct bine_schedule *s, const struct bine_op *op) {
    uint32_t n = 0;
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        n += s->run[i].count;
    return n;
}

/* Both ends of a message name each other, its strand, its time and as many pieces. */
static void check_message(const struct bine_messages *m, uint32_t number) {
    const struct bine_message *g = &m->message[number];
    const struct bine_schedule *from = m->schedule[g->rank[BINE_SENDER]],
                               *to = m->schedule[g->rank[BINE_RECEIVER]];
    const struct bine_op *send = &from->op[g->op[BINE_SENDER]],
                         *recv = &to->op[g->op[BINE_RECEIVER]];
    uint32_t strand[BINE_ENDS];
    assert_true(bine_op_sends(send) && bine_op_receives(recv));
    assert_int_equal(send->peer, to->rank);
    assert_int_equal(recv->peer, from->rank);
    assert_int_equal(m->of_op[from->rank][g->op[BINE_SENDER]], number);
    assert_int_equal(m->of_op[to->rank][g->op[BINE_RECEIVER]], number);
    assert_int_equal(time_of(from, g->op[BINE_SENDER], &strand[BINE_SENDER]),
                     time_of(to, g->op[BINE_RECEIVER], &strand[BINE_RECEIVER]));
    assert_int_equal(strand[BINE_SENDER], strand[BINE_RECEIVER]);
    assert_int_equal(strand[BINE_SENDER], g->strand);
    assert_int_equal(pieces_of(from, send), pieces_of(to, recv));
}

/* Every operation of a kind has a number of its own; returns how many there are. */
static size_t count_ops(const struct bine_messages *m, int (*is)(const struct bine_op *)) {
    size_t n = 0;
    for (int r = 0; r < m->p; r++)
        for (uint32_t k = 0; k < m->schedule[r]->nops; k++)
            if (is(&m->schedule[r]->op[k])) {
                assert_int_not_equal(m->of_op[r][k], BINE_NO_MAIL);
                n++;
            }
    return n;
}

static void test_ends_match(void **state) {
    static const int ranks[] = {2, 5, 8, 11};
    (void)state;
    for (size_t i = 0; i < 4 * bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i / 4];
        struct bine_messages m;
        size_t readers = 0;
        if (!is_simple(a, ranks[i % 4]))
            continue;
        struct bine_spec spec = spec_of(a, ranks[i % 4], 1);
        assert_int_equal(bine_messages_collect(&m, &spec, 1000), 0);
        for (uint32_t k = 0; k < m.count; k++)
            check_message(&m, k);
        assert_int_equal(count_ops(&m, bine_op_sends), m.count);
        assert_int_equal(count_ops(&m, bine_op_receives), m.count);
        assert_int_equal(count_ops(&m, bine_op_publishes), m.publications);
        for (size_t k = 0; k < m.publications; k++)
            readers += m.publication[k].readers;
        assert_int_equal(count_ops(&m, bine_op_reads), readers);
        bine_messages_free(&m);
    }
}

/* What a walk has shown. */
struct seen {
    const struct bine_messages *m;
    size_t delivered, published, finished;
    int last[16];   /* of each rank: the time of its last receipt */
    int stop_after; /* deliveries; 0: never */
    uint8_t arrived[4096], given[4096];
};

static int deliver(void *self, uint32_t number, int time) {
    struct seen *x = self;
    assert_int_equal(x->arrived[number]++, 0);
    x->last[x->m->message[number].rank[BINE_RECEIVER]] = time;
    return ++x->delivered == (size_t)x->stop_after ? 7 : 0;
}

static int publish(void *self, int rank, uint32_t op) {
    struct seen *x = self;
    x->given[x->m->of_op[rank][op]] = 1;
    x->published++;
    return 0;
}

static int finish(void *self, int rank, uint32_t op, int time) {
    struct seen *x = self;
    const struct bine_op *o = &x->m->schedule[rank]->op[op];
    uint32_t mail = x->m->of_op[rank][op], strand;
    if (bine_kind_is_message(o->kind))
        assert_int_equal(x->arrived[mail], 1);
    if (bine_op_reads(o))
        assert_int_equal(x->given[mail], 1);
    int own = time_of(x->m->schedule[rank], op, &strand);
    assert_true(own == time || own < 0);
    x->finished++;
    return 0;
}

static int walk(struct seen *x, const struct bine_messages *m, int *done) {
    struct bine_walk w;
    int stop = x->stop_after;
    memset(x, 0, sizeof *x);
    x->m = m;
    x->stop_after = stop;
    const struct bine_walk_visitor visitor = {deliver, publish, finish, x};
    assert_int_equal(bine_walk_open(&w, m), 0);
    int rc = bine_walk_run(&w, &visitor);
    *done = bine_walk_is_done(&w);
    bine_walk_close(&w);
    return rc;
}

static void test_all_is_executed(void **state) {
    static struct seen x;
    (void)state;
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        struct bine_messages m;
        size_t ops = 0;
        int done;
        if (!is_simple(&bine_catalogue[i], 6))
            continue;
        struct bine_spec spec = spec_of(&bine_catalogue[i], 6, 2);
        assert_int_equal(bine_messages_collect(&m, &spec, 1000), 0);
        assert_true(m.count < sizeof x.arrived && m.publications < sizeof x.given);
        assert_int_equal(walk(&x, &m, &done), 0);
        assert_true(done);
        assert_int_equal(x.delivered, m.count);
        assert_int_equal(x.published, m.publications);
        for (int r = 0; r < m.p; r++)
            ops += m.schedule[r]->nops;
        assert_int_equal(x.finished, ops);
        bine_messages_free(&m);
    }
}

/* p = 8, far-first tree of root 0: 0 -> 3, then 0 -> 7 and 3 -> 4, then the rest. */
static void test_times(void **state) {
    static const int step[8] = {0, 2, 2, 0, 1, 2, 2, 1};
    static struct seen x;
    struct bine_messages m;
    struct bine_spec spec = spec_of(bine_algorithm_find(BINE_BCAST, "bine-small"), 8, 0);
    int done;
    (void)state;
    assert_int_equal(bine_messages_collect(&m, &spec, 1000), 0);
    assert_int_equal(m.count, 7);
    assert_int_equal(walk(&x, &m, &done), 0);
    for (int r = 0; r < 8; r++)
        assert_int_equal(x.last[r], step[r]);
    x.stop_after = 3; /* a visitor ends the walk */
    assert_int_equal(walk(&x, &m, &done), 7);
    assert_int_equal(x.delivered, 3);
    assert_false(done);
    bine_messages_free(&m);
}

/* A rank that does nothing keeps the others waiting: the walk ends, and says so. Rank 3 is an inner
 * node of the tree above, and rank 4 waits for it. */
static void test_stuck(void **state) {
    static struct seen x;
    struct bine_messages m;
    struct bine_spec spec = spec_of(bine_algorithm_find(BINE_BCAST, "bine-small"), 8, 0);
    int done;
    (void)state;
    assert_int_equal(bine_messages_collect(&m, &spec, 1000), 0);
    m.schedule[3]->strand[0].nsteps = 0;
    x.stop_after = 0;
    assert_int_equal(walk(&x, &m, &done), 0);
    assert_false(done);
    assert_int_equal(x.delivered, 0); /* the root waits for rank 3 first */
    bine_messages_free(&m);
}

/* More messages than allowed are not collected. */
static void test_bounded(void **state) {
    struct bine_messages m;
    struct bine_spec spec = spec_of(bine_algorithm_find(BINE_ALLTOALL, "pairwise"), 8, 0);
    (void)state;
    assert_int_equal(bine_messages_collect_lean(&m, &spec, 1000, 55), 1);
    assert_int_equal(bine_messages_collect_lean(&m, &spec, 1000, 56), 0);
    assert_int_equal(m.count, 56); /* 8 ranks, each to 7 others */
    bine_messages_free(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends_match), cmocka_unit_test(test_all_is_executed),
        cmocka_unit_test(test_times),      cmocka_unit_test(test_stuck),
        cmocka_unit_test(test_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
