#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Failures shown on each rank; the rest are only counted. */
#define SHOWN 3

static long passed, failed;

/* splitmix64 */
uint64_t rng_next(struct rng *r) {
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

struct rng rng_make(uint64_t seed, uint64_t a, uint64_t b) {
    struct rng r = {seed};
    r.state = rng_next(&r) ^ (a * 0xd1342543de82ef95u);
    r.state = rng_next(&r) ^ (b * 0xaf251af3b0f025b5u);
    rng_next(&r);
    return r;
}

int rng_below(struct rng *r, int n) {
    return (int)(rng_next(r) % (uint64_t)n);
}

int rng_once_in(struct rng *r, int n) {
    return rng_below(r, n) == 0;
}

int check_that(int ok, const char *format, ...) {
    if (ok) {
        passed++;
        return 1;
    }
    if (failed++ < SHOWN) {
        char text[600];
        int rank;
        va_list list;
        va_start(list, format);
        vsnprintf(text, sizeof text, format, list);
        va_end(list);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        fprintf(stderr, "FAIL on rank %d: %s\n", rank, text);
    }
    return 0;
}

int check_failures(void) {
    return (int)failed;
}

int check_end(void) {
    long mine[2] = {passed, failed}, all[2];
    int rank;
    MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%ld passed, %ld failed\n", all[0], all[1]);
    fflush(stdout);
    return all[1] == 0 ? 0 : 1;
}

long check_option(int argc, char **argv, const char *name, long otherwise) {
    for (int i = 1; i + 1 < argc; i++)
        if (strncmp(argv[i], "--", 2) == 0 && strcmp(argv[i] + 2, name) == 0)
            return strtol(argv[i + 1], NULL, 0);
    return otherwise;
}

int check_class(int code) {
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static const char *version(void) {
    static char said[MPI_MAX_LIBRARY_VERSION_STRING + 1];
    int n;
    MPI_Get_library_version(said, &n);
    return said;
}

static int begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

int check_is_openmpi(void) {
    return begins(version(), "Open MPI ");
}

int check_threads_work(void) {
    return !begins(version(), "Open MPI v6.0.0rc");
}

int check_null_types_are_found(void) {
    int major = 0;
    const char *said = version();
    return sscanf(said, "MPICH Version: %d", &major) != 1 || major < 5;
}

long check_memory(void) {
    char line[200];
    long kilobytes = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1)
            break;
    if (f != NULL)
        fclose(f);
    return kilobytes;
}
