#include "select/select.h"

#include "select/predictions.h"
#include "select/tuning.h"

#include <stdio.h>

/* --- Following a source */

/* Take a selection if it can serve the call. */
static int follow(const struct bine_selection *f, const struct bine_query *q, const char *reason,
                  struct bine_decision *d) {
    if (bine_selection_fails(f, q) != NULL)
        return 0;
    d->choice = bine_selection_choice(f, q);
    d->choice.reason = reason;
    return 1;
}

/* The layout that is set for the collective without an algorithm, or -1. A setting that cannot be
 * followed counts as not set. */
static int32_t set_layout(const struct bine_selector *s, const struct bine_decision *d) {
    return d->why[0] == '\0' ? s->setting.layout : -1;
}

/* The first rule that holds; it takes the layout that is set if its algorithm has that layout. */
static int follow_rules(const struct bine_rules *rules, const struct bine_selector *s,
                        const struct bine_query *q, struct bine_decision *d) {
    int i = bine_rules_match(rules, q);
    if (i < 0)
        return 0;
    struct bine_selection f = bine_rule_selection(rules, i, q->collective);
    int32_t layout = set_layout(s, d);
    const struct bine_algorithm *a = f.algorithm >= 0 ? &bine_catalogue[f.algorithm] : NULL;
    if (layout >= 0 && a != NULL && bine_algorithm_has_layout(a, (enum bine_layout)layout, q->p))
        f.layout = layout;
    else if (layout >= 0 && a != NULL)
        snprintf(d->why, sizeof d->why,
                 "%s %s cannot take the layout %s: %s is not followed there (%d ranks)",
                 bine_collective_name(q->collective), a->name,
                 bine_layout_name((enum bine_layout)layout),
                 bine_setting_table[BINE_SETTING_LAYOUTS + (int)q->collective].name, q->p);
    d->rules = rules;
    d->rule = i;
    return follow(&f, q, rules->rule[i].reason, d);
}

/* --- The sources */

static int is_never(const struct bine_selector *s, const struct bine_query *q,
                    const struct bine_decision *d) {
    (void)q, (void)d;
    return s->forward_reason != NULL;
}

static int decide_never(const struct bine_selector *s, const struct bine_query *q,
                        struct bine_decision *d) {
    (void)q;
    d->choice.reason = s->forward_reason;
    return 1;
}

static int is_handed_back(const struct bine_selector *s, const struct bine_query *q,
                          const struct bine_decision *d) {
    (void)s, (void)d;
    return q->drop_in && q->nonblocking && q->handed_back;
}

static int decide_handed_back(const struct bine_selector *s, const struct bine_query *q,
                              struct bine_decision *d) {
    (void)s, (void)q;
    d->choice.reason = "nonblocking: switched off by BINE_NONBLOCKING";
    return 1;
}

static int is_alone(const struct bine_selector *s, const struct bine_query *q,
                    const struct bine_decision *d) {
    (void)s, (void)d;
    return q->drop_in && bine_ranks_forward(q->p) != NULL;
}

static int decide_alone(const struct bine_selector *s, const struct bine_query *q,
                        struct bine_decision *d) {
    (void)s;
    d->choice.reason = bine_ranks_forward(q->p);
    return 1;
}

static int is_set_by_program(const struct bine_selector *s, const struct bine_query *q,
                             const struct bine_decision *d) {
    (void)q, (void)d;
    return s->program.algorithm != BINE_SELECTION_NONE;
}

/* An error of the program's, where the algorithm cannot serve. */
static int decide_program(const struct bine_selector *s, const struct bine_query *q,
                          struct bine_decision *d) {
    d->fails = !follow(&s->program, q, "forced", d);
    if (d->fails)
        d->choice.algorithm = &bine_catalogue[s->program.algorithm];
    return 1;
}

static int is_set(const struct bine_selector *s, const struct bine_query *q,
                  const struct bine_decision *d) {
    (void)q, (void)d;
    return s->setting.algorithm != BINE_SELECTION_NONE;
}

static int decide_setting(const struct bine_selector *s, const struct bine_query *q,
                          struct bine_decision *d) {
    if (follow(&s->setting, q, bine_selection_reason(q->collective), d))
        return 1;
    snprintf(d->why, sizeof d->why, "%s %s %s: %s is not followed there (%d ranks)",
             bine_collective_name(q->collective), bine_catalogue[s->setting.algorithm].name,
             bine_selection_fails(&s->setting, q), bine_setting_table[q->collective].name, q->p);
    return 0;
}

static int has_rules(const struct bine_selector *s, const struct bine_query *q,
                     const struct bine_decision *d) {
    (void)q, (void)d;
    return s->rules != NULL;
}

static int decide_rules(const struct bine_selector *s, const struct bine_query *q,
                        struct bine_decision *d) {
    return follow_rules(s->rules, s, q, d);
}

/* The most that the bits of a call depend on; calls that move data alone have no order. */
static enum bine_reproducible promise_of(const struct bine_selector *s,
                                         const struct bine_query *q) {
    return bine_collective_reduces(q->collective) ? s->reproducible : BINE_REPRODUCIBLE_OFF;
}

/* Measurements and the model: not where a layout is set, nor for nonblocking calls, nor for
 * intercepted ones where ranks have no core each. */
static int is_open(const struct bine_selector *s, const struct bine_query *q,
                   const struct bine_decision *d) {
    return set_layout(s, d) < 0 && !q->nonblocking && !(q->crowded && q->drop_in) &&
           promise_of(s, q) == BINE_REPRODUCIBLE_OFF;
}

static int may_predict(const struct bine_selector *s, const struct bine_query *q,
                       const struct bine_decision *d) {
    return s->predictions != NULL && bine_is_predicted(s->predictions, q) && is_open(s, q, d);
}

/* The candidates of a tuning session come from the model: it is asked first. */
static int may_tune(const struct bine_selector *s, const struct bine_query *q,
                    const struct bine_decision *d) {
    return s->tuning != NULL && is_open(s, q, d) && bine_may_tune(q) &&
           !(may_predict(s, q, d) &&
             bine_predictions_find(s->predictions, q)->state != BINE_PREDICTED);
}

static int has_wisdom(const struct bine_selector *s, const struct bine_query *q,
                      const struct bine_decision *d) {
    return s->wisdom != NULL && may_tune(s, q, d);
}

static int decide_wisdom(const struct bine_selector *s, const struct bine_query *q,
                         struct bine_decision *d) {
    int i = bine_rules_match(s->wisdom, q);
    if (i < 0)
        return 0;
    struct bine_selection f = bine_rule_selection(s->wisdom, i, q->collective);
    return follow(&f, q, s->wisdom->rule[i].reason, d);
}

/* The candidate whose turn it is, or the winner. */
static int decide_tuning(const struct bine_selector *s, const struct bine_query *q,
                         struct bine_decision *d) {
    struct bine_selection f;
    const char *reason;
    enum bine_tuning_state state = bine_tuning_find(s->tuning, q, &d->session, &f, &reason);
    d->counts = state == BINE_TUNING_SEEN;
    d->lasts = state == BINE_TUNING_NONE || state == BINE_TUNING_DONE;
    return d->session != NULL && follow(&f, q, reason, d);
}

static int decide_model(const struct bine_selector *s, const struct bine_query *q,
                        struct bine_decision *d) {
    const struct bine_class_prediction *p = bine_predictions_find(s->predictions, q);
    if (p->state != BINE_PREDICTED) {
        d->wants_prediction = 1;
        d->lasts = 0;
        return 0;
    }
    if (p->prediction.count == 0)
        return 0;
    return follow(&(struct bine_selection){p->prediction.algorithm[0], p->prediction.layout[0]}, q,
                  p->reason != NULL ? p->reason : "the model", d);
}

static int is_any(const struct bine_selector *s, const struct bine_query *q,
                  const struct bine_decision *d) {
    (void)s, (void)q, (void)d;
    return 1;
}

static int decide_built_in(const struct bine_selector *s, const struct bine_query *q,
                           struct bine_decision *d) {
    return follow_rules(bine_rules_built_in(), s, q, d);
}

/* --- The table */

/* `applies`: there is something to ask; `decide`: the answer, or 0: the next source is asked.
 * Sources of a collective as a whole do not look at the size of the call. */
static const struct source {
    const char *name;
    int of_collective;
    int (*applies)(const struct bine_selector *s, const struct bine_query *q,
                   const struct bine_decision *d);
    int (*decide)(const struct bine_selector *s, const struct bine_query *q,
                  struct bine_decision *d);
} sources[BINE_SOURCES] = {
    [BINE_SOURCE_NEVER] = {"never", 1, is_never, decide_never},
    [BINE_SOURCE_HANDED_BACK] = {"handed back", 1, is_handed_back, decide_handed_back},
    [BINE_SOURCE_ALONE] = {"alone", 1, is_alone, decide_alone},
    [BINE_SOURCE_PROGRAM] = {"program", 1, is_set_by_program, decide_program},
    [BINE_SOURCE_SETTING] = {"setting", 1, is_set, decide_setting},
    [BINE_SOURCE_RULES] = {"rules", 0, has_rules, decide_rules},
    [BINE_SOURCE_WISDOM] = {"wisdom", 0, has_wisdom, decide_wisdom},
    [BINE_SOURCE_TUNING] = {"tuning", 0, may_tune, decide_tuning},
    [BINE_SOURCE_MODEL] = {"model", 0, may_predict, decide_model},
    [BINE_SOURCE_BUILT_IN] = {"built-in", 0, is_any, decide_built_in},
};

const char *bine_source_name(enum bine_source s) {
    return sources[s].name;
}

static void begin(struct bine_decision *d) {
    *d = (struct bine_decision){.lasts = 1, .rule = -1};
}

/* The query without facts that the bits of the call must not depend on: how it is waited for, and
 * where the ranks are. MPI's own algorithms may depend on that. */
struct bine_query bine_select_query(const struct bine_selector *s, const struct bine_query *q) {
    enum bine_reproducible r = promise_of(s, q);
    struct bine_query known = *q;
    if (r != BINE_REPRODUCIBLE_OFF)
        known.nonblocking = 0;
    if (r == BINE_REPRODUCIBLE_PLACEMENT)
        known = (struct bine_query){.collective = q->collective,
                                    .p = q->p,
                                    .bytes = q->bytes,
                                    .commutative = q->commutative,
                                    .uneven = q->uneven,
                                    .root = q->root,
                                    .drop_in = q->drop_in,
                                    .always = 1};
    return known;
}

void bine_select(const struct bine_selector *s, const struct bine_query *call,
                 struct bine_decision *d) {
    const struct bine_query known = bine_select_query(s, call), *q = &known;
    int k = 0;
    begin(d);
    while (!sources[k].applies(s, q, d) || !sources[k].decide(s, q, d))
        k++;
    d->source = (enum bine_source)k;
    d->same = d->choice.algorithm != NULL ? promise_of(s, q) : BINE_REPRODUCIBLE_OFF;
    if (s->predictions != NULL && bine_is_predicted(s->predictions, q) && !d->wants_prediction)
        d->prediction = &bine_predictions_find(s->predictions, q)->prediction;
}

const char *bine_select_every(const struct bine_selector *s, const struct bine_query *q) {
    struct bine_decision d;
    begin(&d);
    for (const struct source *x = sources; x->of_collective; x++)
        if (x->applies(s, q, &d) && x->decide(s, q, &d))
            return d.choice.algorithm == NULL ? d.choice.reason : NULL;
    return NULL;
}

const char *bine_select_never(const struct bine_selector *s, const struct bine_query *most,
                              int none_grouped, int cores) {
    const char *reason = bine_select_every(s, most);
    if (reason != NULL || promise_of(s, most) == BINE_REPRODUCIBLE_PLACEMENT ||
        s->setting.algorithm != BINE_SELECTION_NONE ||
        (s->tuning != NULL && most->nodes != 1)) /* on some communicator it may be tuned */
        return reason;
    return bine_rules_never_intercept(s->rules, most, none_grouped, cores);
}

/* --- Devices */

#define ONLY(c) (1u << (c))

/* The first row that holds. Where many ranks share a device and each has just used it, the worker
 * waits for its turn, and copies through the host's memory are faster (docs/devices.md). Between
 * nodes, fewer bytes are not worth three calls. */
static const struct {
    uint32_t collectives;
    int several_nodes;
    int per_device; /* ranks that share a device, at least */
    int64_t from, below;
    enum bine_device_way way;
} devices_rows[] = {
    {ONLY(BINE_GATHER) | ONLY(BINE_ALLGATHER), 0, 8, 32 << 10, 256 << 10, BINE_DEVICE_NONE},
    {~0u, 0, 0, 0, INT64_MAX, BINE_DEVICE_WORKERS},
    {ONLY(BINE_ALLREDUCE), 1, 0, 256 << 10, INT64_MAX, BINE_DEVICE_LEVELS},
};

enum bine_device_way bine_select_device(const struct bine_selector *s, const struct bine_query *q,
                                        int devices) {
    struct bine_decision d;
    begin(&d);
    if (promise_of(s, q) == BINE_REPRODUCIBLE_PLACEMENT)
        return BINE_DEVICE_NONE;
    for (const struct source *x = sources; x->of_collective; x++)
        if (x->applies(s, q, &d))
            return BINE_DEVICE_NONE;
    for (size_t i = 0; i < sizeof devices_rows / sizeof *devices_rows; i++)
        if ((devices_rows[i].collectives >> q->collective & 1) != 0 &&
            devices_rows[i].several_nodes == (q->nodes > 1) &&
            q->p >= devices_rows[i].per_device * devices && q->bytes >= devices_rows[i].from &&
            q->bytes < devices_rows[i].below)
            return devices_rows[i].way;
    return BINE_DEVICE_NONE;
}
