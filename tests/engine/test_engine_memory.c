/* Missing memory over the loopback: every allocation of plans, bindings and runs fails in turn. No
 * rank waits for ever, and nothing is lost. By turns: one thread counts the allocations. */
#include "allocations.h"
#include "ranks.h"
#include "unit.h"

#include "schedule/catalogue.h"

#include <stdlib.h>

enum { RANKS = 4 };

static struct test_call wanted;
static int is_nonblocking;
static int opened, ready, refused, over; /* ranks */
static long failing, seen;

static const int32_t one_node[RANKS] = {0};

static void wait_for_all(bine_comm_handle comm, int *count) {
    for (++*count; *count < RANKS;)
        if (bine_loopback_pause(comm) != BINE_OK)
            return;
}

/* With messages, ranks agree whether all have memory. On boards no rank needs to ask: one that has
 * none tells the others there. */
static void run_call(bine_comm_handle comm, void *with) {
    struct member m;
    struct rank_call c;
    struct test_world *w = with;
    if (member_open(&m, w, comm, wanted.node) != BINE_OK)
        atomic_fetch_add(&w->failed, 1);
    wait_for_all(comm, &opened);
    if (bine_loopback_self(comm) == 0) {
        calls = 0;
        fail_at = failing;
    }
    wait_for_all(comm, &ready);
    bine_channel_count(&m.channel);
    int rc = rank_call_make(&c, &wanted, &m);
    refused += rc != BINE_OK;
    if (wanted.node == NULL)
        wait_for_all(comm, &over);
    if (rc == BINE_OK && (wanted.node != NULL || refused == 0))
        rc = rank_call_run(&c, comm, is_nonblocking);
    if (rc == BINE_OK && refused == 0)
        atomic_fetch_add(&w->wrong, rank_call_check(&c));
    if (rc != BINE_OK)
        atomic_fetch_add(&w->failed, 1);
    seen = calls;
    rank_call_end(&c);
    member_close(&m);
}

/* Returns whether the allocation with this number was asked for. */
static int run_failing(long number) {
    struct test_world w;
    struct bine_loopback_setup setup = {.p = RANKS, .seed = (uint64_t)number, .messages = 1000};
    opened = ready = refused = over = 0;
    failing = number;
    fail_at = 0;
    long before = live;
    struct bine_loopback *loopback = bine_loopback_new(&setup);
    assert_non_null(loopback);
    world_open(&w, RANKS, wanted.node != NULL ? 2 : 0, BINE_BOARD_HOLDS);
    assert_int_equal(bine_loopback_run(loopback, run_call, &w), 0);
    fail_at = 0;
    assert_int_equal(atomic_load(&w.wrong), 0);
    assert_int_equal(bine_loopback_pending(loopback), 0);
    int failed = atomic_load(&w.failed);
    assert_true(seen < number ? failed == 0 : failed > 0);
    world_close(&w);
    bine_loopback_free(loopback);
    bine_workspace_end();
    assert_int_equal(live, before);
    return seen >= number;
}

static void run_all(const char *collective, const char *algorithm, const int32_t *node) {
    enum bine_collective c = (enum bine_collective)bine_collective_find(collective);
    wanted = (struct test_call){.algorithm = bine_algorithm_find(c, algorithm),
                                .p = RANKS,
                                .count = 30,
                                .segment = 64,
                                .node = node,
                                .salt = 3};
    if (wanted.algorithm == NULL)
        fail_msg("no %s %s", collective, algorithm);
    wanted.layout = bine_algorithm_layout(wanted.algorithm, RANKS);
    for (is_nonblocking = 0; is_nonblocking < 2; is_nonblocking++)
        for (int kind = WORDS; kind <= GAPPED; kind++) {
            long number = 1;
            wanted.elements = (enum elements)kind;
            while (run_failing(number))
                number++;
            assert_true(number > 3 * RANKS);
        }
}

static void test_by_messages(void **state) {
    (void)state;
    run_all("allreduce", "bine-large", NULL);
    run_all("bcast", "chain", NULL);
    run_all("alltoall", "bine", NULL);
    run_all("reduce_scatter", "bine-far", NULL);
}

static void test_on_boards(void **state) {
    (void)state;
    run_all("allreduce", "board-flat", one_node);
    run_all("bcast", "board-flat", one_node);
    run_all("alltoall", "board-flat", one_node);
    run_all("allreduce", "board-shared", one_node);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_messages),
        cmocka_unit_test(test_on_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
