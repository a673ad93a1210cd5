/* Learning on a communicator: a lesson for each collective and size class that comes again and
 * again. select/learn.h says how it goes.
 *
 * Only blocking calls that were taken over from MPI are heard and tried, and all ranks make those
 * in the same order; what a call gets does not depend on anything else, until a lesson is over.
 * From then on it gets the same every time, and may be remembered: a lesson that the MPI library's
 * own has won is never heard of again (unless it is from a file, and due: select/evidence.h), one
 * that an algorithm of Bine's has won still counts its calls, to look again. */
#ifndef BINE_COMM_TUNING_H
#define BINE_COMM_TUNING_H

#include "select/candidates.h"

#include <mpi.h>

struct bine_tuning_session;

/* All zero is a communicator on which nothing was heard. */
struct bine_tuning {
    uint8_t seen[BINE_COLLECTIVES][BINE_SIZE_CLASSES]; /* calls before the lesson, and states */
    struct bine_tuning_session *first;
};

enum bine_tuning_state {
    BINE_TUNING_NONE, /* there is none, for good: the rules choose */
    BINE_TUNING_SEEN, /* there may be one later */
    BINE_TUNING_OPEN,
    BINE_LESSON_DUE, /* over, and won by the MPI library's own; but its calls count: it opens again */
    BINE_TUNING_DONE
};

/* How it stands for a call that learns (bine_may_tune). Open, due or over: the lesson, and the
 * algorithm to take and why. Changes nothing. */
enum bine_tuning_state bine_tuning_find(const struct bine_tuning *x, const struct bine_query *q,
                                        struct bine_tuning_session **session,
                                        struct bine_selection *f, const char **reason);

/* How many times as fast the winner is as the MPI library's own; 0: not known. */
double bine_lesson_gain(const struct bine_tuning_session *l);

/* Before a call of an open lesson: all ranks come together. */
void bine_tuning_synchronize(const struct bine_tuning_session *l, MPI_Comm comm);
/* After a call of a lesson that took so long here, or that was heard of (NULL). Collective. Returns
 * whether other calls must be forgotten, because an algorithm that was settled on is no more. */
int bine_tuning_record(struct bine_tuning *x, struct bine_tuning_session *l,
                       const struct bine_query *q, const struct bine_prediction *prediction,
                       MPI_Comm comm, double seconds);

void bine_tuning_free(struct bine_tuning *x);

#endif
