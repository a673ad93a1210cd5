/* How long it takes to build the schedule of one rank from scratch, tree included, and how large it
 * is.
 *
 *     bench-schedule [--all] [--layouts all] [--csv] [--max K]
 *
 * For p = 2^4, 2^6, .., 2^20 and the even and the odd number just below each. Two ranks are
 * measured, the root and one in the middle, and the slower counts. The number is the median of
 * repeated builds. A time that misses its target is marked with an exclamation mark. Bine
 * algorithms in the layouts blocks and permute; --all adds the other families, --layouts all the
 * other layouts, --max K stops at 2^K. */
#include "pattern/negabinary.h"
#include "schedule/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_POWER = 4, LAST_POWER = 20, MOST_BUILDS = 101, LEAST_BUILDS = 3 };

static const double PATIENCE = 0.1; /* seconds for all builds of one schedule, after the least */

struct options {
    int all, layouts, csv, max;
};

struct result {
    double seconds; /* negative: this p is not served */
    size_t bytes;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct result measure_rank(const struct bine_request *rq) {
    double took[MOST_BUILDS], began = now();
    struct result result = {0, 0};
    int n = 0;
    /* The first build warms the allocator up and is not counted. */
    for (int i = -1; i < MOST_BUILDS; i++) {
        double before = now();
        struct bine_schedule *s = bine_schedule_build(rq);
        double after = now();
        if (s == NULL) {
            fprintf(stderr, "bench-schedule: out of memory at %d ranks\n", rq->p);
            exit(1);
        }
        result.bytes = bine_schedule_bytes(s);
        bine_schedule_free(s);
        if (i >= 0)
            took[n++] = after - before;
        if (n >= LEAST_BUILDS && after - began > PATIENCE)
            break;
    }
    qsort(took, (size_t)n, sizeof *took, by_value);
    result.seconds = took[n / 2];
    return result;
}

static struct result measure(const struct bine_algorithm *a, enum bine_layout layout, int p) {
    struct result worst = {-1, 0};
    int ranks[2] = {0, p / 3};
    for (int i = 0; i < 2; i++) {
        struct bine_request rq = {.algorithm = a, .layout = layout, .p = p, .rank = ranks[i]};
        char why[128];
        if (bine_request_error(&rq, why, sizeof why) != NULL)
            return worst;
        struct result x = measure_rank(&rq);
        worst.seconds = x.seconds > worst.seconds ? x.seconds : worst.seconds;
        worst.bytes = x.bytes > worst.bytes ? x.bytes : worst.bytes;
    }
    return worst;
}

/* Near-first with circular runs: what the catalogue calls bine-near or bine-large-two. */
static int has_circular_runs(const struct bine_algorithm *a) {
    return a->tree == BINE_FAMILY_BINE && a->order == BINE_NEAR_FIRST &&
           a->layouts[0] == BINE_BLOCKS && a->layouts[1] == BINE_PACK;
}

/* Seconds, or 0 where there is no target. `power` is that of the column: p is 2^power or just
 * below.
 */
static double target(const struct bine_algorithm *a, enum bine_layout layout, int power) {
    if (strcmp(a->family, "bine") != 0)
        return 0;
    if (layout == BINE_PERMUTE || has_circular_runs(a))
        return 20e-6;
    if (layout != BINE_BLOCKS)
        return 0;
    return power == 10 ? 100e-6 : power == 16 ? 10e-3 : 0;
}

static const char *const kinds[] = {"2^k", "even", "odd"};

static int ranks_of(int power, int kind) {
    static const int below[] = {0, 2, 1};
    return (1 << power) - below[kind];
}

static int is_wanted(const struct options *o, const struct bine_algorithm *a,
                     enum bine_layout layout) {
    int permuted = layout == BINE_PERMUTE, plain = layout == BINE_BLOCKS;
    return (o->all || strcmp(a->family, "bine") == 0) && (o->layouts || permuted || plain) &&
           bine_algorithm_has_layout(a, layout, 1);
}

static void print_head(const struct options *o) {
    if (o->csv) {
        printf("collective,algorithm,layout,ranks,microseconds,bytes,target_microseconds\n");
        return;
    }
    printf("Microseconds and bytes per schedule of one rank; ! misses its target.\n");
    printf("even: p = 2^k - 2, odd: p = 2^k - 1\n\n");
    printf("%-14s %-19s %-8s %-5s", "collective", "algorithm", "layout", "p");
    for (int k = FIRST_POWER; k <= o->max; k += 2)
        printf("        2^%-2d", k);
    printf("\n");
}

static void print_csv(const struct bine_algorithm *a, enum bine_layout layout, int power, int p,
                      struct result x) {
    double t = target(a, layout, power);
    printf("%s,%s,%s,%d,%.2f,%zu,", bine_collective_name(a->collective), a->name,
           bine_layout_name(layout), p, 1e6 * x.seconds, x.bytes);
    printf(t > 0 ? "%.0f\n" : "\n", 1e6 * t);
}

static void print_bytes(const struct result *x, int n) {
    printf("%-14s %-19s %-8s %-5s", "", "", "", "bytes");
    for (int i = 0; i < n; i++)
        if (x[i].seconds < 0)
            printf(" %11s", "-");
        else
            printf(" %10zu ", x[i].bytes);
    printf("\n");
}

/* One row of the catalogue in one layout, for one kind of p; returns how many targets it missed. */
static int row(const struct options *o, const struct bine_algorithm *a, enum bine_layout layout,
               int kind) {
    struct result x[LAST_POWER];
    int n = 0, missed = 0;
    if (!bine_algorithm_serves(a, ranks_of(FIRST_POWER, kind)) ||
        !bine_algorithm_has_layout(a, layout, ranks_of(FIRST_POWER, kind)))
        return 0;
    if (!o->csv)
        printf("%-14s %-19s %-8s %-5s", bine_collective_name(a->collective), a->name,
               bine_layout_name(layout), kinds[kind]);
    for (int k = FIRST_POWER; k <= o->max; k += 2, n++) {
        int p = ranks_of(k, kind);
        x[n] = measure(a, layout, p);
        double t = target(a, layout, k);
        int misses = x[n].seconds >= 0 && t > 0 && x[n].seconds > t;
        missed += misses;
        if (o->csv && x[n].seconds >= 0)
            print_csv(a, layout, k, p, x[n]);
        else if (!o->csv)
            printf(" %10.1f%c", 1e6 * x[n].seconds, misses ? '!' : ' ');
        fflush(stdout);
    }
    if (!o->csv) {
        printf("\n");
        print_bytes(x, n);
    }
    return missed;
}

static int usage(void) {
    fprintf(stderr, "usage: bench-schedule [--all] [--layouts all] [--csv] [--max 4..%d]\n",
            LAST_POWER);
    return 2;
}

static int parse(int argc, char **argv, struct options *o) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--all") == 0)
            o->all = 1;
        else if (strcmp(argv[i], "--csv") == 0)
            o->csv = 1;
        else if (strcmp(argv[i], "--layouts") == 0 && strcmp(value, "all") == 0)
            o->layouts = ++i;
        else if (strcmp(argv[i], "--max") == 0) {
            char *end;
            long k = strtol(value, &end, 10);
            if (end == value || *end != '\0' || k < FIRST_POWER || k > LAST_POWER)
                return -1;
            o->max = (int)k;
            i++;
        } else
            return -1;
    }
    return 0;
}

int main(int argc, char **argv) {
    struct options o = {0, 0, 0, LAST_POWER};
    int missed = 0;
    if (parse(argc, argv, &o) != 0)
        return usage();
    print_head(&o);
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int l = 0; l < BINE_LAYOUTS; l++)
            for (int kind = 0; kind < 3; kind++)
                if (is_wanted(&o, &bine_catalogue[i], (enum bine_layout)l))
                    missed += row(&o, &bine_catalogue[i], (enum bine_layout)l, kind);
    if (!o.csv)
        printf("\n%d times miss their target\n", missed);
    return 0;
}
