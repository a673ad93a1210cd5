/* bench-pick RANKS...: what it costs rank 0 to ask the model, as the library does: time and memory
 * over the number of ranks, in 16 groups of random sizes; or in groups of these sizes (1000,24), or
 * on a torus (32x32). A row for each: milliseconds of the first
 * answer for a communicator, of the median and the longest answer of eight collectives at five
 * sizes one after the other, of the longest where each is the first that is asked, and the most
 * memory that takes one after the other, MiB. Time is the processor's, the least of five runs, so
 * that what else the computer does counts little. BENCH_EACH=1: each answer. */
#include "model/prediction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { GROUPS = 16, SIZES = 5, RUNS = 5 };
static const int64_t sizes[SIZES] = {4096, 32768, 262144, 2 << 20, 16 << 20};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long memory(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

static int make_groups(struct bine_allocation *a, int p) {
    char text[1024] = "";
    struct bine_reason why;
    int groups = p < GROUPS ? p : GROUPS;
    size_t at = 0;
    for (int g = 0; g < groups; g++) {
        int left = p - (groups - g - 1),
            n = g == groups - 1 ? left : 1 + rand() % (2 * left / (groups - g) + 1);
        n = n < left ? n : left;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%d", g == 0 ? "" : ",", n);
        p -= n;
    }
    return bine_allocation_sizes(a, text, &why);
}

/* The dims have no dimensions where it is no torus. */
static int make_job(struct bine_allocation *a, const char *what, struct bine_shape *dims) {
    struct bine_reason why;
    dims->dims = 0;
    if (strchr(what, 'x') != NULL)
        return bine_shape_parse(what, strlen(what), dims) != 0 ||
                       bine_allocation_torus(a, dims, &why) != 0
                   ? -1
                   : 0;
    return strchr(what, ',') != NULL ? bine_allocation_sizes(a, what, &why)
                                     : make_groups(a, atoi(what));
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Seconds until an answer. */
static double answer(struct bine_picker *x, enum bine_collective c, int64_t bytes) {
    struct bine_prediction a;
    double begin = now();
    bine_predict(x, c, 0, bytes, &a);
    double took = now() - begin;
    if (getenv("BENCH_EACH") != NULL)
        printf("%s %lld: %.1f ms, %.0f of the budget left: %s\n", bine_collective_name(c),
               (long long)bytes, 1e3 * took, x->left,
               a.count > 0 ? bine_catalogue[a.algorithm[0]].name : "nothing");
    return took;
}

/* What all answers took, or what they took before, if that was less: one after the other of one
 * picker, or each of a new one. Returns how many there are; -1: out of memory. */
static int ask_all(const struct bine_links *links, const struct bine_groups *groups,
                   const struct bine_shape *dims, int alone, double *took) {
    struct bine_picker x;
    int n = 0;
    if (bine_picker_open(&x, links, groups, dims) != 0)
        return -1;
    for (int c = 0; c < BINE_COLLECTIVES; c++)
        for (int k = 0; k < SIZES && bine_collective_is_plain((enum bine_collective)c); k++, n++) {
            double seconds = answer(&x, (enum bine_collective)c, sizes[k]);
            took[n] = took[n] > 0 && took[n] < seconds ? took[n] : seconds;
            if (!alone)
                continue;
            bine_picker_close(&x);
            if (bine_picker_open(&x, links, groups, dims) != 0)
                return -1;
        }
    bine_picker_close(&x);
    return n;
}

static int measure(const char *what) {
    struct bine_allocation a;
    struct bine_machine m;
    struct bine_links links;
    struct bine_shape dims;
    double took[BINE_COLLECTIVES * SIZES] = {0}, alone[BINE_COLLECTIVES * SIZES] = {0};
    int n = 0;
    long before = memory(), most = 0;
    memset(&m, 0, sizeof m);
    m.nics = 1;
    m.nic_gbits = 100;
    m.rates =
        (struct bine_rates){.latency_near = 2e-6, .latency_far = 3e-6, .uplink = 25e9, .link = 6e9};
    if (make_job(&a, what, &dims) != 0 || bine_links_make(&links, &a, &m) != 0)
        return 2;
    struct bine_groups *groups = dims.dims > 0 ? NULL : bine_allocation_levels(&a);
    const struct bine_shape *torus = dims.dims > 0 ? &dims : NULL;
    if (torus == NULL && groups == NULL)
        return 2;
    for (int i = 0; i < RUNS && n >= 0; i++) {
        n = ask_all(&links, groups, torus, 0, took);
        most = i == 0 ? memory() : most;
        n = n < 0 ? n : ask_all(&links, groups, torus, 1, alone);
    }
    if (n <= 0)
        return 2;
    double first = took[0];
    qsort(took, (size_t)n, sizeof *took, ascending);
    qsort(alone, (size_t)n, sizeof *alone, ascending);
    printf("| %s | %.1f | %.1f | %.1f | %.1f | %.1f |\n", what, 1e3 * first, 1e3 * took[n / 2],
           1e3 * took[n - 1], 1e3 * alone[n - 1], (double)(most - before) / 1024);
    bine_groups_free(groups);
    bine_links_free(&links);
    bine_allocation_free(&a);
    return 0;
}

int main(int argc, char **argv) {
    printf("| ranks | first answer, ms | median, ms | longest, ms | longest alone, ms | memory, "
           "MiB |\n"
           "|---|---|---|---|---|---|\n");
    fflush(stdout);
    for (int i = 1; i < argc; i++) {
        int status;
        pid_t child = fork(); /* memory is counted from the beginning */
        if (child == 0) {
            int rc = measure(argv[i]);
            fflush(stdout);
            _exit(rc);
        }
        if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
            return 2;
    }
    return 0;
}
