/* The builder: from a request to the schedule of one rank. */
#ifndef BINE_SCHEDULE_BUILD_BUILD_H
#define BINE_SCHEDULE_BUILD_BUILD_H

#include "schedule/spec.h"

/* NULL when out of memory. The spec must be valid: see bine_spec_error. */
struct bine_schedule *bine_schedule_build(const struct bine_spec *request);

#endif
