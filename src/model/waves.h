/* The model in waves: for choosing inside a program, where model/time.h would take too long.
 *
 * As there, every rank has its own clock, messages are eager or wait for both ends, and queue at
 * the links on their way. But what ranks do is known from a few of them (model/deeds.h), once for
 * all sizes; and messages pass the links in the order of their steps, and within a step in the
 * order in which they come to them, where there they pass strictly in the order of time. */
#ifndef BINE_MODEL_WAVES_H
#define BINE_MODEL_WAVES_H

#include "model/deeds.h"

struct bine_waves {
    struct bine_deed *deed; /* of all ranks, by wave, rank and strand; or of rank 0 for all */
    uint32_t *other;        /* of each that sends: the one that receives it, counted from the
                               beginning of its wave, in its rank's where rank 0 stands for all */
    int symmetric;
    struct bine_tree like; /* as in model/deeds.h */
    size_t count;          /* of all ranks */
    size_t *wave;          /* where each begins, and the end of the last */
    int waves, p, strands, staggered;
};

/* From deeds of all ranks, or of rank 0 for all; they are taken away. 0, or -1 when out of memory.
 */
int bine_waves_make(struct bine_waves *w, struct bine_deeds *d, int p);
struct bine_waves_time {
    double seconds;
    double least; /* what its busiest link and its busiest rank take, however steps overlap */
    double deeds; /* that were looked at */
};
/* 0, or -1 when out of memory. What takes longer than `most` seconds is not followed to its end:
 * its time is then what it took so far. */
int bine_waves_run(const struct bine_waves *w, const struct bine_links *links, int64_t bytes,
                   double most, struct bine_waves_time *t);
/* The deeds of its largest wave, of all ranks or of rank 0. */
size_t bine_waves_most(const struct bine_waves *w);
void bine_waves_free(struct bine_waves *w);

#endif
