/* Learning: which of a few candidates is fastest for calls that a program makes again and again.
 *
 * One learner serves the calls of one collective and size class on one communicator. Its calls take
 * the candidates in turn, in rounds. Everything that it decides follows from the number of the call
 * and from times that all ranks have agreed on, so all ranks decide alike:
 *
 *     round 0        every candidate once: connections are made, schedules are built, so this time
 *                    only tells which are hopeless
 *     rounds 1..R    every candidate that is left; the ranks agree after rounds 0, 1, 2 and R
 *     then           the winner; one of Bine's is looked at again when its calls have come to some
 *                    thousands, and then ever more seldom; so is one that is known from elsewhere
 *                    and due, once, whichever it is
 *
 * All ranks begin a timed call together, and the time of the slowest counts: a rank that comes late
 * is no candidate's fault.
 *
 * Candidate 0 is the MPI library's own. It wins ties: another one must be faster by more than the
 * noise. The cost of trying is bounded: see BINE_LEARN_DROPS. */
#ifndef BINE_SELECT_LEARN_H
#define BINE_SELECT_LEARN_H

#include "select/evidence.h"

enum {
    BINE_LEARN_CANDIDATES = 8, /* the most, with BINE_EFFORT=patient; else */
    BINE_LEARN_USUALLY = 4,    /* these; the MPI library's own among them */
    BINE_LEARN_ROUNDS = 6,     /* round 0 among them */
    BINE_LEARN_AGAIN = 4000,   /* calls after which one of Bine's is looked at again, */
    BINE_LEARN_LATER = 4,      /* and how that number grows */
    BINE_LEARN_SHARE = 100     /* of this many calls, at most one tries a doubtful choice again */
};

/* Candidates slower than the best by these factors are dropped after rounds 0, 1 and 2. */
#define BINE_LEARN_DROPS                                                                           \
    { 4.0, 2.0, 1.25 }

struct bine_learner {
    int candidates;
    unsigned left;       /* bit i: candidate i is not dropped */
    int round, turn;     /* turn: the candidate whose turn it is */
    int winner;          /* -1: not known yet */
    int before;          /* the winner that is looked at again; -1: none */
    int due;             /* it is tried again even if the MPI library's own has won */
    int64_t calls, next; /* calls since the winner is known; when to look again */
    /* Times of this rank; after the agreement, of all ranks. Negative: none. */
    double time[BINE_LEARN_CANDIDATES][BINE_LEARN_ROUNDS];
};

/* 1 to BINE_LEARN_CANDIDATES candidates. With one there is nothing to learn. */
void bine_learner_start(struct bine_learner *l, int candidates);
/* The winner is known from elsewhere. Due: it is tried again after enough calls that trying is
 * less than one in BINE_LEARN_SHARE of them. */
void bine_learner_settle(struct bine_learner *l, int winner, int due);

/* The candidate of the next call, equal on all ranks. */
int bine_learner_candidate(const struct bine_learner *l);
/* Whether the next call's time is asked for. */
static inline int bine_learner_times(const struct bine_learner *l) {
    return l->winner < 0;
}

/* A call is over; `seconds` is this rank's measurement. Returns whether all ranks must agree now:
 * every time of the table becomes the most over the ranks, and bine_learner_decide follows. */
int bine_learner_called(struct bine_learner *l, double seconds);
/* After the agreement: drop candidates, or choose the winner. */
void bine_learner_decide(struct bine_learner *l);
/* Likewise, where the time for trying is over: the winner of the rounds so far. Before round 3
 * times tell too little: it is the winner from before, or the MPI library's own. */
void bine_learner_stop(struct bine_learner *l);

/* The agreed time of a candidate: the median of its rounds, without round 0 where there are others.
 * Negative: none. */
double bine_learner_time(const struct bine_learner *l, int candidate);
/* The evidence behind the winner, learnt today. */
struct bine_evidence bine_learner_evidence(const struct bine_learner *l);

#endif
