/* How long it takes to build the schedule of one rank where groups are known, and how large it is.
 *
 *     bench-group-schedule [GROUPS [SIZE]]
 *
 * For GROUPS (640) groups of SIZE (160) ranks, and for as many ranks in groups of different sizes,
 * from half of SIZE on, with the last one to take the rest: every collective that has an algorithm
 * named bine-group..., in one segment and in as many as it has. Each row is of a process of its
 * own: processor time for the groups and for the schedule of a rank in the middle, the bytes of the
 * schedule, and the most memory that the process had beyond what it began with. */
#include "schedule/build/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double most_memory(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

/* One row. Returns 0, or 1 when out of memory. */
static int measure(const struct bine_algorithm *a, int segments, int p, const int32_t *name) {
    const int32_t *const level[] = {name};
    double begin = seconds(), memory = most_memory();
    struct bine_groups *g = bine_groups_new(p, 1, level);
    double known = seconds();
    struct bine_spec spec = {.algorithm = a,
                             .layout = BINE_BLOCKS,
                             .p = p,
                             .rank = p / 3,
                             .groups = g,
                             .segments = segments};
    struct bine_schedule *s = g != NULL ? bine_schedule_build(&spec) : NULL;
    if (s == NULL)
        return 1;
    printf("%-16s %-20s %8d %9.3f %9.3f %8.1f %8.1f\n", bine_collective_name(a->collective),
           a->name, segments, known - begin, seconds() - known,
           (double)bine_schedule_bytes(s) / (1 << 20), most_memory() - memory);
    fflush(stdout);
    return 0;
}

static int measure_apart(const struct bine_algorithm *a, int segments, int p, const int32_t *name) {
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(measure(a, segments, p, name));
    if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "bench-group-schedule: %s %s: out of memory\n",
                bine_collective_name(a->collective), a->name);
        return 1;
    }
    return 0;
}

static int measure_all(int p, const int32_t *name) {
    int failed = 0;
    printf("%-16s %-20s %8s %9s %9s %8s %8s\n", "collective", "algorithm", "segments", "groups, s",
           "build, s", "MiB", "peak");
    fflush(stdout);
    for (size_t i = 0; i < bine_catalogue_size; i++) {
        const struct bine_algorithm *a = &bine_catalogue[i];
        if (strncmp(a->name, "bine-group", 10) != 0)
            continue;
        failed |= measure_apart(a, 1, p, name);
        if (bine_segments_most(a, p) > 1)
            failed |= measure_apart(a, bine_segments_most(a, p), p, name);
    }
    return failed;
}

/* Groups of one size, or from half of it to one and a half. */
static void name_groups(int groups, int size, int uneven, int32_t *name) {
    int p = groups * size, r = 0;
    for (int g = 0; g < groups; g++) {
        int n = uneven && groups > 1 ? size / 2 + (int)((int64_t)g * size / (groups - 1)) : size;
        for (int k = 0; k < n && r < p; k++)
            name[r++] = g;
    }
    while (r < p)
        name[r++] = groups - 1;
}

int main(int argc, char **argv) {
    int groups = argc > 1 ? atoi(argv[1]) : 640, size = argc > 2 ? atoi(argv[2]) : 160;
    if (argc > 3 || groups < 1 || size < 1 || (int64_t)groups * size > 1 << 24) {
        fprintf(stderr,
                "usage: bench-group-schedule [GROUPS [SIZE]]: expected at most 2^24 ranks\n");
        return 2;
    }
    int32_t *name = malloc((size_t)groups * (size_t)size * sizeof *name);
    int failed = name == NULL;
    for (int uneven = 0; uneven < 2 && !failed; uneven++) {
        name_groups(groups, size, uneven, name);
        printf("%s%d ranks in %d groups of %s\n", uneven ? "\n" : "", groups * size, groups,
               uneven ? "different sizes" : "one size");
        failed = measure_all(groups * size, name);
    }
    free(name);
    return failed;
}
