/* How long a collective takes on a network: the schedules of all ranks, executed event by event.
 *
 * A rank posts the messages of a step one after the other; each costs its processor a moment. A
 * small message (up to `eager` bytes) leaves at once; a large one when both ends have posted it,
 * after a latency for asking. It travels in pieces, of which it has one at a time in the queue of
 * the link out of its node: so that link serves the messages to different ranks in turns, as
 * operating systems and network cards do. At every other link on its way a piece queues when its
 * first bytes come there, first come first served, and keeps it for its bytes over the link's rate;
 * messages that cross there together so are through together. A message has arrived when all links
 * are through with all of it, and a latency later. Messages between two ranks follow one another.
 * Its receiver takes one message after the other, each a moment after the one before it, as the
 * model called LogP has it: many small messages that are there at once are not complete at once. A
 * step ends when its messages are complete; copying and adding up take the rank's processor for
 * their bytes over its rates. Strands of one rank share its processor.
 *
 * It is for choosing between algorithms, not for claims about machines. */
#ifndef BINE_MODEL_TIME_H
#define BINE_MODEL_TIME_H

#include "model/links.h"
#include "schedule/build/build.h"

struct bine_time {
    double seconds;
    double
        mean; /* seconds until a rank is done, mean of the ranks; the last is done at `seconds` */
    size_t messages;
    size_t busiest; /* the link that is busy longest, */
    double busy;    /* and for how long */
    double work;    /* of the processor that copies and adds up longest */
};

/* Is told of every message, by its number in bine_messages_collect: when it queued at its first
 * link and when it had arrived. */
struct bine_time_watch {
    void (*message)(void *self, size_t number, double left, double arrived);
    void *self;
};

/* More messages than this are not executed: they take some 250 bytes each, and 2 microseconds. */
enum { BINE_TIME_MESSAGES = 3500000 };

/* The spec must be valid; its rank is ignored. 0, or -1 when out of memory. */
int bine_time_watched(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                      const struct bine_time_watch *watch, struct bine_time *t);
/* Without a watcher, and no further than the events of `most` seconds: a longer execution has a
 * time beyond that, when it stopped. */
int bine_time_within(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                     double most, struct bine_time *t);
/* To the end. */
int bine_time_of(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                 struct bine_time *t);
/* As above with a bound on the messages: 1 if there are more. Of a long pipeline the first segments
 * are executed; the others take as long as the last of these each. */
struct bine_time_bound {
    size_t messages;
    double idle; /* seconds since the call before: links may let a burst through again */
    int at_once; /* a rank posts its sends without waiting for those of the step before, as MPI
                    libraries do for the children of a tree: they share its link */
};
int bine_time_bounded(const struct bine_spec *spec, int64_t bytes, const struct bine_links *links,
                      const struct bine_time_bound *bound, struct bine_time *t);

#endif
