/* The model's prediction for a call, for 'bine choose': as the library asks it. */
#ifndef BINE_TOOLS_CHOOSE_CHOOSE_MODEL_H
#define BINE_TOOLS_CHOOSE_CHOOSE_MODEL_H

#include "choose/choose_place.h"
#include "model/prediction.h"

/* Whether the model has ground to stand on: groups or a torus, and rates; without these, several
 * groups. `m` may be NULL. */
int bine_choose_knows(const struct bine_query *q, const struct bine_machine *m);
/* The prediction has count 0 where the model has no ground to stand on. 0, or BINE_EXIT_USAGE after
 * complaining. */
int bine_choose_model(const struct bine_query *q, const struct bine_choose_where *w,
                      struct bine_prediction *prediction);

#endif
