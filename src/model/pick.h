/* Which algorithms are fastest on a network, for one collective and size.
 *
 * The quick form of the model gives each that serves two numbers: the time if ranks go from step to
 * step together, and the least time that its busiest link and its busiest rank take. Steps of
 * pipelines and trees overlap, so the truth lies between the two. The full model then executes the
 * most promising ones, until none is left whose least time is below the best, or until it has
 * executed so many messages that a choice would take too long. Long pipelines are executed with few
 * segments, twice, and continued from there: their time grows by the same amount with each. */
#ifndef BINE_MODEL_PICK_H
#define BINE_MODEL_PICK_H

#include "model/quick.h"

/* Each row of the catalogue is looked at in the layout of small blocks and in that of large ones. */
enum { BINE_PICKS_MOST = 64, BINE_PICKER_LOOKS = 2 };

/* What a job's ranks know of themselves, and what was looked at before. */
struct bine_picker {
    const struct bine_links *links;
    const struct bine_groups *groups; /* or NULL */
    const struct bine_shape *dims;    /* or NULL */
    int full;                         /* compare by the full model where that is quick */
    struct bine_quick *quick;         /* of each row, in both layouts; steps 0: not made yet */
    int *segments;                    /* that it was made for */
    int root;                         /* the same */
};

struct bine_pick {
    const struct bine_algorithm *algorithm;
    double seconds;
    double least;    /* what its busiest link and rank take */
    double messages; /* of all ranks */
};

/* 0, or -1 when out of memory. What it is given must outlive it. */
int bine_picker_open(struct bine_picker *x, const struct bine_links *links,
                     const struct bine_groups *groups, const struct bine_shape *dims);
void bine_picker_close(struct bine_picker *x);

/* In stages, which several processes may share: all that serve, not looked at yet; one look by the
 * quick form; the most promising ones moved to the front, and how many of them are to be executed
 * by the full model; one executed; and all in their order. -1 when out of memory. */
typedef int bine_serves(void *self, const struct bine_algorithm *a);
int bine_picker_list(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]);
int bine_picker_look(struct bine_picker *x, int root, int64_t bytes, struct bine_pick *pick);
int bine_picker_promising(const struct bine_picker *x, int root, int64_t bytes,
                          struct bine_pick *pick, int n);
int bine_picker_execute(const struct bine_picker *x, int root, int64_t bytes,
                        struct bine_pick *pick);
void bine_picks_sort(struct bine_pick *pick, int n);

/* All stages: the algorithms that serve, the fastest first. `serves` may refuse some; NULL: all.
 * Returns how many there are, or -1 when out of memory. */
int bine_picker_pick(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                     bine_serves *serves, void *self, struct bine_pick pick[BINE_PICKS_MOST]);

#endif
