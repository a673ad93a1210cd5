#define _GNU_SOURCE /* sched_getaffinity */

#include "comm/cores.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

int bine_cores_words(const uint64_t mask[BINE_CORES_WORDS]) {
    int words = BINE_CORES_WORDS;
    while (words > 0 && mask[words - 1] == 0)
        words--;
    return words;
}

/* Of the first thread, because programs may tie others to single cores. */
int bine_cores_find(uint64_t mask[BINE_CORES_WORDS]) {
    size_t size = BINE_CORES_WORDS * sizeof *mask;
    memset(mask, 0, size);
    if (sched_getaffinity(getpid(), size, (cpu_set_t *)(void *)mask) != 0)
        memset(mask, 0, size);
    return bine_cores_words(mask);
}

int bine_cores_count(const uint64_t *mask, int words) {
    int n = 0;
    for (int i = 0; i < words; i++)
        n += __builtin_popcountll(mask[i]);
    return n;
}
