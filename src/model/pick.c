#include "model/pick.h"
#include "model/time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So many messages are executed for one choice, and so many for one algorithm, at most. */
static const double most_messages = 120000, most_each = 30000;
/* Pipelines of more ranks than this, and of more segments than twice this, are continued. */
enum { CONTINUE_RANKS = 16, CONTINUE_SEGMENTS = 4, CONTINUE_MOST = 16 };

int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims) {
    *x = (struct bine_picker){.links = links, .groups = groups, .dims = dims, .full = 1};
    x->quick = calloc(BINE_PICKER_LOOKS * bine_catalogue_size, sizeof *x->quick);
    x->segments = calloc(BINE_PICKER_LOOKS * bine_catalogue_size, sizeof *x->segments);
    if (x->quick != NULL && x->segments != NULL)
        return 0;
    bine_picker_close(x);
    return -1;
}

void bine_picker_close(struct bine_picker *x) {
    for (size_t i = 0; i < BINE_PICKER_LOOKS * bine_catalogue_size && x->quick != NULL; i++)
        bine_quick_free(&x->quick[i]);
    free(x->quick);
    free(x->segments);
    *x = (struct bine_picker){0};
}

static struct bine_request request_of(const struct bine_picker *x, const struct bine_algorithm *a,
                                      int root, int64_t bytes) {
    int p = x->links->p;
    enum bine_needs needs = bine_algorithm_needs(a);
    return (struct bine_request){.algorithm = a,
                                 .p = p,
                                 .root = root,
                                 .layout = bine_algorithm_layout_at(a, p, bytes),
                                 .segments = bine_segments_for(a, p, bytes),
                                 .groups = needs == BINE_NEEDS_GROUPS ? x->groups : NULL,
                                 .dims = needs == BINE_NEEDS_DIMS ? x->dims : NULL};
}

static int is_continued(const struct bine_request *rq) {
    return rq->p > CONTINUE_RANKS && rq->segments > 2 * CONTINUE_SEGMENTS;
}

/* A long pipeline is looked at with few segments. */
static int look(struct bine_picker *x, const struct bine_request *rq, int64_t bytes,
                struct bine_pick *pick) {
    int large = rq->layout != bine_algorithm_layout(rq->algorithm, rq->p);
    size_t row = BINE_PICKER_LOOKS * (size_t)(rq->algorithm - bine_catalogue) + (size_t)large;
    struct bine_quick *q = &x->quick[row];
    struct bine_request few = *rq;
    double part = 1;
    if (is_continued(rq)) {
        few.segments = 2 * CONTINUE_SEGMENTS;
        part = (double)few.segments / rq->segments;
    }
    if (q->steps == 0 || x->segments[row] != few.segments) {
        bine_quick_free(q);
        if (bine_quick_make(q, &few, x->links) != 0)
            return -1;
        x->segments[row] = few.segments;
    }
    int64_t n = (int64_t)(part * (double)bytes);
    double least = bine_quick_least(q, x->links, n);
    *pick =
        (struct bine_pick){rq->algorithm, bine_quick_time(q, x->links, n) + (1 / part - 1) * least,
                           least / part, q->messages / part};
    return 0;
}

static int ascending(const void *a, const void *b) {
    const struct bine_pick *x = a, *y = b;
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return x->algorithm < y->algorithm ? -1 : x->algorithm > y->algorithm;
}

static int time_of(const struct bine_picker *x, const struct bine_request *rq, int segments,
                   int64_t bytes, double *seconds) {
    struct bine_request one = *rq;
    struct bine_time t;
    one.segments = segments;
    int rc =
        bine_time_of(&one, bytes * segments / (rq->segments > 0 ? rq->segments : 1), x->links, &t);
    *seconds = t.seconds;
    return rc;
}

/* How many segments a long pipeline is executed with, and then twice as many: as many as its share
 * of messages allows. */
static int first_segments(const struct bine_request *rq, const struct bine_pick *pick) {
    int k = CONTINUE_MOST;
    while (k > 1 && 3 * k > rq->segments)
        k /= 2;
    while (k > 1 && pick->messages * 3 * k / rq->segments > most_each)
        k /= 2;
    return k;
}

static double messages_of(const struct bine_request *rq, const struct bine_pick *pick) {
    return is_continued(rq) ? pick->messages * 3 * first_segments(rq, pick) / rq->segments
                            : pick->messages;
}

/* By the full model; a long pipeline from its first segments. */
static int execute(const struct bine_picker *x, const struct bine_request *rq, int64_t bytes,
                   struct bine_pick *pick) {
    double few, more;
    int k = first_segments(rq, pick);
    if (!is_continued(rq)) {
        struct bine_time t;
        int rc = bine_time_of(rq, bytes, x->links, &t);
        pick->seconds = t.seconds;
        return rc;
    }
    if (time_of(x, rq, k, bytes, &few) != 0 || time_of(x, rq, 2 * k, bytes, &more) != 0)
        return -1;
    double slope = (more - few) / k, least = pick->least / rq->segments;
    if (k < CONTINUE_SEGMENTS && slope > least) /* it is still filling */
        slope = (slope + least) / 2;
    pick->seconds = more + slope * (rq->segments - 2 * k);
    return 0;
}

/* Between the least time and the time without overlap. */
static double promise(const struct bine_pick *p) {
    return sqrt(p->least * p->seconds);
}

static int by_promise(const void *a, const void *b) {
    const struct bine_pick *x = a, *y = b;
    if (promise(x) < promise(y) || promise(x) > promise(y))
        return promise(x) < promise(y) ? -1 : 1;
    return x->algorithm < y->algorithm ? -1 : x->algorithm > y->algorithm;
}

/* What was looked at for another root says nothing of this one. */
static void turn_to_root(struct bine_picker *x, int root) {
    for (size_t i = 0; i < BINE_PICKER_LOOKS * bine_catalogue_size && root != x->root; i++)
        if (bine_collective_is_rooted(bine_catalogue[i / BINE_PICKER_LOOKS].collective))
            bine_quick_free(&x->quick[i]);
    x->root = root;
}

int bine_picker_list(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]) {
    int n = 0;
    if (bine_collective_is_rooted(c))
        turn_to_root(x, root);
    for (size_t i = 0; i < bine_catalogue_size && n < BINE_PICKS_MOST; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        char why[200];
        /* Links are between nodes: what boards cost, the model does not know. */
        if (a->collective != c || bine_algorithm_needs(a) == BINE_NEEDS_BOARDS ||
            (serves != NULL && !serves(self, a)))
            continue;
        struct bine_request rq = request_of(x, a, root, bytes);
        if (bine_request_error(&rq, why, sizeof why) == NULL)
            pick[n++] = (struct bine_pick){a, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    }
    return n;
}

int bine_picker_look(struct bine_picker *x, int root, int64_t bytes, struct bine_pick *pick) {
    struct bine_request rq = request_of(x, pick->algorithm, root, bytes);
    return look(x, &rq, bytes, pick);
}

int bine_picker_execute(const struct bine_picker *x, int root, int64_t bytes,
                        struct bine_pick *pick) {
    struct bine_request rq = request_of(x, pick->algorithm, root, bytes);
    return execute(x, &rq, bytes, pick);
}

/* None can be better than its least time, and the best is no worse than any time without overlap.
 */
int bine_picker_promising(const struct bine_picker *x, int root, int64_t bytes,
                          struct bine_pick *pick, int n) {
    double left = most_messages, best = HUGE_VAL;
    int k = 0;
    qsort(pick, (size_t)n, sizeof *pick, by_promise);
    for (int i = 0; i < n; i++)
        best = pick[i].seconds < best ? pick[i].seconds : best;
    for (int i = 0; i < n && x->full && n > 1; i++) {
        struct bine_request rq = request_of(x, pick[i].algorithm, root, bytes);
        double messages = messages_of(&rq, &pick[i]);
        if (pick[i].least > best || messages > most_each || messages > left)
            continue;
        left -= messages;
        struct bine_pick next = pick[i];
        memmove(&pick[k + 1], &pick[k], (size_t)(i - k) * sizeof *pick);
        pick[k++] = next;
    }
    return k;
}

void bine_picks_sort(struct bine_pick *pick, int n) {
    qsort(pick, (size_t)n, sizeof *pick, ascending);
}

int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]) {
    int n = bine_picker_list(x, c, root, bytes, serves, self, pick);
    for (int i = 0; i < n; i++)
        if (bine_picker_look(x, root, bytes, &pick[i]) != 0)
            return -1;
    int k = bine_picker_promising(x, root, bytes, pick, n);
    for (int i = 0; i < k; i++)
        if (bine_picker_execute(x, root, bytes, &pick[i]) != 0)
            return -1;
    bine_picks_sort(pick, n);
    return n;
}
