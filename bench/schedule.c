/* How long it takes to build the schedule of one rank from scratch, tree included, and how large it
 * is.
 *
 *     bench-schedule [--all] [--layouts all] [--csv] [--max K]
 *
 * For p = 2^4, 2^6, .., 2^20 and the even and the odd number just below each. Four ranks are
 * measured, the root, one in the middle and both neighbours of the root, which have most to pass
 * on, and the slowest counts. Algorithms that need groups know groups of 2^(K/2) ranks, and are
 * built with one segment; those that need a torus have one of three dimensions and one port, at
 * powers of two; both have no targets. The number is the median of repeated builds, which are made
 * in rounds over all p of a row, so that what else the machine does for a moment touches a few
 * builds of each p and not all of one; --csv adds the quartiles. A time that misses its target is
 * marked with an exclamation mark. Bine algorithms in the layouts blocks and permute; --all adds
 * the other families, --layouts all the other layouts, --max K stops at 2^K. */
#include "schedule/build/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST_POWER = 4, LAST_POWER = 20, ROUNDS = 5, MOST_BUILDS = 21, RANKS = 4 };

/* Seconds for the builds of one schedule in one round, and in all of them; one is always made. */
static const double PATIENCE = 0.01, PATIENCE_IN_ALL = 0.2;

struct options {
    int all, layouts, csv, max;
};

/* The builds of one rank's schedule. */
struct builds {
    double took[ROUNDS * MOST_BUILDS];
    double spent;
    int n;
    size_t bytes;
};

/* One p of a row. */
struct column {
    struct bine_spec request[RANKS];
    struct builds builds[RANKS];
    struct bine_groups *groups;
    struct bine_shape dims;
    int served;
    double seconds, low, high; /* the median and the quartiles of the slowest rank */
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

static void build_for_a_while(const struct bine_spec *spec, struct builds *b) {
    double began = now(), after = began;
    /* The first build of a round warms the allocator up and is not counted. */
    for (int i = -1; i < MOST_BUILDS; i++) {
        double before = now();
        struct bine_schedule *s = bine_schedule_build(spec);
        after = now();
        if (s == NULL) {
            fprintf(stderr, "bench-schedule: out of memory at %d ranks\n", spec->p);
            exit(1);
        }
        b->bytes = bine_schedule_bytes(s);
        bine_schedule_free(s);
        if (i < 0)
            continue;
        b->took[b->n++] = after - before;
        if (after - began > PATIENCE)
            break;
    }
    b->spent += after - began;
}

/* The groups or the torus that an algorithm needs; a power of two is cut as evenly as can be. */
static void open_network(struct column *c, const struct bine_algorithm *a, int power, int p) {
    enum bine_needs needs = bine_algorithm_needs(a);
    if (needs == BINE_NEEDS_GROUPS) {
        int32_t *name = malloc((size_t)p * sizeof *name);
        for (int i = 0; name != NULL && i < p; i++)
            name[i] = i >> power / 2;
        c->groups = name != NULL ? bine_groups_new(p, 1, (const int32_t *const *)&name) : NULL;
        c->served = c->groups != NULL;
        free(name);
    } else if (needs == BINE_NEEDS_DIMS) {
        c->dims =
            (struct bine_shape){3, {1 << (power + 2) / 3, 1 << (power + 1) / 3, 1 << power / 3}};
        c->served = p == 1 << power;
    }
}

static void open_column(struct column *c, const struct bine_algorithm *a, enum bine_layout layout,
                        int power, int p) {
    const int ranks[RANKS] = {0, 1, p / 3, p - 1};
    char why[128];
    *c = (struct column){.served = 1};
    open_network(c, a, power, p);
    for (int i = 0; i < RANKS && c->served; i++) {
        c->request[i] = (struct bine_spec){
            .algorithm = a, .layout = layout, .p = p, .rank = ranks[i], .groups = c->groups};
        if (c->dims.dims > 0)
            c->request[i].dims = &c->dims;
        c->request[i].segments = a->trees > 0;
        c->served = bine_spec_error(&c->request[i], why, sizeof why) == NULL;
    }
}

static void close_column(struct column *c) {
    for (int i = 0; i < RANKS; i++) {
        struct builds *b = &c->builds[i];
        qsort(b->took, (size_t)b->n, sizeof *b->took, by_value);
        if (b->took[b->n / 2] > c->seconds) {
            c->seconds = b->took[b->n / 2];
            c->low = b->took[b->n / 4];
            c->high = b->took[b->n * 3 / 4];
        }
        c->bytes = b->bytes > c->bytes ? b->bytes : c->bytes;
    }
}

static void measure(struct column *column, int n) {
    for (int round = 0; round < ROUNDS; round++)
        for (struct column *c = column; c < column + n; c++)
            for (int i = 0; c->served && i < RANKS; i++)
                if (c->builds[i].spent < PATIENCE_IN_ALL)
                    build_for_a_while(&c->request[i], &c->builds[i]);
    for (struct column *c = column; c < column + n; c++)
        if (c->served)
            close_column(c);
    for (struct column *c = column; c < column + n; c++)
        bine_groups_free(c->groups);
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
    if (strcmp(a->family, "bine") != 0 || bine_algorithm_needs(a) != BINE_NEEDS_NOTHING)
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
        printf("collective,algorithm,layout,ranks,microseconds,low_quartile,high_quartile,bytes,"
               "target_microseconds\n");
        return;
    }
    printf("Microseconds and bytes per schedule of one rank; ! misses its target.\n");
    printf("even: p = 2^k - 2, odd: p = 2^k - 1\n\n");
    printf("%-14s %-19s %-8s %-5s", "collective", "algorithm", "layout", "p");
    for (int k = FIRST_POWER; k <= o->max; k += 2)
        printf("        2^%-2d", k);
    printf("\n");
}

static void print_csv(const struct column *c, double aim) {
    const struct bine_spec *spec = &c->request[0];
    printf("%s,%s,%s,%d,%.2f,%.2f,%.2f,%zu,", bine_collective_name(spec->algorithm->collective),
           spec->algorithm->name, bine_layout_name(spec->layout), spec->p, 1e6 * c->seconds,
           1e6 * c->low, 1e6 * c->high, c->bytes);
    printf(aim > 0 ? "%.0f\n" : "\n", 1e6 * aim);
}

static void print_bytes(const struct column *c, int n) {
    printf("%-14s %-19s %-8s %-5s", "", "", "", "bytes");
    for (int i = 0; i < n; i++)
        if (c[i].served)
            printf(" %10zu ", c[i].bytes);
        else
            printf(" %11s", "-");
    printf("\n");
}

/* One row of the catalogue in one layout, for one kind of p; returns how many targets it missed. */
static int row(const struct options *o, const struct bine_algorithm *a, enum bine_layout layout,
               int kind) {
    static struct column column[LAST_POWER];
    int n = 0, missed = 0;
    if (!bine_algorithm_takes(a, ranks_of(FIRST_POWER, kind)) ||
        !bine_algorithm_has_layout(a, layout, ranks_of(FIRST_POWER, kind)) ||
        (kind != 0 && bine_algorithm_needs(a) == BINE_NEEDS_DIMS))
        return 0;
    if (!o->csv)
        printf("%-14s %-19s %-8s %-5s", bine_collective_name(a->collective), a->name,
               bine_layout_name(layout), kinds[kind]);
    fflush(stdout);
    for (int k = FIRST_POWER; k <= o->max; k += 2)
        open_column(&column[n++], a, layout, k, ranks_of(k, kind));
    measure(column, n);
    for (int i = 0; i < n; i++) {
        const struct column *c = &column[i];
        double aim = target(a, layout, FIRST_POWER + 2 * i);
        int misses = c->served && aim > 0 && c->seconds > aim;
        missed += misses;
        if (o->csv && c->served)
            print_csv(c, aim);
        else if (!o->csv && c->served)
            printf(" %10.1f%c", 1e6 * c->seconds, misses ? '!' : ' ');
        else if (!o->csv)
            printf(" %11s", "-");
    }
    if (!o->csv) {
        printf("\n");
        print_bytes(column, n);
    }
    return missed;
}

static const char usage[] = "usage: bench-schedule [--all] [--layouts all] [--csv] [--max K]";

/* What is wrong with the words, in one line; 1 if something is. */
static int wrong(const char *word, const char *value, const char *expected) {
    fprintf(stderr, "bench-schedule: %s%s%s: expected %s\n", word, *value ? " " : "", value,
            expected);
    return 1;
}

static int parse(int argc, char **argv, struct options *o) {
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--all") == 0)
            o->all = 1;
        else if (strcmp(argv[i], "--csv") == 0)
            o->csv = 1;
        else if (strcmp(argv[i], "--layouts") == 0) {
            if (strcmp(value, "all") != 0)
                return wrong(argv[i], value, "--layouts all");
            o->layouts = ++i;
        } else if (strcmp(argv[i], "--max") == 0) {
            char *end;
            long k = strtol(value, &end, 10);
            if (end == value || *end != '\0' || k < FIRST_POWER || k > LAST_POWER)
                return wrong(argv[i], value, "K from 4 to 20, for up to 2^K ranks");
            o->max = (int)k;
            i++;
        } else
            return wrong(argv[i], "", "--all, --layouts all, --csv or --max K");
    }
    return 0;
}

int main(int argc, char **argv) {
    struct options o = {0, 0, 0, LAST_POWER};
    int missed = 0;
    if (argc == 2 && strcmp(argv[1], "--help") == 0)
        return puts(usage) == EOF || fflush(stdout) != 0;
    if (parse(argc, argv, &o) != 0)
        return 2;
    print_head(&o);
    for (size_t i = 0; i < bine_catalogue_size; i++)
        for (int l = 0; l < BINE_LAYOUTS; l++)
            for (int kind = 0; kind < 3; kind++)
                if (is_wanted(&o, &bine_catalogue[i], (enum bine_layout)l))
                    missed += row(&o, &bine_catalogue[i], (enum bine_layout)l, kind);
    if (!o.csv)
        printf("\n%d times miss their target\n", missed);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("bench-schedule: standard output");
        return 1;
    }
    return 0;
}
