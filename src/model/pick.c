#include "model/pick.h"
#include "model/time.h"
#include "pattern/torus.h"

#include <math.h>
#include <stdlib.h>

/* So many steps an answer may cost in all, and one algorithm: one takes 10 to 50 ns. */
static const double most_steps = 1.5e6, most_each = 1.5e5;
/* So many messages are executed event by event for one answer, of algorithms that are no slower
 * than the first by more than this. */
static const double most_messages = 8000, near = 1.4;
enum { EXECUTE_RANKS = 128 }; /* beyond, events take too long */
/* Pipelines of more ranks than this, and of more segments than twice this, are continued. */
enum { CONTINUE_RANKS = 16, CONTINUE_SEGMENTS = 4 };

int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims) {
    *x = (struct bine_picker){.links = links, .groups = groups, .dims = dims};
    x->look = calloc(BINE_PICKER_LOOKS * bine_catalogue_size, sizeof *x->look);
    return x->look == NULL ? -1 : 0;
}

static void forget(struct bine_look *l) {
    for (int k = 0; k < 2; k++) {
        bine_waves_free(&l->waves[k]);
        bine_quick_free(&l->quick[k]);
    }
    *l = (struct bine_look){.looks = 0};
}

void bine_picker_close(struct bine_picker *x) {
    for (size_t i = 0; i < BINE_PICKER_LOOKS * bine_catalogue_size && x->look != NULL; i++)
        forget(&x->look[i]);
    free(x->look);
    *x = (struct bine_picker){0};
}

static struct bine_request request_of(const struct bine_picker *x, const struct bine_algorithm *a,
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
    while (rq->groups != NULL && k > 1 && k * rq->p > 512)
        k /= 2;
    return rq->segments > 2 * k ? k : 0;
}

/* One look, with so many segments. */
static int look_at(struct bine_picker *x, const struct bine_request *rq, int segments,
                   struct bine_look *l, int k) {
    struct bine_request few = *rq;
    struct bine_deeds d;
    few.segments = segments;
    if (bine_deeds_make(&d, &few, x->links, x->left < most_each ? x->left : most_each) != 0)
        return -1;
    int waves = d.complete && d.cost <= most_each && d.cost <= x->left;
    x->left -= waves ? d.cost : (double)d.count;
    int rc = waves ? bine_waves_make(&l->waves[k], &d, rq->p)
                   : bine_quick_make(&l->quick[k], &d, x->links);
    bine_deeds_free(&d);
    return rc;
}

static int make_looks(struct bine_picker *x, const struct bine_request *rq, struct bine_look *l) {
    int k = first_segments(rq);
    if (l->looks == (k > 0 ? 2 : 1) && l->segments == (k > 0 ? k : rq->segments))
        return 0;
    forget(l);
    l->segments = k > 0 ? k : rq->segments;
    l->looks = k > 0 ? 2 : 1;
    int rc = look_at(x, rq, l->segments, l, 0);
    return rc == 0 && k > 0 ? look_at(x, rq, 2 * k, l, 1) : rc;
}

static int time_of(struct bine_picker *x, const struct bine_look *l, int k, int64_t bytes,
                   struct bine_waves_time *t) {
    x->left -= (double)l->waves[k].count;
    if (l->waves[k].count > 0)
        return bine_waves_run(&l->waves[k], x->links, bytes, t);
    *t = (struct bine_waves_time){bine_quick_time(&l->quick[k], x->links, bytes),
                                  bine_quick_least(&l->quick[k], x->links, bytes)};
    return 0;
}

/* A long pipeline from its first segments: once it is full, each takes as long as the one before.
 */
static int estimate(struct bine_picker *x, const struct bine_request *rq, int64_t bytes,
                    struct bine_pick *pick) {
    int large = rq->layout != bine_algorithm_layout(rq->algorithm, rq->p);
    struct bine_look *l = &x->look[BINE_PICKER_LOOKS * (rq->algorithm - bine_catalogue) + large];
    struct bine_waves_time few, more;
    int k = first_segments(rq);
    if (make_looks(x, rq, l) != 0) {
        forget(l);
        return -1;
    }
    int rc = time_of(x, l, 0, k > 0 ? bytes * k / rq->segments : bytes, &few);
    pick->seconds = few.seconds;
    pick->messages = l->waves[0].count == 0 ? HUGE_VAL : (double)l->waves[0].count / 2;
    if (k == 0 || rc != 0)
        return rc;
    rc = time_of(x, l, 1, bytes * 2 * k / rq->segments, &more);
    double slope = (more.seconds - few.seconds) / k, least = few.least / k;
    if (k < CONTINUE_SEGMENTS && slope > least) /* it is still filling */
        slope = (slope + least) / 2;
    pick->seconds = more.seconds + slope * (rq->segments - 2 * k);
    pick->messages *= (double)rq->segments / k;
    return rc;
}

static int ascending(const void *a, const void *b) {
    const struct bine_pick *x = a, *y = b;
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return x->algorithm < y->algorithm ? -1 : x->algorithm > y->algorithm;
}

/* Those that come first, event by event, and in their order again. */
static int execute(const struct bine_picker *x, int root, int64_t bytes, struct bine_pick *pick,
                   int n) {
    double left = most_messages, most = n > 0 ? near * pick[0].seconds : 0;
    for (int i = 0; i < n && x->links->p <= EXECUTE_RANKS && pick[i].seconds <= most; i++) {
        struct bine_request rq = request_of(x, pick[i].algorithm, root, bytes);
        struct bine_time t;
        if (pick[i].messages > left)
            continue;
        left -= pick[i].messages;
        if (bine_time_of(&rq, bytes, x->links, &t) != 0)
            return -1;
        pick[i].seconds = t.seconds;
    }
    qsort(pick, (size_t)n, sizeof *pick, ascending);
    return 0;
}

/* What was looked at for another root says nothing of this one. */
static void turn_to_root(struct bine_picker *x, int root) {
    for (size_t i = 0; i < BINE_PICKER_LOOKS * bine_catalogue_size && root != x->root; i++)
        if (bine_collective_is_rooted(bine_catalogue[i / BINE_PICKER_LOOKS].collective))
            forget(&x->look[i]);
    x->root = root;
}

int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]) {
    int n = 0;
    if (bine_collective_is_rooted(c))
        turn_to_root(x, root);
    x->left = most_steps;
    for (size_t i = 0; i < bine_catalogue_size && n < BINE_PICKS_MOST; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        char why[200];
        /* Links are between nodes: what boards cost, the model does not know. */
        if (a->collective != c || bine_algorithm_needs(a) == BINE_NEEDS_BOARDS ||
            (serves != NULL && !serves(self, a)))
            continue;
        struct bine_request rq = request_of(x, a, root, bytes);
        if (bine_request_error(&rq, why, sizeof why) != NULL)
            continue;
        pick[n].algorithm = a;
        if (estimate(x, &rq, bytes, &pick[n++]) != 0)
            return -1;
    }
    qsort(pick, (size_t)n, sizeof *pick, ascending);
    return execute(x, root, bytes, pick, n) != 0 ? -1 : n;
}
