/* Tuning in programs, and its results from before, as `bine choose` tells of them. */
#ifndef BINE_CHOOSE_CHOOSE_LEARN_H
#define BINE_CHOOSE_CHOOSE_LEARN_H

#include "select/tuning.h"

/* Whether the file of BINE_WISDOM is there and good: its rules, to be freed. */
int bine_choose_wisdom(struct bine_rules *wisdom);
/* A line with the candidates that a program would try, if it would; the model's prediction, or
 * NULL. */
void bine_choose_print_candidates(const struct bine_query *q,
                                  const struct bine_prediction *prediction);

#endif
