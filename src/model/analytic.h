/* The analytic model: for choosing inside a program, at any number of ranks.
 *
 * model/time.h executes the schedules of all ranks. Building them alone takes too long where a
 * communicator of a thousand ranks is to choose among the whole catalogue. Here a few ranks stand
 * for all: most algorithms are symmetric (rank r does as rank 0 does, with its peers shifted,
 * mirrored for odd r, or by exclusive or), and for the others a sample of ranks is scaled up. Ranks
 * are taken to go from step to step together, so a step takes as long as its slowest link, its
 * processor and its latency take:
 *
 *     T(n) = sum over steps of  max(latency + sent * cost, messages * cost) + n * (link + work)
 *
 * Where eager messages go round in a ring, each passes every link once: there the latency of a step
 * is the mean, not the most. That is linear in the bytes n but for one thing, messages that are
 * small enough to be eager; so one estimate of an algorithm serves all sizes. Pipelines are
 * estimated for each number of segments.
 */
#ifndef BINE_MODEL_ANALYTIC_H
#define BINE_MODEL_ANALYTIC_H

#include "model/work.h"

struct bine_analytic_step {
    double latency;  /* of its furthest message, */
    double usual;    /* and of all of them in the mean */
    double messages; /* that the busiest rank posts, */
    double sent;     /* and posts until its last send has left, or receives, one after the other */
    double link;     /* seconds for each byte of the vector, on the slowest link */
    double work;     /* seconds for each byte, at the busiest processor */
    double largest;  /* message, as a share of the vector */
    int32_t repeat;  /* the number of equal steps */
};

/* All zero is empty. */
struct bine_analytic {
    struct bine_analytic_step *step;
    size_t steps, room;
    /* Over all steps: the busiest link and the busiest rank, for each byte; messages of all. */
    double link, work, posts, messages;
    double estimated; /* the number of work items that were looked at to make it */
};

/* From work items, which are sorted by time. 0, or -1 when out of memory. */
int bine_analytic_make(struct bine_analytic *q, struct bine_work_list *d,
                       const struct bine_links *links);
double bine_analytic_time(const struct bine_analytic *q, const struct bine_links *links,
                          int64_t bytes);
/* The least time of its busiest link and its busiest rank, however steps overlap. */
double bine_analytic_least(const struct bine_analytic *q, const struct bine_links *links,
                           int64_t bytes);
void bine_analytic_free(struct bine_analytic *q);

#endif
