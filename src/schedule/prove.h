/* Build the schedules of all ranks and prove them. The builder and the proof know nothing of each
 * other: they meet here. */
#ifndef BINE_SCHEDULE_PROVE_H
#define BINE_SCHEDULE_PROVE_H

#include "schedule/check/check.h"
#include "schedule/spec.h"

/* The schedules of a request; its rank is ignored. In a rooted collective only the root can be in
 * place: the other ranks have one buffer, and cannot know. 0, 1 or -1 as bine_check. */
int bine_check_spec(const struct bine_spec *spec, struct bine_verdict *verdict);
/* Two proofs: not in place, then in place if the collective has that. *in_place says which of
 * them failed. */
int bine_check_both(const struct bine_spec *spec, struct bine_verdict *verdict, int *in_place);

#endif
