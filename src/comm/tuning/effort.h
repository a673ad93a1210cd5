/* The time that this process has spent on looking for the fastest algorithms: calls that try one,
 * and answers of the model. BINE_EFFORT_SECONDS limits it. Ranks do not spend alike: they agree on
 * the consequences. */
#ifndef BINE_COMM_EFFORT_H
#define BINE_COMM_EFFORT_H

#include "select/settings.h"

void bine_effort_spend(double seconds);
int bine_effort_is_spent(const struct bine_settings *s);

#endif
