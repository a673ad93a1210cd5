/* The tape of one rank: steps, waits, messages and copies of chosen calls, as they happened. It
 * lies in a file that is mapped, so that it is there where the program is killed, and has a size
 * from the beginning: a call that finds no room is counted, and left out.
 *
 * Events of a call are put on the tape while it runs. Only when it has returned is it known which
 * call it was: then it is kept or wound back. */
#ifndef BINE_TIMELINE_TAPE_H
#define BINE_TIMELINE_TAPE_H

#include "profile/part.h"

enum {
    BINE_TAPE_CALLS = 512,
    BINE_TAPE_EVENTS = 8192,           /* of a rank, at most, */
    BINE_TAPE_EVENTS_OF_ALL = 1 << 20, /* of all ranks, at most, */
    BINE_TAPE_EVENTS_LEAST = 256       /* but this number for each */
};

enum bine_tape_kind {
    BINE_TAPE_STEP, /* a step of the schedule */
    BINE_TAPE_WAIT, /* for messages or boards */
    BINE_TAPE_SEND, /* from when it was posted to when it was found complete */
    BINE_TAPE_RECEIVE,
    BINE_TAPE_COPY,
    BINE_TAPE_ADD,     /* adding up */
    BINE_TAPE_PUBLISH, /* on this rank's board */
    BINE_TAPE_READ,    /* another rank's board: copied or added up */
    BINE_TAPE_KINDS
};

/* Of no strand, or no peer. */
enum { BINE_TAPE_NO_STRAND = 255, BINE_TAPE_NO_PEER = -1 };

struct bine_tape_event {
    uint64_t begin, end; /* ticks */
    int64_t bytes;
    int32_t peer; /* a rank of the communicator */
    int16_t time; /* of the step; -1: before the first message */
    uint8_t strand, kind;
};

struct bine_tape_call {
    uint64_t begin, end; /* ticks */
    uint64_t comm;       /* of its ranks in their order: equal on all of them */
    uint64_t number;     /* of such calls on such a communicator, from 1 */
    int64_t bytes;
    int32_t rank, ranks, root; /* in the communicator; root: or BINE_ROOT_NONE */
    uint32_t first, events;
    uint16_t algorithm; /* as in a profile (part.h) */
    uint8_t collective, form, class, layout;
    uint8_t cut, unused; /* cut: there was no room for all of its events */
};

/* Begins like the part of a profile, of whose head most counts stay 0. */
struct bine_tape_part {
    struct bine_part_head head;
    uint32_t room, calls, events, unused;
    uint64_t lost; /* calls that found no room */
    struct bine_tape_call call[BINE_TAPE_CALLS];
    struct bine_tape_event event[];
};

#define BINE_TAPE_MAGIC "BINETAPE"
enum { BINE_TAPE_VERSION = 1 };

/* Events that a rank of `ranks` has room for, and the bytes of its tape. */
uint32_t bine_tape_room(int ranks);
size_t bine_tape_bytes(int ranks);

struct bine_tape {
    struct bine_tape_part *part; /* NULL: there is none */
    const void *running;         /* of whose execution events are taken; NULL: of none */
    uint32_t used;               /* events, those of the call in hand included */
    int cut;                     /* it found no room for some */
    int steps;                   /* the engine puts events on it: one thread calls MPI at a time */
};

/* The one of this process. */
extern struct bine_tape bine_tape;

/* Begin with a part that is all zeros. */
void bine_tape_begin(struct bine_tape *t, struct bine_tape_part *part, int ranks, int steps);

/* For the engine, as it binds a call: the tape that events go to, or NULL. */
static inline struct bine_tape *bine_tape_of_steps(void) {
    return bine_tape.steps ? &bine_tape : NULL;
}

/* A call begins: wind back to behind the last one that was kept. */
static inline void bine_tape_open(struct bine_tape *t) {
    if (t->part != NULL)
        t->used = t->part->events;
    t->cut = 0;
    t->running = NULL;
}

/* An event of an execution, which must be the one that runs. Waits that follow each other are one.
 */
void bine_tape_add(struct bine_tape *t, const void *execution, const struct bine_tape_event *e);

/* The call has returned, and is kept. What is left of it to say: its times, ranks and so on. */
void bine_tape_keep(struct bine_tape *t, const struct bine_tape_call *c);

/* A part as it was found: NULL if it is sound; otherwise why not. */
const char *bine_tape_check(struct bine_part *p, size_t bytes);

#endif
