#include "model/pick.h"
#include "model/time.h"
#include "pattern/torus.h"

#include <math.h>
#include <stdlib.h>

/* What an answer may cost in all, in units of about 25 ns (model/deeds.h). */
static const double most_cost = 1.05e6;
/* So many messages are executed event by event for one answer, of algorithms that are no slower
 * than the first by more than this. */
static const double most_messages = 8000, near = 1.4;
enum { EXECUTE_RANKS = 128 }; /* beyond, events take too long */
/* Where all ranks cost more than this, the quick form is asked first, and waves only of what may be
 * fast; it is never wrong by this factor. The edges of those that know groups are quickly counted.
 */
static const double cheap_cost = 1e4, far = 3;
/* Pipelines of more ranks than this, and of more segments than twice this, are continued. */
enum { CONTINUE_RANKS = 16, CONTINUE_SEGMENTS = 4, CONTINUE_DEEDS = 512 };

int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims) {
    *x = (struct bine_picker){
        .links = links, .groups = groups, .dims = dims, .look_cost = bine_deeds_look_cost(links)};
    x->looks = calloc(BINE_PICKER_LOOKS * bine_catalogue_size, sizeof *x->looks);
    return x->looks == NULL ? -1 : 0;
}

static void forget(struct bine_look *l) {
    bine_waves_free(&l->waves);
    bine_quick_free(&l->quick);
    *l = (struct bine_look){.segments = 0};
}

static void forget_all(struct bine_looks *l) {
    forget(&l->look[0]);
    forget(&l->look[1]);
}

void bine_picker_close(struct bine_picker *x) {
    for (size_t i = 0; i < BINE_PICKER_LOOKS * bine_catalogue_size && x->looks != NULL; i++)
        forget_all(&x->looks[i]);
    free(x->looks);
    *x = (struct bine_picker){0};
}

struct bine_request bine_picker_request(const struct bine_picker *x, const struct bine_algorithm *a,
                                        int root, int64_t bytes) {
    int p = x->links->p;
    enum bine_needs needs = bine_algorithm_needs(a);
    int most = x->dims != NULL ? bine_torus_ports(x->dims) : 0;
    return (struct bine_request){.algorithm = a,
                                 .p = p,
                                 .root = root,
                                 .layout = bine_algorithm_layout_at(a, p, bytes),
                                 .segments = bine_segments_for(a, p, bytes),
                                 .groups = needs == BINE_NEEDS_GROUPS ? x->groups : NULL,
                                 .dims = needs == BINE_NEEDS_DIMS ? x->dims : NULL,
                                 .ports = needs != BINE_NEEDS_DIMS ? 0
                                          : x->ports < most        ? x->ports
                                                                   : most};
}

/* How many segments a long pipeline is looked at with, and then twice as many; 0: it is looked at
 * as it is. Each segment of those that know groups has deeds of its own, p and more. */
static int first_segments(const struct bine_request *rq) {
    int k = CONTINUE_SEGMENTS;
    if (rq->p <= CONTINUE_RANKS)
        return 0;
    while (rq->groups != NULL && k > 1 && k * rq->p > CONTINUE_DEEDS)
        k /= 2;
    return rq->segments > 2 * k ? k : 0;
}

/* In waves, if all ranks together cost no more than `most`, or by the quick form. */
static int make_look(struct bine_picker *x, const struct bine_request *rq, double most,
                     struct bine_look *l) {
    struct bine_deeds d;
    int rc = bine_deeds_make(&d, rq, x->links, most);
    l->expected = d.expected;
    if (rc == 0 && d.complete) {
        l->waves_cost = d.cost + (double)d.count + x->look_cost * d.all;
        rc = bine_waves_make(&l->waves, &d, rq->p);
        l->has_waves = rc == 0;
    } else if (rc == 0 && !l->has_quick) {
        rc = bine_quick_make(&l->quick, &d, x->links);
        l->quick_cost = d.cost + x->look_cost / 2 * l->quick.looks;
        l->has_quick = rc == 0;
    }
    bine_deeds_free(&d);
    return rc;
}

/* What waves cost, and whether that is so little that the quick form is not asked before. What is
 * decided here must not depend on what was made for other sizes. */
static int expect(struct bine_picker *x, const struct bine_request *rq, struct bine_look *l,
                  double *cost, int *little) {
    int rc = 0, counted = bine_deeds_by_groups(rq);
    if (!counted && !l->has_waves && !l->has_quick)
        rc = make_look(x, rq, cheap_cost, l);
    *cost = counted ? bine_deeds_groups_cost(rq, x->look_cost) : l->expected;
    *little = counted || *cost <= cheap_cost;
    return rc;
}

static int look_quickly(struct bine_picker *x, const struct bine_request *rq, int64_t bytes,
                        struct bine_look *l, struct bine_waves_time *t) {
    int rc = l->has_quick ? 0 : make_look(x, rq, 0, l);
    if (rc == 0)
        *t = (struct bine_waves_time){.seconds = bine_quick_time(&l->quick, x->links, bytes),
                                      .least = bine_quick_least(&l->quick, x->links, bytes)};
    return rc;
}

/* How long it takes, with so many segments, as far as `limit`: in waves, where they cost little or
 * it is looked at closely, and the answer may cost that, so many times; else by the quick form. */
static int look_at(struct bine_picker *x, struct bine_request rq, int segments, int64_t bytes,
                   double limit, int closely, struct bine_look *l, struct bine_waves_time *t) {
    double cost;
    int little;
    rq.segments = segments;
    if (l->segments != segments)
        forget(l);
    l->segments = segments;
    int rc = expect(x, &rq, l, &cost, &little);
    if (rc == 0 && (!little || cost > x->left)) {
        rc = look_quickly(x, &rq, bytes, l, t);
        x->left -= closely ? 0 : l->quick_cost;
        if (closely * cost > x->left || closely == 0 || t->seconds > far * limit)
            return rc;
    }
    if (rc == 0 && !l->has_waves)
        rc = make_look(x, &rq, most_cost, l);
    if (rc != 0)
        return rc;
    rc = bine_waves_run(&l->waves, x->links, bytes, limit, t);
    x->left -= l->waves_cost - x->look_cost * ((double)l->waves.count - t->deeds);
    return rc;
}

/* Whether a pipeline is still filling after twice as many segments, so that the rest takes less; or
 * sends towards the root, where segments overlap more than waves show. */
static int fills(const struct bine_request *rq, int segments) {
    return rq->groups != NULL &&
           (segments < CONTINUE_SEGMENTS || bine_collective_reduces(rq->algorithm->collective));
}

/* Whether a pipeline's second look is to be had: where edges are counted, it leaves half of what an
 * answer may cost to the other algorithms. */
static int can_look(const struct bine_picker *x, const struct bine_request *rq, int segments) {
    struct bine_request few = *rq;
    few.segments = segments;
    return !bine_deeds_by_groups(&few) ||
           bine_deeds_groups_cost(&few, x->look_cost) <= x->left - most_cost / 2;
}

/* A long pipeline from its first segments: once it is full, each takes as long as the one before.
 * Both looks are of one form, or the second tells nothing. */
static int estimate(struct bine_picker *x, const struct bine_request *rq, int64_t bytes,
                    double limit, int closely, struct bine_pick *pick) {
    int large = rq->layout != bine_algorithm_layout(rq->algorithm, rq->p);
    struct bine_looks *l = &x->looks[BINE_PICKER_LOOKS * (rq->algorithm - bine_catalogue) + large];
    struct bine_waves_time few, more;
    int k = first_segments(rq);
    int rc = look_at(x, *rq, k > 0 ? k : rq->segments, k > 0 ? bytes * k / rq->segments : bytes,
                     limit, k > 0 ? 3 * closely : closely, &l->look[0], &few);
    pick->seconds = few.seconds;
    pick->messages = few.deeds > 0 ? (double)l->look[0].waves.count / 2 : HUGE_VAL;
    if (k == 0 || rc != 0 || few.seconds > limit)
        return rc;
    double slope = few.least / k, last = few.seconds;
    int seen = k;
    more.deeds = -1;
    if (can_look(x, rq, 2 * k))
        rc = look_at(x, *rq, 2 * k, bytes * 2 * k / rq->segments, limit, few.deeds > 0, &l->look[1],
                     &more);
    if (rc == 0 && more.deeds >= 0 && (few.deeds > 0) == (more.deeds > 0)) {
        double grows = (more.seconds - few.seconds) / k;
        slope = fills(rq, k) && grows > slope ? (grows + slope) / 2 : grows;
        last = more.seconds;
        seen = 2 * k;
    }
    pick->seconds = last + slope * (rq->segments - seen);
    pick->messages *= (double)rq->segments / k;
    return rc;
}

static int ascending(const void *a, const void *b) {
    const struct bine_pick *x = a, *y = b;
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return x->algorithm < y->algorithm ? -1 : x->algorithm > y->algorithm;
}

static void note(double first[BINE_PICKS_FIRST], double seconds) {
    int k = BINE_PICKS_FIRST - 1;
    if (seconds >= first[k])
        return;
    for (; k > 0 && first[k - 1] > seconds; k--)
        first[k] = first[k - 1];
    first[k] = seconds;
}

/* Those that come first, event by event, and in their order again. */
static int execute(const struct bine_picker *x, int root, int64_t bytes, struct bine_pick *pick,
                   int n) {
    double left = most_messages, most = n > 0 ? near * pick[0].seconds : 0;
    double first[BINE_PICKS_FIRST] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (int i = 0; i < n && x->links->p <= EXECUTE_RANKS && pick[i].seconds <= most; i++) {
        struct bine_request rq = bine_picker_request(x, pick[i].algorithm, root, bytes);
        struct bine_time t;
        if (pick[i].messages > left)
            continue;
        left -= pick[i].messages;
        if (bine_time_within(&rq, bytes, x->links, first[BINE_PICKS_FIRST - 1], &t) != 0)
            return -1;
        pick[i].seconds = t.seconds;
        note(first, t.seconds);
    }
    qsort(pick, (size_t)n, sizeof *pick, ascending);
    return 0;
}

/* What was looked at for another root says nothing of this one. */
static void turn_to_root(struct bine_picker *x, int root) {
    for (size_t i = 0; i < BINE_PICKER_LOOKS * bine_catalogue_size && root != x->root; i++)
        if (bine_collective_is_rooted(bine_catalogue[i / BINE_PICKER_LOOKS].collective))
            forget_all(&x->looks[i]);
    x->root = root;
}

/* Links are between nodes: what boards cost,
 * the model does not know. */
static int is_candidate(const struct bine_algorithm *a, enum bine_collective c, bine_serves *serves,
                        void *self) {
    return a->collective == c && bine_algorithm_needs(a) != BINE_NEEDS_BOARDS &&
           (serves == NULL || serves(self, a));
}

/* What takes longer is neither among the first few nor near the first. */
static double limit_of(const struct bine_picker *x, const double first[BINE_PICKS_FIRST]) {
    double nearest = x->links->p <= EXECUTE_RANKS ? near * first[0] : 0;
    return nearest > first[BINE_PICKS_FIRST - 1] ? nearest : first[BINE_PICKS_FIRST - 1];
}

/* What one answer goes through. */
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

static int consider(struct bine_picker *x, struct picking *k, const struct bine_algorithm *a) {
    char why[200];
    if (!is_candidate(a, k->collective, k->serves, k->self) || k->n == BINE_PICKS_MOST)
        return 0;
    struct bine_request rq = bine_picker_request(x, a, k->root, k->bytes);
    if (bine_request_error(&rq, why, sizeof why) != NULL)
        return 0;
    struct bine_pick *pick = &k->pick[k->n++];
    pick->algorithm = a;
    if (estimate(x, &rq, k->bytes, limit_of(x, k->first), 0, pick) != 0)
        return -1;
    if (pick->messages < HUGE_VAL)
        note(k->first, pick->seconds);
    return 0;
}

/* What may be fast by the quick form, closely, the fastest first: so the others are soon seen to be
 * slower. */
static int compare(struct bine_picker *x, struct picking *k) {
    qsort(k->pick, (size_t)k->n, sizeof *k->pick, ascending);
    for (int i = 0; i < k->n; i++) {
        struct bine_pick *pick = &k->pick[i];
        double limit = limit_of(x, k->first);
        if (pick->messages < HUGE_VAL || pick->seconds > far * limit)
            continue;
        struct bine_request rq = bine_picker_request(x, pick->algorithm, k->root, k->bytes);
        if (estimate(x, &rq, k->bytes, limit, 1, pick) != 0)
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
    x->left = most_cost;
    /* First those that know groups: they cost the most, and have the least to send. */
    for (size_t i = 0; i < 2 * bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i % bine_catalogue_size];
        int knows = bine_algorithm_needs(a) == BINE_NEEDS_GROUPS;
        if (knows == (i < bine_catalogue_size) && consider(x, &k, a) != 0)
            return -1;
    }
    return compare(x, &k) != 0 || execute(x, root, bytes, pick, k.n) != 0 ? -1 : k.n;
}
