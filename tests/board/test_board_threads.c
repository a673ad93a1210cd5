/* Ranks as threads, boards in plain memory: ThreadSanitizer can see all of it. */
#include "calls.h"
#include "unit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 8 };

struct world {
    struct calls_plan plan;
    struct bine_board_shape shape;
    void *memory[RANKS_MOST];
};

struct thread {
    const struct world *world;
    int me;
    struct calls_result result;
};

static void *as_rank(void *argument) {
    struct thread *t = argument;
    struct bine_boards *b =
        bine_boards_new(t->world->plan.n, t->me, t->world->memory, &t->world->shape);
    if (t->world->plan.sleeps)
        bine_boards_let_sleep(b);
    t->result = calls_run(&t->world->plan, b);
    bine_boards_free(b);
    return NULL;
}

static void open_world(struct world *w) {
    size_t bytes = (bine_board_bytes(&w->shape) + 63) / 64 * 64;
    for (int k = 0; k < w->plan.n; k++) {
        w->memory[k] = aligned_alloc(BINE_BOARD_LINE, bytes);
        assert_non_null(w->memory[k]);
        bine_board_init(w->memory[k], &w->shape);
    }
}

/* What came out, all ranks together. */
static struct calls_result run_as(struct world *w, void *(*rank)(void *thread)) {
    struct thread thread[RANKS_MOST];
    pthread_t id[RANKS_MOST];
    struct calls_result all = {0};
    open_world(w);
    for (int k = 0; k < w->plan.n; k++) {
        thread[k] = (struct thread){.world = w, .me = k};
        assert_int_equal(pthread_create(&id[k], NULL, rank, &thread[k]), 0);
    }
    for (int k = 0; k < w->plan.n; k++) {
        pthread_join(id[k], NULL);
        all.wrong += thread[k].result.wrong;
        all.failed += thread[k].result.failed;
        all.reads += thread[k].result.reads;
    }
    for (int k = 0; k < w->plan.n; k++)
        free(w->memory[k]);
    return all;
}

static struct world world_of(uint64_t seed, int n, uint32_t slots, int at_once) {
    return (struct world){
        .plan =
            {.seed = seed, .n = n, .calls = 60, .at_once = at_once, .fails_at = -1, .delay = 40},
        .shape = {slots, BINE_BOARD_HOLDS}};
}

static struct calls_result run(struct world *w) {
    return run_as(w, as_rank);
}

/* Every rank reads what it should, at its own pace. */
static void test_sequences(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct world w = world_of(seed, 2 + (int)(seed % 5), 1u << (seed % 4), 1);
        struct calls_result all = run(&w);
        assert_int_equal(all.wrong, 0);
        assert_int_equal(all.failed, 0);
        assert_true(all.reads > 0);
    }
}

/* The same where ranks sleep. */
static void test_sleeping(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct world w = world_of(300 + seed, 2 + (int)(seed % 5), 1u << (seed % 4), 1);
        w.plan.sleeps = 1;
        struct calls_result all = run(&w);
        assert_int_equal(all.wrong, 0);
        assert_int_equal(all.failed, 0);
    }
}

/* Calls of one publication each, by the ranks in turn. Publishers wake others at the end of the
 * call alone, as short calls do. A rank that waits sleeps for a second if it is not woken. */
static void *take_turns(void *argument) {
    enum { CALLS = 3000, LONG_SLEEP = 900000000 };
    struct thread *t = argument;
    int n = t->world->plan.n;
    struct bine_boards *b = bine_boards_new(n, t->me, t->world->memory, &t->world->shape);
    bine_boards_let_sleep(b);
    for (int i = 0; i < CALLS; i++) {
        struct bine_board_call call;
        struct bine_board_slot *slot;
        uint64_t data;
        bine_boards_begin(b, &call, BINE_BOARD_STRIDE, i % n == t->me);
        if (i % n == t->me) {
            while (bine_boards_can_publish(b, &call, call.base) != BINE_BOARD_READY)
                t->result.failed += (uint64_t)bine_boards_sleep(b, LONG_SLEEP);
            data = (uint64_t)i;
            slot = bine_boards_slot(b, t->me, call.base);
            memcpy(bine_boards_place(b, call.base, sizeof data), &data, sizeof data);
            bine_boards_publish_in(b, &call, call.base, slot, sizeof data, 0);
        }
        while (bine_boards_look(b, i % n, call.base, 0, &slot) == BINE_BOARD_NOT_YET)
            t->result.failed += (uint64_t)bine_boards_sleep(b, LONG_SLEEP);
        memcpy(&data, bine_board_data(slot, sizeof data), sizeof data);
        t->result.wrong += data != (uint64_t)i;
        bine_boards_end(b, &call);
    }
    bine_boards_free(b);
    return NULL;
}

/* No rank sleeps through what it waits for. (A machine that stands still for a second may let a few
 * wake up by themselves.) */
static void test_waking(void **state) {
    (void)state;
    for (int n = 2; n <= 5; n++) {
        struct world w = world_of(0, n, n % 2 == 0 ? 1 : 4, 1);
        struct calls_result all = run_as(&w, take_turns);
        assert_int_equal(all.wrong, 0);
        assert_true(all.failed <= 3);
    }
}

/* Several pending calls at once: `read` is the least of all, and publications keep their order.
 */
static void test_several_at_once(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct world w =
            world_of(100 + seed, 2 + (int)(seed % 4), 1u << (seed % 3), 2 + (int)(seed % 3));
        struct calls_result all = run(&w);
        assert_int_equal(all.wrong, 0);
        assert_int_equal(all.failed, 0);
    }
}

/* One rank gives a call up: it and those who wait for it see an error there, and nobody hangs or
 * reads something wrong, in that call or in any later one. */
static void test_giving_up(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct world w = world_of(200 + seed, 2 + (int)(seed % 4), 2, 1 + (int)(seed % 2));
        w.plan.fails_at = 10 + (int)(seed % 20);
        w.plan.failing = (int)(seed % (uint64_t)w.plan.n);
        struct calls_result all = run(&w);
        assert_int_equal(all.wrong, 0);
        assert_in_range(all.failed, 1, (uint64_t)w.plan.n * (uint64_t)w.plan.at_once);
    }
}

/* Bytes of the calls below, where they do not matter. */
enum { SIZE = 8 };

/* The first number of a call, as all ranks count them. */
static uint64_t number_of(uint64_t call) {
    return (1 + call) * BINE_BOARD_STRIDE;
}

/* A root that runs ahead stops when the slots are full, and not before. */
static void test_runs_ahead(void **state) {
    struct bine_board_shape shape = {4, BINE_BOARD_HOLDS};
    size_t bytes = (bine_board_bytes(&shape) + 63) / 64 * 64;
    void *memory[2] = {aligned_alloc(64, bytes), aligned_alloc(64, bytes)};
    struct bine_boards *b[2];
    (void)state;
    for (int k = 0; k < 2; k++)
        bine_board_init(memory[k], &shape);
    for (int k = 0; k < 2; k++)
        b[k] = bine_boards_new(2, k, memory, &shape);
    struct bine_board_call call, reader;
    struct bine_board_slot *slot;
    for (uint64_t n = 0; n < 4; n++) {
        bine_boards_begin(b[0], &call, BINE_BOARD_STRIDE, 1);
        assert_int_equal(bine_boards_can_publish(b[0], &call, call.base), BINE_BOARD_READY);
        *bine_boards_place(b[0], call.base, 1) = (char)n;
        bine_boards_publish(b[0], &call, call.base, 1, SIZE);
        bine_boards_end(b[0], &call);
    }
    bine_boards_begin(b[0], &call, BINE_BOARD_STRIDE, 1);
    assert_int_equal(bine_boards_can_publish(b[0], &call, call.base), BINE_BOARD_NOT_YET);
    bine_boards_begin(b[1], &reader, BINE_BOARD_STRIDE, 0);
    assert_int_equal(bine_boards_look(b[1], 0, number_of(0), SIZE, &slot), BINE_BOARD_READY);
    assert_int_equal(*bine_board_data(slot, slot->bytes), 0);
    assert_int_equal(bine_boards_can_publish(b[0], &call, call.base), BINE_BOARD_NOT_YET);
    bine_boards_end(b[1], &reader);
    assert_int_equal(bine_boards_can_publish(b[0], &call, call.base), BINE_BOARD_READY);
    assert_int_equal(bine_boards_look(b[1], 0, number_of(4), SIZE, &slot), BINE_BOARD_NOT_YET);
    bine_boards_fail(b[0], &call);
    assert_int_equal(bine_boards_look(b[1], 0, number_of(4), SIZE, &slot), BINE_BOARD_FAILED);
    assert_int_equal(bine_boards_look(b[1], 0, number_of(3), SIZE, &slot), BINE_BOARD_READY);
    assert_int_equal(bine_boards_look(b[1], 0, number_of(5), SIZE, &slot), BINE_BOARD_NOT_YET);
    for (int k = 0; k < 2; k++) {
        bine_boards_free(b[k]);
        free(memory[k]);
    }
}

/* Giving up a younger call says nothing of an older one, which may publish yet. */
static void test_gives_up_younger(void **state) {
    struct bine_board_shape shape = {4, BINE_BOARD_HOLDS};
    size_t bytes = (bine_board_bytes(&shape) + 63) / 64 * 64;
    void *memory[1] = {aligned_alloc(64, bytes)};
    struct bine_board_call older, younger;
    struct bine_board_slot *slot;
    (void)state;
    bine_board_init(memory[0], &shape);
    struct bine_boards *b = bine_boards_new(1, 0, memory, &shape);
    bine_boards_begin(b, &older, BINE_BOARD_STRIDE, 1);
    bine_boards_begin(b, &younger, BINE_BOARD_STRIDE, 1);
    assert_int_equal(bine_boards_can_publish(b, &younger, younger.base), BINE_BOARD_NOT_YET);
    bine_boards_fail(b, &younger);
    assert_int_equal(bine_boards_look(b, 0, number_of(0), SIZE, &slot), BINE_BOARD_NOT_YET);
    assert_int_equal(bine_boards_look(b, 0, number_of(1), SIZE, &slot), BINE_BOARD_NOT_YET);
    bine_boards_publish(b, &older, older.base, 0, SIZE);
    assert_int_equal(bine_boards_look(b, 0, number_of(0), SIZE, &slot), BINE_BOARD_READY);
    bine_boards_end(b, &older);
    assert_int_equal(bine_boards_look(b, 0, number_of(1), SIZE, &slot), BINE_BOARD_FAILED);
    bine_boards_free(b);
    free(memory[0]);
}

/* Two ranks differ in how long a call is, and so in the numbers that they use: the one to which it
 * is shorter learns so, the other one goes on, and the next call is where both expect it. */
static void test_differs(void **state) {
    (void)state;
    struct bine_board_shape shape = {4, BINE_BOARD_HOLDS};
    size_t bytes = (bine_board_bytes(&shape) + 63) / 64 * 64;
    void *memory[2] = {aligned_alloc(64, bytes), aligned_alloc(64, bytes)};
    struct bine_boards *b[2];
    struct bine_board_call call[2];
    struct bine_board_slot *slot;
    enum bine_board_state found = BINE_BOARD_NOT_YET;
    for (int k = 0; k < 2; k++)
        bine_board_init(memory[k], &shape);
    for (int k = 0; k < 2; k++) {
        b[k] = bine_boards_new(2, k, memory, &shape);
        bine_boards_begin(b[k], &call[k], bine_board_numbers(k == 0 ? 2 : 5), k == 0 ? 2 : 5);
        bine_boards_publish(b[k], &call[k], call[k].base, 50, k == 0 ? 100 : 1000);
    }
    assert_int_equal(bine_boards_look(b[0], 1, call[0].base, 100, &slot), BINE_BOARD_LONGER);
    assert_int_equal(bine_boards_look(b[1], 0, call[1].base, 1000, &slot), BINE_BOARD_READY);
    assert_int_equal(bine_boards_look(b[1], 0, call[1].base + 2, 1000, &slot), BINE_BOARD_NOT_YET);
    bine_boards_end(b[0], &call[0]);
    for (int k = 0; k < 1000 && found == BINE_BOARD_NOT_YET; k++)
        found = bine_boards_look(b[1], 0, call[1].base + 2, 1000, &slot);
    assert_int_equal(found, BINE_BOARD_FAILED);
    bine_boards_end(b[1], &call[1]);
    for (int k = 0; k < 2; k++)
        bine_boards_begin(b[k], &call[k], bine_board_numbers(1), k == 1);
    assert_int_equal(bine_boards_can_publish(b[1], &call[1], call[1].base), BINE_BOARD_READY);
    bine_boards_publish(b[1], &call[1], call[1].base, SIZE, SIZE);
    assert_int_equal(bine_boards_look(b[0], 1, call[0].base, SIZE, &slot), BINE_BOARD_READY);
    for (int k = 0; k < 2; k++) {
        bine_boards_free(b[k]);
        free(memory[k]);
    }
}

struct mark {
    struct bine_boards *boards;
    int written; /* before the call was given up; nothing but the mark orders it */
};

static void *gives_up(void *argument) {
    struct mark *x = argument;
    struct bine_board_call call;
    bine_boards_begin(x->boards, &call, BINE_BOARD_STRIDE, 1);
    x->written = 7;
    bine_boards_fail(x->boards, &call);
    return NULL;
}

/* Who sees that a rank publishes no more sees all that it did before: ThreadSanitizer says so where
 * the mark is not released. */
static void test_sees_all_before(void **state) {
    (void)state;
    struct bine_board_shape shape = {4, BINE_BOARD_HOLDS};
    size_t bytes = (bine_board_bytes(&shape) + 63) / 64 * 64;
    void *memory[2] = {aligned_alloc(64, bytes), aligned_alloc(64, bytes)};
    struct bine_board_slot *slot;
    pthread_t id;
    for (int k = 0; k < 2; k++)
        bine_board_init(memory[k], &shape);
    struct mark x = {bine_boards_new(2, 0, memory, &shape), 0};
    struct bine_boards *reader = bine_boards_new(2, 1, memory, &shape);
    assert_int_equal(pthread_create(&id, NULL, gives_up, &x), 0);
    while (bine_boards_look(reader, 0, number_of(0), SIZE, &slot) != BINE_BOARD_FAILED)
        sched_yield();
    assert_int_equal(x.written, 7);
    pthread_join(id, NULL);
    bine_boards_free(x.boards);
    bine_boards_free(reader);
    free(memory[0]);
    free(memory[1]);
}

/* A slot that was spoilt is an error to its readers, also when its rank has given up since, and it
 * is passed like any other. */
static void test_spoilt(void **state) {
    (void)state;
    struct bine_board_shape shape = {4, BINE_BOARD_HOLDS};
    size_t bytes = (bine_board_bytes(&shape) + 63) / 64 * 64;
    void *memory[2] = {aligned_alloc(64, bytes), aligned_alloc(64, bytes)};
    struct bine_boards *boards[2];
    struct bine_board_call call[2];
    struct bine_board_slot *slot;
    for (int k = 0; k < 2; k++)
        bine_board_init(memory[k], &shape);
    for (int k = 0; k < 2; k++) {
        boards[k] = bine_boards_new(2, k, memory, &shape);
        bine_boards_begin(boards[k], &call[k], BINE_BOARD_STRIDE, 2);
    }
    bine_boards_spoil(boards[0], &call[0], call[0].base);
    assert_int_equal(bine_boards_look(boards[1], 0, call[1].base + 0, SIZE, &slot),
                     BINE_BOARD_FAILED);
    assert_int_equal(bine_boards_look(boards[1], 0, call[1].base + 1, SIZE, &slot),
                     BINE_BOARD_NOT_YET);
    bine_boards_publish(boards[0], &call[0], call[0].base + 1, 0, SIZE);
    assert_int_equal(bine_boards_look(boards[1], 0, call[1].base + 1, SIZE, &slot),
                     BINE_BOARD_READY);
    bine_boards_fail(boards[0], &call[0]);
    assert_int_equal(bine_boards_look(boards[1], 0, call[1].base + 0, SIZE, &slot),
                     BINE_BOARD_FAILED);
    bine_boards_end(boards[1], &call[1]);
    assert_true(bine_boards_is_passed(boards[0], call[0].base + 1));
    for (int k = 0; k < 2; k++) {
        bine_boards_free(boards[k]);
        free(memory[k]);
    }
}

static int count_progress(void *with) {
    ++*(int *)with;
    return *(int *)with == 3 ? 7 : 0;
}

/* Who waits lets the transport go on, and ends when that says so. */
static void test_wait(void **state) {
    (void)state;
    int calls = 0, rc = 0;
    unsigned looks = 0;
    struct bine_wait w = {
        .progress = count_progress, .with = &calls, .spins = 2 * BINE_WAIT_PROGRESS + 1};
    while (rc == 0)
        rc = bine_wait_once(&w, &looks);
    assert_int_equal(rc, 7);
    assert_int_equal(looks, 2 * BINE_WAIT_PROGRESS + 1);
    struct bine_wait at_once = {.progress = count_progress, .with = &calls};
    looks = 0;
    assert_int_equal(bine_wait_once(&at_once, &looks), 0);
    assert_int_equal(calls, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_ahead),      cmocka_unit_test(test_gives_up_younger),
        cmocka_unit_test(test_sees_all_before), cmocka_unit_test(test_wait),
        cmocka_unit_test(test_sequences),       cmocka_unit_test(test_several_at_once),
        cmocka_unit_test(test_sleeping),        cmocka_unit_test(test_waking),
        cmocka_unit_test(test_giving_up),       cmocka_unit_test(test_differs),
        cmocka_unit_test(test_spoilt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
