/* Build the schedules of all ranks and prove them: where the builder and the proof, which know nothing
 * of each other, meet. */
#ifndef BINE_SCHEDULE_PROVE_H
#define BINE_SCHEDULE_PROVE_H

#include "schedule/check/check.h"
#include "schedule/request.h"

/* The schedules of a request (its rank is ignored). In place
 * means the root alone where there is one: the other ranks have but one buffer, and cannot know. */
int bine_check_request(const struct bine_request *rq, struct bine_verdict *verdict);
/* The same not in place and then in place, if the collective has that; *in_place says which was
 * wrong. */
int bine_check_both(const struct bine_request *rq, struct bine_verdict *verdict, int *in_place);

#endif
