/* The walk: the schedules of all ranks, executed together. A cursor for each strand of each rank
 * stands at a step; messages and publications (schedule/walk/messages.h) join the cursors.
 *
 * A model that has a clock of its own enters and leaves the steps of cursors itself
 * (model/time.c). Other readers have no clock: bine_walk_run goes on where it can, and shows a
 * visitor the data on its way. The proof (schedule/check) has an execution of its own, so that it
 * shares no fault with this one. */
#ifndef BINE_SCHEDULE_WALK_WALK_H
#define BINE_SCHEDULE_WALK_WALK_H

#include "schedule/walk/messages.h"

struct bine_cursor {
    int32_t rank;
    uint32_t strand, step; /* the step that the strand is at, or comes to */
    uint32_t pending;      /* messages of the step that are not complete */
    int32_t time;          /* of the last step that has one: local work has none of its own */
    uint8_t entered;       /* the messages of the step are posted */
    uint8_t held;          /* the strand lets the one before it go first */
};

struct bine_walk {
    const struct bine_messages *messages;
    struct bine_cursor *cursor; /* the strands of rank 0, of rank 1, ... */
    size_t *first;              /* the first cursor of each rank */
    size_t cursors;
};

/* 0, or -1 when out of memory; in either case to be closed. The messages must outlive it. */
int bine_walk_open(struct bine_walk *w, const struct bine_messages *m);
void bine_walk_close(struct bine_walk *w);

static inline const struct bine_schedule *bine_walk_schedule(const struct bine_walk *w,
                                                             const struct bine_cursor *c) {
    return w->messages->schedule[c->rank];
}

/* The strand at one end of a message. */
static inline struct bine_cursor *bine_walk_end(const struct bine_walk *w,
                                                const struct bine_message *g, int end) {
    return &w->cursor[w->first[g->rank[end]] + g->strand];
}

/* The step that a strand enters: its messages are pending. NULL: the strand is at its end, or must
 * let the strand before it go first. */
const struct bine_step *bine_walk_enter(const struct bine_walk *w, struct bine_cursor *c);
/* The strand is through with its step. Returns the strand that was held because of it, or NULL. */
struct bine_cursor *bine_walk_leave(const struct bine_walk *w, struct bine_cursor *c);

/* Is shown the data on its way; a number other than 0 ends the walk. The time is that of the step,
 * as above. */
struct bine_walk_visitor {
    /* A message whose ends are both there. */
    int (*deliver)(void *self, uint32_t message, int time);
    /* An operation that publishes; or NULL. */
    int (*publish)(void *self, int rank, uint32_t op);
    /* An operation when the messages of its step are complete: a read of a publication that is
     * there, then in the order of the schedule all others. */
    int (*finish)(void *self, int rank, uint32_t op, int time);
    void *self;
};

/* Executes all schedules: first the local work at their beginnings, then steps as they can begin.
 * 0, or the number of a visitor, or -1 when out of memory. */
int bine_walk_run(const struct bine_walk *w, const struct bine_walk_visitor *visitor);
/* Whether all strands are at their ends. */
int bine_walk_is_done(const struct bine_walk *w);

#endif
