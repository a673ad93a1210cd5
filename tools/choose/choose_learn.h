/* What programs learn, and learnt before, as `bine choose` tells it. */
#ifndef BINE_CHOOSE_CHOOSE_LEARN_H
#define BINE_CHOOSE_CHOOSE_LEARN_H

#include "select/candidates.h"

/* Whether BINE_WISDOM has an answer, which is the choice then. Its reason stays as long as the
 * rules, which are to be freed. */
int bine_choose_wisdom(const struct bine_query *q, struct bine_rules *wisdom,
                       struct bine_choice *c);
/* A line with the candidates of a program that tunes; `prediction` is the model's, or has count 0.
 */
void bine_choose_print_candidates(const struct bine_query *q,
                                  const struct bine_prediction *prediction);

#endif
