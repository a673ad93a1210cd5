/* bench-quick [SEED [JOBS [MOST]]]: the quick form of the model against the model that executes
 * schedules, on random networks and jobs of up to MOST ranks. A cell is a collective and a size in
 * a job; the algorithm that the quick form picks is judged by its time in the other one. Also how
 * long the quick form takes. */
#include "model/quick.h"
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
static int draw_job(struct bine_allocation *a, int most) {
    char text[4096] = "";
    struct bine_reason why;
    int p = (int)between(4, most + 1), groups = 1 + (int)(share() * (p < 16 ? p : 16));
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

static void judge(const double *exact, const double *quick, int n, struct tally *t) {
    int best = 0, pick = 0;
    for (int i = 1; i < n; i++) {
        best = exact[i] < exact[best] ? i : best;
        pick = quick[i] < quick[pick] ? i : pick;
    }
    double ratio = exact[pick] / exact[best];
    t->cells++;
    t->within5 += ratio <= 1.05;
    t->within20 += ratio <= 1.2;
    t->worst = ratio > t->worst ? ratio : t->worst;
}

static int compare_job(const struct bine_allocation *a, const struct bine_links *links,
                       struct tally *t, double *seconds, int print) {
    struct bine_groups *groups = bine_allocation_levels(a);
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        double exact[SIZES][64], quick[SIZES][64];
        int n = 0;
        for (size_t i = 0; i < bine_catalogue_size && n < 64; i++) {
            const struct bine_algorithm *g = &bine_catalogue[i];
            struct bine_request rq = {.algorithm = g, .p = a->p, .groups = NULL};
            char why[200];
            if (g->collective != (enum bine_collective)c)
                continue;
            if (bine_algorithm_needs(g) == BINE_NEEDS_GROUPS)
                rq.groups = groups;
            rq.layout = bine_algorithm_layout(g, a->p);
            if (bine_request_error(&rq, why, sizeof why) != NULL)
                continue;
            for (int k = 0; k < SIZES; k++) {
                struct bine_quick q;
                struct bine_time x;
                rq.segments = bine_segments_for(g, a->p, sizes[k]);
                double begin = bine_now();
                if (bine_quick_make(&q, &rq, links) != 0)
                    return -1;
                quick[k][n] = bine_quick_time(&q, links, sizes[k]);
                *seconds += bine_now() - begin;
                bine_quick_free(&q);
                if (bine_time_of(&rq, sizes[k], links, &x) != 0)
                    return -1;
                exact[k][n] = x.seconds;
                if (print)
                    printf("%s,%s,%d,%ld,%g,%g\n", bine_collective_name(g->collective), g->name,
                           a->p, (long)sizes[k], x.seconds, quick[k][n]);
            }
            n++;
        }
        for (int k = 0; k < SIZES; k++)
            judge(exact[k], quick[k], n, &t[c]);
    }
    bine_groups_free(groups);
    return 0;
}

int main(int argc, char **argv) {
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    int jobs = argc > 2 ? atoi(argv[2]) : 20, most = argc > 3 ? atoi(argv[3]) : 128;
    struct tally t[BINE_COLLECTIVES] = {{0, 0, 0, 0}}, all = {0, 0, 0, 0};
    double seconds = 0;
    srand(seed);
    for (int i = 0; i < jobs; i++) {
        struct bine_allocation a;
        struct bine_machine m;
        struct bine_links links;
        draw_rates(&m);
        if (draw_job(&a, most) != 0 || bine_links_make(&links, &a, &m) != 0 ||
            compare_job(&a, &links, t, &seconds, argc > 4) != 0) {
            fprintf(stderr, "bench-quick: out of memory\n");
            return 2;
        }
        bine_links_free(&links);
        bine_allocation_free(&a);
    }
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        printf("%-16s %4d cells, %5.1f %% within 5 %%, %5.1f %% within 20 %%, worst %.2f\n",
               bine_collective_name((enum bine_collective)c), t[c].cells,
               100.0 * t[c].within5 / t[c].cells, 100.0 * t[c].within20 / t[c].cells, t[c].worst);
        all.cells += t[c].cells;
        all.within5 += t[c].within5;
        all.within20 += t[c].within20;
        all.worst = t[c].worst > all.worst ? t[c].worst : all.worst;
    }
    printf(
        "%-16s %4d cells, %5.1f %% within 5 %%, %5.1f %% within 20 %%, worst %.2f; %.2f ms a job\n",
        "all", all.cells, 100.0 * all.within5 / all.cells, 100.0 * all.within20 / all.cells,
        all.worst, 1e3 * seconds / jobs);
    return 0;
}
