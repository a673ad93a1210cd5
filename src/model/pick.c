#include "model/pick.h"
#include "model/time.h"
#include "pattern/torus.h"

#include <math.h>
#include <stdlib.h>

/* The budget of an answer, in units of about 25 ns (model/work.h). */
static const double most_cost = 1.05e6;
/* The number of messages that are executed event by event for one answer, of algorithms that are no
 * slower than the first by more than this factor. */
static const double most_messages = 8000, near = 1.4;
enum { EXECUTE_RANKS = 128 }; /* beyond, events take too long */
/* Where all ranks cost more than this, the analytic model is asked first, and the stepwise one only
 * for candidates that may be fast; the analytic model is never wrong by this factor. The edges of
 * group algorithms are quickly counted. */
static const double cheap_cost = 1e4, far = 3;
/* Pipelines of more ranks than this, and of more segments than twice this, are continued. */
enum { CONTINUE_RANKS = 16, CONTINUE_SEGMENTS = 4, CONTINUE_WORK = 512 };

static double budget(const struct bine_picker *x) {
    return x->patience > 0 ? x->patience * most_cost : most_cost;
}

int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims) {
    *x = (struct bine_picker){.links = links,
                              .groups = groups,
                              .dims = dims,
                              .estimate_cost = bine_work_list_estimate_cost(links)};
    x->estimates = calloc(BINE_LAYOUTS * bine_catalogue_size, sizeof *x->estimates);
    return x->estimates == NULL ? -1 : 0;
}

static void forget(struct bine_estimate *l) {
    bine_stepwise_free(&l->stepwise);
    bine_analytic_free(&l->analytic);
    *l = (struct bine_estimate){.segments = 0};
}

static void forget_all(struct bine_estimates *l) {
    forget(&l->estimate[0]);
    forget(&l->estimate[1]);
}

void bine_picker_close(struct bine_picker *x) {
    for (size_t i = 0; i < BINE_LAYOUTS * bine_catalogue_size && x->estimates != NULL; i++)
        forget_all(&x->estimates[i]);
    free(x->estimates);
    *x = (struct bine_picker){0};
}

struct bine_spec bine_picker_spec(const struct bine_picker *x, const struct bine_algorithm *a,
                                  enum bine_layout layout, int root, int64_t bytes) {
    int p = x->links->p;
    enum bine_needs needs = bine_algorithm_needs(a);
    int most = x->dims != NULL ? bine_torus_ports(x->dims) : 0;
    return (struct bine_spec){.algorithm = a,
                              .p = p,
                              .root = root,
                              .layout = layout,
                              .segments = bine_segments_for(a, p, bytes),
                              .groups = needs == BINE_NEEDS_GROUPS ? x->groups : NULL,
                              .dims = needs == BINE_NEEDS_DIMS ? x->dims : NULL,
                              .ports = needs != BINE_NEEDS_DIMS ? 0
                                       : x->ports < most        ? x->ports
                                                                : most};
}

/* The number of segments with which a long pipeline is estimated, and then twice as many; 0: it is
 * estimated as it is. Each segment of a group algorithm has work items of its own, p and more. */
static int first_segments(const struct bine_spec *spec) {
    /* The segments of what knows groups are no row of equal parts (bine_spec_strands). */
    if (bine_algorithm_needs(spec->algorithm) == BINE_NEEDS_GROUPS)
        return 0;
    int k = CONTINUE_SEGMENTS;
    if (spec->p <= CONTINUE_RANKS)
        return 0;
    while (spec->groups != NULL && k > 1 && k * spec->p > CONTINUE_WORK)
        k /= 2;
    return spec->segments > 2 * k ? k : 0;
}

/* Stepwise, if all ranks together cost no more than `most`; else analytic. With 0 it is analytic in
 * any case: few ranks may all be in the sample. */
static int make_estimate(struct bine_picker *x, const struct bine_spec *spec, double most,
                         struct bine_estimate *l) {
    struct bine_work_list d;
    int rc = bine_work_list_make(&d, spec, x->links, most);
    l->expected = d.expected;
    if (rc == 0 && d.complete && most > 0 && !l->has_stepwise) {
        l->stepwise_cost = d.cost + (double)d.count + x->estimate_cost * d.all;
        rc = bine_stepwise_make(&l->stepwise, &d, spec->p);
        l->has_stepwise = rc == 0;
    } else if (rc == 0 && !l->has_analytic) {
        rc = bine_analytic_make(&l->analytic, &d, x->links);
        l->analytic_cost = d.cost + x->estimate_cost / 2 * l->analytic.estimated;
        l->has_analytic = rc == 0;
    }
    bine_work_list_free(&d);
    return rc;
}

/* The cost of the stepwise model, and whether it is so little that the analytic one is not asked
 * before. The decision must not depend on estimates for other sizes. */
static int expect(struct bine_picker *x, const struct bine_spec *spec, struct bine_estimate *l,
                  double *cost, int *little) {
    int rc = 0, counted = bine_work_list_by_groups(spec);
    if (!counted && !l->has_stepwise && !l->has_analytic)
        rc = make_estimate(x, spec, cheap_cost, l);
    *cost = counted ? bine_work_list_groups_cost(spec, x->estimate_cost) : l->expected;
    *little = counted || *cost <= cheap_cost;
    return rc;
}

static int estimate_analytically(struct bine_picker *x, const struct bine_spec *spec, int64_t bytes,
                                 struct bine_estimate *l, struct bine_stepwise_time *t) {
    int rc = l->has_analytic ? 0 : make_estimate(x, spec, 0, l);
    if (rc == 0)
        *t = (struct bine_stepwise_time){
            .seconds = bine_analytic_time(&l->analytic, x->links, bytes),
            .least = bine_analytic_least(&l->analytic, x->links, bytes)};
    return rc;
}

/* The time with this number of segments, as far as `limit`: stepwise, where that costs little or
 * `closely` asks for it within the budget; else analytic. */
static int estimate_segments(struct bine_picker *x, struct bine_spec spec, int segments,
                             int64_t bytes, double limit, int closely, struct bine_estimate *l,
                             struct bine_stepwise_time *t) {
    double cost;
    int little;
    spec.segments = segments;
    if (l->segments != segments)
        forget(l);
    l->segments = segments;
    int rc = expect(x, &spec, l, &cost, &little);
    if (rc == 0 && (!little || cost > x->left)) {
        rc = estimate_analytically(x, &spec, bytes, l, t);
        x->left -= closely ? 0 : l->analytic_cost;
        if (closely * cost > x->left || closely == 0 || t->seconds > far * limit)
            return rc;
    }
    if (rc == 0 && !l->has_stepwise)
        rc = make_estimate(x, &spec, budget(x), l);
    if (rc != 0)
        return rc;
    rc = bine_stepwise_run(&l->stepwise, x->links, bytes, limit, t);
    x->left -= l->stepwise_cost - x->estimate_cost * ((double)l->stepwise.count - t->work);
    return rc;
}

/* Whether a pipeline is still filling after twice as many segments, so that the rest takes less; or
 * sends towards the root, where segments overlap more than the stepwise model shows. */
static int fills(const struct bine_spec *spec, int segments) {
    return spec->groups != NULL &&
           (segments < CONTINUE_SEGMENTS || bine_collective_reduces(spec->algorithm->collective));
}

/* Whether a pipeline gets a second estimate: where edges are counted, it leaves half of the budget
 * to the other algorithms. */
static int can_estimate_twice(const struct bine_picker *x, const struct bine_spec *spec,
                              int segments) {
    struct bine_spec few = *spec;
    few.segments = segments;
    return !bine_work_list_by_groups(&few) ||
           bine_work_list_groups_cost(&few, x->estimate_cost) <= x->left - budget(x) / 2;
}

/* A long pipeline from its first segments: once it is full, each takes as long as the one before.
 * Both estimates are of one form, or the second tells nothing. */
static int estimate(struct bine_picker *x, const struct bine_spec *spec, int64_t bytes,
                    double limit, int closely, struct bine_pick *pick) {
    struct bine_estimates *l =
        &x->estimates[BINE_LAYOUTS * (spec->algorithm - bine_catalogue) + (int)spec->layout];
    struct bine_stepwise_time few, more;
    int k = first_segments(spec);
    int rc = estimate_segments(x, *spec, k > 0 ? k : spec->segments,
                               k > 0 ? bytes * k / spec->segments : bytes, limit,
                               k > 0 ? 3 * closely : closely, &l->estimate[0], &few);
    pick->seconds = few.seconds;
    pick->messages = few.work > 0 ? (double)l->estimate[0].stepwise.count / 2 : HUGE_VAL;
    if (k == 0 || rc != 0 || few.seconds > limit)
        return rc;
    double slope = few.least / k, last = few.seconds;
    int seen = k;
    more.work = -1;
    if (can_estimate_twice(x, spec, 2 * k))
        rc = estimate_segments(x, *spec, 2 * k, bytes * 2 * k / spec->segments, limit, few.work > 0,
                               &l->estimate[1], &more);
    if (rc == 0 && more.work >= 0 && (few.work > 0) == (more.work > 0)) {
        double grows = (more.seconds - few.seconds) / k;
        slope = fills(spec, k) && grows > slope ? (grows + slope) / 2 : grows;
        last = more.seconds;
        seen = 2 * k;
    }
    pick->seconds = last + slope * (spec->segments - seen);
    pick->messages *= (double)spec->segments / k;
    return rc;
}

static int ascending(const void *a, const void *b) {
    const struct bine_pick *x = a, *y = b;
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    if (x->algorithm != y->algorithm)
        return x->algorithm < y->algorithm ? -1 : 1;
    return x->layout < y->layout ? -1 : x->layout > y->layout;
}

static void note(double first[BINE_PICKS_FIRST], double seconds) {
    int k = BINE_PICKS_FIRST - 1;
    if (seconds >= first[k])
        return;
    for (; k > 0 && first[k - 1] > seconds; k--)
        first[k] = first[k - 1];
    first[k] = seconds;
}

/* The first candidates again, event by event, and sorted anew. */
static int execute(const struct bine_picker *x, int root, int64_t bytes, struct bine_pick *pick,
                   int n) {
    double left = most_messages, most = n > 0 ? near * pick[0].seconds : 0;
    double first[BINE_PICKS_FIRST] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < n && x->links->p <= EXECUTE_RANKS && pick[i].seconds <= most; i++) {
        struct bine_spec spec = bine_picker_spec(x, pick[i].algorithm, pick[i].layout, root, bytes);
        struct bine_time t;
        if (pick[i].messages > left)
            continue;
        left -= pick[i].messages;
        if (bine_time_within(&spec, bytes, x->links, first[BINE_PICKS_FIRST - 1], &t) != 0)
            return -1;
        pick[i].seconds = t.seconds;
        note(first, t.seconds);
    }
    qsort(pick, (size_t)n, sizeof *pick, ascending);
    return 0;
}

/* Estimates for another root do not hold for this one. */
static void turn_to_root(struct bine_picker *x, int root) {
    for (size_t i = 0; i < BINE_LAYOUTS * bine_catalogue_size && root != x->root; i++)
        if (bine_collective_is_rooted(bine_catalogue[i / BINE_LAYOUTS].collective))
            forget_all(&x->estimates[i]);
    x->root = root;
}

/* Links are between nodes: the model does not know the cost of boards. */
static int is_candidate(const struct bine_algorithm *a, enum bine_collective c, bine_serves *serves,
                        void *self) {
    return a->collective == c && !a->differs && bine_algorithm_needs(a) != BINE_NEEDS_BOARDS &&
           (serves == NULL || serves(self, a));
}

/* A slower candidate is neither among the first few nor near the first. */
static double limit_of(const struct bine_picker *x, const double first[BINE_PICKS_FIRST]) {
    double nearest = x->links->p <= EXECUTE_RANKS ? near * first[0] : 0;
    return nearest > first[BINE_PICKS_FIRST - 1] ? nearest : first[BINE_PICKS_FIRST - 1];
}

/* State of one prediction. */
struct picking {
    enum bine_collective collective;
    int root;
    int64_t bytes;
    bine_serves *serves;
    void *self;
    struct bine_pick *pick;
    int n;
    double first[BINE_PICKS_FIRST]; /* the times of the fastest so far */
};

static int consider(struct bine_picker *x, struct picking *k, const struct bine_algorithm *a,
                    enum bine_layout layout) {
    char why[200];
    if (k->n == BINE_PICKS_MOST || !bine_algorithm_has_layout(a, layout, x->links->p))
        return 0;
    struct bine_spec spec = bine_picker_spec(x, a, layout, k->root, k->bytes);
    if (bine_spec_error(&spec, why, sizeof why) != NULL || bine_spec_repeats_another(&spec))
        return 0;
    struct bine_pick *pick = &k->pick[k->n++];
    pick->algorithm = a;
    pick->layout = layout;
    if (estimate(x, &spec, k->bytes, limit_of(x, k->first), 0, pick) != 0)
        return -1;
    if (pick->messages < HUGE_VAL)
        note(k->first, pick->seconds);
    return 0;
}

/* In the layout that rules give it. */
static int consider_usual(struct bine_picker *x, struct picking *k,
                          const struct bine_algorithm *a) {
    return is_candidate(a, k->collective, k->serves, k->self)
               ? consider(x, k, a, bine_algorithm_layout_at(a, x->links->p, k->bytes))
               : 0;
}

/* In its other layouts, what may be fast, the fastest first, as long as enough is left to look at
 * the fastest of all closely. */
static int consider_layouts(struct bine_picker *x, struct picking *k) {
    int usual = k->n, rc = 0;
    qsort(k->pick, (size_t)usual, sizeof *k->pick, ascending);
    for (int i = 0; i < usual && rc == 0; i++)
        for (int l = 0; l < BINE_LAYOUTS && rc == 0; l++)
            if (l != (int)k->pick[i].layout && x->left > budget(x) / 2 &&
                k->pick[i].seconds <= far * limit_of(x, k->first))
                rc = consider(x, k, k->pick[i].algorithm, (enum bine_layout)l);
    return rc;
}

/* The candidates that may be fast by the analytic model, closely, the fastest first: so the others
 * are soon seen to be slower. */
static int compare(struct bine_picker *x, struct picking *k) {
    qsort(k->pick, (size_t)k->n, sizeof *k->pick, ascending);
    for (int i = 0; i < k->n; i++) {
        struct bine_pick *pick = &k->pick[i];
        double limit = limit_of(x, k->first);
        if (pick->messages < HUGE_VAL || pick->seconds > far * limit)
            continue;
        struct bine_spec spec =
            bine_picker_spec(x, pick->algorithm, pick->layout, k->root, k->bytes);
        if (estimate(x, &spec, k->bytes, limit, 1, pick) != 0)
            return -1;
        note(k->first, pick->seconds);
    }
    qsort(k->pick, (size_t)k->n, sizeof *k->pick, ascending);
    return 0;
}

int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]) {
    struct picking k = {c, root, bytes, serves, self, pick, 0, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    if (bine_collective_is_rooted(c))
        turn_to_root(x, root);
    x->left = budget(x);
    /* First the group algorithms: they cost the most, and have the least to send. */
    for (size_t i = 0; i < 2 * bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i % bine_catalogue_size];
        int knows = bine_algorithm_needs(a) == BINE_NEEDS_GROUPS;
        if (knows == (i < bine_catalogue_size) && consider_usual(x, &k, a) != 0)
            return -1;
    }
    return consider_layouts(x, &k) != 0 || compare(x, &k) != 0 ||
                   execute(x, root, bytes, pick, k.n) != 0
               ? -1
               : k.n;
}
