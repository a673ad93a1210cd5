/* Learning on a communicator: a lesson for each collective and size class that comes again and
 * again. choose/learn.h says how it goes.
 *
 * Only blocking calls that were taken over from MPI are heard and tried, and all ranks make those
 * in the same order; what a call gets does not depend on anything else, until a lesson is over.
 * From then on it gets the same every time, and may be remembered: a lesson that the MPI library's
 * own has won is never heard of again, one that an algorithm of Bine's has won still counts its
 * calls, to look again. */
#ifndef BINE_MPI_LEARNING_H
#define BINE_MPI_LEARNING_H

#include "choose/candidates.h"

#include <mpi.h>

struct bine_lesson;

/* All zero is a communicator on which nothing was heard. */
struct bine_learning {
    uint8_t heard[BINE_COLLECTIVES][BINE_ADVISED_CLASSES]; /* calls before the lesson, and states */
    struct bine_lesson *first;
};

enum bine_lesson_state {
    BINE_LESSON_NONE,  /* there is none, for good: the rules choose */
    BINE_LESSON_HEARD, /* there may be one later */
    BINE_LESSON_OPEN,
    BINE_LESSON_OVER
};

/* How it stands for a call that learns (bine_learns). Open or over: the lesson, and the algorithm
 * to take and why. Changes nothing. */
enum bine_lesson_state bine_learning_look(const struct bine_learning *x,
                                          const struct bine_question *q,
                                          struct bine_lesson **lesson, struct bine_forced *f,
                                          const char **reason);

/* Before a call of an open lesson: all ranks come together. */
void bine_lesson_gather(const struct bine_lesson *l, MPI_Comm comm);
/* After a call of a lesson that took so long here, or that was heard of (NULL). Collective. Returns
 * whether other calls must be forgotten, because an algorithm that was settled on is no more. */
int bine_learning_called(struct bine_learning *x, struct bine_lesson *l,
                         const struct bine_question *q, const struct bine_advised *advised,
                         MPI_Comm comm, double seconds);

void bine_learning_free(struct bine_learning *x);

#endif
