/* The code of a plan: its instructions, and the calls that they are written for. */
#ifndef BINE_ENGINE_CODE_CACHE_H
#define BINE_ENGINE_CODE_CACHE_H

#include "schedule/schedule.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct bine_executor;

enum bine_code_kind {
    BINE_CODE_ISEND, /* post a send of `from`, a receive into `to` */
    BINE_CODE_IRECV,
    BINE_CODE_SEND, /* a send, blocking */
    BINE_CODE_RECV,
    BINE_CODE_WAIT,    /* for all messages posted */
    BINE_CODE_COPY,    /* to = from */
    BINE_CODE_REDUCE,  /* to = from op to */
    BINE_CODE_PERMUTE, /* the permutation that is operation number `count` of the schedule */
    BINE_CODE_END
};

struct bine_code {
    uint8_t kind, to, from;   /* enum bine_code_kind, or as in code_board.c; to, from: bases */
    uint8_t time;             /* on boards: of the step */
    int32_t peer;             /* of a message */
    int64_t count;            /* elements */
    ptrdiff_t to_at, from_at; /* bytes from the bases */
};

/* Instructions that the code of a schedule may take; 0 if it is never written out. */
size_t bine_code_room(const struct bine_schedule *s);

/* The code that a plan was written out to last, and the counts and the type that it was for. */
struct bine_code_cache {
    int valid;
    uint32_t written; /* how often */
    atomic_int held;  /* by pending calls: it may not be written */
    int64_t block, extra;
    ptrdiff_t extent, true_lb, true_extent;
    const struct bine_executor *executor; /* that runs it (execution.h) */
    struct bine_code code[];
};

#endif
