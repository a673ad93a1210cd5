/* The model and lessons: they come before the built-in rules. */
#ifndef BINE_MPI_FOLLOW_H
#define BINE_MPI_FOLLOW_H

#include "mpi/context.h"

/* Change a choice of the rules to what the model says or was learnt, where nothing is forced:
 * unless a rule of the user's holds. Says in the context whether it is for ever, and which lesson
 * the call belongs to. */
void bine_follow(struct bine_context *c, const struct bine_question *q, struct bine_choice *choice);

#endif
