/* Code: a run written out as a list of instructions, for blocking calls of one strand in which no
 * message comes in parts and every step has scratch enough.
 *
 * Small calls spend their time in the engine, not on the wire. What a step means (which runs make a
 * message, where it is received, which operand is copied where) depends on the counts but not on
 * the buffers, so it is worked out once, when the call is bound, and every call then only follows
 * the list. A plan keeps it for the next call. Addresses are offsets from the buffers, which may
 * change from call to call.
 *
 * The last message of a step is not posted and waited for: once all others are under way, it may
 * block. That saves a request. */
#ifndef BINE_ENGINE_CODE_H
#define BINE_ENGINE_CODE_H

#include "engine/run.h"

enum bine_code_kind {
    BINE_CODE_ISEND, /* post a send of `from`, a receive into `to` */
    BINE_CODE_IRECV,
    BINE_CODE_SEND, /* the same, blocking */
    BINE_CODE_RECV,
    BINE_CODE_WAIT,   /* for all messages posted */
    BINE_CODE_COPY,   /* to = from */
    BINE_CODE_REDUCE, /* to = from op to */
    BINE_CODE_LOCAL,  /* the local operation number `count` of the schedule */
    BINE_CODE_END
};

/* What offsets count from: the spaces of the schedule, and two more. */
enum { BINE_BASE_SCRATCH = BINE_SPACES, BINE_BASE_STAGING, BINE_BASES };

struct bine_code {
    uint8_t kind, to, from;   /* to, from: bases */
    int32_t peer;             /* of a message */
    int64_t count;            /* elements */
    ptrdiff_t to_at, from_at; /* bytes from the bases */
};

/* Instructions that the plan's code may take; 0 if it would take too many to be worth it. */
size_t bine_code_room(const struct bine_plan *plan);

/* The code that a plan was written out to last, and the counts and the type that it was for. */
struct bine_code_cache {
    int valid;
    int64_t block, extra;
    MPI_Aint extent, true_lb, true_extent;
    struct bine_code code[];
};

/* Give a run whose maps and bases have been set the code of its plan, written anew where it was for
 * something else. */
void bine_code_make(struct bine_run_state *run);

/* Run it to its end. Returns an MPI error code; after an error messages may be under way. */
int bine_code_run(struct bine_run_state *run);

#endif
