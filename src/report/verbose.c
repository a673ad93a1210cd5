#include "report/verbose.h"

#include "base/grow.h"
#include "base/hash.h"
#include "base/lock.h"
#include "bine.h"
#include "engine/transport/mpi_library.h"
#include "mpi/mpi_calls.h"
#include "mpi/world.h"
#include "report/verbose_ranks.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

atomic_int bine_verbose_state = -1;

enum { STARTED = 32, REMARKS = 8 };

/* Calls of one kind: a row of the report. */
struct bine_verbose_row {
    int p, class; /* bytes from 2^class on; -1: none */
    enum bine_collective collective;
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    char reason[160]; /* a copy: rules may be gone by the time that it is printed */
    int64_t calls, bytes;
    struct bine_verbose_time time;
    double gain; /* of the last call; 0: not measured */
};

/* Facts and calls of this process, from the first question whether to print them on. */
struct report {
    double begun;
    int has_started; /* its first line was printed */
    struct {
        int p, nodes, groups;
    } place; /* of the largest communicator */
    struct bine_verbose_row *rows;
    size_t used, room;
    /* Nonblocking and persistent calls that were forwarded, and intercepted. */
    struct bine_other_call started[2][STARTED + 1];
    const char *reason_of[2][STARTED];
    char remarks[REMARKS][400];
    int remarked;
};

static struct report *report; /* NULL while BINE_VERBOSE is off, and without memory */

/* MPI's clock need not go before MPI_Init. */
static double clock_now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bine_verbose_ask(void) {
    int on;
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    bine_lock();
    if (on && report == NULL && (report = calloc(1, sizeof *report)) != NULL)
        report->begun = clock_now();
    bine_unlock();
    atomic_store(&bine_verbose_state, on);
    return on;
}

static int class_of(int64_t bytes) {
    int k = -1;
    for (; bytes > 0; bytes >>= 1)
        k++;
    return k;
}

static int is_row(const struct bine_verbose_row *r, const struct bine_verbose_row *x) {
    return r->p == x->p && r->class == x->class && r->collective == x->collective &&
           r->algorithm == x->algorithm && r->layout == x->layout &&
           strcmp(r->reason, x->reason) == 0;
}

/* The row like this one, which may be new; or NULL. */
static struct bine_verbose_row *find(struct report *r, const struct bine_verbose_row *x) {
    for (size_t i = 0; i < r->used; i++)
        if (is_row(&r->rows[i], x))
            return &r->rows[i];
    if (bine_grow(&r->rows, &r->room, r->used + 1, sizeof *r->rows) != 0)
        return NULL;
    r->rows[r->used] = *x;
    return &r->rows[r->used++];
}

double bine_verbose_now(void) {
    return PMPI_Wtime();
}

void bine_verbose_add(enum bine_collective c, int p, int64_t bytes,
                      const struct bine_choice *choice, struct bine_verbose_call call) {
    struct bine_verbose_row x = {.p = p,
                                 .class = class_of(bytes),
                                 .collective = c,
                                 .algorithm = choice->algorithm,
                                 .layout = choice->layout};
    snprintf(x.reason, sizeof x.reason, "%s%s", choice->reason, bine_choice_more(choice));
    bine_lock();
    struct bine_verbose_row *r = report != NULL ? find(report, &x) : NULL;
    if (r != NULL) {
        r->calls++;
        r->bytes += bytes;
        r->time.seconds += call.seconds;
        r->gain = call.gain;
    }
    bine_unlock();
}

int bine_verbose_saw(enum bine_collective c) {
    int saw = 0;
    bine_lock();
    for (size_t i = 0; report != NULL && i < report->used; i++)
        saw |= report->rows[i].collective == c;
    bine_unlock();
    return saw;
}

void bine_verbose_remark(const char *format, ...) {
    char text[sizeof report->remarks[0]];
    va_list list;
    if (!bine_verbose_is_on())
        return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    bine_lock();
    int known = report == NULL;
    for (int i = 0; !known && i < report->remarked; i++)
        known |= strcmp(report->remarks[i], text) == 0;
    if (!known && report->remarked < REMARKS)
        strcpy(report->remarks[report->remarked++], text);
    bine_unlock();
}

static int compare(const void *a, const void *b) {
    const struct bine_verbose_row *x = a, *y = b;
    int order[] = {y->p - x->p, (int)x->collective - (int)y->collective, x->class - y->class};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (order[i] != 0)
            return order[i];
    return (x->calls < y->calls) - (x->calls > y->calls);
}

/* 2^k as people write it. */
static void write_power(int k, char text[8]) {
    static const char *const units[] = {"", "K", "M", "G", "T", "P"};
    snprintf(text, 8, "%d%s", 1 << k % 10, units[k / 10]);
}

static void write_class(int class, char text[24]) {
    char low[8], high[8];
    if (class < 0) {
        strcpy(text, "0");
        return;
    }
    write_power(class, low);
    write_power(class + 1, high);
    snprintf(text, 24, "%s-%s", low, high);
}

/* The share of the run that calls took. */
static const char *write_share(const struct bine_verbose_time *t, double run, char text[16]) {
    snprintf(text, 16, "%.1f%%", run > 0 ? 100 * t->mean / run : 0.0);
    return text;
}

static void print_row(const struct bine_verbose_row *r, double run) {
    char class[24], algorithm[64] = "mpi", share[16], gain[16] = "-";
    write_class(r->class, class);
    if (r->algorithm != NULL)
        snprintf(algorithm, sizeof algorithm, "%s:%s", r->algorithm->name,
                 bine_layout_name(r->layout));
    if (r->algorithm != NULL && r->gain > 0)
        snprintf(gain, sizeof gain, "%.2f", r->gain);
    fprintf(stderr,
            "bine: %7d  %-14s  %-11s  %-26s  %10lld  %15lld  %11.6f  %11.6f  %6s  %6s  %s\n", r->p,
            bine_collective_name(r->collective), class, algorithm, (long long)r->calls,
            (long long)r->bytes, r->time.mean, r->time.slowest, write_share(&r->time, run, share),
            gain, r->reason);
}

/* The source of the groups, as in comm/location.h. */
static void write_origin(char *text, size_t size) {
    static const int rows_in_order[] = {BINE_SETTING_GROUPS, BINE_SETTING_MACHINE};
    char origin[BINE_ORIGIN_TEXT];
    const char *address = getenv("SLURM_TOPOLOGY_ADDR"),
               *pattern = getenv("SLURM_TOPOLOGY_ADDR_PATTERN");
    for (int i = 0; i < 2; i++) {
        const char *value = bine_setting_value(rows_in_order[i], origin);
        if (*value != '\0') {
            snprintf(text, size, "%s=%.80s (%s)", bine_setting_table[rows_in_order[i]].name, value,
                     origin);
            return;
        }
    }
    if (address == NULL)
        snprintf(text, size,
                 "neither BINE_GROUPS nor BINE_MACHINE is set, nor is Slurm's "
                 "SLURM_TOPOLOGY_ADDR");
    else
        snprintf(text, size, "Slurm says SLURM_TOPOLOGY_ADDR=%.80s%s%.80s on this host", address,
                 pattern != NULL ? ", SLURM_TOPOLOGY_ADDR_PATTERN=" : "",
                 pattern != NULL ? pattern : "");
}

/* The facts as one line, once the first communicator has agreed on them: a program that is killed
 * has no report. */
static void print_start(const struct report *x) {
    char mpi[BINE_MPI_LIBRARY_TEXT], origin[BINE_ORIGIN_TEXT + 200], groups[24] = "not known";
    int off, on, world = bine_world_size();
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    if (!on || bine_world_rank() != 0)
        return;
    bine_setting_flag(BINE_SETTING_OFF, &off);
    bine_mpi_library_text(mpi, sizeof mpi, 0);
    write_origin(origin, sizeof origin);
    if (x->place.groups > 0)
        snprintf(groups, sizeof groups, "%d", x->place.groups);
    fprintf(stderr,
            "bine: start: version %d.%d, %s, with %s, %d rank%s, %d node%s; groups: %s (%s); "
            "takes over: %s\n",
            BINE_VERSION_MAJOR, BINE_VERSION_MINOR, bine_drop_in != NULL ? "drop-in" : "linked",
            mpi, world, world == 1 ? "" : "s", x->place.nodes, x->place.nodes == 1 ? "" : "s",
            groups, origin,
            off                    ? "nothing, " BINE_REASON_OFF
            : bine_drop_in == NULL ? "the calls of Bine_*"
                                   : "collectives where a rule, the model or learning says so");
}

void bine_verbose_place(int p, int nodes, int groups) {
    if (!bine_verbose_is_on())
        return;
    bine_lock();
    struct report *x = report;
    if (x != NULL && p > x->place.p) {
        x->place.p = p;
        x->place.nodes = nodes;
        x->place.groups = groups;
    }
    if (x != NULL && !x->has_started) {
        print_start(x);
        x->has_started = 1;
    }
    bine_unlock();
}

static void print_head(const struct report *x, int world) {
    char mpi[BINE_MPI_LIBRARY_TEXT], origin[BINE_ORIGIN_TEXT + 200], groups[80] = "not known";
    int off;
    bine_mpi_library_text(mpi, sizeof mpi, 1);
    fprintf(stderr, "bine: version %d.%d, %s, with %s, %d rank%s", BINE_VERSION_MAJOR,
            BINE_VERSION_MINOR, bine_drop_in != NULL ? "drop-in" : "linked", mpi, world,
            world == 1 ? "" : "s");
    if (x->place.nodes > 0)
        fprintf(stderr, ", %d node%s", x->place.nodes, x->place.nodes == 1 ? "" : "s");
    bine_setting_flag(BINE_SETTING_OFF, &off);
    if (off)
        fprintf(stderr, "\nbine: " BINE_REASON_OFF ": all calls are MPI's own");
    write_origin(origin, sizeof origin);
    if (x->place.p == 0)
        snprintf(groups, sizeof groups, "not asked for");
    else if (x->place.groups > 0 && x->place.p == world)
        snprintf(groups, sizeof groups, "%d", x->place.groups);
    else if (x->place.groups > 0)
        snprintf(groups, sizeof groups, "%d, of a communicator of %d ranks", x->place.groups,
                 x->place.p);
    fprintf(stderr, "\nbine: groups: %s; %s\n", groups, origin);
}

static void print_rows(const struct report *x, double run, int of_all) {
    fprintf(stderr,
            "bine: mean, slowest: seconds, %s; share: of %.3f seconds; gain: times as fast as "
            "MPI's own, where learning measured both\n",
            of_all ? "over the ranks that made the calls"
                   : "of rank 0 alone (no call on all ranks, or not all have BINE_VERBOSE)",
            run);
    fprintf(stderr, "bine: %7s  %-14s  %-11s  %-26s  %10s  %15s  %11s  %11s  %6s  %6s  %s\n",
            "ranks", "collective", "bytes", "algorithm", "calls", "bytes-in-all", "mean", "slowest",
            "share", "gain", "reason");
    for (size_t i = 0; i < x->used; i++)
        print_row(&x->rows[i], run);
}

enum { BY_MPI, BY_BINE, SUMS };

static void add_up(const struct report *x, struct bine_verbose_row sum[SUMS]) {
    for (int k = 0; k < SUMS; k++)
        sum[k] = (struct bine_verbose_row){.time = {.key = (uint64_t)k + 1}};
    for (size_t i = 0; i < x->used; i++) {
        struct bine_verbose_row *s = &sum[x->rows[i].algorithm != NULL ? BY_BINE : BY_MPI];
        s->calls += x->rows[i].calls;
        s->bytes += x->rows[i].bytes;
        s->time.seconds += x->rows[i].time.seconds;
    }
}

static uint64_t key_of(const struct bine_verbose_row *r) {
    const int64_t words[] = {r->p, r->class, (int64_t)r->collective,
                             r->algorithm != NULL ? r->algorithm - bine_catalogue : -1,
                             (int64_t)r->layout};
    return bine_hash(bine_hash(BINE_HASH, words, sizeof words), r->reason, strlen(r->reason));
}

/* Sort the rows, and find the mean and the slowest of each and of the sums. Whether they are of all
 * ranks. A rank without memory has nothing to say, and takes part. */
static int share_times(struct report *x, struct bine_verbose_row sum[SUMS]) {
    struct bine_verbose_time *t = malloc((x->used + SUMS) * sizeof *t);
    size_t n = t == NULL ? 0 : x->used;
    if (x->used > 0)
        qsort(x->rows, x->used, sizeof *x->rows, compare);
    add_up(x, sum);
    for (size_t i = 0; i < n; i++) {
        t[i] = x->rows[i].time;
        t[i].key = key_of(&x->rows[i]);
    }
    for (int k = 0; k < SUMS && t != NULL; k++)
        t[n + (size_t)k] = sum[k].time;
    int of_all = bine_verbose_ranks_share(t, t == NULL ? 0 : n + SUMS);
    for (size_t i = 0; i < n; i++)
        x->rows[i].time = t[i];
    for (int k = 0; k < SUMS && t != NULL; k++)
        sum[k].time = t[n + (size_t)k];
    free(t);
    return of_all;
}

/* The time that calls of known gain took, and would have taken otherwise; returns how many there
 * are. */
static int64_t print_gain(const struct report *x) {
    double took = 0, otherwise = 0;
    int64_t calls = 0;
    for (size_t i = 0; i < x->used; i++)
        if (x->rows[i].algorithm != NULL && x->rows[i].gain > 0) {
            calls += x->rows[i].calls;
            took += x->rows[i].time.mean;
            otherwise += x->rows[i].time.mean * x->rows[i].gain;
        }
    if (calls > 0)
        fprintf(stderr,
                "bine: of these, measured beside MPI's own: %lld call%s, %.6f seconds instead of "
                "%.6f\n",
                (long long)calls, calls == 1 ? "" : "s", took, otherwise);
    return calls;
}

/* Did it help? Where MPI's own was not measured, only another run can tell. */
static void print_sums(const struct report *x, const struct bine_verbose_row sum[SUMS],
                       double run) {
    static const char *const who[] = {"forwarded to MPI", "by Bine"};
    char share[16];
    int64_t measured = 0;
    for (int k = BY_BINE; k >= BY_MPI; k--) {
        fprintf(stderr,
                "bine: %s: %lld call%s, %lld bytes, %.6f seconds (slowest rank: %.6f), %s of the "
                "run\n",
                who[k], (long long)sum[k].calls, sum[k].calls == 1 ? "" : "s",
                (long long)sum[k].bytes, sum[k].time.mean, sum[k].time.slowest,
                write_share(&sum[k].time, run, share));
        if (k == BY_BINE)
            measured = print_gain(x);
    }
    if (sum[BY_BINE].calls > measured)
        fprintf(stderr, "bine: to see whether it helps, compare the program's own time with that "
                        "of a run with BINE_OFF=1\n");
}

void bine_verbose_started(const char *name, int intercepted, const char *reason) {
    bine_lock();
    struct report *r = report;
    int i = 0, room = r != NULL ? STARTED : 0;
    while (i < room && r->started[intercepted][i].name != NULL &&
           (r->started[intercepted][i].name != name ||
            strcmp(r->reason_of[intercepted][i], reason) != 0))
        i++;
    if (i < room) {
        r->started[intercepted][i].name = name;
        r->reason_of[intercepted][i] = reason;
        atomic_fetch_add(&r->started[intercepted][i].calls, 1);
    }
    bine_unlock();
}

static const char *print_each(const struct bine_other_call *c, const char *before) {
    for (; c != NULL && c->name != NULL; c++) {
        unsigned long calls = atomic_load(&c->calls);
        if (calls == 0)
            continue;
        fprintf(stderr, "%s%s (%lu call%s)", before, c->name, calls, calls == 1 ? "" : "s");
        before = ", ";
    }
    return before;
}

static void print_others(const struct report *x) {
    static const char intercepted[] = "bine: nonblocking and persistent calls by Bine: ";
    static const char left[] = "bine: collectives that Bine does not have, forwarded to MPI: ";
    if (print_each(x->started[1], intercepted) != intercepted)
        fprintf(stderr, "\n");
    for (int i = 0; i < STARTED && x->started[0][i].name != NULL; i++) {
        unsigned long calls = atomic_load(&x->started[0][i].calls);
        fprintf(stderr, "bine: forwarded to MPI: %s (%lu call%s): %s\n", x->started[0][i].name,
                calls, calls == 1 ? "" : "s", x->reason_of[0][i]);
    }
    if (print_each(bine_drop_in != NULL ? bine_drop_in->other : NULL, left) != left)
        fprintf(stderr, "\n");
    if (bine_drop_in != NULL && x->used == 0 && x->started[0][0].name == NULL &&
        x->started[1][0].name == NULL)
        fprintf(stderr, "bine: loaded, but saw no call: %s\n",
                x->remarked > 0 ? "see below" : "the program has made none that Bine takes over");
}

static void print(const struct report *x, int world, double run, int of_all,
                  const struct bine_verbose_row sum[SUMS]) {
    int on;
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    if (!on)
        return;
    print_head(x, world);
    if (x->used > 0)
        print_rows(x, run, of_all);
    print_sums(x, sum, run);
    print_others(x);
    for (int i = 0; i < x->remarked; i++)
        fprintf(stderr, "bine: %s\n", x->remarks[i]);
}

/* A rank without memory for a report takes part with an empty one. */
void bine_verbose_end(void) {
    int rank, world, on = bine_verbose_is_on();
    struct bine_verbose_row sum[SUMS];
    struct report empty = {0};
    atomic_store(&bine_verbose_state, 0); /* calls inside MPI_Finalize are not counted */
    bine_lock();
    struct report *x = report != NULL ? report : &empty;
    report = NULL;
    bine_unlock();
    double run = clock_now() - x->begun;
    int of_all = on && share_times(x, sum);
    if (on && PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0 &&
        PMPI_Comm_size(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        print(x, world, run, of_all, sum);
    }
    bine_verbose_ranks_close();
    free(x->rows);
    free(x != &empty ? x : NULL);
}
