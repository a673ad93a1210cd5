/* A clock that is cheap to read: the processor's counter where that runs evenly on all cores,
 * otherwise the system's monotonic clock. Ticks become seconds by pairs of both clocks, which are
 * read now and then. */
#ifndef BINE_PROFILE_TICKS_H
#define BINE_PROFILE_TICKS_H

#include <stdint.h>
#include <time.h>

/* Both clocks at one moment: `ns` of CLOCK_MONOTONIC, which all processes of a node have in common.
 */
struct bine_ticks_pair {
    uint64_t ticks;
    int64_t ns;
};

static inline int64_t bine_monotonic_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

extern int bine_ticks_are_counted; /* by the processor's counter */

static inline uint64_t bine_ticks(void) {
#if defined(__x86_64__)
    if (__builtin_expect(bine_ticks_are_counted, 1))
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (__builtin_expect(bine_ticks_are_counted, 1)) {
        uint64_t t;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
        return t;
    }
#endif
    return (uint64_t)bine_monotonic_ns();
}

/* Find out which clock to read; before any other thread reads it. */
void bine_ticks_choose(void);

struct bine_ticks_pair bine_ticks_now(void);

/* Nanoseconds of a tick between two moments; 1 where they are too near each other to tell. */
double bine_ticks_length(const struct bine_ticks_pair *from, const struct bine_ticks_pair *to);

#endif
