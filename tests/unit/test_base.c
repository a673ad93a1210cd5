/* Arrays that grow, sets of numbers, the smaller and the larger of two. */
#include "unit.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/numbers.h"
#include "base/set.h"

#include <stdlib.h>

static void arrays_keep_what_they_have(void **state) {
    (void)state;
    int32_t *list = NULL;
    size_t room = 0, moves = 0;
    for (int i = 0; i < 100000; i++) {
        size_t before = room;
        assert_int_equal(bine_grow(&list, &room, (size_t)i + 1, sizeof *list), 0);
        assert_true(room > (size_t)i);
        moves += room != before;
        list[i] = 3 * i;
    }
    assert_true(moves <= 17); /* at least twice the room each time */
    for (int i = 0; i < 100000; i++)
        assert_int_equal(list[i], 3 * i);
    assert_int_equal(bine_grow(&list, &room, room + 1000000, sizeof *list), 0);
    assert_true(room >= 1100000);
    assert_int_equal(list[99999], 3 * 99999);
    free(list);
}

static void too_much_changes_nothing(void **state) {
    (void)state;
    char *text = NULL;
    size_t room = 0;
    assert_int_equal(bine_grow(&text, &room, 0, 1), 0);
    assert_null(text);
    assert_int_equal(bine_grow(&text, &room, 10, 1), 0);
    char *before = text;
    size_t had = room;
    assert_int_equal(bine_grow(&text, &room, SIZE_MAX, 1), -1);
    assert_int_equal(bine_grow(&text, &room, SIZE_MAX / 8 + 1, 8),
                     -1); /* the product wraps round */
    assert_ptr_equal(text, before);
    assert_int_equal(room, had);
    free(text);
}

static int same_number(const void *things, uint32_t number, const void *key) {
    return ((const uint64_t *)things)[number] == *(const uint64_t *)key;
}

static void sets_find_what_was_added(void **state) {
    (void)state;
    enum { THINGS = 20000 };
    static uint64_t thing[THINGS];
    struct bine_set set = {0};
    for (uint32_t i = 0; i < THINGS; i++) {
        thing[i] = (uint64_t)i * i * 65536;
        uint32_t hash = bine_hash_number(thing[i]);
        assert_null(bine_set_find(&set, hash, same_number, thing, &thing[i]));
        assert_int_equal(bine_set_add(&set, hash, i), 0);
    }
    assert_int_equal(set.count, THINGS);
    assert_true(set.slots >= 2 * THINGS);
    for (uint32_t i = 0; i < THINGS; i++) {
        uint32_t *found =
            bine_set_find(&set, bine_hash_number(thing[i]), same_number, thing, &thing[i]);
        assert_non_null(found);
        assert_int_equal(*found, i);
    }
    uint64_t other = 7;
    assert_null(bine_set_find(&set, bine_hash_number(other), same_number, thing, &other));
    bine_set_free(&set);
    assert_null(bine_set_find(&set, 0, same_number, thing, &thing[0]));
}

/* Things of one hash are told apart by the comparison; a number may be replaced in its place. */
static void sets_take_equal_hashes(void **state) {
    (void)state;
    uint64_t thing[40];
    struct bine_set set = {0};
    for (uint32_t i = 0; i < 40; i++) {
        thing[i] = i % 20;
        if (i < 20)
            assert_int_equal(bine_set_add(&set, UINT32_MAX, i), 0);
    }
    for (uint64_t x = 0; x < 20; x++) {
        uint32_t *found = bine_set_find(&set, UINT32_MAX, same_number, thing, &x);
        assert_int_equal(*found, x);
        *found = (uint32_t)x + 20;
    }
    for (uint64_t x = 0; x < 20; x++)
        assert_int_equal(*bine_set_find(&set, UINT32_MAX, same_number, thing, &x), x + 20);
    assert_int_equal(set.count, 20);
    bine_set_free(&set);
}

static int evaluated;

static int once(int x) {
    evaluated++;
    return x;
}

static void extremes(void **state) {
    (void)state;
    assert_int_equal(bine_min(-3, 2), -3);
    assert_int_equal(bine_max(-3, 2), 2);
    assert_int_equal(bine_max((int64_t)1 << 40, 2), (int64_t)1 << 40);
    assert_true(bine_max((size_t)1 << (8 * sizeof(size_t) - 1), (size_t)5) > 5);
    assert_true(bine_min(0.5, 1) == 0.5 && bine_max(1e300, 1.0) == 1e300);
    assert_true(bine_max(UINT32_MAX, 1u) == UINT32_MAX);
    assert_int_equal(bine_min(once(4), once(5)), 4);
    assert_int_equal(evaluated, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_keep_what_they_have),
        cmocka_unit_test(too_much_changes_nothing),
        cmocka_unit_test(sets_find_what_was_added),
        cmocka_unit_test(sets_take_equal_hashes),
        cmocka_unit_test(extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
