/* Tuning sessions of a communicator: one for each collective and size class that comes again and
 * again. select/learn.h says how one goes; here is which session serves a call, and its answer.
 *
 * Only blocking calls that were intercepted count and are tried, and all ranks make them in one
 * order; the candidate of a call depends on nothing else, until the session is over. From then on
 * its calls get the winner, and may be cached: a session that the MPI library's own has won does
 * not count its calls (unless it is from a file, and due: select/evidence.h), one that an algorithm
 * of Bine's has won counts them, to try again. */
#ifndef BINE_SELECT_TUNING_H
#define BINE_SELECT_TUNING_H

#include "select/candidates.h"

struct bine_tuning_session {
    struct bine_tuning_session *next;
    enum bine_collective collective;
    int class;
    struct bine_learner learner;
    struct bine_selection candidate[BINE_LEARN_CANDIDATES];
    struct bine_evidence evidence;
    char text[BINE_LEARNT_TEXT]; /* the result */
};

/* All zero is a communicator without calls. */
struct bine_tuning {
    uint8_t seen[BINE_COLLECTIVES][BINE_SIZE_CLASSES]; /* calls before the session, and states */
    struct bine_tuning_session *first;
};

enum bine_tuning_state {
    BINE_TUNING_NONE, /* there is no session, and will be none */
    BINE_TUNING_SEEN, /* there may be one later */
    BINE_TUNING_OPEN,
    BINE_TUNING_DUE, /* over, and won by the MPI library's own; but its calls count: it opens again */
    BINE_TUNING_DONE
};

/* The state for a call that may be tuned (bine_may_tune). Open, due or over: the session, and the
 * algorithm to take and why. */
enum bine_tuning_state bine_tuning_find(const struct bine_tuning *x, const struct bine_query *q,
                                        struct bine_tuning_session **session,
                                        struct bine_selection *f, const char **reason);

/* Count a call of a class without a session. Returns whether the session opens now. */
int bine_tuning_count(struct bine_tuning *x, const struct bine_query *q);
/* Wisdom about a size class: the best algorithm, or BINE_SELECTION_NONE. */
struct bine_known_best {
    int algorithm, due;
    double gain;
};
/* Candidates for a session: the ones that the model predicts to be fast, if it has an answer. */
int bine_tuning_candidates(const struct bine_query *q, const struct bine_prediction *prediction,
                           struct bine_selection f[BINE_LEARN_CANDIDATES]);
/* Open a session, which becomes the communicator's. `l` is NULL where there is none to open: the
 * class is not tuned. */
void bine_tuning_open(struct bine_tuning *x, struct bine_tuning_session *l,
                      const struct bine_query *q, int candidates,
                      const struct bine_known_best *best);

/* How many times as fast the winner is as the MPI library's own; 0: not known. */
double bine_tuning_gain(const struct bine_tuning_session *l);

void bine_tuning_free(struct bine_tuning *x);

#endif
