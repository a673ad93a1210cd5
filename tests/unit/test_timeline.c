/* Tapes of calls and the trace made of them: what is kept, room, clocks, messages, damaged files;
 * and lists of calls. */
#include "select/call_list.h"
#include "timeline/trace.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A tape whose ticks are nanoseconds, so that expected times can be written down. */
static struct bine_tape_part *tape_of(struct bine_tape *t, int rank, int ranks, uint64_t node) {
    struct bine_tape_part *p = calloc(1, bine_tape_bytes(ranks));
    assert_non_null(p);
    bine_tape_begin(t, p, ranks, 1);
    p->head.rank = rank;
    p->head.ranks = ranks;
    p->head.node = node;
    p->head.begin = (struct bine_ticks_pair){1000, 1000};
    return p;
}

/* Keeping a call reads the real clocks, whose ticks are others. */
static void settle(struct bine_tape_part *p) {
    p->head.last = (struct bine_ticks_pair){1000000, 1000000};
    p->head.finished = 1;
}

static int execution; /* its address stands for one */

static void put(struct bine_tape *t, enum bine_tape_kind kind, int peer, uint64_t begin,
                uint64_t end) {
    struct bine_tape_event e = {.begin = begin,
                                .end = end,
                                .bytes = 64,
                                .peer = peer,
                                .kind = (uint8_t)kind,
                                .strand = kind == BINE_TAPE_WAIT ? BINE_TAPE_NO_STRAND : 0};
    bine_tape_add(t, &execution, &e);
}

static struct bine_tape_call call_of(int rank, int ranks, uint64_t number, uint64_t begin,
                                     uint64_t end) {
    return (struct bine_tape_call){.begin = begin,
                                   .end = end,
                                   .comm = 11,
                                   .number = number,
                                   .bytes = 64,
                                   .rank = rank,
                                   .ranks = ranks,
                                   .root = BINE_ROOT_NONE,
                                   .algorithm = BINE_PART_BY_MPI,
                                   .collective = BINE_ALLREDUCE,
                                   .class = 6};
}

static void test_call_lists(void **state) {
    static const struct {
        const char *text;
        enum bine_collective c;
        int64_t bytes;
        uint64_t number;
        int has;
    } rows[] = {
        {"", BINE_BCAST, 8, 1, 1},
        {"", BINE_BCAST, 8, 3, 0},
        {"", BINE_GATHERV, -1, 1024, 1},
        {"all", BINE_BCAST, 8, 2, 1},
        {"allreduce", BINE_BCAST, 8, 1, 0},
        {"allreduce:1K", BINE_ALLREDUCE, 1024, 4, 1},
        {"allreduce:1K", BINE_ALLREDUCE, 1025, 4, 0},
        {"allreduce:1K-1M@10-20", BINE_ALLREDUCE, 1 << 20, 20, 1},
        {"allreduce:1K-1M@10-20", BINE_ALLREDUCE, 1 << 20, 21, 0},
        {"allreduce:1K-1M@10-20", BINE_ALLREDUCE, 1 << 20, 9, 0},
        {"bcast,all:0-8@7", BINE_SCAN, 8, 7, 1},
        {"all:0-8@7", BINE_GATHERV, -1, 7, 0}, /* sizes that differ are in no range */
    };
    static const char *const wrong[] = {"allreduse", "bcast:",    "bcast:2M-1M", "bcast@0",
                                        "bcast@x",   "bcast@3-2", "bcast,,x",    "bcast:1K:2K"};
    struct bine_call_list l;
    struct bine_reason why;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(bine_call_list_parse(rows[i].text, &l, &why), 0);
        assert_int_equal(bine_call_list_has(&l, rows[i].c, rows[i].bytes, rows[i].number),
                         rows[i].has);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(bine_call_list_parse(wrong[i], &l, &why), -1);
        assert_int_equal(l.count, 0);
    }
}

/* Calls that are not kept leave nothing; events of other executions are not taken. */
static void test_keeping(void **state) {
    struct bine_tape t;
    struct bine_tape_part *p = tape_of(&t, 0, 2, 7);
    struct bine_tape_call c = call_of(0, 2, 1, 2000, 3000);
    (void)state;
    bine_tape_open(&t);
    t.running = &execution;
    put(&t, BINE_TAPE_STEP, BINE_TAPE_NO_PEER, 2000, 2100);
    bine_tape_open(&t);
    put(&t, BINE_TAPE_STEP, BINE_TAPE_NO_PEER, 2100, 2200); /* no execution runs */
    t.running = &execution;
    put(&t, BINE_TAPE_WAIT, BINE_TAPE_NO_PEER, 2300, 2400);
    put(&t, BINE_TAPE_WAIT, BINE_TAPE_NO_PEER, 2400, 2500); /* one wait with that before it */
    put(&t, BINE_TAPE_COPY, BINE_TAPE_NO_PEER, 2500, 2600);
    bine_tape_keep(&t, &c);
    assert_true(p->calls == 1 && p->events == 2 && p->call[0].events == 2 && !p->call[0].cut);
    assert_true(p->event[0].begin == 2300 && p->event[0].end == 2500);
    settle(p);
    assert_null(bine_tape_check((void *)p, p->head.bytes));
    free(p);
}

static void test_room(void **state) {
    struct bine_tape t;
    struct bine_tape_part *p = tape_of(&t, 0, 2, 7);
    struct bine_tape_call c = call_of(0, 2, 1, 2000, 3000);
    (void)state;
    assert_int_equal(bine_tape_room(2), BINE_TAPE_EVENTS);
    assert_int_equal(bine_tape_room(1024), 1024);
    assert_int_equal(bine_tape_room(1 << 20), BINE_TAPE_EVENTS_LEAST);
    assert_true(bine_tape_bytes(1) <= 300 * 1024); /* the promise of docs/timeline.md */
    bine_tape_open(&t);
    t.running = &execution;
    for (int i = 0; i < BINE_TAPE_EVENTS + 5; i++)
        put(&t, BINE_TAPE_COPY, BINE_TAPE_NO_PEER, 2000, 2100);
    bine_tape_keep(&t, &c);
    assert_true(p->events == BINE_TAPE_EVENTS && p->call[0].cut && p->lost == 0);
    bine_tape_open(&t);
    bine_tape_keep(&t, &c);
    assert_true(p->calls == 1 && p->lost == 1);
    free(p);
}

/* Rank 1 on another node, whose clock shows 500 less: all times are rank 0's. A message of 300 ns
 * between them; the trace begins with the first call. */
static void test_trace(void **state) {
    struct bine_tape t;
    struct bine_parts parts;
    struct bine_trace x;
    struct bine_trace_flow *flow;
    (void)state;
    assert_int_equal(bine_parts_new(&parts, 2), 0);
    for (int r = 0; r < 2; r++) {
        struct bine_tape_part *p = tape_of(&t, r, 2, 7 + (uint64_t)r);
        uint64_t behind = r == 0 ? 0 : 500;
        struct bine_tape_call c = call_of(r, 2, 1, 5000 - behind, 6000 - behind);
        p->head.clock[0] = p->head.clock[1] =
            (struct bine_alignment){1000, (int64_t)behind, r == 0 ? 0 : 40};
        bine_tape_open(&t);
        t.running = &execution;
        put(&t, r == 0 ? BINE_TAPE_SEND : BINE_TAPE_RECEIVE, 1 - r, 5100 - behind,
            (r == 0 ? 5150 : 5400) - behind);
        bine_tape_keep(&t, &c);
        c = call_of(r, 2, 2, 4000 - behind, 4500 - behind); /* earlier, though kept later */
        bine_tape_open(&t);
        bine_tape_keep(&t, &c);
        settle(p);
        parts.part[r] = (void *)p;
    }
    assert_int_equal(bine_trace_make(&x, &parts), 0);
    assert_true(x.calls == 4 && x.nodes == 2 && x.begin_ns == 4000);
    assert_true(x.clock_error > 39e-9 && x.clock_error < 41e-9);
    assert_true(x.call[0].call == 0 && bine_trace_call_of(&x, &x.call[0])->number == 2);
    assert_true(x.call[2].call == 1 && x.call[2].rank == 0 && x.call[3].rank == 1);
    assert_int_equal(bine_trace_flows(&x, 0, &flow), 0);
    free(flow);
    assert_int_equal(bine_trace_flows(&x, 2, &flow), 1);
    assert_true(flow->from == 0 && flow->to == 1);
    assert_true(flow->left > 1.0999 && flow->left < 1.1001);
    assert_true(flow->arrived > 1.3999 && flow->arrived < 1.4001);
    free(flow);
    bine_trace_free(&x);
    bine_parts_free(&parts);
}

/* Whatever a file has in it, it is refused or merged. */
static void test_damage(void **state) {
    struct bine_tape t;
    struct bine_tape_part *good = tape_of(&t, 0, 2, 7);
    struct bine_tape_call c = call_of(0, 2, 1, 2000, 3000);
    size_t bytes = bine_tape_bytes(2);
    int refused = 0;
    (void)state;
    bine_tape_open(&t);
    t.running = &execution;
    put(&t, BINE_TAPE_SEND, 1, 2000, 2100);
    bine_tape_keep(&t, &c);
    settle(good);
    const size_t head = offsetof(struct bine_tape_part, call[1]);
    for (size_t i = 0; i < head + sizeof good->event[0]; i++) { /* what is used of it */
        size_t at = i < head ? i : sizeof *good + i - head;
        struct bine_tape_part *p = malloc(bytes);
        struct bine_parts parts;
        struct bine_trace x;
        assert_non_null(p);
        memcpy(p, good, bytes);
        ((unsigned char *)p)[at] ^= 0xff;
        if (bine_tape_check((void *)p, bytes) != NULL) {
            refused++;
            free(p);
            continue;
        }
        assert_int_equal(bine_parts_new(&parts, 2), 0);
        parts.part[p->head.rank] = (void *)p;
        FILE *f = fopen("/dev/null", "w");
        assert_non_null(f);
        assert_int_equal(bine_trace_make(&x, &parts), 0);
        bine_trace_print(f, &x);
        fclose(f);
        bine_trace_free(&x);
        bine_parts_free(&parts);
    }
    assert_true(refused > 50);
    assert_non_null(bine_tape_check((void *)good, bytes - 1));
    assert_non_null(bine_tape_check((void *)good, 100));
    free(good);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_call_lists), cmocka_unit_test(test_keeping),
        cmocka_unit_test(test_room),       cmocka_unit_test(test_trace),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
