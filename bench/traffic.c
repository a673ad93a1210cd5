/* How long `bine traffic` takes, and how much memory, as its users see it.
 *
 *     bench-traffic BINE [JOBS MACHINE]
 *
 * Runs the command a few times for each case and prints the median of the wall-clock seconds, the
 * processor seconds of all its processes, the largest resident memory of one, and whether the
 * targets are met: 1 second for one job of 8,192 nodes with every algorithm of allreduce, 2 seconds
 * for all jobs of a log (Leonardo's week has 2,215) with one algorithm and a baseline, 500 MB. Exit
 * 1 if one is missed. */
#define _DEFAULT_SOURCE /* wait4 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS = 5, MOST_ARGUMENTS = 16 };

static const double MOST_MEGABYTES = 500;

struct run {
    double seconds, processor, megabytes;
    int good;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Its output goes nowhere; memory is that of the largest process, workers included. */
static struct run run_once(char *const argv[]) {
    struct run r = {0, 0, 0, 0};
    struct rusage usage;
    int status = 1;
    double begin = now();
    pid_t pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        execvp(argv[0], argv);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
        return r;
    r.seconds = now() - begin;
    r.processor = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                  1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    r.megabytes = (double)usage.ru_maxrss / 1024;
    r.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return r;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* One case; returns 1 if a target is missed. */
static int measure(const char *title, double most_seconds, char *const argv[]) {
    double took[RUNS], processor[RUNS], megabytes = 0;
    for (int i = 0; i < RUNS; i++) {
        struct run r = run_once(argv);
        if (!r.good) {
            printf("%-52s failed: %s\n", title, argv[0]);
            return 1;
        }
        took[i] = r.seconds;
        processor[i] = r.processor;
        megabytes = r.megabytes > megabytes ? r.megabytes : megabytes;
    }
    qsort(took, RUNS, sizeof *took, by_value);
    qsort(processor, RUNS, sizeof *processor, by_value);
    int missed = (most_seconds > 0 && took[RUNS / 2] > most_seconds) || megabytes > MOST_MEGABYTES;
    printf("%-48s %7.3f s %7.3f s cpu %7.1f MB", title, took[RUNS / 2], processor[RUNS / 2],
           megabytes);
    if (most_seconds > 0)
        printf("   at most %g s%s", most_seconds, missed ? ": missed" : "");
    printf("\n");
    fflush(stdout);
    return missed;
}

/* 8,192 ranks in uneven groups, as a job on a Dragonfly has them. */
static void make_groups(char *text, size_t size, int ranks) {
    size_t at = 0;
    unsigned x = 12345;
    while (ranks > 0) {
        x = x * 1103515245u + 12345u;
        int group = 100 + (int)(x >> 16) % 500;
        group = group < ranks ? group : ranks;
        at += (size_t)snprintf(text + at, size - at, "%s%d", at == 0 ? "" : ",", group);
        ranks -= group;
    }
}

static int measure_job(char *bine, char *collective, char *groups, double most_seconds) {
    static char traffic[] = "traffic", with[] = "--groups", format[] = "--format", csv[] = "csv";
    char *argv[MOST_ARGUMENTS] = {bine, traffic, collective, with, groups, format, csv, NULL};
    char title[80];
    snprintf(title, sizeof title, "%.20s, every algorithm, 8192 nodes", collective);
    return measure(title, most_seconds, argv);
}

static int measure_log(char *bine, char *jobs, char *machine, char *workers) {
    static char words[][16] = {"traffic", "allreduce",  "bine-large",   "--machine",
                               "--jobs",  "--baseline", "rabenseifner", "--format",
                               "csv",     "--workers"};
    char *argv[MOST_ARGUMENTS] = {bine,     words[0], words[1], words[2], words[3],
                                  machine,  words[4], jobs,     words[5], words[6],
                                  words[7], words[8], words[9], workers,  NULL};
    char title[120];
    snprintf(title, sizeof title, "all jobs of %.40s, %s workers",
             strrchr(jobs, '/') == NULL ? jobs : strrchr(jobs, '/') + 1, workers);
    return measure(title, 2, argv);
}

int main(int argc, char **argv) {
    static char collectives[][16] = {"bcast",   "reduce",    "allreduce", "gather",
                                     "scatter", "allgather", "alltoall",  "reduce_scatter"};
    static char two[] = "2";
    char groups[1000];
    int missed = 0;
    if (argc != 2 && argc != 4) {
        fprintf(stderr, "usage: bench-traffic BINE [JOBS MACHINE]\n");
        return 2;
    }
    make_groups(groups, sizeof groups, 8192);
    for (size_t i = 0; i < sizeof collectives / sizeof *collectives; i++)
        missed += measure_job(argv[1], collectives[i], groups,
                              strcmp(collectives[i], "allreduce") == 0 ? 1 : 0);
    if (argc == 4)
        missed += measure_log(argv[1], argv[2], argv[3], two);
    return missed > 0;
}
