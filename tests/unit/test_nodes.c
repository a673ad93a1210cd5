/* Algorithms that know groups, with boards inside the smallest of these: proved, and no message is
 * left inside a node but where blocks are in no row. */
#include "unit.h"

#include "pattern/groups/groupings.h"
#include "schedule/build/build.h"
#include "schedule/prove.h"

#include <stdio.h>

enum { RANKS_MOST = 48 };

/* Messages of a schedule inside the node of its rank, and operations on boards. */
static void count(const struct bine_schedule *s, const int32_t *node, int *messages, int *boards) {
    for (uint32_t j = 0; j < s->nops; j++) {
        const struct bine_op *op = &s->op[j];
        *messages += bine_kind_is_message(op->kind) && node[op->peer] == node[s->rank];
        *boards += bine_kind_is_board(op->kind);
    }
}

/* All ranks together. */
static int near_messages(struct bine_spec spec, int *boards) {
    int messages = 0;
    for (spec.rank = 0; spec.rank < spec.p; spec.rank++) {
        struct bine_schedule *s = bine_schedule_build(&spec);
        assert_non_null(s);
        assert_int_equal(s->boards, bine_spec_uses_boards(&spec));
        count(s, spec.node, &messages, boards);
        bine_schedule_free(s);
    }
    return messages;
}

static void prove(const struct bine_algorithm *a, const struct bine_groups *g, int root, int rows) {
    int rooted = bine_collective_is_rooted(a->collective), in_place, boards = 0;
    struct bine_spec spec = {.algorithm = a,
                             .layout = bine_algorithm_layout(a, g->p),
                             .p = g->p,
                             .root = rooted ? root : 0,
                             .segments = a->trees > 0 ? 1 + root % 2 : 0,
                             .groups = g,
                             .node = bine_groups_smallest(g)};
    struct bine_verdict v;
    if (bine_check_both(&spec, &v, &in_place) != 0)
        fail_msg("%s %s, %d ranks, root %d, in place %d: rank %d, step %d: %s",
                 bine_collective_name(a->collective), a->name, g->p, spec.root, in_place, v.rank,
                 v.time, v.message);
    if (!bine_spec_uses_boards(&spec) || g->alone) /* single ranks are reached directly */
        return;
    int messages = near_messages(spec, &boards);
    /* Scans keep the order of ranks, in which nodes may take turns. */
    int ordered = a->collective == BINE_SCAN || a->collective == BINE_EXSCAN;
    if (boards == 0 && messages == 0 && !ordered)
        fail_msg("%s %s, %d ranks, root %d, %d levels: no boards and no messages inside nodes",
                 bine_collective_name(a->collective), a->name, g->p, spec.root, g->levels);
    /* The blocks of ranks that are in no row are in none either: some stay messages. */
    if (rows || (a->collective != BINE_GATHER && a->collective != BINE_SCATTER &&
                 a->collective != BINE_ALLGATHER))
        assert_int_equal(messages, 0);
}

static void prove_all(const struct bine_groups *g, int root, int rows) {
    for (size_t i = 0; i < bine_catalogue_size; i++)
        if (bine_algorithm_needs(&bine_catalogue[i]) == BINE_NEEDS_GROUPS)
            prove(&bine_catalogue[i], g, root, rows);
}

static void drawn_nodes(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 60; i++) {
        int p = 2 + (int)bine_draw(&seed, RANKS_MOST - 1);
        int number = (int)bine_draw(&seed, (uint64_t)bine_groupings_count(p));
        struct bine_groups *g = bine_grouping_new(p, number);
        assert_non_null(g);
        prove_all(g, (int)bine_draw(&seed, (uint64_t)p), 0);
        bine_groups_free(g);
    }
}

/* Nodes of neighbouring ranks, two or three in each group. */
static void nodes_in_rows(void **state) {
    (void)state;
    for (int size = 1; size <= 5; size++)
        for (int nodes = 1; nodes <= 7; nodes++) {
            int32_t outer[RANKS_MOST], inner[RANKS_MOST];
            const int32_t *const name[] = {outer, inner};
            int p = size * nodes - (size > 2);
            for (int r = 0; r < p; r++) {
                inner[r] = r / size;
                outer[r] = r / size / 3;
            }
            struct bine_groups *g = bine_groups_new(p, 2, name);
            assert_non_null(g);
            for (int root = 0; root < p; root += size + 1)
                prove_all(g, root, 1);
            bine_groups_free(g);
        }
}

/* Where the ranks of a group are on several nodes, nothing is shared. */
static void groups_that_are_no_nodes(void **state) {
    (void)state;
    static const int32_t outer[6] = {0, 0, 0, 1, 1, 1}, node[6] = {0, 1, 2, 3, 4, 5};
    const int32_t *const name[] = {outer};
    struct bine_groups *g = bine_groups_new(6, 1, name);
    struct bine_spec spec = {.algorithm = bine_algorithm_find(BINE_ALLREDUCE, "bine-group"),
                             .p = 6,
                             .groups = g,
                             .node = node};
    assert_false(bine_spec_uses_boards(&spec));
    spec.node = NULL;
    assert_false(bine_spec_uses_boards(&spec));
    spec.node = outer;
    assert_true(bine_spec_uses_boards(&spec));
    bine_groups_free(g);
}

/* Algorithms on boards alone say so when ranks are elsewhere. */
static void boards_of_one_node(void **state) {
    (void)state;
    static const int32_t two[4] = {0, 0, 2, 2}, one[4] = {3, 3, 3, 3};
    char why[128];
    struct bine_spec spec = {
        .algorithm = bine_algorithm_find(BINE_BCAST, "board-flat"), .p = 4, .node = two};
    assert_string_equal(bine_spec_error(&spec, why, sizeof why),
                        "bcast board-flat needs boards: expected all 4 ranks on one node");
    spec.node = one;
    assert_null(bine_spec_error(&spec, why, sizeof why));
    spec.node = NULL;
    assert_null(bine_spec_error(&spec, why, sizeof why));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_nodes),
        cmocka_unit_test(nodes_in_rows),
        cmocka_unit_test(groups_that_are_no_nodes),
        cmocka_unit_test(boards_of_one_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
