/* Which algorithms are fastest on a network, for one collective and size.
 *
 * The quick form of the model orders all that serve. Where the schedules of all ranks are few
 * enough to be executed, the first few are then compared by the full model: what the quick form
 * gets wrong is mostly among those. */
#ifndef BINE_MODEL_PICK_H
#define BINE_MODEL_PICK_H

#include "model/quick.h"

enum { BINE_PICKS_MOST = 64 };

/* What a job's ranks know of themselves, and what was looked at before. */
struct bine_picker {
    const struct bine_links *links;
    const struct bine_groups *groups; /* or NULL */
    const struct bine_shape *dims;    /* or NULL */
    int full;                         /* compare by the full model where that is quick */
    struct bine_quick *quick;         /* of each row of the catalogue; steps 0: not made yet */
    int *segments;                    /* that it was made for */
};

struct bine_pick {
    const struct bine_algorithm *algorithm;
    double seconds;
};

/* 0, or -1 when out of memory. What it is given must outlive it. */
int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims);
void bine_picker_close(struct bine_picker *x);

/* The algorithms that serve, the fastest first. `serves` may refuse some; NULL: all. Returns how
 * many there are, or -1 when out of memory. */
typedef int bine_serves(void *self, const struct bine_algorithm *a);
int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]);

#endif
