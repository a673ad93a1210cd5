/* The loopback: p ranks in one process, for tests of the engine without MPI.
 *
 * Ranks run by turns (one thread; whenever a rank would wait, a seeded draw picks the rank that
 * goes on) or by threads. A message that has met its receive is on its way until a draw delivers
 * it, so that messages complete in any order. A short send may be complete at once, as a draw says,
 * or wait for its receive as long ones do. Faults can be set: receives that fail, or never end. */
#ifndef BINE_ENGINE_LOOPBACK_H
#define BINE_ENGINE_LOOPBACK_H

#include "engine/transport/transport.h"

#include <stdint.h>

struct bine_loopback_setup {
    int p;
    int threads;   /* or by turns */
    uint64_t seed; /* of all draws */
    int messages;  /* at most, at one time: their memory is taken at the beginning */
    int fails_at;  /* the number of the delivery, from 1, that fails without data; 0: none does */
    int breaks_at; /* of the delivery whose receive never completes */
};

struct bine_loopback;

/* NULL when out of memory. */
struct bine_loopback *bine_loopback_new(const struct bine_loopback_setup *setup);
void bine_loopback_free(struct bine_loopback *w);

/* Run a function as each rank, to the end of all. Returns 0; -1: no thread or stack could be made;
 * 1: all ranks were waiting, for ever, until every wait was given an error. */
int bine_loopback_run(struct bine_loopback *w, void (*function)(bine_comm_handle comm, void *with),
                      void *with);

int bine_loopback_self(bine_comm_handle comm);
uint64_t bine_loopback_draw(bine_comm_handle comm);
/* Let the other ranks go on. Returns BINE_OK, or an error where all ranks are waiting for ever. A
 * progress function for boards (struct bine_wait). */
int bine_loopback_pause(void *comm);
/* Messages that are neither complete nor dropped. */
int bine_loopback_pending(const struct bine_loopback *w);

#endif
