/* What a program tries where it learns (choose/learn.h): the MPI library's own, what Bine chooses
 * for itself, and one or two that are fast elsewhere. */
#ifndef BINE_CHOOSE_CANDIDATES_H
#define BINE_CHOOSE_CANDIDATES_H

#include "choose/choose.h"
#include "choose/learn.h"
#include "model/advise.h"

/* The calls of one communicator and size class come to be learnt from when so many were made. */
enum { BINE_LEARN_FROM = 3 };

/* Whether calls like this one learn, as far as the call says: settings, forced algorithms and rules
 * of the user's come before. Small calls do not: what they cost is the software's. */
int bine_learns(const struct bine_question *q);

/* The candidates of the size class of a call, the MPI library's own first; returns how many. The
 * same for all calls of the class. */
int bine_candidates(const struct bine_question *q, struct bine_forced f[BINE_LEARN_CANDIDATES]);
/* The same where the model has an answer: its first two. */
int bine_candidates_advised(const struct bine_question *q, const struct bine_advised *a,
                            struct bine_forced f[BINE_LEARN_CANDIDATES]);

/* "learnt: ring 1.2 ms, mpi 2.4 ms, bine-large 3 ms": what a settled learner found, the winner
 * first. */
enum { BINE_LEARNT_TEXT = 160 };
const char *bine_learnt_text(const struct bine_learner *l,
                             const struct bine_forced f[BINE_LEARN_CANDIDATES],
                             char text[BINE_LEARNT_TEXT]);
/* "mpi" or the algorithm's. */
const char *bine_forced_name(const struct bine_forced *f);

#endif
