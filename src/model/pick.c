#include "model/pick.h"
#include "model/time.h"

#include <stdlib.h>

/* The full model looks at this many, those within this factor of the first, up to so many ranks
 * times segments. */
enum { FULL_MOST = 6, FULL_RANKS = 128, FULL_TREES = 2048 };
static const double full_within = 1.6;

int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims) {
    *x = (struct bine_picker){.links = links, .groups = groups, .dims = dims, .full = 1};
    x->quick = calloc(bine_catalogue_size, sizeof *x->quick);
    x->segments = calloc(bine_catalogue_size, sizeof *x->segments);
    if (x->quick != NULL && x->segments != NULL)
        return 0;
    bine_picker_close(x);
    return -1;
}

void bine_picker_close(struct bine_picker *x) {
    for (size_t i = 0; i < bine_catalogue_size && x->quick != NULL; i++)
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
                                 .layout = bine_algorithm_layout(a, p),
                                 .segments = bine_segments_for(a, p, bytes),
                                 .groups = needs == BINE_NEEDS_GROUPS ? x->groups : NULL,
                                 .dims = needs == BINE_NEEDS_DIMS ? x->dims : NULL};
}

static int look(struct bine_picker *x, const struct bine_request *rq, int64_t bytes,
                struct bine_pick *pick) {
    size_t row = (size_t)(rq->algorithm - bine_catalogue);
    struct bine_quick *q = &x->quick[row];
    if (q->steps == 0 || x->segments[row] != rq->segments) {
        bine_quick_free(q);
        if (bine_quick_make(q, rq, x->links) != 0)
            return -1;
        x->segments[row] = rq->segments;
    }
    *pick = (struct bine_pick){rq->algorithm, bine_quick_time(q, x->links, bytes)};
    return 0;
}

static int ascending(const void *a, const void *b) {
    const struct bine_pick *x = a, *y = b;
    if (x->seconds < y->seconds || x->seconds > y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return x->algorithm < y->algorithm ? -1 : x->algorithm > y->algorithm;
}

/* Whether the schedules of all ranks are executed in a moment: few ranks, or one message a rank. */
static int is_short(const struct bine_request *rq) {
    if (rq->p <= FULL_RANKS)
        return rq->segments * rq->p <= 64 * FULL_RANKS;
    return rq->p <= FULL_TREES && rq->segments <= 1 &&
           bine_collective_is_rooted(rq->algorithm->collective) && rq->layout == BINE_BLOCKS;
}

static int compare_in_full(struct bine_picker *x, int root, int64_t bytes, struct bine_pick *pick,
                           int n) {
    double limit = n > 0 ? full_within * pick[0].seconds : 0;
    int looked = 0;
    for (int i = 0; i < n && i < FULL_MOST && pick[i].seconds <= limit; i++, looked++) {
        struct bine_request rq = request_of(x, pick[i].algorithm, root, bytes);
        struct bine_time t;
        if (!is_short(&rq))
            continue;
        if (bine_time_of(&rq, bytes, x->links, &t) != 0)
            return -1;
        pick[i].seconds = t.seconds;
    }
    qsort(pick, (size_t)looked, sizeof *pick, ascending);
    return 0;
}

int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]) {
    int n = 0;
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
        if (look(x, &rq, bytes, &pick[n++]) != 0)
            return -1;
    }
    qsort(pick, (size_t)n, sizeof *pick, ascending);
    if (x->full && compare_in_full(x, root, bytes, pick, n) != 0)
        return -1;
    return n;
}
