/* Random sequences of calls on boards, each rank by itself: what collectives do, without MPI.
 *
 * All ranks draw the same calls from a seed: who publishes what at which time, who reads it, in how
 * many rounds. Each goes through them at its own pace, some calls at once, with random delays, and
 * checks every byte it reads. */
#ifndef BINE_TESTS_BOARD_CALLS_H
#define BINE_TESTS_BOARD_CALLS_H

#include "board/board.h"
#include "board/wait.h"

struct calls_plan {
    uint64_t seed;
    int n;           /* ranks */
    int calls;       /* in the sequence */
    int at_once;     /* pending calls at a rank, at most */
    int fails_at;    /* one rank gives this call up midway; -1: none */
    int failing;     /* which */
    uint32_t delay;  /* one step in so many is followed by one; 0: none */
    int sleeps;      /* ranks sleep where they wait */
    int64_t pid[64]; /* expose: of each rank; 0: publish instead */
};

enum { CALLS_AT_ONCE_MOST = 4 };

struct calls_result {
    uint64_t wrong;  /* bytes that were not what they should be */
    uint64_t failed; /* calls that this rank gave up */
    uint64_t reads;
};

/* The whole sequence as one rank; returns when it is done. */
struct calls_result calls_run(const struct calls_plan *plan, struct bine_boards *boards);

/* A number drawn from a state. */
uint64_t calls_draw(uint64_t *state);

#endif
