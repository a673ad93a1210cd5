/* The selector: the order of its sources, when each has an answer, and the steps that a decision
 * asks its caller for. Algorithms and reasons are those of docs/choosing.md. */
#include "queries.h"
#include "select/predictions.h"
#include "select/select.h"
#include "select/tuning.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

static struct bine_predictions predictions;
static struct bine_tuning tuning;
static struct bine_rules rules, wisdom;

/* A selection by its name. */
static struct bine_selection named(enum bine_collective c, const char *name) {
    struct bine_selection f;
    char why[200];
    assert_int_equal(bine_selection_parse(c, name, &f, why, sizeof why), 0);
    return f;
}

static void parse(struct bine_rules *to, const char *text) {
    char why[200];
    assert_int_equal(bine_rules_parse("text", strdup(text), to, why, sizeof why), 0);
}

static struct bine_selector nothing(void) {
    return (struct bine_selector){.program = bine_selection_none(),
                                  .setting = bine_selection_none()};
}

static struct bine_decision decide(const struct bine_selector *s, const struct bine_query *q) {
    struct bine_decision d;
    bine_select(s, q, &d);
    return d;
}

static void predict(const struct bine_query *q, const char *name) {
    struct bine_prediction p = {.count = 1, .seconds = {1e-3}};
    struct bine_selection f = named(q->collective, name);
    p.algorithm[0] = f.algorithm;
    p.layout[0] = BINE_BLOCKS;
    bine_predictions_add(&predictions, q, &p);
}

static void is_by(const struct bine_decision *d, enum bine_source source, const char *algorithm) {
    assert_string_equal(bine_source_name(d->source), bine_source_name(source));
    assert_string_equal(d->choice.algorithm != NULL ? d->choice.algorithm->name : "mpi", algorithm);
    assert_non_null(d->choice.reason);
}

/* With an answer from every source, taking away the first each time. */
static void test_order(void **state) {
    (void)state;
    struct bine_query q = query_of(BINE_ALLREDUCE, 1 << 20);
    struct bine_selector s = nothing();
    s.forward_reason = BINE_REASON_OFF;
    s.program = named(q.collective, "ring");
    s.setting = named(q.collective, "bine-large");
    s.rules = &rules;
    s.wisdom = &wisdom;
    s.tuning = &tuning;
    s.predictions = &predictions;
    predict(&q, "rabenseifner");
    struct bine_decision d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_NEVER, "mpi");
    s.forward_reason = NULL;
    struct bine_query started = q;
    started.nonblocking = started.handed_back = 1;
    d = decide(&s, &started);
    is_by(&d, BINE_SOURCE_HANDED_BACK, "mpi");
    started.drop_in = 0; /* a call of Bine's own is not handed back */
    d = decide(&s, &started);
    is_by(&d, BINE_SOURCE_PROGRAM, "ring");
    struct bine_query alone = q;
    alone.p = 1;
    d = decide(&s, &alone);
    is_by(&d, BINE_SOURCE_ALONE, "mpi");
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_PROGRAM, "ring");
    s.program = bine_selection_none();
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_SETTING, "bine-large");
    assert_string_equal(d.choice.reason, "forced by BINE_ALLREDUCE");
    s.setting = bine_selection_none();
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_RULES, "bine-small");
    s.rules = NULL;
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_WISDOM, "recursive-doubling");
    assert_false(d.counts);
    s.wisdom = NULL;
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_MODEL, "rabenseifner");
    assert_true(d.counts && !d.lasts && d.prediction->count == 1); /* a session may open */
    s.predictions = NULL;
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_BUILT_IN, "mpi");
    assert_true(d.counts && !d.lasts && d.prediction == NULL);
    s.tuning = NULL;
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_BUILT_IN, "mpi");
    assert_true(!d.counts && d.lasts);
}

/* Where rates are known, the model is asked at every size; small intercepted calls keep to MPI's
 * algorithms unless there are groups. */
static void test_small_calls_and_the_model(void **state) {
    (void)state;
    static struct bine_predictions small;
    struct bine_query q = query_of(BINE_GATHER, 64);
    struct bine_selector s = nothing();
    s.predictions = &small;
    q.drop_in = 0;
    q.groups = 1;
    small.least = bine_predictions_least(1);
    assert_false(decide(&s, &q).wants_prediction);
    small.least = bine_predictions_least(0);
    assert_true(decide(&s, &q).wants_prediction);
    q.drop_in = 1;
    assert_false(decide(&s, &q).wants_prediction);
    q.groups = 2;
    assert_true(decide(&s, &q).wants_prediction);
    q.bytes = 0;
    assert_false(decide(&s, &q).wants_prediction);
    q.bytes = BINE_ADVISED_LEAST;
    q.groups = 1;
    assert_true(decide(&s, &q).wants_prediction);
}

/* The model is asked before a session counts calls, since it names the candidates. */
static void test_model_is_asked_first(void **state) {
    (void)state;
    struct bine_query q = query_of(BINE_BCAST, 1 << 16);
    struct bine_selector s = nothing();
    s.tuning = &tuning;
    s.predictions = &predictions;
    struct bine_decision d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_BUILT_IN, "mpi");
    assert_true(d.wants_prediction && !d.counts && !d.lasts && d.prediction == NULL);
    predict(&q, "chain");
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_MODEL, "chain");
    assert_true(!d.wants_prediction && d.counts);
    /* A prediction is of its size class. */
    q.bytes = 1 << 17;
    d = decide(&s, &q);
    assert_true(d.wants_prediction);
    /* Neither barriers nor scans, short calls, or operators that do not commute. */
    static const struct {
        enum bine_collective c;
        int64_t bytes;
        int commutative;
    } not [] = {{BINE_BARRIER, 0, 1},
                {BINE_SCAN, 1 << 20, 1},
                {BINE_ALLGATHERV, 1 << 20, 1},
                {BINE_ALLREDUCE, 4095, 1},
                {BINE_REDUCE, 1 << 20, 0}};
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) {
        q = query_of(not [i].c, not [i].bytes);
        q.commutative = not [i].commutative;
        d = decide(&s, &q);
        assert_false(d.wants_prediction);
    }
}

/* Neither the model nor measurements where a layout is set, for nonblocking calls, and for
 * intercepted ones where ranks have no core each. */
static void test_closed(void **state) {
    (void)state;
    struct bine_selector s = nothing();
    s.tuning = &tuning;
    s.predictions = &predictions;
    for (int k = 0; k < 4; k++) {
        struct bine_query q = query_of(BINE_ALLGATHER, 1 << 18);
        s.setting.layout = k == 1 ? BINE_BLOCKS : -1;
        q.nonblocking = k == 2;
        q.crowded = k == 3;
        struct bine_decision d = decide(&s, &q);
        assert_int_equal(d.wants_prediction, k == 0);
        assert_true(d.source == BINE_SOURCE_BUILT_IN && d.lasts == (k > 0));
    }
}

/* Reductions that are to have the same bits: nothing learnt decides, started calls get what others
 * get, and for all placements nothing that knows it. Calls that move data are chosen for as before.
 */
static void test_reproducible(void **state) {
    (void)state;
    struct bine_selector s = nothing();
    s.tuning = &tuning;
    s.predictions = &predictions;
    struct bine_query q = query_of(BINE_ALLREDUCE, 1 << 20);
    assert_true(decide(&s, &q).source != BINE_SOURCE_BUILT_IN);
    s.reproducible = BINE_REPRODUCIBLE_RUN;
    q.nodes = 16;
    q.groups = q.levels = 4;
    struct bine_decision d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_BUILT_IN, "bine-group");
    assert_true(d.lasts && !d.wants_prediction && d.same == BINE_REPRODUCIBLE_RUN);
    q.nonblocking = 1;
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_BUILT_IN, "bine-group");
    s.reproducible = BINE_REPRODUCIBLE_PLACEMENT;
    for (int k = 0; k < 6; k++) {
        struct bine_query at = {.collective = BINE_ALLREDUCE,
                                .p = q.p,
                                .bytes = q.bytes,
                                .commutative = 1,
                                .drop_in = 1,
                                .library = BINE_LIBRARY_OPENMPI,
                                .nodes = 1 + 3 * (k % 2),
                                .groups = k % 3,
                                .levels = k % 3,
                                .crowded = k > 3,
                                .boards = k == 0 || k == 4};
        d = decide(&s, &at);
        is_by(&d, BINE_SOURCE_BUILT_IN, "bine-large");
        assert_int_equal(d.same, BINE_REPRODUCIBLE_PLACEMENT);
        assert_null(bine_select_never(&s, &at, 1, 2));
        assert_int_equal(bine_select_device(&s, &at, 1), BINE_DEVICE_NONE);
    }
    q = query_of(BINE_ALLGATHER, 1 << 19);
    d = decide(&s, &q);
    assert_true(d.source != BINE_SOURCE_BUILT_IN || d.wants_prediction);
    assert_true(d.same == BINE_REPRODUCIBLE_OFF);
}

/* A session: its candidates in turn, its winner, and the winner of wisdom. */
static void test_session(void **state) {
    (void)state;
    struct bine_query q = query_of(BINE_REDUCE, 1 << 20);
    struct bine_selector s = nothing();
    struct bine_tuning own = {0};
    s.tuning = &own;
    assert_false(bine_tuning_count(&own, &q));
    assert_false(bine_tuning_count(&own, &q));
    assert_true(bine_tuning_count(&own, &q));
    struct bine_tuning_session *l = calloc(1, sizeof *l);
    int n = bine_tuning_candidates(&q, NULL, l->candidate);
    assert_true(n >= 2);
    bine_tuning_open(&own, l, &q, n, &(struct bine_known_best){BINE_SELECTION_NONE, 0, 0});
    struct bine_decision d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_TUNING, "mpi");
    assert_true(d.session == l && !d.lasts && !d.counts && bine_tuning_gain(l) == 0);
    bine_learner_settle(&l->learner, 1, 0);
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_TUNING, bine_selection_name(&l->candidate[1]));
    assert_true(d.session == l && d.lasts);
    /* Another size class, for which there is nothing to try. */
    q.bytes = 1 << 22;
    bine_tuning_open(&own, NULL, &q, 1, NULL);
    d = decide(&s, &q);
    assert_true(d.source == BINE_SOURCE_BUILT_IN && d.lasts && !d.counts);
    /* A third, known from elsewhere, and due. */
    q.bytes = 1 << 24;
    l = calloc(1, sizeof *l);
    n = bine_tuning_candidates(&q, NULL, l->candidate);
    bine_tuning_open(&own, l, &q, n, &(struct bine_known_best){BINE_SELECTION_MPI, 1, 1});
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_TUNING, "mpi");
    assert_true(d.session == l && !d.lasts); /* its calls count */
    bine_tuning_free(&own);
}

/* Selections that cannot serve: an error of the program's, a warning about a setting. */
static void test_failing(void **state) {
    (void)state;
    struct bine_query q = query_of(BINE_BCAST, 1 << 20);
    struct bine_selector s = nothing();
    s.program = named(q.collective, "board-flat");
    struct bine_decision d = decide(&s, &q);
    assert_true(d.fails);
    is_by(&(struct bine_decision){.source = d.source, .choice = {d.choice.algorithm, 0, 0, 0, ""}},
          BINE_SOURCE_PROGRAM, "board-flat");
    s = nothing();
    s.setting = named(q.collective, "board-flat:blocks");
    d = decide(&s, &q);
    assert_true(d.source == BINE_SOURCE_BUILT_IN && !d.fails);
    assert_string_equal(d.why,
                        "bcast board-flat needs boards: all ranks on one node, which share memory: "
                        "BINE_BCAST is not followed there (16 ranks)");
    s.setting = (struct bine_selection){BINE_SELECTION_NONE, BINE_PERMUTE};
    q = query_of(BINE_BCAST, 1024);
    q.drop_in = 0;
    d = decide(&s, &q);
    is_by(&d, BINE_SOURCE_BUILT_IN, "bine-postal-7");
    assert_string_equal(d.why, "bcast bine-postal-7 cannot take the layout permute: "
                               "BINE_BCAST_LAYOUT is not followed there (16 ranks)");
}

/* Why every call is forwarded: of a collective, and of a communicator. */
static void test_every(void **state) {
    (void)state;
    struct bine_query q = query_of(BINE_ALLREDUCE, 0);
    struct bine_selector s = nothing();
    assert_null(bine_select_every(&s, &q));
    s.setting.algorithm = BINE_SELECTION_MPI;
    assert_string_equal(bine_select_every(&s, &q), "forced by BINE_ALLREDUCE");
    s.program = named(q.collective, "ring");
    assert_null(bine_select_every(&s, &q));
    s.program.algorithm = BINE_SELECTION_MPI;
    assert_string_equal(bine_select_every(&s, &q), "forced");
    s.forward_reason = BINE_REASON_OFF;
    assert_string_equal(bine_select_every(&s, &q), BINE_REASON_OFF);
    /* On every communicator: by a setting, or if the rules say so and nothing is tuned. */
    s = nothing();
    q = query_of(BINE_GATHERV, 0); /* of those that were not measured */
    assert_non_null(bine_select_never(&s, &q, 1, 0));
    s.tuning = &tuning;
    assert_null(bine_select_never(&s, &q, 1, 0));
    s.tuning = NULL;
    s.setting = named(q.collective, "linear");
    assert_null(bine_select_never(&s, &q, 1, 0));
}

/* Devices: all plain collectives inside a node, but gathers of some sizes where eight ranks share
 * one; between nodes long allreduces. Nothing that is forced. */
static void test_devices(void **state) {
    (void)state;
    static const struct {
        enum bine_collective c;
        int nodes, devices;
        int64_t bytes;
        enum bine_device_way way;
    } row[] = {
        {BINE_ALLREDUCE, 1, 1, 8, BINE_DEVICE_WORKERS},
        {BINE_GATHER, 1, 2, (32 << 10) - 1, BINE_DEVICE_WORKERS},
        {BINE_GATHER, 1, 2, 32 << 10, BINE_DEVICE_NONE},
        {BINE_ALLGATHER, 1, 2, (256 << 10) - 1, BINE_DEVICE_NONE},
        {BINE_ALLGATHER, 1, 2, 256 << 10, BINE_DEVICE_WORKERS},
        {BINE_ALLGATHER, 1, 4, 64 << 10, BINE_DEVICE_WORKERS},
        {BINE_ALLREDUCE, 2, 1, 256 << 10, BINE_DEVICE_LEVELS},
        {BINE_ALLREDUCE, 2, 1, (256 << 10) - 1, BINE_DEVICE_NONE},
        {BINE_ALLGATHER, 2, 1, 1 << 20, BINE_DEVICE_NONE},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct bine_query q = query_of(row[i].c, row[i].bytes);
        struct bine_selector s = nothing();
        q.nodes = row[i].nodes;
        assert_int_equal(bine_select_device(&s, &q, row[i].devices), row[i].way);
        s.setting.algorithm = BINE_SELECTION_MPI;
        assert_int_equal(bine_select_device(&s, &q, row[i].devices), BINE_DEVICE_NONE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_small_calls_and_the_model),
        cmocka_unit_test(test_model_is_asked_first),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_session),
        cmocka_unit_test(test_failing),
        cmocka_unit_test(test_every),
        cmocka_unit_test(test_devices),
    };
    parse(&rules, "{\"bine\": 1, \"rules\": [{\"collective\": \"allreduce\", \"algorithm\": "
                  "\"bine-small\"}]}");
    parse(&wisdom, "{\"bine\": 1, \"rules\": [{\"collective\": \"allreduce\", \"algorithm\": "
                   "\"recursive-doubling\"}]}");
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    bine_predictions_free(&predictions);
    bine_rules_free(&rules);
    bine_rules_free(&wisdom);
    return rc;
}
