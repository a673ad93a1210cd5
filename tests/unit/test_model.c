/* The model against times worked out by hand. Rates: a node 1000 bytes a second, an uplink 500;
 * latency 1 s near and 3 s far, 0.25 s a message, 100 bytes are eager, copying and adding up 2000
 * bytes a second. */
#include "model/pick.h"
#include "model/time.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char machine_text[] = "name m\ntopology fat-tree\nnics 1\nnic-gbits 8e-6\n"
                                   "uplink-gbits 4e-6\nlatency-us 1e6\nlatency-global-us 3e6\n"
                                   "message-us 250000\neager 100\ncopy-gbytes 2e-6\n"
                                   "reduce-gbytes 2e-6\ngroup a n[0-3]\ngroup b n[4-7]\n";

struct job {
    struct bine_machine *machine;
    struct bine_hosts hosts;
    struct bine_allocation allocation;
    struct bine_links links;
};

static void open_on(struct job *j, const char *machine, const char *hosts) {
    struct bine_reason why;
    char text[200];
    memset(j, 0, sizeof *j);
    j->machine = bine_machine_read(machine, strlen(machine), "m.machine",
                                   &(struct bine_machine_options){0}, &why);
    assert_non_null(j->machine);
    snprintf(text, sizeof text, "%s\n", hosts);
    assert_int_equal(bine_hosts_read(&j->hosts, text, strlen(text), "hosts", 64, &why), 0);
    assert_int_equal(
        bine_allocation_place(&j->allocation, j->machine, &j->hosts, BINE_REORDER_OFF, &why), 0);
    assert_int_equal(bine_links_make(&j->links, &j->allocation, j->machine), 0);
}

static void open_job(struct job *j, const char *hosts) {
    open_on(j, machine_text, hosts);
}

static void close_job(struct job *j) {
    bine_links_free(&j->links);
    bine_allocation_free(&j->allocation);
    bine_hosts_free(&j->hosts);
    bine_machine_free(j->machine);
}

static struct bine_time time_of(struct job *j, enum bine_collective c, const char *name,
                                int64_t bytes) {
    const struct bine_algorithm *a = bine_algorithm_find(c, name);
    struct bine_time t;
    assert_non_null(a);
    struct bine_spec spec = {
        .algorithm = a, .p = j->allocation.p, .layout = bine_algorithm_layout(a, j->allocation.p)};
    assert_int_equal(bine_time_of(&spec, bytes, &j->links, &t), 0);
    return t;
}

static void assert_time(const struct bine_time *t, double seconds) {
    if (fabs(t->seconds - seconds) > 1e-9)
        fail_msg("%.9f s, expected %.9f", t->seconds, seconds);
}

/* Posting 0.25, 100 bytes at 1000 a second 0.1, latency 1. */
static void test_one_small_message(void **s) {
    (void)s;
    struct job j;
    open_job(&j, "n[0-1]");
    struct bine_time t = time_of(&j, BINE_BCAST, "linear", 100);
    assert_time(&t, 0.25 + 0.1 + 1);
    assert_int_equal(t.messages, 1);
    close_job(&j);
}

/* Pods a (leaves l1, l2) and b (leaf l3) of a tree, 500 bytes a second up from a leaf and 250 from
 * a pod; of a Dragonfly+, 125 from pod to pod. */
#define LEAVES                                                                                     \
    "nics 1\nnic-gbits 8e-6\nlatency-us 1e6\nsplit l 2 n[0-5]\nuplink-gbits 4e-6\n"                \
    "latency-global-us 3e6\nlevel pod\ngroup a l[1-2]\ngroup b l3\nlatency-global-us 5e6\n"

static void expect_route(const struct bine_links *l, int from, int to, int count,
                         const double *rate, double latency) {
    size_t route[BINE_ROUTE_MOST];
    assert_int_equal(bine_links_route(l, from, to, route), count);
    for (int i = 0; i < count; i++)
        assert_true(fabs(l->rate[route[i]] - rate[i]) < 1e-6);
    assert_true(fabs(bine_links_latency(l, from, to) - latency) < 1e-9);
}

static void test_levels(void **s) {
    (void)s;
    struct job j;
    char text[BINE_LINK_TEXT];
    size_t route[BINE_ROUTE_MOST];
    static const double near[] = {1000, 1000}, leaves[] = {1000, 500, 500, 1000},
                        pods[] = {1000, 500, 250, 250, 500, 1000},
                        pair[] = {1000, 500, 125, 500, 1000};
    open_on(&j, "topology fat-tree\n" LEAVES "uplink-gbits 2e-6\n", "n[0-5]");
    expect_route(&j.links, 0, 1, 2, near, 1);
    expect_route(&j.links, 0, 2, 4, leaves, 3);
    expect_route(&j.links, 2, 5, 6, pods, 5);
    bine_links_route(&j.links, 2, 5, route);
    assert_string_equal(bine_links_text(&j.links, route[1], text), "up from l2");
    assert_string_equal(bine_links_text(&j.links, route[2], text), "up from a");
    assert_string_equal(bine_links_text(&j.links, route[3], text), "down to b");
    assert_string_equal(bine_links_text(&j.links, route[4], text), "down to l3");
    close_job(&j);
    open_on(&j, "topology dragonfly+\n" LEAVES "pair-gbits 1e-6\n", "n[0-5]");
    expect_route(&j.links, 2, 5, 5, pair, 5);
    bine_links_route(&j.links, 5, 2, route);
    assert_string_equal(bine_links_text(&j.links, route[2], text), "b to a");
    close_job(&j);
    /* A leaf and a half of 500 in a pod on the average, oversubscribed 3:1. */
    static const double tapered[] = {1000, 500, 250, 250, 500, 1000};
    open_on(&j, "topology fat-tree\n" LEAVES "oversubscription 3:1\n", "n[0-5]");
    expect_route(&j.links, 2, 5, 6, tapered, 5);
    close_job(&j);
}

static void note(void *self, size_t number, double left, double arrived) {
    double *seen = self;
    assert_int_equal(number, 0);
    seen[0] = left;
    seen[1] = arrived;
}

/* It leaves when it is posted, and arrives at the end. */
static void test_a_message_is_watched(void **s) {
    (void)s;
    struct job j;
    double seen[2] = {0, 0};
    struct bine_time_watch watch = {note, seen};
    struct bine_time t;
    struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_BCAST, "linear"), .p = 2};
    open_job(&j, "n[0-1]");
    assert_int_equal(bine_time_watched(&spec, 100, &j.links, &watch, &t), 0);
    assert_true(fabs(seen[0] - 0.25) < 1e-9 && fabs(seen[1] - t.seconds) < 1e-9);
    close_job(&j);
}

/* The same with 2000 bytes: asking takes a latency more. Between groups the uplink is the slowest,
 * and latency is 3. */
static void test_one_large_message(void **s) {
    (void)s;
    struct job j;
    char text[BINE_LINK_TEXT];
    open_job(&j, "n[0-1]");
    struct bine_time t = time_of(&j, BINE_BCAST, "linear", 2000);
    assert_time(&t, 0.25 + 1 + 2 + 1);
    close_job(&j);
    open_job(&j, "n0,n4");
    t = time_of(&j, BINE_BCAST, "linear", 2000);
    assert_time(&t, 0.25 + 3 + 4 + 3);
    assert_true(fabs(t.busy - 4) < 1e-9);
    assert_string_equal(bine_links_text(&j.links, t.busiest, text), "up from a");
    close_job(&j);
}

/* Three messages of 1000 bytes leave the root: the first is asked for at 0.25 and leaves at 1.25,
 * the link is busy for 3 s, then a latency. */
static void test_messages_queue(void **s) {
    (void)s;
    struct job j;
    open_job(&j, "n[0-3]");
    struct bine_time t = time_of(&j, BINE_BCAST, "linear", 1000);
    assert_time(&t, 0.25 + 1 + 3 + 1);
    assert_true(fabs(t.busy - 3) < 1e-9);
    close_job(&j);
}

/* Two messages into the root, which then adds 1000 bytes up twice. All post at 0.25, the root its
 * second receive at 0.5; both senders are there, so they leave at 1.25 and 1.5 and share the root's
 * link until 3.25. */
static void test_reductions_take_time(void **s) {
    (void)s;
    struct job j;
    open_job(&j, "n[0-2]");
    struct bine_time t = time_of(&j, BINE_REDUCE, "linear", 1000);
    assert_time(&t, 3.25 + 1 + 2 * 0.5);
    assert_true(fabs(t.work - 1) < 1e-9);
    close_job(&j);
}

/* Three messages of 100 bytes into the root, which the link into its node lets through one after
 * the other: they are there at 1.35, 1.45 and 1.55. The root takes one every 0.25 s: the last at
 * 1.35 + 2 * 0.25, long after its receive was posted at 0.75. It then adds 100 bytes up three
 * times. */
static void test_messages_are_taken_in_turn(void **s) {
    (void)s;
    struct job j;
    open_job(&j, "n[0-3]");
    struct bine_time t = time_of(&j, BINE_REDUCE, "linear", 100);
    assert_time(&t, 1.35 + 2 * 0.25 + 3 * 0.05);
    close_job(&j);
}

static void note_each(void *self, size_t number, double left, double arrived) {
    double *seen = self;
    (void)left;
    seen[number] = arrived;
}

/* When the first and the last of two messages have arrived. */
static void watch_two(const char *hosts, const struct bine_spec *spec, int64_t bytes,
                      double message, double seen[2]) {
    struct job j;
    struct bine_time_watch watch = {note_each, seen};
    struct bine_time t;
    open_job(&j, hosts);
    if (message > 0)
        j.links.rates.message = message;
    assert_int_equal(bine_time_watched(spec, bytes, &j.links, &watch, &t), 0);
    assert_int_equal(t.messages, 2);
    close_job(&j);
    if (seen[0] > seen[1]) {
        double last = seen[0];
        seen[0] = seen[1];
        seen[1] = last;
    }
}

/* Two segments to the same rank follow one another: the first, posted at 0.01, is through 0.1
 * later, as if it were alone. */
static void test_one_connection_keeps_its_order(void **s) {
    (void)s;
    double seen[2] = {0, 0};
    struct bine_spec spec = {
        .algorithm = bine_algorithm_find(BINE_BCAST, "chain"), .p = 2, .segments = 2};
    watch_two("n[0-1]", &spec, 200, 0.01, seen);
    assert_true(fabs(seen[0] - (0.01 + 0.1 + 1)) < 1e-9);
    assert_true(fabs(seen[1] - (0.01 + 0.2 + 1)) < 1e-9);
}

/* Both messages of the root, of four pieces each that take 16.384 s, are posted at 0.25 and 0.5 and
 * asked for; their pieces leave in turns, so that the first one is through long after the half of
 * the time. */
static void test_connections_take_turns(void **s) {
    (void)s;
    double seen[2] = {0, 0}, piece = 16.384;
    struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_BCAST, "linear"), .p = 3};
    watch_two("n[0-2]", &spec, 65536, 0, seen);
    assert_true(fabs(seen[0] - (1.25 + 7 * piece + 1)) < 1e-9);
    assert_true(fabs(seen[1] - (1.25 + 8 * piece + 1)) < 1e-9);
}

/* Two messages cross to the root's group together, where a piece takes 32.768 s: the second one is
 * through a piece after the first. */
static void test_links_take_turns(void **s) {
    (void)s;
    double seen[2] = {0, 0}, piece = 32.768;
    struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_GATHER, "linear"), .p = 3};
    watch_two("n0,n[4-5]", &spec, 3 * 65536, 0, seen);
    assert_true(fabs(seen[1] - (0.25 + 3 + 8 * piece + 3)) < 1e-9);
    assert_true(fabs(seen[1] - seen[0] - piece) < 1e-9);
}

/* The root of a tree sends to its first child alone, or to both at once: the first child then has
 * its message later. */
static void test_children_at_once(void **s) {
    (void)s;
    struct job j;
    struct bine_time one, both;
    struct bine_time_bound bound = {.messages = 100};
    struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_BCAST, "binomial-near"), .p = 3};
    open_job(&j, "n[0-2]");
    assert_int_equal(bine_time_bounded(&spec, 65536, &j.links, &bound, &one), 0);
    bound.at_once = 1;
    assert_int_equal(bine_time_bounded(&spec, 65536, &j.links, &bound, &both), 0);
    assert_true(fabs(one.seconds - (2 * 1.25 + 2 * 65.536 + 1)) < 1e-9);
    assert_true(fabs(both.seconds - (1.25 + 2 * 65.536 + 1)) < 1e-9);
    assert_true(both.mean > one.mean);
    close_job(&j);
}

/* With 50 bytes of headers, 100 bytes take as long as 150. */
static void test_headers_take_time(void **s) {
    (void)s;
    struct job j;
    open_job(&j, "n[0-1]");
    j.links.rates.headers = 50;
    struct bine_time t = time_of(&j, BINE_BCAST, "linear", 100);
    assert_time(&t, 0.25 + 0.15 + 1);
    close_job(&j);
}

static void test_same_every_time(void **s) {
    (void)s;
    struct job j;
    open_job(&j, "n[0-7]");
    struct bine_time t = time_of(&j, BINE_ALLREDUCE, "bine-large", 12345);
    for (int i = 0; i < 3; i++) {
        struct bine_time again = time_of(&j, BINE_ALLREDUCE, "bine-large", 12345);
        assert_memory_equal(&t, &again, sizeof t);
    }
    close_job(&j);
}

static int is_bine_far(void *self, const struct bine_algorithm *a) {
    return a == *(const struct bine_algorithm **)self;
}

/* The least time over the layouts by events. */
static double least_of(const struct job *j, const struct bine_algorithm *a, int64_t bytes) {
    double least = HUGE_VAL;
    for (int l = 0; l < BINE_LAYOUTS; l++) {
        struct bine_spec spec = {.algorithm = a, .p = 8, .layout = (enum bine_layout)l};
        struct bine_time t;
        assert_int_equal(bine_time_of(&spec, bytes, &j->links, &t), 0);
        least = t.seconds < least ? t.seconds : least;
    }
    return least;
}

/* Every layout is looked at, at every size, and comes once; the first is the fastest by events.
 * What was looked at for one size says nothing of another. */
static void test_picks_layouts(void **s) {
    const struct bine_algorithm *a = bine_algorithm_find(BINE_ALLGATHER, "bine-far");
    const int64_t sizes[] = {8, 8 * 100, 8 * 8192, 8 * 100, 8 * 65536};
    struct bine_pick pick[BINE_PICKS_MOST];
    struct bine_picker x;
    struct job j;
    (void)s;
    open_job(&j, "n[0-7]");
    assert_int_equal(bine_picker_open(&x, &j.links, NULL, NULL), 0);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        unsigned seen = 0;
        int n = bine_picker_pick(&x, BINE_ALLGATHER, 0, sizes[k], is_bine_far, &a, pick);
        assert_int_equal(n, BINE_LAYOUTS);
        for (int i = 0; i < n; i++)
            seen |= 1U << pick[i].layout;
        assert_int_equal(seen, (1U << BINE_LAYOUTS) - 1);
        assert_true(fabs(pick[0].seconds - least_of(&j, a, sizes[k])) < 1e-9);
    }
    bine_picker_close(&x);
    close_job(&j);
}

/* A pipeline of which only the first segments are executed takes about as long as all of it: the
 * ends of the pipeline are in what is executed, and the rest goes on at one pace. */
static void test_a_pipeline_is_continued(void **s) {
    (void)s;
    static const struct {
        enum bine_collective collective;
        const char *algorithm;
    } cases[] = {{BINE_ALLREDUCE, "ring-segmented"},
                 {BINE_ALLREDUCE, "double-binary"},
                 {BINE_BCAST, "chain"}};
    struct job j;
    open_job(&j, "n[0-7]");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bine_algorithm *a =
            bine_algorithm_find(cases[i].collective, cases[i].algorithm);
        struct bine_time whole, part;
        assert_non_null(a);
        struct bine_spec spec = {
            .algorithm = a, .p = 8, .segments = 64, .layout = bine_algorithm_layout(a, 8)};
        assert_int_equal(bine_time_of(&spec, 1 << 20, &j.links, &whole), 0);
        struct bine_time_bound bound = {.messages = whole.messages};
        assert_int_equal(bine_time_bounded(&spec, 1 << 20, &j.links, &bound, &part), 0);
        assert_true(part.seconds == whole.seconds);
        bound.messages = whole.messages / 8;
        assert_int_equal(bine_time_bounded(&spec, 1 << 20, &j.links, &bound, &part), 0);
        assert_int_equal(part.messages, whole.messages);
        assert_true(fabs(part.seconds / whole.seconds - 1) < 0.03);
        assert_true(fabs(part.busy / whole.busy - 1) < 1e-9);
        bound.messages = 10;
        assert_int_equal(bine_time_bounded(&spec, 1 << 20, &j.links, &bound, &part), 1);
    }
    close_job(&j);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_message_is_watched),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_one_small_message),
        cmocka_unit_test(test_one_large_message),
        cmocka_unit_test(test_messages_queue),
        cmocka_unit_test(test_reductions_take_time),
        cmocka_unit_test(test_messages_are_taken_in_turn),
        cmocka_unit_test(test_connections_take_turns),
        cmocka_unit_test(test_links_take_turns),
        cmocka_unit_test(test_children_at_once),
        cmocka_unit_test(test_one_connection_keeps_its_order),
        cmocka_unit_test(test_headers_take_time),
        cmocka_unit_test(test_same_every_time),
        cmocka_unit_test(test_picks_layouts),
        cmocka_unit_test(test_a_pipeline_is_continued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
