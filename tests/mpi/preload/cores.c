/* Preloaded into the ranks: sixteen cores, wherever they run. So calls go the way that they go on a
 * large node, also where a test has two cores. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set) {
    (void)pid;
    memset(set, 0, size);
    for (unsigned i = 0; i < 16; i++)
        CPU_SET_S(i, size, set);
    return 0;
}
