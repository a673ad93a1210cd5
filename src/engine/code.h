/* Code: an execution as a list of instructions, for blocking calls of one strand in which no
 * message comes in parts and every step has scratch enough.
 *
 * Small calls spend their time in the engine, not on the wire. The meaning of a step (the runs of a
 * message, the place of a receive, the operands of a copy) depends on the counts but not on the
 * buffers, so it is worked out once, when the call is bound, and every call then only follows the
 * list. A plan keeps it for the next call. Addresses are offsets from the buffers, which may change
 * from call to call.
 *
 * The last message of a step is not posted and waited for: once all others are posted, it may
 * block. That saves a request. */
#ifndef BINE_ENGINE_CODE_H
#define BINE_ENGINE_CODE_H

#include "base/one_thread.h"
#include "engine/execution.h"

#include <string.h>

struct bine_op_walk;

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

/* Instructions that the plan's code may take; 0 if it would take too many to be worth it. */
size_t bine_code_room(const struct bine_plan *plan);

/* The code that a plan was written out to last, and the counts and the type that it was for. */
struct bine_code_cache {
    int valid;
    uint32_t written; /* how often */
    atomic_int held;  /* by pending calls: it may not be written */
    int64_t block, extra;
    ptrdiff_t extent, true_lb, true_extent;
    const struct bine_executor *executor; /* that runs it */
    struct bine_code code[];
};

/* Give an execution whose maps and bases have been set the code of its plan, rewritten where the
 * plan's code was for other counts; or none, where a pending call needs the plan's code. */
void bine_code_make(struct bine_execution *x);

/* The forms for schedules on boards alone, which have other instructions (code_board.c): whether
 * the plan can be written out, and the call be run like that; write it; run it. */
int bine_code_fits_boards(const struct bine_plan *plan);
int bine_code_takes_boards(const struct bine_execution *x);
void bine_code_write_boards(struct bine_op_walk *w);

/* The short path of a repeated blocking call: run the code to its end at once, without the
 * executor (execution.h). */
void bine_code_run(struct bine_execution *x);
void bine_code_run_boards(struct bine_execution *x);

/* For the executors: retain the code, and release it at the end. */
static inline void bine_code_retain(struct bine_execution *x) {
    bine_count_held(&x->plan->cache->held, 1);
    x->next_code = x->code;
    x->posted = 0;
}
static inline void bine_code_release(struct bine_execution *x) {
    bine_count_held(&x->plan->cache->held, -1);
}

/* Whether the code was written for something else since the execution was given it. */
static inline int bine_code_is_lost(const struct bine_execution *x) {
    return x->code != NULL && x->plan->cache->written != x->written;
}

/* --- Single instructions that need no other rank */

static inline void bine_code_bases(const struct bine_execution *x,
                                   const struct bine_strand_state *strand, char **base) {
    base[BINE_IN] = x->map[BINE_IN].base;
    base[BINE_OUT] = x->map[BINE_OUT].base;
    base[BINE_TMP] = x->map[BINE_TMP].base;
    base[BINE_BASE_SCRATCH] = strand->scratch;
    base[BINE_BASE_STAGING] = strand->send_staging;
}

int bine_code_permute(struct bine_execution *x, const struct bine_op *op);

static inline int bine_code_copy(struct bine_execution *x, char *to, const char *from, int64_t n) {
    const struct bine_type *t = &x->type;
    if (!t->dense)
        return bine_type_copy(t, from, to, (ptrdiff_t)n, x->comm, x->plan->schedule->rank);
    size_t bytes = (size_t)(n * t->size);
    uint64_t word;
    if (bytes == sizeof word) { /* one number: the most common small call */
        memcpy(&word, from, sizeof word);
        memcpy(to, &word, sizeof word);
    } else {
        memmove(to, from, bytes);
    }
    return BINE_OK;
}

#endif
