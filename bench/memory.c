/* How fast a node's memory is, for a machine file: bench-memory [PROCESSES]
 *
 * Copies by one process, and by all of them at once, of blocks that fit a core's caches and of
 * blocks that do not; and what all of them copy together, as messages inside a node do: one copy in
 * at the sender, one out at the receiver. Medians of rounds. Prints the lines copy-gbytes,
 * cache-gbytes and memory-gbytes. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 15, LARGE = 16 << 20, SMALL = 64 << 10, TIMES = 64, MOST = 256 };

struct shared {
    atomic_int come[2 * ROUNDS + 2];
    double rate[2][MOST][ROUNDS]; /* of large and small blocks, bytes a second */
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void meet(struct shared *s, int place, int processes) {
    atomic_fetch_add(&s->come[place], 1);
    while (atomic_load(&s->come[place]) < processes)
        sched_yield();
}

static int descending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static double median(double *x) {
    qsort(x, ROUNDS, sizeof *x, descending);
    return x[ROUNDS / 2];
}

/* Both sizes, all processes together; as many bytes of each. */
static void copy_rounds(struct shared *s, int who, int processes) {
    char *from = malloc(LARGE), *to = malloc(LARGE);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)who, &set);
    sched_setaffinity(0, sizeof set, &set);
    if (from == NULL || to == NULL)
        exit(1);
    memset(from, 1, LARGE);
    memset(to, 2, LARGE);
    for (int k = 0; k < ROUNDS; k++)
        for (int small = 0; small < 2; small++) {
            int block = small ? SMALL : LARGE, times = small ? TIMES * 4 : 1;
            meet(s, 2 * k + small, processes);
            double begin = now();
            for (int i = 0; i < times; i++) {
                memcpy(to, from, (size_t)block);
                from[i % block] = (char)(to[(i + 1) % block] + 1); /* so that no copy is left out */
            }
            s->rate[small][who][k] = (double)times * block / (now() - begin);
        }
    free(from);
    free(to);
}

static void measure(struct shared *s, int processes, double *large, double *small, double *all) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < processes; i++)
        if (fork() == 0) {
            copy_rounds(s, i, processes);
            _exit(0);
        }
    while (wait(NULL) > 0) {
    }
    *all = 0;
    for (int i = 0; i < processes; i++)
        *all += median(s->rate[0][i]);
    *large = *all / processes;
    *small = 0;
    for (int i = 0; i < processes; i++)
        *small += median(s->rate[1][i]) / processes;
}

int main(int argc, char **argv) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int processes = argc > 1 ? atoi(argv[1]) : (int)cores;
    struct shared *s =
        mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double large, small, all;
    if (s == MAP_FAILED || processes < 1 || processes > MOST)
        return 2;
    printf("processes,GB/s of one: 16 MiB,64 KiB,GB/s of all: 16 MiB\n");
    for (int n = 1; n < 2 * processes; n *= 2) {
        int some = n < processes ? n : processes;
        measure(s, some, &large, &small, &all);
        printf("%d,%.1f,%.1f,%.1f\n", some, 1e-9 * large, 1e-9 * small, 1e-9 * all);
        if (some == 1)
            printf("copy-gbytes %.1f\ncache-gbytes %.1f\n", 1e-9 * large, 1e-9 * small);
    }
    printf("memory-gbytes %.1f\n", 1e-9 * all / 2);
    return 0;
}
