/* The model's prediction for a collective and size, in words: for the library and `bine choose`. */
#ifndef BINE_MODEL_PREDICTION_H
#define BINE_MODEL_PREDICTION_H

#include "model/pick.h"

/* Size classes are the bytes from a power of two to the next, and stand for the first. Where rates
 * are assumed, rules know better below the least: the cost of small messages is the software's, of
 * which the model then knows nothing. */
enum {
    BINE_PREDICTIONS = 3,
    BINE_ADVISED_TEXT = 160,
    BINE_ADVISED_LEAST = 4096,
    BINE_ADVISED_PATIENCE = 8, /* of the model, with BINE_EFFORT=patient */
    BINE_SIZE_CLASSES = 48,
    BINE_ADVISED_RANKS = 1024 /* the most: beyond, an answer takes too long inside a program */
};

int bine_size_class(int64_t bytes);

/* The fastest few. Plain numbers: ranks send it to each other. */
struct bine_prediction {
    int32_t count;                       /* 0: nothing serves, or no memory */
    int32_t algorithm[BINE_PREDICTIONS]; /* numbers in the catalogue, each once */
    int32_t layout[BINE_PREDICTIONS];    /* enum bine_layout */
    double seconds[BINE_PREDICTIONS];
    int32_t assumed; /* the network's rates are not known: usual ones were taken */
};

/* For the size class of `bytes`, and a root. */
void bine_predict(struct bine_picker *x, enum bine_collective c, int root, int64_t bytes,
                  struct bine_prediction *a);
/* "model: bine-group 1.23 ms, ring 1.5 ms, bine-large 2.1 ms"; or "model, usual rates: ..." */
const char *bine_prediction_text(const struct bine_prediction *a, char text[BINE_ADVISED_TEXT]);

#endif
