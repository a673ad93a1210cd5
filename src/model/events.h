/* A queue of events by time; events of one time come in the order in which they were put in, so
 * that every run gives equal times. */
#ifndef BINE_MODEL_EVENTS_H
#define BINE_MODEL_EVENTS_H

#include <stddef.h>
#include <stdint.h>

struct bine_event {
    double time;
    uint64_t number; /* in the order of putting in */
    uint32_t kind, what;
};

/* All zero is an empty queue. */
struct bine_events {
    struct bine_event *heap;
    size_t count, room;
    uint64_t numbers;
    int failed; /* out of memory: an event was lost */
};

void bine_events_put(struct bine_events *q, double time, uint32_t kind, uint32_t what);
/* The earliest; 0 if there is none. */
int bine_events_take(struct bine_events *q, struct bine_event *e);
void bine_events_free(struct bine_events *q);

#endif
