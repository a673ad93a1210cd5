/* Learning: which of a few candidates is fastest for calls that a program makes again and again.
 *
 * One learner serves the calls of one collective and size class on one communicator. Its first
 * calls take the candidates in turn, in rounds; everything that it decides follows from the number
 * of the call and from times that all ranks have agreed on, so all ranks decide alike:
 *
 *     round 0        every candidate once, not timed (connections are made, schedules are built)
 *     rounds 1..R    every candidate that is left, timed; an agreement after round 1, after round
 *                    2 and after round R
 *     then           the winner, until the calls double several times; then a short look again
 *
 * A turn is one call where everyone waits for everyone: there the least time over the ranks, that
 * of the last to come, is the collective itself. Ranks may run ahead in rooted collectives, so a
 * turn is several calls in a row, and the most time over the ranks counts.
 *
 * Candidate 0 is the MPI library's own. It wins ties: another one must be faster by more than the
 * noise. What trying costs is bounded: a candidate that is TWICE as slow as the best is dropped at
 * the first agreement, one that is a quarter slower at the second. */
#ifndef BINE_CHOOSE_LEARN_H
#define BINE_CHOOSE_LEARN_H

#include <stdint.h>

enum {
    BINE_LEARN_CANDIDATES = 4,  /* the MPI library's own among them */
    BINE_LEARN_ROUNDS = 5,      /* that are timed */
    BINE_LEARN_ROOTED_CALLS = 3 /* of a turn, where ranks may run ahead */
};

struct bine_learner {
    int candidates;
    int rooted;          /* ranks may run ahead of each other */
    unsigned left;       /* bit i: candidate i is not dropped */
    int round, turn;     /* turn: the candidate whose turn it is */
    int call;            /* of the turn */
    int winner;          /* -1: not known yet */
    int64_t calls, next; /* calls since the winner is known; when to look again */
    double sum;          /* of the turn under way */
    /* Times of this rank; after the agreement those of all. Negative: none. */
    double time[BINE_LEARN_CANDIDATES][BINE_LEARN_ROUNDS];
};

/* 1 to BINE_LEARN_CANDIDATES candidates. With one there is nothing to learn. */
void bine_learner_start(struct bine_learner *l, int candidates, int rooted);

/* The candidate of the next call, the same on all ranks. */
int bine_learner_candidate(const struct bine_learner *l);
/* Whether the next call's time is asked for. */
static inline int bine_learner_times(const struct bine_learner *l) {
    return l->winner < 0;
}

/* A call is over; `seconds` is what this rank measured. Returns whether all ranks must agree now:
 * every time of the table becomes the least over the ranks (rooted: the most), and
 * bine_learner_decide follows. */
int bine_learner_called(struct bine_learner *l, double seconds);
/* After the agreement: drop candidates, or choose the winner. */
void bine_learner_decide(struct bine_learner *l);

/* The agreed time of a candidate: the median of its turns, for each call. Negative: not timed. */
double bine_learner_time(const struct bine_learner *l, int candidate);

#endif
