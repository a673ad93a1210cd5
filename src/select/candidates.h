/* The candidates of learning (select/learn.h): the MPI library's own, Bine's own choice, and one or
 * two that are fast elsewhere. */
#ifndef BINE_SELECT_CANDIDATES_H
#define BINE_SELECT_CANDIDATES_H

#include "model/prediction.h"
#include "select/learn.h"
#include "select/selection.h"

/* The number of calls of one communicator and size class after which a tuning session opens. */
enum { BINE_LEARN_FROM = 3 };

/* Whether calls like this one may be tuned, as far as the call says: the sources before tuning have
 * been asked. Small calls may not: their cost is the software's. */
int bine_may_tune(const struct bine_query *q);

/* The candidates of the size class of a call, the MPI library's own first; returns how many. The
 * same for all calls of the class. */
int bine_candidates(const struct bine_query *q, struct bine_selection f[BINE_LEARN_CANDIDATES]);
/* As above where the model has an answer: its predictions, in the layouts that it names; with
 * patience, the candidates above as well. */
int bine_candidates_predicted(const struct bine_query *q, const struct bine_prediction *a,
                              struct bine_selection f[BINE_LEARN_CANDIDATES]);

/* "learnt: ring 1.2 ms, mpi 2.4 ms, bine-large 3 ms": the result of a settled learner, the winner
 * first. */
enum { BINE_LEARNT_TEXT = 256 };
const char *bine_learnt_text(const struct bine_learner *l,
                             const struct bine_selection f[BINE_LEARN_CANDIDATES],
                             char text[BINE_LEARNT_TEXT]);
/* "mpi" or the algorithm's. */
const char *bine_selection_name(const struct bine_selection *f);

#endif
