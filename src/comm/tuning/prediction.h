/* Predictions of the model for a communicator's calls: the fastest algorithm for each collective
 * and size class, where the nodes or groups of the ranks are known and the machine's description
 * says how fast its network is.
 *
 * Rank 0 asks the model and broadcasts the answer when a class comes for the second time, in a
 * blocking call, so that communicators that are used once cost nothing. Until then, and where the
 * model has no answer, the rules choose. All ranks count alike: no rank remembers a call of a class
 * that has not been decided. */
#ifndef BINE_COMM_PREDICTION_H
#define BINE_COMM_PREDICTION_H

#include "pattern/groups/groups.h"
#include "select/predictions.h"

#include <mpi.h>

struct bine_predictor;

/* The agreed places of the ranks, equal on all of them. */
struct bine_prediction_place {
    int p, nodes, groups;
    const struct bine_groups *levels;
    int wider; /* levels of larger groups, as the agreement has them, */
    const int *wider_level;
    /* The torus whose nodes the ranks are on in their order, or NULL. It outlives the predictor. */
    const struct bine_shape *dims;
    int ports;   /* that torus algorithms may use */
    int patient; /* an answer may take long */
};

/* Collective. NULL on all ranks where the model has no ground to stand on, or one of them no
 * memory. */
struct bine_predictor *bine_predictor_open(MPI_Comm comm, int rank,
                                           const struct bine_prediction_place *at);
void bine_predictor_close(struct bine_predictor *x);

/* The predictions that all ranks know. */
const struct bine_predictions *bine_predictor_answers(const struct bine_predictor *x);
/* A call has come whose size class has no prediction. Collective: the first call of a class is
 * noted, the second asks the model. Returns whether there is a prediction now. */
int bine_predictor_ask(struct bine_predictor *x, const struct bine_query *q,
                       const struct bine_settings *s, MPI_Comm comm);

/* The bounds of the size class of this many bytes; all sizes below the least that the model is
 * asked for are one class. `x` may be NULL. */
void bine_size_class_range(const struct bine_predictor *x, int64_t bytes, int64_t *from,
                           int64_t *below);

#endif
