#include "select/predictions.h"

#include <stdlib.h>
#include <string.h>

void bine_predictions_add(struct bine_predictions *x, const struct bine_query *q,
                          const struct bine_prediction *prediction) {
    char text[BINE_ADVISED_TEXT];
    struct bine_class_prediction *p = &x->class[q->collective][bine_size_class(q->bytes)];
    p->state = BINE_PREDICTED;
    p->prediction = *prediction;
    free(p->reason);
    p->reason = prediction->count > 0 ? strdup(bine_prediction_text(prediction, text)) : NULL;
}

void bine_predictions_free(struct bine_predictions *x) {
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        for (int k = 0; k < BINE_SIZE_CLASSES; k++)
            free(x->class[c][k].reason);
}
