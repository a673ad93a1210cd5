/* The quick form of the model: for choosing inside a program, at any number of ranks.
 *
 * model/time.h executes the schedules of all ranks. Building them alone takes too long where a
 * communicator of a thousand ranks is to choose among the whole catalogue. Here a few ranks stand
 * for all: most algorithms are symmetric (rank r does what rank 0 does, with its peers shifted,
 * mirrored for odd r, or by exclusive or), and for the others a sample of ranks is scaled up. Ranks
 * are taken to go from step to step together, so a step takes what its slowest link, its processor
 * and its latency take:
 *
 *     T(n) = sum over steps of  max(latency + sent * cost, messages * cost) + n * (link + work)
 *
 * Where eager messages go round in a ring, each passes every link once: there the latency of a step
 * is the mean, not the most. That is linear in the bytes n but for one thing, messages that are
 * small enough to be eager; so one look at an algorithm serves all sizes. Pipelines are looked at
 * for each number of segments.
 */
#ifndef BINE_MODEL_QUICK_H
#define BINE_MODEL_QUICK_H

#include "model/deeds.h"

struct bine_quick_step {
    double latency;  /* of its furthest message, */
    double usual;    /* and of all of them in the mean */
    double messages; /* that the busiest rank posts, */
    double sent;     /* and posts until its last send has left */
    double link;     /* seconds for each byte of the vector, on the slowest link */
    double work;     /* seconds for each byte, at the busiest processor */
    double largest;  /* message, as a share of the vector */
    int32_t repeat;  /* so many steps are alike */
};

/* All zero is empty. */
struct bine_quick {
    struct bine_quick_step *step;
    size_t steps, room;
    /* Over all steps: the busiest link and the busiest rank, for each byte; messages of all. */
    double link, work, posts, messages;
    double looks; /* at a deed, that it took to make it */
};

/* From deeds, which are sorted by time. 0, or -1 when out of memory. */
int bine_quick_make(struct bine_quick *q, struct bine_deeds *d, const struct bine_links *links);
double bine_quick_time(const struct bine_quick *q, const struct bine_links *links, int64_t bytes);
/* What its busiest link and its busiest rank take at least, however steps overlap. */
double bine_quick_least(const struct bine_quick *q, const struct bine_links *links, int64_t bytes);
void bine_quick_free(struct bine_quick *q);

#endif
