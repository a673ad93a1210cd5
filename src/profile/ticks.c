#include "profile/ticks.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

int bine_ticks_are_counted;

/* A counter that stops or changes its pace with the processor is no clock. A machine that is
 * emulated may take longer to read it than the system's clock. */
static int counter_is_even(void) {
#if defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
#elif defined(__aarch64__)
    return 1;
#else
    return 0;
#endif
}

static int counter_is_quick(void) {
    enum { READINGS = 64, MOST_NS = 100 };
    int64_t before = bine_monotonic_ns();
    for (int i = 0; i < READINGS; i++)
        (void)bine_ticks();
    return bine_monotonic_ns() - before < (int64_t)READINGS * MOST_NS;
}

void bine_ticks_choose(void) {
    bine_ticks_are_counted = counter_is_even();
    if (bine_ticks_are_counted && !counter_is_quick() && !counter_is_quick())
        bine_ticks_are_counted = 0;
}

/* The reading that took least: the process may lose its core between the two clocks. */
struct bine_ticks_pair bine_ticks_now(void) {
    enum { TRIES = 4 };
    struct bine_ticks_pair best = {0, 0};
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < TRIES; i++) {
        uint64_t before = bine_ticks();
        int64_t ns = bine_monotonic_ns();
        uint64_t took = bine_ticks() - before;
        if (took < least) {
            least = took;
            best = (struct bine_ticks_pair){before + took / 2, ns};
        }
    }
    return best;
}

double bine_ticks_length(const struct bine_ticks_pair *from, const struct bine_ticks_pair *to) {
    enum { LEAST_NS = 1000 };
    int64_t ns = to->ns - from->ns;
    return ns < LEAST_NS || to->ticks <= from->ticks
               ? 1.0
               : (double)ns / (double)(to->ticks - from->ticks);
}
