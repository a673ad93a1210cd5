/* The model and lessons: they come before the built-in rules. */
#ifndef BINE_CALL_REFINE_H
#define BINE_CALL_REFINE_H

#include "comm/context.h"

/* Replace the rules' choice by the learnt or the predicted one, where nothing is forced and no rule
 * of the user's holds. The context then says whether the choice is final, and which tuning session
 * the call belongs to. */
void bine_select_refined(struct bine_context *c, const struct bine_query *q,
                         struct bine_choice *choice);

#endif
