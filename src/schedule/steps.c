/* How many steps an algorithm promises. */
#include "base/numbers.h"
#include "pattern/bine_family.h"
#include "pattern/ring.h"
#include "pattern/teams.h"
#include "schedule/catalogue.h"

static int power(int radix, int exponent) {
    int n = 1;
    while (exponent-- > 0)
        n *= radix;
    return n;
}

/* The layout send puts the blocks right with one more exchange; where two phases undo each other it
 * has nothing to do. Of two ranks nothing is out of place, but for the post-orders of tori. */
static int fix_steps(const struct bine_algorithm *a, int p, enum bine_layout l) {
    return l == BINE_SEND && p > (bine_algorithm_needs(a) == BINE_NEEDS_DIMS ? 1 : 2) &&
           bine_compositions[a->composition].sorts != BINE_SORTS_ITSELF;
}

static int dims_steps(const struct bine_algorithm *a, const struct bine_shape *dims) {
    int log = 0, fold = 0, rings = 0;
    for (int k = 0; k < dims->dims; k++) {
        int size = dims->size[k];
        log += bine_log2_ceil(size);
        fold += bine_log_floor(size, 2) + (bine_is_pow2(size) ? 0 : 2);
        rings += size - 1;
    }
    switch (a->steps) {
    case BINE_STEPS_TWO_DIMS:
        return 2 * log;
    case BINE_STEPS_DIMS_FOLD:
        return fold;
    case BINE_STEPS_DIMS_RINGS:
        return rings;
    case BINE_STEPS_TWO_DIMS_RINGS:
        return 2 * rings;
    default:
        return log;
    }
}

int bine_algorithm_steps_on(const struct bine_algorithm *a, int p, const struct bine_shape *dims,
                            enum bine_layout l) {
    if (bine_algorithm_needs(a) != BINE_NEEDS_DIMS)
        return bine_algorithm_steps(a, p, l);
    return p == 1 ? 0 : dims == NULL ? -1 : dims_steps(a, dims) + fix_steps(a, p, l);
}

int bine_algorithm_steps(const struct bine_algorithm *a, int p, enum bine_layout l) {
    int log = bine_log2_ceil(p), whole;
    struct bine_rounds rounds;
    if (p == 1)
        return 0;
    switch (a->steps) {
    case BINE_STEPS_LOG:
        return log + fix_steps(a, p, l);
    case BINE_STEPS_TWO_LOG:
        return 2 * log;
    case BINE_STEPS_LOG_ONE:
        return log + 1;
    case BINE_STEPS_FOLD:
        return bine_is_pow2(p) ? log : log + 1;
    case BINE_STEPS_RING:
        return p - 1;
    case BINE_STEPS_TWO_RINGS:
        return 2 * (p - 1);
    case BINE_STEPS_BUCKET:
        return bine_bucket_rows(p) + p / bine_bucket_rows(p) - 2;
    case BINE_STEPS_TWO_BUCKETS:
        return 2 * (bine_bucket_rows(p) + p / bine_bucket_rows(p) - 2);
    case BINE_STEPS_HALF:
        return p / 2;
    case BINE_STEPS_RADIX:
        return bine_log_ceil(p, a->radix);
    case BINE_STEPS_TWO_RADIX:
        return 2 * bine_log_ceil(p, a->radix);
    case BINE_STEPS_POSTAL:
        return bine_postal_steps(p, a->radix);
    case BINE_STEPS_POSTAL_LEVELS:
        return bine_postal_levels(p, a->radix);
    case BINE_STEPS_MULTIPLY_TWO:
        whole = bine_log_floor(p, a->radix);
        return 2 * whole + (power(a->radix, whole) == p ? 0 : 2);
    case BINE_STEPS_MULTIPLY:
        whole = bine_log_floor(p, a->radix);
        return power(a->radix, whole) == p ? whole : whole + 2;
    case BINE_STEPS_ROUNDS:
        rounds = bine_rounds_of(p, a->radix);
        return rounds.steps + (rounds.members == p ? 0 : 2);
    case BINE_STEPS_THROTTLED:
        return (p - 2) / a->radix + 1;
    case BINE_STEPS_LOG_RING:
        return log + p - 1;
    case BINE_STEPS_FOLD_REDUCE:
        return bine_is_pow2(p) ? 2 * log : 2 * log - 1;
    case BINE_STEPS_FOLD_TWO:
        return 2 * log;
    case BINE_STEPS_FOLD_THREE:
        return bine_is_pow2(p) ? 2 * log : 2 * log + 1;
    case BINE_STEPS_ONE:
        return 1;
    case BINE_STEPS_TWO:
        return 2;
    case BINE_STEPS_TEAMS:
        return bine_teams(p) > 1 ? 2 : 1;
    case BINE_STEPS_DIMS:
    case BINE_STEPS_TWO_DIMS:
    case BINE_STEPS_DIMS_FOLD:
    case BINE_STEPS_DIMS_RINGS:
    case BINE_STEPS_TWO_DIMS_RINGS:
    case BINE_STEPS_PIPELINE:
    case BINE_STEPS_SPLIT_PIPELINE:
    case BINE_STEPS_TWO_PIPELINES:
    case BINE_STEPS_CIRCULANT:
    case BINE_STEPS_SEGMENTED_RINGS:
    case BINE_STEPS_GROUPS:
    case BINE_STEPS_NOT_SAID:
        break;
    }
    return -1;
}

/* The trees that the segments of a pipeline take turns on, each with the stride for every further
 * segment on it. The halves of a split one are exchanged in one step at the end, which is the last
 * one of the trees; of two ranks, the second half alone comes at the end. */
static int pipeline_steps(const struct bine_algorithm *a, int p, int segments) {
    int steps = 0, split = a->steps == BINE_STEPS_SPLIT_PIPELINE;
    for (int k = 0; k < a->trees && k < segments; k++) {
        struct bine_tree *t = bine_algorithm_turn_tree(a, p, k);
        if (t == NULL)
            return BINE_STEPS_NO_MEMORY;
        int end = t->steps + a->stride * ((segments - 1 - k) / a->trees);
        end -= split && (k > 0 || p > 2);
        steps = bine_max(end, steps);
        bine_tree_free(t);
    }
    return steps + (split && (p > 2 || segments > 1));
}

int bine_promised_steps(const struct bine_algorithm *a, const struct bine_schedule *s) {
    int steps = bine_algorithm_steps_on(a, s->p, &s->dims, s->layout);
    if (steps >= 0)
        return steps;
    switch (a->steps) {
    case BINE_STEPS_PIPELINE:
    case BINE_STEPS_SPLIT_PIPELINE:
        return pipeline_steps(a, s->p, s->blocks);
    case BINE_STEPS_TWO_PIPELINES:
        steps = pipeline_steps(a, s->p, s->blocks);
        return steps < 0 ? steps : 2 * steps;
    case BINE_STEPS_CIRCULANT:
        return s->blocks - 1 + bine_log2_ceil(s->p);
    case BINE_STEPS_SEGMENTED_RINGS:
        return (s->blocks / s->p + 1) * (s->p - 1);
    default:
        return BINE_STEPS_UNKNOWN;
    }
}
