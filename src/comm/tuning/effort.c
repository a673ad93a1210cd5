#include "comm/tuning/effort.h"

#include <stdatomic.h>

static atomic_llong spent; /* microseconds */

void bine_effort_spend(double seconds) {
    atomic_fetch_add(&spent, (long long)(seconds * 1e6));
}

int bine_effort_is_spent(const struct bine_settings *s) {
    return atomic_load(&spent) >= s->effort_time;
}
