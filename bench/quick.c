/* bench-quick [SEED [JOBS [MOST [LEAST]]]]: what the library would pick against the model that
 * executes all schedules, on random networks and jobs of LEAST (4) to MOST ranks. A cell is a
 * collective and a size in a job. Also how long picking takes. BENCH_MISSES=1 lists the cells that
 * are not within 5 %, BENCH_TIMES=1 the time of every algorithm, by the model and as it was
 * guessed. */
#include "model/pick.h"
#include "model/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES = 6 };
static const int64_t sizes[SIZES] = {64, 2048, 32768, 262144, 2 << 20, 16 << 20};

struct tally {
    int cells, within5, within20;
    double worst;
};

static double bine_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double share(void) {
    return (double)rand() / ((double)RAND_MAX + 1);
}

static double between(double low, double high) {
    return low * pow(high / low, share());
}

/* A job in groups of random sizes. */
static int draw_job(struct bine_allocation *a, int least, int most) {
    char text[4096] = "";
    struct bine_reason why;
    int p = (int)between(least, most + 1), groups = 1 + (int)(share() * (p < 16 ? p : 16));
    size_t at = 0;
    for (int g = 0; g < groups; g++) {
        int left = p - (groups - g - 1),
            n = g == groups - 1 ? left : 1 + (int)(share() * 2 * left / (groups - g));
        n = n < left ? n : left;
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%d", g == 0 ? "" : ",", n);
        p -= n;
    }
    return bine_allocation_sizes(a, text, &why);
}

static void draw_rates(struct bine_machine *m) {
    memset(m, 0, sizeof *m);
    m->nics = 1;
    m->nic_gbits = between(1, 400);
    m->rates.latency_near = between(0.5e-6, 50e-6);
    m->rates.latency_far = m->rates.latency_near * between(1, 3);
    m->rates.message = m->rates.latency_near * between(0.05, 0.4);
    m->rates.uplink = m->nic_gbits / 8 * 1e9 * between(0.25, 16);
    m->rates.eager = between(512, 65536);
}

/* The time by the full model of what the picker takes, over that of the best. */
static int judge(const struct bine_allocation *a, const struct bine_links *links,
                 struct bine_picker *picker, enum bine_collective c, int64_t bytes, struct tally *t,
                 double *seconds) {
    struct bine_pick pick[BINE_PICKS_MOST];
    const char *name = "";
    double best = 0, first = 0, begin = bine_now();
    int n = bine_picker_pick(picker, c, 0, bytes, NULL, NULL, pick);
    *seconds += bine_now() - begin;
    for (int i = 0; i < n; i++) {
        const struct bine_algorithm *g = pick[i].algorithm;
        struct bine_time x;
        struct bine_request rq = {.algorithm = g,
                                  .p = a->p,
                                  .layout = bine_algorithm_layout(g, a->p),
                                  .segments = bine_segments_for(g, a->p, bytes)};
        if (bine_algorithm_needs(g) == BINE_NEEDS_GROUPS)
            rq.groups = picker->groups;
        if (bine_time_of(&rq, bytes, links, &x) != 0)
            return -1;
        if (getenv("BENCH_TIMES") != NULL)
            printf("time %d %s %lld %s %.6g %.6g\n", a->p, bine_collective_name(c),
                   (long long)bytes, g->name, x.seconds, pick[i].seconds);
        first = i == 0 ? x.seconds : first;
        if (i == 0 || x.seconds < best) {
            best = x.seconds;
            name = g->name;
        }
    }
    double ratio = n > 0 && best > 0 ? first / best : 1;
    if (ratio > 1.05 && getenv("BENCH_MISSES") != NULL)
        printf("%.2f p %d groups %d %s %lld: %s %.3g (guessed %.3g), best %s %.3g\n", ratio, a->p,
               links->groups, bine_collective_name(c), (long long)bytes, pick[0].algorithm->name,
               first, pick[0].seconds, name, best);
    t->cells++;
    t->within5 += ratio <= 1.05;
    t->within20 += ratio <= 1.2;
    t->worst = ratio > t->worst ? ratio : t->worst;
    return n < 0 ? -1 : 0;
}

static int compare_job(const struct bine_allocation *a, const struct bine_links *links,
                       struct tally *t, double *seconds) {
    struct bine_groups *groups = bine_allocation_levels(a);
    struct bine_picker picker;
    int rc = groups == NULL || bine_picker_open(&picker, links, groups, NULL) != 0 ? -1 : 0;
    for (int c = 0; c < BINE_COLLECTIVES && rc == 0; c++)
        for (int k = 0; k < SIZES && rc == 0 && bine_collective_is_plain((enum bine_collective)c);
             k++)
            rc = judge(a, links, &picker, (enum bine_collective)c, sizes[k], &t[c], seconds);
    if (groups != NULL)
        bine_picker_close(&picker);
    bine_groups_free(groups);
    return rc;
}

int main(int argc, char **argv) {
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    int jobs = argc > 2 ? atoi(argv[2]) : 20, most = argc > 3 ? atoi(argv[3]) : 128,
        least = argc > 4 ? atoi(argv[4]) : 4;
    struct tally t[BINE_COLLECTIVES] = {{0, 0, 0, 0}}, all = {0, 0, 0, 0};
    double seconds = 0;
    srand(seed);
    for (int i = 0; i < jobs; i++) {
        struct bine_allocation a;
        struct bine_machine m;
        struct bine_links links;
        draw_rates(&m);
        if (draw_job(&a, least, most) != 0 || bine_links_make(&links, &a, &m) != 0 ||
            compare_job(&a, &links, t, &seconds) != 0) {
            fprintf(stderr, "bench-quick: out of memory\n");
            return 2;
        }
        bine_links_free(&links);
        bine_allocation_free(&a);
    }
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        if (t[c].cells == 0)
            continue;
        printf("%-16s %4d cells, %5.1f %% within 5 %%, %5.1f %% within 20 %%, worst %.2f\n",
               bine_collective_name((enum bine_collective)c), t[c].cells,
               100.0 * t[c].within5 / t[c].cells, 100.0 * t[c].within20 / t[c].cells, t[c].worst);
        all.cells += t[c].cells;
        all.within5 += t[c].within5;
        all.within20 += t[c].within20;
        all.worst = t[c].worst > all.worst ? t[c].worst : all.worst;
    }
    printf("%-16s %4d cells, %5.1f %% within 5 %%, %5.1f %% within 20 %%, worst %.2f; %.2f ms a "
           "pick\n",
           "all", all.cells, 100.0 * all.within5 / all.cells, 100.0 * all.within20 / all.cells,
           all.worst, 1e3 * seconds / all.cells);
    return 0;
}
