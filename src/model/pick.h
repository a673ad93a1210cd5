/* Which algorithms are fastest on a network, for one collective and size.
 *
 * Each that serves is looked at: by the model in waves (model/waves.h) where that costs little or
 * the edges of groups can be counted, else by the quick form (model/quick.h) from a sample of
 * ranks. What that says may be fast is then looked at in waves, the fastest first, as long as the
 * answer may cost that. A look serves all sizes. Long pipelines are looked at with few segments,
 * twice, and continued from there: their time grows by the same amount with each.
 *
 * Where there are not too many messages, those that come out first, and near each other, are then
 * executed event by event (model/time.h).
 *
 * What cannot come among the first, because it already takes longer, is not followed to its end.
 *
 * What an answer may cost is limited, in units of building and looking rather than in time, so that
 * the same question gets the same answer everywhere, whatever was asked before: what was looked at
 * before is counted as if it were looked at again. When that is spent, the quick form's time is the
 * answer for the rest. */
#ifndef BINE_MODEL_PICK_H
#define BINE_MODEL_PICK_H

#include "model/quick.h"
#include "model/waves.h"

/* Each row of the catalogue is looked at in the layout of small blocks and in that of large
 * ones. */
enum { BINE_PICKS_MOST = 64, BINE_PICKS_FIRST = 3, BINE_PICKER_LOOKS = 2 };

/* What was looked at, with so many segments: by the quick form, in waves, or both. */
struct bine_look {
    struct bine_waves waves;
    struct bine_quick quick;
    int segments;             /* that it was made for */
    int has_waves, has_quick; /* made already */
    double waves_cost;        /* of making them and running them once */
    double quick_cost;
    double expected; /* what waves will cost, as far as the first look knows */
};

/* A long pipeline is looked at with few segments, and with twice as many. */
struct bine_looks {
    struct bine_look look[2];
};

/* What a job's ranks know of themselves, and what was looked at before. */
struct bine_picker {
    const struct bine_links *links;
    const struct bine_groups *groups; /* or NULL */
    const struct bine_shape *dims;    /* or NULL */
    int ports;                        /* that torus algorithms may use; 0: one */
    struct bine_looks *looks;         /* of each row of the catalogue, in both layouts */
    int root;                         /* that rooted ones were looked at for */
    double look_cost;                 /* of a deed on these links, as in model/deeds.h */
    double left;                      /* what this answer may still cost, as in model/deeds.h */
};

struct bine_pick {
    const struct bine_algorithm *algorithm;
    double seconds;
    double messages; /* of all ranks; HUGE_VAL: not known, it was looked at by the quick form */
};

/* 0, or -1 when out of memory. What it is given must outlive it. */
int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims);
void bine_picker_close(struct bine_picker *x);

/* How an algorithm would run: what the picker judges. */
struct bine_request bine_picker_request(const struct bine_picker *x, const struct bine_algorithm *a,
                                        int root, int64_t bytes);

/* The algorithms that serve, the fastest first. The seconds are right for the first few; behind
 * them, they may be less than it takes. `serves` may refuse some; NULL: all. Returns how
 * many there are, or -1 when out of memory. */
typedef int bine_serves(void *self, const struct bine_algorithm *a);
int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]);

#endif
