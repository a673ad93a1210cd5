/* The proof of sequences of calls on boards: those of the catalogue pass, in every interleaving;
 * every rule that is left out is missed. */
#include "unit.h"

#include "schedule/build/build.h"
#include "schedule/check/sequence.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { RANKS = 8, STATES_MOST = 4000000 };

struct team {
    struct bine_schedule *s[RANKS];
    int p;
};

static struct team build(enum bine_collective c, const char *name, int p, int root) {
    struct team t = {.p = p};
    struct bine_spec spec = {.algorithm = bine_algorithm_find(c, name), .p = p, .root = root};
    assert_non_null(spec.algorithm);
    for (spec.rank = 0; spec.rank < p; spec.rank++) {
        t.s[spec.rank] = bine_schedule_build(&spec);
        assert_non_null(t.s[spec.rank]);
    }
    return t;
}

static void drop_team(struct team *t) {
    for (int r = 0; r < t->p; r++)
        bine_schedule_free(t->s[r]);
}

struct one {
    enum bine_collective c;
    const char *name;
    int root, rounds, blocks, request;
};

/* The order in which each rank starts its calls. */
typedef const uint8_t orders[BINE_SEQUENCE_CALLS];

/* Three calls; 0 if all is well, 1 if not. */
static int prove_in(int p, const struct one calls[3], orders *order, enum bine_sequence_flaw flaw,
                    int walks, struct bine_verdict *verdict) {
    struct team t[3];
    struct bine_sequence q = {.p = p, .slots = 2, .calls = 3, .order = order, .flaw = flaw};
    size_t states = 0;
    for (int i = 0; i < 3; i++) {
        t[i] = build(calls[i].c, calls[i].name, p, calls[i].root);
        q.call[i] =
            (struct bine_sequence_call){t[i].s, calls[i].rounds, calls[i].blocks, calls[i].request};
    }
    int rc = walks > 0 ? bine_sequence_walk(&q, walks, 7, verdict)
                       : bine_sequence_check(&q, STATES_MOST, &states, verdict);
    if (rc < 0)
        fail_msg("out of memory, or %zu states", states);
    for (int i = 0; i < 3; i++)
        drop_team(&t[i]);
    return rc;
}

static int prove(int p, const struct one calls[3], enum bine_sequence_flaw flaw, int walks,
                 struct bine_verdict *verdict) {
    return prove_in(p, calls, NULL, flaw, walks, verdict);
}

static const struct one mixed[][3] = {
    {{BINE_BCAST, "board-flat", 0, 2, 0, 0},
     {BINE_REDUCE, "board-flat", 1, 1, 0, 0},
     {BINE_BCAST, "board-flat", 1, 1, 1, 0}},
    {{BINE_ALLREDUCE, "board-shared", 0, 1, 1, 0},
     {BINE_BCAST, "board-direct", 1, 1, 0, 0},
     {BINE_REDUCE, "board-shared", 0, 1, 1, 0}},
    {{BINE_SCATTER, "board-flat", 1, 1, 0, 0},
     {BINE_GATHER, "board-direct", 0, 1, 0, 0},
     {BINE_ALLGATHER, "board-flat", 0, 1, 0, 0}},
    {{BINE_BCAST, "board-flat", 0, 3, 1, 0},
     {BINE_BCAST, "board-flat", 0, 1, 1, 0},
     {BINE_SCATTER, "board-direct", 1, 1, 1, 0}},
    {{BINE_BCAST, "board-flat", 0, 4, 0, 0},
     {BINE_BCAST, "board-flat", 0, 2, 0, 0},
     {BINE_ALLREDUCE, "board-flat", 0, 1, 0, 0}},
};
enum { MIXED = sizeof mixed / sizeof *mixed };

static void all_interleavings(void **state) {
    (void)state;
    struct bine_verdict v;
    for (int p = 2; p <= 3; p++)
        for (int i = 0; i < MIXED; i++)
            for (int form = 0; form < 4; form++) {
                struct one calls[3] = {mixed[i][0], mixed[i][1], mixed[i][2]};
                calls[0].blocks = form % 2;
                calls[1].blocks = form / 2;
                if (prove(p, calls, BINE_FLAW_NONE, 0, &v) != 0)
                    fail_msg("%d ranks, sequence %d, form %d: rank %d, call %d: %s", p, i, form,
                             v.rank, v.time, v.message);
            }
}

static void random_interleavings(void **state) {
    (void)state;
    struct bine_verdict v;
    for (int p = 4; p <= RANKS; p++)
        for (int i = 0; i < MIXED; i++)
            assert_int_equal(prove(p, mixed[i], BINE_FLAW_NONE, 50, &v), 0);
}

/* --- Persistent calls */

/* Two of them beside a blocking call; three; one twice beside another, and beside a call that is
 * started; one whose vector goes in rounds beside one that exposes its memory. */
static const struct one lasting[][3] = {
    {{BINE_BCAST, "board-flat", 0, 1, 0, 1},
     {BINE_REDUCE, "board-flat", 1, 1, 0, 2},
     {BINE_ALLREDUCE, "board-flat", 0, 1, 1, 0}},
    {{BINE_ALLREDUCE, "board-flat", 0, 1, 0, 1},
     {BINE_BCAST, "board-flat", 1, 2, 0, 2},
     {BINE_GATHER, "board-flat", 0, 1, 0, 3}},
    {{BINE_BCAST, "board-flat", 0, 1, 0, 1},
     {BINE_BCAST, "board-flat", 0, 1, 0, 1},
     {BINE_BCAST, "board-flat", 1, 1, 0, 2}},
    {{BINE_BCAST, "board-flat", 0, 2, 0, 1},
     {BINE_REDUCE, "board-flat", 1, 1, 0, 0},
     {BINE_BCAST, "board-flat", 0, 2, 0, 1}},
    {{BINE_BCAST, "board-flat", 0, 3, 0, 1},
     {BINE_BCAST, "board-direct", 1, 1, 0, 2},
     {BINE_BCAST, "board-flat", 0, 1, 0, 0}},
};
enum { LASTING = sizeof lasting / sizeof *lasting, ORDERS = 6 };

static const uint8_t permuted[ORDERS][BINE_SEQUENCE_CALLS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                              {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* Whether a program may start these calls in this order: starts of one request, and calls of none,
 * come as they are listed. */
static int is_allowed(const struct one calls[3], const uint8_t order[3]) {
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++)
            if (order[i] > order[j] && calls[order[i]].request == calls[order[j]].request)
                return 0;
    return 1;
}

static void prove_lasting(int p, int i, orders *order, int walks) {
    struct bine_verdict v;
    for (int r = 0; r < p; r++)
        if (!is_allowed(lasting[i], order[r]))
            return;
    if (prove_in(p, lasting[i], order, BINE_FLAW_NONE, walks, &v) != 0)
        fail_msg("%d ranks, sequence %d: rank %d, call %d: %s", p, i, v.rank, v.time, v.message);
}

/* Two ranks in all pairs of orders, three in some. */
static void persistent_in_any_order(void **state) {
    (void)state;
    for (int i = 0; i < LASTING; i++)
        for (int k = 0; k < ORDERS * ORDERS; k++) {
            uint8_t order[3][BINE_SEQUENCE_CALLS] = {{0}};
            memcpy(order[0], permuted[k % ORDERS], sizeof order[0]);
            memcpy(order[1], permuted[k / ORDERS], sizeof order[1]);
            memcpy(order[2], permuted[(k + 4) % ORDERS], sizeof order[2]);
            prove_lasting(2, i, order, 0);
            if (k % ORDERS == 0)
                prove_lasting(3, i, order, 0);
        }
}

static void persistent_at_random(void **state) {
    (void)state;
    for (int p = 4; p <= RANKS; p++)
        for (int i = 0; i < LASTING; i++)
            for (int k = 0; k < ORDERS; k++) {
                uint8_t order[RANKS][BINE_SEQUENCE_CALLS];
                for (int r = 0; r < p; r++)
                    memcpy(order[r], permuted[(r * (k + 1)) % ORDERS], sizeof order[r]);
                prove_lasting(p, i, order, 20);
            }
}

/* At the boards that all calls share, the starts of one rank are taken for others of another. */
static void persistent_at_shared_boards(void **state) {
    (void)state;
    static const uint8_t order[2][BINE_SEQUENCE_CALLS] = {{0, 1, 2}, {1, 0, 2}};
    struct bine_verdict v;
    assert_int_equal(prove_in(2, lasting[1], order, BINE_FLAW_SHARED, 0, &v), 1);
    assert_string_equal(v.message, "reads from rank 1 what is of another call");
    assert_int_equal(prove_in(2, lasting[1], order, BINE_FLAW_SHARED, 2000, &v), 1);
    assert_int_equal(prove_in(2, lasting[1], order, BINE_FLAW_NONE, 0, &v), 0);
}

/* Whether a flaw is found in some sequence of three ranks, or of more at random. */
static void found(enum bine_sequence_flaw flaw, int i, int p, const char *message) {
    struct bine_verdict v;
    assert_int_equal(prove(p, mixed[i], flaw, 0, &v), 1);
    assert_string_equal(v.message, message);
    assert_int_equal(prove(p, mixed[i], flaw, 2000, &v), 1);
}

static void slot_written_too_early(void **state) {
    (void)state;
    found(BINE_FLAW_EARLY, 0, 2, "reads from rank 0 what is written over meanwhile");
}

static void reader_that_is_missed(void **state) {
    (void)state;
    found(BINE_FLAW_MISSED, 0, 3, "reads from rank 0 what is written over meanwhile");
}

static void passed_before_read(void **state) {
    (void)state;
    found(BINE_FLAW_PASSED, 3, 2, "deadlock: rank 0 waits for ever");
}

/* A rank that has not ended its first call takes the numbers of that for the second. */
static void numbers_taken_late(void **state) {
    (void)state;
    struct bine_verdict v;
    assert_int_equal(prove(3, mixed[0], BINE_FLAW_COUNT, 0, &v), 1);
}

static void only_the_newest_call_goes_on(void **state) {
    (void)state;
    struct bine_verdict v;
    assert_int_equal(prove(3, mixed[2], BINE_FLAW_NEWEST, 0, &v), 1);
    assert_string_equal(v.message, "deadlock: rank 0 waits for ever");
}

static void left_while_others_read(void **state) {
    (void)state;
    found(BINE_FLAW_LEFT, 1, 2, "reads from the memory of rank 1, which has gone on");
}

/* A later round of the older call goes over what the younger one has put into the slot. */
static void younger_publishes_first(void **state) {
    (void)state;
    found(BINE_FLAW_ORDER, 4, 2, "reads from rank 0 what is written over meanwhile");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_interleavings),
        cmocka_unit_test(random_interleavings),
        cmocka_unit_test(slot_written_too_early),
        cmocka_unit_test(reader_that_is_missed),
        cmocka_unit_test(passed_before_read),
        cmocka_unit_test(numbers_taken_late),
        cmocka_unit_test(only_the_newest_call_goes_on),
        cmocka_unit_test(left_while_others_read),
        cmocka_unit_test(younger_publishes_first),
        cmocka_unit_test(persistent_in_any_order),
        cmocka_unit_test(persistent_at_random),
        cmocka_unit_test(persistent_at_shared_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
