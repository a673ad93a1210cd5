/* Arenas and boards between processes. */
#define _GNU_SOURCE
#include "board/arena.h"
#include "calls.h"
#include "unit.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS_MOST = 6, ARENA = 1 << 20 };

/* What the processes of a test share besides boards: cards and a barrier. */
struct table {
    struct bine_arena_card card[RANKS_MOST];
    atomic_int arrived;
    atomic_int value;
};

static struct table *table_new(void) {
    void *x =
        mmap(NULL, sizeof(struct table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(x != MAP_FAILED);
    return x;
}

static void barrier(struct table *t, int n) {
    int mine = atomic_fetch_add(&t->arrived, 1);
    while (atomic_load(&t->arrived) < (mine / n + 1) * n)
        sched_yield();
}

/* Forks n processes; each ends with what `as` returns. Whether all returned 0. */
static int all_of(int n, int (*as)(struct table *t, int n, int me), struct table *t) {
    pid_t child[RANKS_MOST];
    int ok = 1;
    for (int k = 0; k < n; k++) {
        child[k] = fork();
        if (child[k] == 0)
            _exit(as(t, n, k));
    }
    for (int k = 0; k < n; k++) {
        int status;
        ok &= waitpid(child[k], &status, 0) == child[k] && WIFEXITED(status) &&
              WEXITSTATUS(status) == 0;
    }
    return ok;
}

/* A rank with its arena, region and boards, attached to all others. */
struct rank {
    int n, me;
    struct bine_arena *arena;
    struct bine_arena_region *region;
    struct bine_arena_attached peer[RANKS_MOST];
    struct bine_boards *boards;
};

static const struct bine_board_shape shape = {2, BINE_BOARD_HOLDS};

static int rank_open(struct rank *r, struct table *t, int n, int me) {
    struct bine_reason why;
    void *memory[RANKS_MOST];
    *r = (struct rank){.n = n, .me = me, .arena = bine_arena_new(ARENA, NULL, &why)};
    if (r->arena == NULL)
        return 0;
    r->region = bine_arena_take(r->arena, bine_board_bytes(&shape), n - 1, &why);
    if (r->region == NULL)
        return 0;
    bine_board_init(r->region->memory, &shape);
    bine_arena_card(r->arena, r->region, &t->card[me]);
    barrier(t, n);
    for (int k = 0; k < n; k++) {
        if (k != me && bine_arena_attach(r->arena, &t->card[k], &r->peer[k], &why) != 0)
            return 0;
        memory[k] = k == me ? r->region->memory : r->peer[k].memory;
    }
    r->boards = bine_boards_new(n, me, memory, &shape);
    return r->boards != NULL;
}

static void rank_close(struct rank *r) {
    bine_boards_free(r->boards);
    for (int k = 0; k < r->n; k++)
        if (k != r->me)
            bine_arena_release(r->arena, &r->peer[k]);
    bine_arena_give(r->arena, r->region);
    bine_arena_free(r->arena);
}

static int run_calls(struct table *t, int n, int me) {
    struct rank r;
    struct calls_plan plan = {.seed = (uint64_t)atomic_load(&t->value),
                              .n = n,
                              .calls = 80,
                              .at_once = 1 + atomic_load(&t->value) % 2,
                              .fails_at = -1,
                              .delay = 30};
    if (!rank_open(&r, t, n, me))
        return 1;
    for (int k = 0; k < n; k++) /* every other world exposes, where that is permitted */
        plan.pid[k] = atomic_load(&t->value) % 4 < 2 ? (int64_t)t->card[k].pid : 0;
    int can = 1;
    for (int k = 0; k < n; k++)
        can &= bine_arena_can_read(&t->card[k]);
    if (!can)
        memset(plan.pid, 0, sizeof plan.pid);
    struct calls_result result = calls_run(&plan, r.boards);
    barrier(t, n);
    rank_close(&r);
    return result.wrong != 0 || result.failed != 0 || result.reads == 0;
}

static void test_processes(void **state) {
    (void)state;
    for (int seed = 1; seed <= 8; seed++) {
        struct table *t = table_new();
        atomic_store(&t->value, seed);
        assert_true(all_of(2 + seed % 4, run_calls, t));
        munmap(t, sizeof *t);
    }
}

/* Rank 0 publishes, frees everything and ends; the others come later and still find it. */
static int publish_and_go(struct table *t, int n, int me) {
    struct rank r;
    struct bine_board_call call;
    struct bine_board_slot *slot;
    int rc = 0;
    if (!rank_open(&r, t, n, me))
        return 1;
    barrier(t, n);
    bine_boards_begin(r.boards, &call, bine_board_numbers(1), me == 0);
    if (me == 0) {
        memset(bine_boards_place(r.boards, call.base, 1000), 42, 1000);
        bine_boards_publish(r.boards, &call, call.base, 1000, 1000);
        bine_boards_end(r.boards, &call);
        rank_close(&r);
        atomic_store(&t->value, 1);
        return 0;
    }
    while (atomic_load(&t->value) == 0)
        sched_yield();
    usleep(20000);
    if (bine_boards_look(r.boards, 0, call.base, 1000, &slot) != BINE_BOARD_READY)
        rc = 1;
    for (int i = 0; i < 1000 && rc == 0; i++)
        rc = bine_board_data(slot, 1000)[i] != 42;
    bine_boards_end(r.boards, &call);
    rank_close(&r);
    return rc;
}

static void test_owner_goes_first(void **state) {
    (void)state;
    struct table *t = table_new();
    assert_true(all_of(3, publish_and_go, t));
    munmap(t, sizeof *t);
}

/* A region that a slow reader has not released is not given out again. */
static void test_release(void **state) {
    (void)state;
    struct bine_reason why;
    struct bine_arena *mine = bine_arena_new(ARENA, NULL, &why),
                      *other = bine_arena_new(ARENA, NULL, &why);
    struct bine_arena_region *r = bine_arena_take(mine, 100000, 1, &why), *s;
    struct bine_arena_card card;
    struct bine_arena_attached x;
    memset(r->memory, 5, 100000);
    uint64_t first = r->offset;
    bine_arena_card(mine, r, &card);
    assert_int_equal(bine_arena_attach(other, &card, &x, &why), 0);
    assert_true(x.memory != r->memory);
    bine_arena_give(mine, r);
    s = bine_arena_take(mine, 100000, 0, &why);
    assert_true(s->offset != first);
    memset(s->memory, 6, 100000);
    assert_int_equal(x.memory[99999], 5);
    bine_arena_release(other, &x);
    bine_arena_give_now(mine, s);
    s = bine_arena_take(mine, 100000, 0, &why);
    assert_int_equal(s->offset, first);
    bine_arena_give(mine, s);
    assert_int_equal(bine_arena_use(mine).regions, 0);
    bine_arena_free(mine);
    bine_arena_free(other);
}

static int lines_of(const char *path) {
    FILE *f = fopen(path, "r");
    int c, lines = 0;
    while ((c = fgetc(f)) != EOF)
        lines += c == '\n';
    fclose(f);
    return lines;
}

/* 10,000 boards made and freed: no memory, mapping or file more than after the first ones. */
static void test_ten_thousand(void **state) {
    (void)state;
    struct bine_reason why;
    struct bine_arena *a[2] = {bine_arena_new(ARENA, NULL, &why),
                               bine_arena_new(ARENA, NULL, &why)};
    int maps = 0;
    uint64_t taken = 0, offset = 0;
    for (int i = 0; i < 10000; i++) {
        struct bine_arena_region *r[2];
        struct bine_arena_attached x[2];
        struct bine_arena_card card;
        for (int k = 0; k < 2; k++)
            assert_non_null(r[k] = bine_arena_take(a[k], bine_board_bytes(&shape), 1, &why));
        for (int k = 0; k < 2; k++) {
            bine_arena_card(a[1 - k], r[1 - k], &card);
            assert_int_equal(bine_arena_attach(a[k], &card, &x[k], &why), 0);
        }
        offset = r[0]->offset > offset ? r[0]->offset : offset;
        for (int k = 0; k < 2; k++) { /* the owner is sometimes the first to go */
            if ((i + k) % 3 == 0)
                bine_arena_give(a[k], r[k]);
            bine_arena_release(a[k], &x[k]);
            if ((i + k) % 3 != 0)
                bine_arena_give(a[k], r[k]);
        }
        if (i == 10) {
            maps = lines_of("/proc/self/maps");
            taken = bine_arena_use(a[0]).taken;
        }
    }
    assert_int_equal(lines_of("/proc/self/maps"), maps);
    assert_int_equal(bine_arena_use(a[0]).taken, taken);
    assert_int_equal(bine_arena_use(a[0]).peers, 1);
    assert_true(offset < 4 * bine_board_bytes(&shape));
    bine_arena_free(a[0]);
    bine_arena_free(a[1]);
}

static int refuse_make(void) {
    errno = EPERM;
    return -1;
}

static int reserves_left;
static int reserve_some(int file, uint64_t at, uint64_t bytes) {
    (void)file;
    (void)at;
    (void)bytes;
    return reserves_left-- > 0 ? 0 : ENOSPC;
}

static int make_plain(void) {
    return memfd_create("bine", MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

static void test_refusals(void **state) {
    (void)state;
    struct bine_reason why = {""};
    const struct bine_arena_ways no_file = {refuse_make, reserve_some},
                                 no_memory = {make_plain, reserve_some};
    assert_null(bine_arena_new(ARENA, &no_file, &why));
    assert_string_equal(why.text, "shared memory: memfd_create: Operation not permitted");
    reserves_left = 0;
    assert_null(bine_arena_new(ARENA, &no_memory, &why));
    assert_string_equal(why.text, "shared memory: fallocate: No space left on device");
    reserves_left = 1;
    struct bine_arena *a = bine_arena_new(ARENA, &no_memory, &why);
    assert_non_null(a);
    assert_null(bine_arena_take(a, 10000, 1, &why));
    assert_int_equal(bine_arena_use(a).regions, 0);
    assert_null(bine_arena_take(a, ARENA, 1, &why));
    assert_string_equal(why.text, "shared memory: all of 1048576 bytes is in use (BINE_SHARED)");
    bine_arena_free(a);
    assert_null(bine_arena_new(100, NULL, &why));
    assert_string_equal(why.text, "shared memory: 100 bytes are too few");
    bine_arena_free(NULL);
}

/* A limit on files must not end the process with a signal. */
static int open_limited(struct table *t, int n, int me) {
    struct rlimit limit = {4096, RLIM_INFINITY};
    struct bine_reason why = {""};
    (void)t;
    (void)n;
    (void)me;
    setrlimit(RLIMIT_FSIZE, &limit);
    return bine_arena_new(ARENA, NULL, &why) != NULL || strstr(why.text, "ulimit -f") == NULL;
}

static void test_file_limit(void **state) {
    (void)state;
    assert_true(all_of(1, open_limited, NULL));
}

/* Cards that are not of the arena they seem to be of. */
static void test_wrong_cards(void **state) {
    (void)state;
    struct bine_reason why;
    struct bine_arena *mine = bine_arena_new(ARENA, NULL, &why),
                      *other = bine_arena_new(ARENA, NULL, &why);
    struct bine_arena_region *r = bine_arena_take(mine, 10000, 1, &why);
    struct bine_arena_card card, wrong;
    struct bine_arena_attached x;
    bine_arena_card(mine, r, &card);
    wrong = card;
    wrong.token[1]++;
    assert_int_equal(bine_arena_attach(other, &wrong, &x, &why), -1);
    assert_non_null(strstr(why.text, "it belongs to another process"));
    assert_int_equal(bine_arena_can_read(&wrong), 0);
    wrong = card;
    wrong.file = 0;
    assert_int_equal(bine_arena_attach(other, &wrong, &x, &why), -1);
    assert_non_null(strstr(why.text, "there is none to be seen"));
    wrong = card;
    wrong.pid = 1u << 30;
    assert_int_equal(bine_arena_attach(other, &wrong, &x, &why), -1);
    wrong = card;
    wrong.offset = ARENA - 1;
    assert_int_equal(bine_arena_attach(other, &wrong, &x, &why), -1);
    assert_int_equal(bine_arena_attach(other, &card, &x, &why), 0);
    assert_int_equal(bine_arena_attach(other, &wrong, &x, &why), -1);
    assert_int_equal(bine_arena_use(other).peers, 1);
    bine_arena_free(mine);
    bine_arena_free(other);
}

/* A process that is killed leaves nothing behind, and takes nothing from those attached to it. */
static _Noreturn void wait_to_be_killed(struct table *t) {
    struct bine_reason why;
    struct bine_arena *a = bine_arena_new(ARENA, NULL, &why);
    struct bine_arena_region *r = bine_arena_take(a, 10000, 1, &why);
    memset(r->memory, 9, 10000);
    bine_arena_card(a, r, &t->card[0]);
    atomic_store(&t->value, 1);
    for (;;)
        pause();
}

static void test_killed(void **state) {
    (void)state;
    struct table *t = table_new();
    struct bine_reason why;
    struct bine_arena *mine = bine_arena_new(ARENA, NULL, &why);
    struct bine_arena_attached x;
    pid_t child = fork();
    if (child == 0)
        wait_to_be_killed(t);
    while (atomic_load(&t->value) == 0)
        sched_yield();
    assert_int_equal(bine_arena_attach(mine, &t->card[0], &x, &why), 0);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(x.memory[i], 9);
    struct bine_arena *late = bine_arena_new(ARENA, NULL, &why);
    struct bine_arena_attached y;
    assert_int_equal(bine_arena_attach(late, &t->card[0], &y, &why), -1);
    bine_arena_release(mine, &x);
    bine_arena_free(mine);
    bine_arena_free(late);
    munmap(t, sizeof *t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processes),   cmocka_unit_test(test_owner_goes_first),
        cmocka_unit_test(test_release),     cmocka_unit_test(test_ten_thousand),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_file_limit),
        cmocka_unit_test(test_wrong_cards), cmocka_unit_test(test_killed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
