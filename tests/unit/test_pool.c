/* The pool of memory for vectors on devices, with a device that is none. */
#include "unit.h"

#include "device/pool.h"

#include <stdlib.h>

enum { MOST = 64 };

static int context, other_context, able = 1, silent;
static struct {
    void *memory, *context;
    size_t bytes;
} made[MOST];
static int count, allocations, releases;

static void *new_memory(void *where, size_t bytes) {
    allocations++;
    void *memory = malloc(1); /* nobody touches it */
    made[count].memory = memory;
    made[count].context = where;
    made[count++].bytes = bytes;
    return memory;
}

static int place_of(const void *memory) {
    for (int i = 0; i < count; i++)
        if (made[i].memory == memory)
            return i;
    return -1;
}

static void free_memory(void *where, void *memory) {
    int i = place_of(memory);
    assert_true(i >= 0 && made[i].context == where);
    releases++;
    free(memory);
    made[i] = made[--count];
}

static void *context_of(const void *memory) {
    int i = place_of(memory);
    return i < 0 || silent ? NULL : made[i].context;
}

static int can_copy(void) {
    return able;
}

static const struct bine_device device = {.can_copy = can_copy,
                                          .context = context_of,
                                          .allocate = new_memory,
                                          .release = free_memory,
                                          .allocate_host = new_memory,
                                          .release_host = free_memory};

static size_t all_bytes(void) {
    size_t n = 0;
    for (int i = 0; i < count; i++)
        n += made[i].bytes;
    return n;
}

static struct bine_pool_block *pinned(size_t bytes) {
    return bine_pool_take(&device, &context, BINE_POOL_PINNED, bytes);
}

static int begin(void **state) {
    (void)state;
    allocations = releases = 0;
    return 0;
}

static int end(void **state) {
    (void)state;
    bine_pool_end();
    return count; /* all is freed */
}

static void blocks_come_again(void **state) {
    (void)state;
    struct bine_pool_block *a = pinned(100000);
    assert_non_null(a);
    assert_true(a->size >= 100000);
    void *memory = a->memory;
    bine_pool_give(a);
    struct bine_pool_block *b = pinned(99000);
    assert_ptr_equal(b->memory, memory);
    struct bine_pool_block *c = pinned(99000); /* the other is in use */
    assert_ptr_not_equal(c->memory, memory);
    assert_int_equal(allocations, 2);
    struct bine_pool_block *d = bine_pool_take(&device, &context, BINE_POOL_ON_DEVICE, 99000);
    bine_pool_give(c);
    struct bine_pool_block *e = bine_pool_take(&device, &other_context, BINE_POOL_PINNED, 99000);
    assert_int_equal(allocations, 4); /* neither kinds nor contexts are mixed up */
    bine_pool_give(b);
    bine_pool_give(d);
    bine_pool_give(e);
    bine_pool_give(NULL);
}

static void pinned_memory_is_bounded(void **state) {
    (void)state;
    struct bine_pool_block *all = pinned(BINE_POOL_MOST);
    assert_non_null(all);
    assert_null(pinned(1));
    assert_null(pinned(BINE_POOL_MOST + 1));
    assert_null(pinned(SIZE_MAX));
    bine_pool_give(all);
    struct bine_pool_block *one = pinned(1); /* what is kept makes room */
    assert_non_null(one);
    assert_int_equal(releases, 1);
    bine_pool_give(one);
    assert_true(all_bytes() <= BINE_POOL_MOST);
}

static void what_is_kept_is_bounded(void **state) {
    struct bine_pool_block *b[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        b[i] = bine_pool_take(&device, &context, BINE_POOL_ON_DEVICE, BINE_POOL_MOST / 2);
        assert_non_null(b[i]); /* the device has as much as it has */
    }
    for (int i = 0; i < 3; i++)
        bine_pool_give(b[i]);
    assert_true(all_bytes() <= BINE_POOL_MOST);
}

/* The program has reset its device. */
static void memory_that_is_gone_is_not_given(void **state) {
    (void)state;
    struct bine_pool_block *a = pinned(5000);
    void *memory = a->memory;
    bine_pool_give(a);
    int at = place_of(memory);
    made[at] = made[--count];
    struct bine_pool_block *b = pinned(5000);
    assert_non_null(b);
    assert_int_equal(allocations, 2);
    assert_int_equal(releases, 0);
    bine_pool_give(b);
    free(memory);
}

/* A runtime that does not say whose memory some is. */
static void memory_of_nobody_is_kept(void **state) {
    (void)state;
    silent = 1;
    bine_pool_give(pinned(5000));
    bine_pool_give(pinned(5000));
    assert_int_equal(allocations, 1);
    bine_pool_end();
    assert_int_equal(releases, 1);
    silent = 0;
}

static void without_a_device_there_is_none(void **state) {
    (void)state;
    assert_null(bine_pool_take(NULL, &context, BINE_POOL_PINNED, 1));
    assert_null(bine_pool_take(&device, NULL, BINE_POOL_PINNED, 1));
    able = 0;
    assert_null(pinned(1));
    able = 1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(blocks_come_again, begin, end),
        cmocka_unit_test_setup_teardown(pinned_memory_is_bounded, begin, end),
        cmocka_unit_test_setup_teardown(what_is_kept_is_bounded, begin, end),
        cmocka_unit_test_setup_teardown(memory_that_is_gone_is_not_given, begin, end),
        cmocka_unit_test_setup_teardown(memory_of_nobody_is_kept, begin, end),
        cmocka_unit_test_setup_teardown(without_a_device_there_is_none, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
