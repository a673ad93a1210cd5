/* The model's predictions for the calls of a communicator: one for each collective and size class,
 * as far as the model has been asked. */
#ifndef BINE_SELECT_PREDICTIONS_H
#define BINE_SELECT_PREDICTIONS_H

#include "model/prediction.h"
#include "select/rules.h"

/* Calls of a size class: none yet; some, and the next one asks the model; the model was asked. */
enum bine_predicted { BINE_UNSEEN, BINE_SEEN, BINE_PREDICTED };

/* All zero but `least`: nothing was asked. */
struct bine_predictions {
    int64_t least; /* calls of fewer bytes are none of the model's */
    struct bine_class_prediction {
        enum bine_predicted state;
        struct bine_prediction prediction; /* count 0: the model has no answer */
        char *reason;
    } class[BINE_COLLECTIVES][BINE_SIZE_CLASSES];
};

/* The least for rates that are known, or only assumed. */
static inline int64_t bine_predictions_least(int assumed) {
    return assumed ? BINE_ADVISED_LEAST : 1;
}

/* Whether the model is asked for calls like this one. Small intercepted calls are not tuned: they
 * keep to MPI's algorithms where rules have no others. */
static inline int bine_is_predicted(const struct bine_predictions *x, const struct bine_query *q) {
    int64_t least = q->drop_in && q->groups < 2 ? BINE_ADVISED_LEAST : x->least;
    return bine_collective_is_plain(q->collective) && q->commutative && q->bytes >= least;
}

static inline const struct bine_class_prediction *
bine_predictions_find(const struct bine_predictions *x, const struct bine_query *q) {
    return &x->class[q->collective][bine_size_class(q->bytes)];
}

/* The model's answer for the size class of a call. */
void bine_predictions_add(struct bine_predictions *x, const struct bine_query *q,
                          const struct bine_prediction *prediction);
void bine_predictions_free(struct bine_predictions *x);

#endif
