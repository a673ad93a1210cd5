/* Which algorithms are fastest on a network, for one collective and size.
 *
 * Each that serves is estimated, first in the layout that rules give it: by the stepwise model
 * (model/stepwise.h) where that costs little or the edges of groups can be counted, else by the
 * analytic one (model/analytic.h) from a sample of ranks. Algorithms that may be fast by it are
 * then estimated stepwise, the fastest first, as long as the answer may cost that. An estimate
 * serves all sizes. Long pipelines are estimated with few segments, twice, and continued from
 * there: their time grows by an equal amount with each.
 *
 * Where there are not too many messages, candidates that come out first, near each other, are then
 * executed event by event (model/time.h).
 *
 * A candidate that cannot come among the first, because it already takes longer, is not followed to
 * its end.
 *
 * The cost of an answer is limited, in units of building and looking rather than in time, so that
 * equal queries get equal answers everywhere, whatever was asked before: what was looked at
 * before is counted as if it were looked at again. When that is spent, the quick form's time is the
 * answer for the rest. */
#ifndef BINE_MODEL_PICK_H
#define BINE_MODEL_PICK_H

#include "model/analytic.h"
#include "model/stepwise.h"

/* Each row of the catalogue is looked at in every layout that it has, where the answer may cost
 * that. */
enum { BINE_PICKS_MOST = 160, BINE_PICKS_FIRST = 3 };

/* Estimates with one number of segments: analytic, stepwise, or both. */
struct bine_estimate {
    struct bine_stepwise stepwise;
    struct bine_analytic analytic;
    int segments;                   /* that it was made for */
    int has_stepwise, has_analytic; /* made already */
    double stepwise_cost;           /* of making them and running them once */
    double analytic_cost;
    double expected; /* the cost of the stepwise estimate, as far as the analytic one knows */
};

/* A long pipeline is looked at with few segments, and with twice as many. */
struct bine_estimates {
    struct bine_estimate estimate[2];
};

/* The place of a job's ranks, and earlier estimates. */
struct bine_picker {
    const struct bine_links *links;
    const struct bine_groups *groups; /* or NULL */
    const struct bine_shape *dims;    /* or NULL */
    int ports;                        /* that torus algorithms may use; 0: one */
    struct bine_estimates *estimates; /* of each row of the catalogue, in each layout */
    int root;                         /* that rooted ones were looked at for */
    double estimate_cost;             /* of a work item on these links, as in model/work.h */
    double patience; /* the budget of an answer is so many times the usual one; 0: once */
    double left;     /* the rest of the budget of this answer, as in model/work.h */
};

struct bine_pick {
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    double seconds;
    double messages; /* of all ranks; HUGE_VAL: not known, it was looked at by the quick form */
};

/* 0, or -1 when out of memory. Its arguments must outlive it. */
int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims);
void bine_picker_close(struct bine_picker *x);

/* The spec by which the picker judges an algorithm. */
struct bine_spec bine_picker_spec(const struct bine_picker *x, const struct bine_algorithm *a,
                                  enum bine_layout layout, int root, int64_t bytes);

/* The algorithms that serve, the fastest first. The seconds are right for the first few; behind
 * them, they may be less than it takes. `serves` may refuse some; NULL: all. Returns how
 * many there are, or -1 when out of memory. */
typedef int bine_serves(void *self, const struct bine_algorithm *a);
int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]);

#endif
