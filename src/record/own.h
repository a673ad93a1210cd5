/* The calls of Bine_*, by way of the recording of a profile where one is asked for. Otherwise the
 * pointers are the functions themselves, from the first call on. */
#ifndef BINE_RECORD_OWN_H
#define BINE_RECORD_OWN_H

#include "call/collectives.h"
#include "request/requests.h"

struct bine_own_calls {
    int (*now)(const struct bine_arguments *a);
    int (*start)(const struct bine_arguments *a, struct bine_request **request);
};
extern __attribute__((visibility("hidden"))) struct bine_own_calls bine_own;

/* Whether plans are recorded. */
int bine_own_is_recorded(void);

#endif
