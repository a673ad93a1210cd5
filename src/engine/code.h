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
#include "engine/code_cache.h"
#include "engine/execution.h"

struct bine_op_walk;

/* Give an execution whose maps and bases have been set the code of its plan, rewritten where the
 * plan's code was for other counts; or none, where a pending call needs the plan's code. */
void bine_code_make(struct bine_execution *x);

/* For schedules on boards alone, which have other instructions (code_board.c): whether the call can
 * be run by code; write it. */
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

#endif
