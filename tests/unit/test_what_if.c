/* From the ranks of a profile to those of another job. */
#include "predict/what_if.h"
#include "unit.h"

#include <stdlib.h>

/* Two nodes of four ranks: all of them; the second and third of each node; two whose nodes are not
 * known. */
static struct bine_profile_place world_places[] = {{0, 4}, {1, 4}},
                                 part_places[] = {{1, 1}, {0, 2}, {1, 1}};
static struct bine_profile_node nodes[] = {{4, 0, NULL}, {4, 1, NULL}};
static struct bine_profile_communicator communicators[] = {
    {8, 1, BINE_PROFILE_WORLD, 2, world_places},
    {4, 1, BINE_PROFILE_PART, 3, part_places},
    {2, 1, BINE_PROFILE_PART, 0, NULL}};
static const struct bine_profile profile = {
    .ranks = 8, .nodes = 2, .node = nodes, .communicators = 3, .communicator = communicators};

static void assert_ranks(size_t communicator, int p, enum bine_parts parts, int n, ...) {
    va_list list;
    int count;
    int32_t *rank = bine_what_if_ranks(&profile, communicator, p, parts, &count);
    assert_non_null(rank);
    assert_int_equal(count, n);
    va_start(list, n);
    for (int i = 0; i < n; i++)
        assert_int_equal(rank[i], va_arg(list, int));
    va_end(list);
    free(rank);
}

static void test_as_many(void **s) {
    (void)s;
    assert_ranks(0, 8, BINE_PARTS_GROW, 8, 0, 1, 2, 3, 4, 5, 6, 7);
    /* on each node the first that it does not have yet, in its own order */
    assert_ranks(1, 8, BINE_PARTS_GROW, 4, 4, 0, 1, 5);
    assert_ranks(2, 8, BINE_PARTS_GROW, 2, 0, 1);
}

static void test_more(void **s) {
    (void)s;
    assert_ranks(1, 16, BINE_PARTS_GROW, 8, 8, 9, 0, 1, 2, 3, 10, 11);
    assert_ranks(1, 16, BINE_PARTS_STAY, 4, 4, 0, 1, 5);
    assert_ranks(2, 12, BINE_PARTS_GROW, 3, 0, 1, 2); /* 12/8: ranks 0 and 1 stand for 0 to 2 */
    assert_ranks(0, 10, BINE_PARTS_STAY, 10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
}

static void test_fewer(void **s) {
    (void)s;
    assert_ranks(0, 4, BINE_PARTS_GROW, 4, 0, 1, 2, 3);
    assert_ranks(1, 4, BINE_PARTS_STAY, 2, 2, 0); /* 4 and 5 are one rank now, 0 and 1 are */
    assert_ranks(0, 1, BINE_PARTS_GROW, 1, 0);
}

/* Every rank of the larger job is in exactly one of the smaller one's. */
static void test_covers(void **s) {
    (void)s;
    for (int p = 8; p < 50; p++) {
        int count, seen[50] = {0};
        int32_t *rank = bine_what_if_ranks(&profile, 0, p, BINE_PARTS_GROW, &count);
        assert_int_equal(count, p);
        for (int i = 0; i < count; i++)
            seen[rank[i]]++;
        for (int r = 0; r < p; r++)
            assert_int_equal(seen[r], 1);
        free(rank);
    }
}

static void test_bytes(void **s) {
    (void)s;
    /* the vector of a sum stays, however many ranks there are */
    assert_int_equal(bine_what_if_bytes(BINE_ALLREDUCE, BINE_SCALE_STRONG, 4096, 8, 64), 4096);
    assert_int_equal(bine_what_if_bytes(BINE_ALLREDUCE, BINE_SCALE_WEAK, 4096, 8, 64), 4096);
    assert_int_equal(bine_what_if_bytes(BINE_BCAST, BINE_SCALE_WEAK, 100.4, 8, 64), 100);
    /* bytes of an allgather are the whole: weak, each rank still has 512 */
    assert_int_equal(bine_what_if_bytes(BINE_ALLGATHER, BINE_SCALE_STRONG, 4096, 8, 64), 4096);
    assert_int_equal(bine_what_if_bytes(BINE_ALLGATHER, BINE_SCALE_WEAK, 4096, 8, 64), 32768);
    /* those of an alltoall are a rank's: strong, an eighth of them is left for each */
    assert_int_equal(bine_what_if_bytes(BINE_ALLTOALL, BINE_SCALE_STRONG, 4096, 8, 64), 512);
    assert_int_equal(bine_what_if_bytes(BINE_ALLTOALL, BINE_SCALE_WEAK, 4096, 8, 64), 4096);
    assert_int_equal(bine_what_if_bytes(BINE_REDUCE_SCATTER, BINE_SCALE_WEAK, 4096, 8, 4), 2048);
}

static void test_root(void **s) {
    (void)s;
    assert_int_equal(bine_what_if_root(BINE_PROFILE_VARIES, 8, 64), 0);
    assert_int_equal(bine_what_if_root(3, 8, 8), 3);
    assert_int_equal(bine_what_if_root(3, 8, 64), 24);
    assert_int_equal(bine_what_if_root(7, 8, 2), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_many), cmocka_unit_test(test_more),  cmocka_unit_test(test_fewer),
        cmocka_unit_test(test_covers),  cmocka_unit_test(test_bytes), cmocka_unit_test(test_root)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
