/* Proof of a schedule: the schedules of all ranks are executed together, symbolically.
 *
 * What is proved: every rank ends with exactly the data it must have, every contribution exactly
 * once (in rank order where the algorithm promises it), the same expression on all ranks of an
 * allreduce; nothing is read before it is written; no message overwrites what is being sent or
 * received at the same step; `in` is never written; in place, nothing is lost by the aliasing;
 * every message meets one of the same blocks in the same order, cut into the same transfers, at the
 * same time; no deadlock even if every send waits for its receive; strands do not touch each
 * other's pieces; steps and volume are as the catalogue promises.
 *
 * On boards: every rank publishes consecutive blocks, once at a time; what is read is published by
 * a rank of the same node at this time, in these blocks; a slot of two is written again when all
 * have passed it, and nobody waits in vain for that; what is exposed is not written before all are
 * through with it. */
#ifndef BINE_SCHEDULE_CHECK_CHECK_H
#define BINE_SCHEDULE_CHECK_CHECK_H

#include "schedule/catalogue.h"

struct bine_verdict {
    int rank, time;    /* where it failed; -1 if at no single place */
    char message[256]; /* the fault there */
    uint64_t messages; /* transfers posted, as proved */
    uint64_t pieces;   /* pieces received over the network, all ranks together */
};

/* 0: proved; 1: wrong, see the verdict; -1: out of memory. The promises are in the algorithm. */
int bine_check(struct bine_schedule *const *rank, const struct bine_algorithm *a,
               struct bine_verdict *verdict);

#endif
