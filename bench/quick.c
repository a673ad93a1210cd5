/* bench-quick [SEED [JOBS [MOST [LEAST]]]]: what the library would pick against the model that
 * executes all schedules, on random networks and jobs of LEAST (4) to MOST (128) ranks, as many of
 * each order of magnitude, and random roots. Every fourth job is on a torus of two or three
 * dimensions, the others in groups; tori have rows of their own. A cell is a collective and a size
 * in a job. What is picked is executed to its end, the others as long as they may still be faster
 * than the best; those that one of their ranks alone, or its node's link, keeps busy for longer are
 * not executed.
 *
 * Two processes share the jobs (BENCH_PROCESSES). BENCH_MISSES=1 lists the cells that are not
 * within 5 %, BENCH_TIMES=1 executes everything to its end and lists the time of every algorithm,
 * by the model and as it was guessed. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "model/pick.h"
#include "model/time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 6, PARTS = 4, KINDS = 2, EVERY_TORUS = 4, PROCESSES_MOST = 64 };
static const int64_t sizes[SIZES] = {64, 2048, 32768, 262144, 2 << 20, 16 << 20};
/* The ranks of jobs that rows of the table are for: below these. */
static const int below[PARTS] = {16, 64, 256, 1 << 30};

struct tally {
    int cells, within5, within20;
    double worst;
};

/* Of one process. */
struct result {
    struct tally collective[BINE_COLLECTIVES], part[PARTS], kind[KINDS]; /* groups, tori */
    double seconds;                                                      /* of picking */
    long executed, excluded;
    int failed;
};

struct job {
    struct bine_allocation ranks;
    struct bine_machine machine;
    struct bine_links links;
    struct bine_groups *groups;
    struct bine_picker picker;
    int root;
};

static double bine_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double share(void) {
    return (double)rand() / ((double)RAND_MAX + 1);
}

static double between(double low, double high) {
    return low * pow(high / low, share());
}

/* A job in groups of random sizes. */
static int draw_ranks(struct bine_allocation *a, int least, int most) {
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

/* The sizes of a torus of `least` to `most` nodes: a random size, then what is left of the nodes.
 */
static int draw_torus(struct bine_allocation *a, int least, int most) {
    struct bine_shape dims = {.dims = 2 + (int)(share() * 2)};
    struct bine_reason why;
    double p = between(least < 8 ? 8 : least, most);
    for (int k = 0; k < dims.dims; k++) {
        double each = pow(p, 1.0 / (dims.dims - k));
        double size = k < dims.dims - 1 ? each * between(0.6, 1.6) : each;
        dims.size[k] = size < 2 ? 2 : (int)size;
        p /= dims.size[k];
    }
    return bine_allocation_torus(a, &dims, &why);
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

static int draw_job(struct job *j, unsigned seed, int least, int most, int torus) {
    srand(seed);
    draw_rates(&j->machine);
    if (torus)
        j->machine.rates.link = j->machine.nic_gbits / 8 * 1e9 * between(0.25, 1);
    if ((torus ? draw_torus : draw_ranks)(&j->ranks, least, most) != 0 ||
        bine_links_make(&j->links, &j->ranks, &j->machine) != 0)
        return -1;
    j->root = (int)(share() * j->ranks.p);
    j->groups = torus ? NULL : bine_allocation_levels(&j->ranks);
    return (!torus && j->groups == NULL) || bine_picker_open(&j->picker, &j->links, j->groups,
                                                             torus ? &j->ranks.shape : NULL) != 0
               ? -1
               : 0;
}

static void free_job(struct job *j) {
    bine_picker_close(&j->picker);
    bine_groups_free(j->groups);
    bine_links_free(&j->links);
    bine_allocation_free(&j->ranks);
}

/* Seconds that the algorithm takes at least: what the processor of some rank has to do, or its
 * node's link out or in has to pass. */
static double at_least(const struct job *j, const struct bine_spec *spec, int64_t bytes) {
    struct bine_work_list d;
    double most = 0, rank = 0, way[2] = {0, 0};
    if (bine_work_list_make(&d, spec, &j->links, 0) != 0)
        return 0;
    for (size_t i = 0; i < d.count; i++) {
        const struct bine_work_item *x = &d.item[i];
        if (i == 0 || x->rank != d.item[i - 1].rank)
            rank = way[0] = way[1] = 0;
        rank += x->work * (double)bytes;
        if (x->peer >= 0) {
            rank += x->transfers * j->links.rates.message;
            way[x->receives] += x->share * (double)bytes / j->links.rates.node;
        }
        most = fmax(most, fmax(rank, fmax(way[0], way[1])));
    }
    bine_work_list_free(&d);
    return most;
}

/* By events, no further than `most`; negative when out of memory. */
static double execute(const struct job *j, const struct bine_pick *p, int64_t bytes, double most,
                      struct result *r) {
    const struct bine_algorithm *g = p->algorithm;
    struct bine_spec spec = bine_picker_spec(&j->picker, g, p->layout, j->root, bytes);
    struct bine_time x;
    if (!bine_collective_is_rooted(g->collective))
        spec.root = 0;
    /* Shares are rounded, and blocks are whole elements. */
    if (most < HUGE_VAL && 0.99 * at_least(j, &spec, bytes) > most) {
        r->excluded++;
        return HUGE_VAL;
    }
    r->executed++;
    return bine_time_within(&spec, bytes, &j->links, most, &x) != 0 ? -1 : x.seconds;
}

static void count(struct tally *t, double ratio) {
    t->cells++;
    t->within5 += ratio <= 1.05;
    t->within20 += ratio <= 1.2;
    t->worst = ratio > t->worst ? ratio : t->worst;
}

static int is_torus(const struct job *j) {
    return j->links.torus != NULL;
}

static int part_of(int p) {
    int k = 0;
    while (p >= below[k])
        k++;
    return k;
}

/* The time by the full model of what the picker takes, over that of the best. */
static int judge(struct job *j, enum bine_collective c, int64_t bytes, struct result *r) {
    struct bine_pick pick[BINE_PICKS_MOST];
    const char *name = "";
    int all = getenv("BENCH_TIMES") != NULL;
    double best = HUGE_VAL, first = 0, begin = bine_now();
    int n = bine_picker_pick(&j->picker, c, j->root, bytes, NULL, NULL, pick);
    r->seconds += bine_now() - begin;
    for (int i = 0; i < n; i++) {
        double seconds = execute(j, &pick[i], bytes, all ? HUGE_VAL : best, r);
        if (seconds < 0)
            return -1;
        if (all)
            printf("time %d %s %lld %s %.6g %.6g\n", j->ranks.p, bine_collective_name(c),
                   (long long)bytes, pick[i].algorithm->name, seconds, pick[i].seconds);
        first = i == 0 ? seconds : first;
        if (seconds < best) {
            best = seconds;
            name = pick[i].algorithm->name;
        }
    }
    double ratio = n > 0 && best > 0 ? first / best : 1;
    if (ratio > 1.05 && getenv("BENCH_MISSES") != NULL)
        printf("%.2f p %d %s %d %s %lld: %s %.3g (guessed %.3g), best %s %.3g\n", ratio, j->ranks.p,
               is_torus(j) ? "torus" : "groups",
               is_torus(j) ? j->links.shape.dims : j->links.groups, bine_collective_name(c),
               (long long)bytes, pick[0].algorithm->name, first, pick[0].seconds, name, best);
    count(&r->collective[c], ratio);
    count(&r->part[part_of(j->ranks.p)], ratio);
    count(&r->kind[is_torus(j)], ratio);
    fflush(stdout);
    return n < 0 ? -1 : 0;
}

static int judge_job(unsigned seed, int least, int most, int torus, struct result *r) {
    struct job j = {.root = 0};
    int rc = draw_job(&j, seed, least, most, torus);
    for (int c = 0; c < BINE_COLLECTIVES && rc == 0; c++)
        for (int k = 0; k < SIZES && rc == 0 && bine_collective_is_plain((enum bine_collective)c);
             k++)
            rc = judge(&j, (enum bine_collective)c, sizes[k], r);
    free_job(&j);
    return rc;
}

static void add(struct tally *t, const struct tally *x) {
    t->cells += x->cells;
    t->within5 += x->within5;
    t->within20 += x->within20;
    t->worst = x->worst > t->worst ? x->worst : t->worst;
}

static void print(const char *name, const struct tally *t) {
    if (t->cells > 0)
        printf("| %s | %d | %.1f %% | %.1f %% | %.2f |\n", name, t->cells,
               100.0 * t->within5 / t->cells, 100.0 * t->within20 / t->cells, t->worst);
}

static int report(const struct result *r, int processes) {
    struct result all = {.failed = 0};
    struct tally sum = {0, 0, 0, 0};
    char name[40];
    for (int i = 0; i < processes; i++) {
        for (int c = 0; c < BINE_COLLECTIVES; c++)
            add(&all.collective[c], &r[i].collective[c]);
        for (int k = 0; k < PARTS; k++)
            add(&all.part[k], &r[i].part[k]);
        for (int k = 0; k < KINDS; k++)
            add(&all.kind[k], &r[i].kind[k]);
        all.seconds += r[i].seconds;
        all.executed += r[i].executed;
        all.excluded += r[i].excluded;
        all.failed |= r[i].failed;
    }
    if (all.failed) {
        fprintf(stderr, "bench-quick: out of memory\n");
        return 2;
    }
    printf("| | cells | within 5 %% of the best | within 20 %% | worst |\n|---|---|---|---|---|\n");
    for (int c = 0; c < BINE_COLLECTIVES; c++) {
        print(bine_collective_name((enum bine_collective)c), &all.collective[c]);
        add(&sum, &all.collective[c]);
    }
    for (int k = 0; k < PARTS; k++) {
        snprintf(name, sizeof name, k == PARTS - 1 ? "%d ranks and more" : "%d to %d ranks",
                 k == 0 ? 1 : below[k - 1], below[k] - 1);
        print(name, &all.part[k]);
    }
    print("in groups", &all.kind[0]);
    print("on tori", &all.kind[1]);
    print("all", &sum);
    printf("%ld executed, %ld too slow by what one rank has to do; %.2f ms a pick\n", all.executed,
           all.excluded, sum.cells > 0 ? 1e3 * all.seconds / sum.cells : 0);
    return 0;
}

int main(int argc, char **argv) {
    unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    int jobs = argc > 2 ? atoi(argv[2]) : 20, most = argc > 3 ? atoi(argv[3]) : 128,
        least = argc > 4 ? atoi(argv[4]) : 4;
    int processes = getenv("BENCH_PROCESSES") != NULL ? atoi(getenv("BENCH_PROCESSES")) : 2;
    processes = processes < 1 ? 1 : processes > PROCESSES_MOST ? PROCESSES_MOST : processes;
    struct result *r = mmap(NULL, PROCESSES_MOST * sizeof *r, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (r == MAP_FAILED)
        return 2;
    for (int k = 0; k < processes; k++) {
        r[k].failed = 1; /* until it has come to its end */
        if (fork() != 0)
            continue;
        int rc = 0;
        for (int i = k; i < jobs && rc == 0; i += processes)
            rc = judge_job(1000 * seed + (unsigned)i, least, most,
                           i % EVERY_TORUS == EVERY_TORUS - 1, &r[k]);
        r[k].failed = rc != 0;
        _exit(0);
    }
    while (wait(NULL) > 0)
        continue;
    return report(r, processes);
}
