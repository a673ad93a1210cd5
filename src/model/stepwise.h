/* The stepwise model: for choosing inside a program, where model/time.h would take too long.
 *
 * As there, every rank has its own clock, messages are eager or wait for both ends, and queue at
 * the links on their way. But the ranks' work is known from a few of them (model/work.h), once for
 * all sizes; and messages pass the links in the order of their steps, and within a step in the
 * order in which they come to them, where there they pass strictly in the order of time. */
#ifndef BINE_MODEL_STEPWISE_H
#define BINE_MODEL_STEPWISE_H

#include "model/work.h"

struct bine_stepwise {
    struct bine_work_item *item; /* of all ranks, by wave, rank and strand; or of rank 0 for all */
    uint32_t *other;             /* of each that sends: the one that receives it, counted from the
                               beginning of its wave, in its rank's where rank 0 stands for all */
    int symmetric;
    struct bine_tree like; /* as in model/work.h */
    size_t count;          /* of all ranks */
    size_t *wave;          /* where each begins, and the end of the last */
    int stepwise, p, strands, staggered;
};

/* From the work items of all ranks, or of rank 0 for all; they are taken away. 0, or -1 when out of
 * memory. */
int bine_stepwise_make(struct bine_stepwise *w, struct bine_work_list *d, int p);
struct bine_stepwise_time {
    double seconds;
    double least; /* the time of its busiest link and its busiest rank, however steps overlap */
    double work;  /* that were looked at */
};
/* 0, or -1 when out of memory. An execution beyond `most` seconds is not followed to its end: its
 * time is then the time so far. */
int bine_stepwise_run(const struct bine_stepwise *w, const struct bine_links *links, int64_t bytes,
                      double most, struct bine_stepwise_time *t);
/* The work items of its largest wave, of all ranks or of rank 0. */
size_t bine_stepwise_most(const struct bine_stepwise *w);
void bine_stepwise_free(struct bine_stepwise *w);

#endif
