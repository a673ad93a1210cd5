/* The paper's examples, read from finished schedules: sections 1, 2.2, 4.1 to 4.3 and figure 6. */
#include "unit.h"

#include "pattern/bine_family.h"
#include "schedule/build/build.h"

#include <stdlib.h>
#include <string.h>

static struct bine_schedule *build(enum bine_collective c, const char *name,
                                   enum bine_layout layout, int p, int rank) {
    struct bine_spec spec = {
        .algorithm = bine_algorithm_find(c, name), .layout = layout, .p = p, .rank = rank};
    char why[128];
    assert_non_null(spec.algorithm);
    assert_null(bine_spec_error(&spec, why, sizeof why));
    struct bine_schedule *s = bine_schedule_build(&spec);
    assert_non_null(s);
    return s;
}

/* The operation of a kind at a time; there must be exactly one, or none (NULL). */
static const struct bine_op *op_at(const struct bine_schedule *s, enum bine_op_kind kind,
                                   int time) {
    const struct bine_op *found = NULL;
    for (uint32_t i = 0; i < s->nsteps; i++)
        for (uint32_t j = 0; j < s->step[i].nops && s->step[i].time == time; j++) {
            const struct bine_op *op = &s->op[s->step[i].ops + j];
            if (op->kind != kind)
                continue;
            assert_null(found);
            found = op;
        }
    return found;
}

/* The operation goes to or comes from `peer` and carries exactly the blocks [a, b], circularly. */
static void assert_range(const struct bine_schedule *s, const struct bine_op *op, int peer, int a,
                         int b) {
    char has[64] = {0};
    int count = 0;
    assert_non_null(op);
    assert_int_equal(op->peer, peer);
    for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
        for (int k = 0; k < s->run[i].count; k++, count++) {
            int block = bine_schedule_block(s, s->run[i].space, s->run[i].first + k);
            assert_false(has[block]);
            has[block] = 1;
        }
    assert_int_equal(count, (b - a + s->p) % s->p + 1);
    for (int k = 0; k < count; k++)
        assert_true(has[(a + k) % s->p]);
}

/* Section 4.1: rank 0 gets [1, 1] at step 0, then holds [0, 1] and gets [6, 7] from rank 7 at step
 * 1, then [2, 5] (from its child 3) in the last step. */
static void gather_of_rank_0(void **state) {
    (void)state;
    struct bine_schedule *s = build(BINE_GATHER, "bine-near", BINE_BLOCKS, 8, 0);
    assert_range(s, op_at(s, BINE_OP_RECV, 0), 1, 1, 1);
    assert_range(s, op_at(s, BINE_OP_RECV, 1), 7, 6, 7);
    assert_range(s, op_at(s, BINE_OP_RECV, 2), 3, 2, 5);
    bine_schedule_free(s);
}

/* Even ranks extend at the upper end first, odd ranks at the lower, then alternately: all ranks
 * hold what section 4.2 computes from the powers of two. */
static void gather_ranges_of_all(void **state) {
    (void)state;
    for (int p = 2; p <= 32; p *= 2)
        for (int r = 0; r < p; r++) {
            struct bine_schedule *s = build(BINE_GATHER, "bine-near", BINE_BLOCKS, p, r);
            int a = r, b = r;
            for (int j = 0; 1 << j < p; j++) {
                const struct bine_op *recv = op_at(s, BINE_OP_RECV, j);
                const struct bine_op *send = op_at(s, BINE_OP_SEND, j);
                if (send != NULL) { /* all it has; nothing comes after that */
                    assert_range(s, send, send->peer, (a + p) % p, (b + p) % p);
                    assert_null(recv);
                    break;
                }
                assert_non_null(recv);
                if ((r + j) % 2 == 0) {
                    assert_range(s, recv, recv->peer, (b + 1 + p) % p, (b + (1 << j) + p) % p);
                    b += 1 << j;
                } else {
                    assert_range(s, recv, recv->peer, (a - (1 << j) + p) % p, (a - 1 + p) % p);
                    a -= 1 << j;
                }
            }
            bine_schedule_free(s);
        }
}

/* A standard binomial gather: at step 1 rank 4 has [4, 5] and receives [6, 7]. */
static void binomial_gather(void **state) {
    (void)state;
    struct bine_schedule *s = build(BINE_GATHER, "binomial-near", BINE_BLOCKS, 8, 4);
    assert_range(s, op_at(s, BINE_OP_RECV, 0), 5, 5, 5);
    assert_range(s, op_at(s, BINE_OP_RECV, 1), 6, 6, 7);
    assert_range(s, op_at(s, BINE_OP_SEND, 2), 0, 4, 7);
    bine_schedule_free(s);
}

/* Section 4.2: rank 0 begins with [a, b] = [6, 5], which is to say everything from two places
 * before it to five places after it, and sends [2, 5], then [6, 7], then [1, 1]. */
static void scatter_of_rank_0(void **state) {
    (void)state;
    struct bine_schedule *s = build(BINE_SCATTER, "bine-far", BINE_BLOCKS, 8, 0);
    assert_int_equal(8 - bine_split_left(8), 6); /* a = 6, so b = a - 1 = 5 */
    assert_range(s, op_at(s, BINE_OP_SEND, 0), 3, 2, 5);
    assert_range(s, op_at(s, BINE_OP_SEND, 1), 7, 6, 7);
    assert_range(s, op_at(s, BINE_OP_SEND, 2), 1, 1, 1);
    bine_schedule_free(s);
}

/* Figure 6: block i goes to place reverse(nu(i)); blocks 1, 6, 2, 5 lie at places 4 to 7 in this
 * order, and rank 0 sends those four places in one run at step 0. */
static void permutation_of_figure_6(void **state) {
    (void)state;
    static const int last_four[] = {1, 6, 2, 5};
    struct bine_schedule *s = build(BINE_REDUCE_SCATTER, "bine-near", BINE_PERMUTE, 8, 0);
    assert_int_equal(s->space[BINE_TMP].arrangement, BINE_NU_PLACES);
    for (int k = 0; k < 4; k++)
        assert_int_equal(bine_schedule_block(s, BINE_TMP, 4 + k), last_four[k]);
    const struct bine_op *op = op_at(s, BINE_OP_SEND, 0);
    assert_non_null(op);
    assert_int_equal(op->peer, 1);
    assert_int_equal(op->nruns, 1);
    assert_int_equal(s->run[op->runs].space, BINE_TMP);
    assert_int_equal(s->run[op->runs].first, 4);
    assert_int_equal(s->run[op->runs].count, 4);
    bine_schedule_free(s);
}

/* The same without the permutation: the blocks are {1, 2, 5, 6}, in two runs. */
static void figure_6_by_blocks(void **state) {
    (void)state;
    struct bine_schedule *s = build(BINE_REDUCE_SCATTER, "bine-near", BINE_BLOCKS, 8, 0);
    const struct bine_op *op = op_at(s, BINE_OP_SEND, 0);
    assert_non_null(op);
    assert_int_equal(op->nruns, 2);
    assert_int_equal(s->run[op->runs].first, 1);
    assert_int_equal(s->run[op->runs].count, 2);
    assert_int_equal(s->run[op->runs + 1].first, 5);
    assert_int_equal(s->run[op->runs + 1].count, 2);
    bine_schedule_free(s);
}

/* Layout send: rank 0 sends blocks 4 to 7 as they are; rank 1 ends with block 4 and hands it to
 * rank reverse(nu(1)) = 4 in one more step. */
static void send_layout(void **state) {
    (void)state;
    struct bine_schedule *s = build(BINE_REDUCE_SCATTER, "bine-near", BINE_SEND, 8, 0);
    assert_range(s, op_at(s, BINE_OP_SEND, 0), 1, 4, 7);
    bine_schedule_free(s);
    s = build(BINE_REDUCE_SCATTER, "bine-near", BINE_SEND, 8, 1);
    assert_int_equal(s->times, 4);
    assert_range(s, op_at(s, BINE_OP_SEND, 3), 4, 4, 4);
    bine_schedule_free(s);
}

/* Section 3.1: at step i of the far-first butterfly an even rank meets r + (1 - (-2)^(s-i)) / 3, an
 * odd one r minus that; the reduce-scatter runs the steps in the opposite order. In every layout.
 */
static void butterfly_partners(void **state) {
    (void)state;
    static const int d[] = {3, -1, 1};
    for (int l = 0; l < BINE_LAYOUTS; l++)
        for (int r = 0; r < 8; r++) {
            struct bine_schedule *ag = build(BINE_ALLGATHER, "bine-far", (enum bine_layout)l, 8, r);
            struct bine_schedule *rs =
                build(BINE_REDUCE_SCATTER, "bine-near", (enum bine_layout)l, 8, r);
            for (int i = 0; i < 3; i++) {
                int q = ((r % 2 == 0 ? r + d[i] : r - d[i]) + 8) % 8;
                assert_int_equal(op_at(ag, BINE_OP_SEND, ag->times - 3 + i)->peer, q);
                assert_int_equal(op_at(ag, BINE_OP_RECV, ag->times - 3 + i)->peer, q);
                assert_int_equal(op_at(rs, BINE_OP_SEND, 2 - i)->peer, q);
                assert_int_equal(op_at(rs, BINE_OP_RECV_REDUCE, 2 - i)->peer, q);
            }
            bine_schedule_free(ag);
            bine_schedule_free(rs);
        }
}

/* Broadcasts of one vector that cross between groups of two ranks. */
static int crossings(const char *name, int p, int group) {
    int n = 0;
    for (int r = 0; r < p; r++) {
        struct bine_schedule *s = build(BINE_BCAST, name, BINE_BLOCKS, p, r);
        for (uint32_t j = 0; j < s->nops; j++)
            n += s->op[j].kind == BINE_OP_SEND && s->op[j].peer / group != r / group;
        bine_schedule_free(s);
    }
    return n;
}

/* Section 1: eight nodes, two to a switch: near-first forwards 6 n bytes over global links,
 * far-first 3 n. Two groups of four: the far-first Bine tree of figure 3 crosses at 0->7 and 3->4
 * only. */
static void broadcasts_between_groups(void **state) {
    (void)state;
    assert_int_equal(crossings("binomial-near", 8, 2), 6);
    assert_int_equal(crossings("binomial-far", 8, 2), 3);
    assert_int_equal(crossings("bine-small", 8, 4), 2);
}

/* Section 2.3: the message times of a broadcast over 16 ranks at rank 8. */
static void broadcast_of_sixteen(void **state) {
    (void)state;
    struct bine_schedule *s = build(BINE_BCAST, "bine-small", BINE_BLOCKS, 16, 8);
    assert_int_equal(op_at(s, BINE_OP_RECV, 1)->peer, 11);
    assert_int_equal(op_at(s, BINE_OP_SEND, 2)->peer, 7);
    assert_int_equal(op_at(s, BINE_OP_SEND, 3)->peer, 9);
    assert_null(op_at(s, BINE_OP_SEND, 1));
    bine_schedule_free(s);
}

/* Section 4.3, two transmissions: near-first allgather messages are at most two pieces. */
static void two_transmissions(void **state) {
    (void)state;
    for (int p = 2; p <= 64; p += 2)
        for (int r = 0; r < p; r++) {
            struct bine_schedule *s = build(BINE_ALLGATHER, "bine-near", BINE_BLOCKS, p, r);
            for (uint32_t j = 0; j < s->nops; j++)
                assert_in_range(s->op[j].nruns, 1, 2);
            bine_schedule_free(s);
        }
}

/* Section 4.4: in an alltoall a rank sends half of its p blocks at every step. */
static void alltoall_sends_half(void **state) {
    (void)state;
    for (int p = 2; p <= 64; p *= 2)
        for (int r = 0; r < p; r++) {
            struct bine_schedule *s = build(BINE_ALLTOALL, "bine-far", BINE_PACK, p, r);
            for (int t = 0; 1 << t < p; t++) {
                const struct bine_op *op = op_at(s, BINE_OP_SEND, t);
                int pieces = 0;
                assert_non_null(op);
                for (uint32_t i = op->runs; i < op->runs + op->nruns; i++)
                    pieces += s->run[i].count;
                assert_int_equal(pieces, p / 2);
            }
            bine_schedule_free(s);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gather_of_rank_0),
        cmocka_unit_test(gather_ranges_of_all),
        cmocka_unit_test(binomial_gather),
        cmocka_unit_test(scatter_of_rank_0),
        cmocka_unit_test(permutation_of_figure_6),
        cmocka_unit_test(figure_6_by_blocks),
        cmocka_unit_test(send_layout),
        cmocka_unit_test(butterfly_partners),
        cmocka_unit_test(broadcasts_between_groups),
        cmocka_unit_test(broadcast_of_sixteen),
        cmocka_unit_test(two_transmissions),
        cmocka_unit_test(alltoall_sends_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
