#include "report/verbose.h"

#include "base/hash.h"
#include "bine.h"
#include "engine/transport/mpi_library.h"
#include "mpi/world.h"
#include "report/verbose_file.h"

#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

atomic_int bine_verbose_state = -1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct bine_verbose_row *rows;
static size_t used, room;
static struct { int p, nodes, groups; } place; /* of the largest communicator */
static const struct bine_other_call *other;
static double begun; /* when it was first asked whether to print */

enum { STARTED = 32 };
/* Nonblocking and persistent ones that were left to MPI, and taken. */
static struct bine_other_call started[2][STARTED + 1];
static const char *reason_of[2][STARTED];
static void (*before_end)(void); /* the drop-in library's remarks */

enum { REMARKS = 8 };
static char remarks[REMARKS][400];
static int remarked;

/* MPI's clock need not go before MPI_Init. */
static double clock_now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int bine_verbose_ask(void) {
    int on;
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    on |= *bine_setting_value(BINE_SETTING_VERBOSE_FILE, NULL) != '\0';
    begun = clock_now();
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
static struct bine_verbose_row *find(const struct bine_verbose_row *x) {
    for (size_t i = 0; i < used; i++)
        if (is_row(&rows[i], x))
            return &rows[i];
    if (used == room) {
        size_t more = room == 0 ? 64 : 2 * room;
        struct bine_verbose_row *grown = realloc(rows, more * sizeof *rows);
        if (grown == NULL)
            return NULL;
        rows = grown;
        room = more;
    }
    rows[used] = *x;
    return &rows[used++];
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
    pthread_mutex_lock(&lock);
    struct bine_verbose_row *r = find(&x);
    if (r != NULL) {
        r->calls++;
        r->bytes += bytes;
        r->time.seconds += call.seconds;
        r->gain = call.gain;
    }
    pthread_mutex_unlock(&lock);
}

void bine_verbose_attach(const struct bine_other_call *calls, void (*ends)(void)) {
    other = calls;
    before_end = ends;
}

int bine_verbose_saw(enum bine_collective c) {
    int saw = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < used; i++)
        saw |= rows[i].collective == c;
    pthread_mutex_unlock(&lock);
    return saw;
}

void bine_verbose_remark(const char *format, ...) {
    char text[sizeof remarks[0]];
    va_list list;
    int known = 0;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < remarked; i++)
        known |= strcmp(remarks[i], text) == 0;
    if (!known && remarked < REMARKS)
        strcpy(remarks[remarked++], text);
    pthread_mutex_unlock(&lock);
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
static void print_start(void) {
    char mpi[BINE_MPI_LIBRARY_TEXT], origin[BINE_ORIGIN_TEXT + 200], groups[24] = "not known";
    int off, on, world = bine_world_size();
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    if (!on || bine_world_rank() != 0)
        return;
    bine_setting_flag(BINE_SETTING_OFF, &off);
    bine_mpi_library_text(mpi, sizeof mpi);
    write_origin(origin, sizeof origin);
    if (place.groups > 0)
        snprintf(groups, sizeof groups, "%d", place.groups);
    fprintf(stderr,
            "bine: start: version %d.%d, %s, with %s, %d rank%s, %d node%s; groups: %s (%s); "
            "takes over: %s\n",
            BINE_VERSION_MAJOR, BINE_VERSION_MINOR, other != NULL ? "drop-in" : "linked", mpi,
            world, world == 1 ? "" : "s", place.nodes, place.nodes == 1 ? "" : "s", groups, origin,
            off             ? "nothing, " BINE_REASON_OFF
            : other == NULL ? "the calls of Bine_*"
                            : "collectives where a rule, the model or learning says so");
}

void bine_verbose_place(int p, int nodes, int groups) {
    static int begins;
    pthread_mutex_lock(&lock);
    if (p > place.p) {
        place.p = p;
        place.nodes = nodes;
        place.groups = groups;
    }
    if (!begins && bine_verbose_is_on())
        print_start();
    begins = 1;
    pthread_mutex_unlock(&lock);
}

static void print_head(int world) {
    char mpi[BINE_MPI_LIBRARY_TEXT], origin[BINE_ORIGIN_TEXT + 200], groups[80] = "not known";
    int off;
    bine_mpi_library_text(mpi, sizeof mpi);
    fprintf(stderr, "bine: version %d.%d, %s, with %s, %d rank%s", BINE_VERSION_MAJOR,
            BINE_VERSION_MINOR, other != NULL ? "drop-in" : "linked", mpi, world,
            world == 1 ? "" : "s");
    if (place.nodes > 0)
        fprintf(stderr, ", %d node%s", place.nodes, place.nodes == 1 ? "" : "s");
    bine_setting_flag(BINE_SETTING_OFF, &off);
    if (off)
        fprintf(stderr, "\nbine: " BINE_REASON_OFF ": all calls are MPI's own");
    write_origin(origin, sizeof origin);
    if (place.p == 0)
        snprintf(groups, sizeof groups, "not asked for");
    else if (place.groups > 0 && place.p == world)
        snprintf(groups, sizeof groups, "%d", place.groups);
    else if (place.groups > 0)
        snprintf(groups, sizeof groups, "%d, of a communicator of %d ranks", place.groups, place.p);
    fprintf(stderr, "\nbine: groups: %s; %s\n", groups, origin);
}

static void print_rows(double run, int of_all) {
    fprintf(stderr,
            "bine: mean, slowest: seconds, %s; share: of %.3f seconds; gain: times as fast as "
            "MPI's own, where learning measured both\n",
            of_all ? "over the ranks that made the calls"
                   : "of rank 0 alone (no call on all ranks, or not all have BINE_VERBOSE)",
            run);
    fprintf(stderr, "bine: %7s  %-14s  %-11s  %-26s  %10s  %15s  %11s  %11s  %6s  %6s  %s\n",
            "ranks", "collective", "bytes", "algorithm", "calls", "bytes-in-all", "mean", "slowest",
            "share", "gain", "reason");
    for (size_t i = 0; i < used; i++)
        print_row(&rows[i], run);
}

enum { BY_MPI, BY_BINE, SUMS };

static void add_up(struct bine_verbose_row sum[SUMS]) {
    for (int k = 0; k < SUMS; k++)
        sum[k] = (struct bine_verbose_row){.time = {.key = (uint64_t)k + 1}};
    for (size_t i = 0; i < used; i++) {
        struct bine_verbose_row *s = &sum[rows[i].algorithm != NULL ? BY_BINE : BY_MPI];
        s->calls += rows[i].calls;
        s->bytes += rows[i].bytes;
        s->time.seconds += rows[i].time.seconds;
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
static int share_times(struct bine_verbose_row sum[SUMS]) {
    struct bine_verbose_time *t = malloc((used + SUMS) * sizeof *t);
    size_t n = t == NULL ? 0 : used;
    if (used > 0)
        qsort(rows, used, sizeof *rows, compare);
    add_up(sum);
    for (size_t i = 0; i < n; i++) {
        t[i] = rows[i].time;
        t[i].key = key_of(&rows[i]);
    }
    for (int k = 0; k < SUMS && t != NULL; k++)
        t[n + (size_t)k] = sum[k].time;
    int of_all = bine_verbose_ranks_share(t, t == NULL ? 0 : n + SUMS);
    for (size_t i = 0; i < n; i++)
        rows[i].time = t[i];
    for (int k = 0; k < SUMS && t != NULL; k++)
        sum[k].time = t[n + (size_t)k];
    free(t);
    return of_all;
}

/* The time that calls of known gain took, and would have taken otherwise; returns how many there
 * are. */
static int64_t print_gain(void) {
    double took = 0, otherwise = 0;
    int64_t calls = 0;
    for (size_t i = 0; i < used; i++)
        if (rows[i].algorithm != NULL && rows[i].gain > 0) {
            calls += rows[i].calls;
            took += rows[i].time.mean;
            otherwise += rows[i].time.mean * rows[i].gain;
        }
    if (calls > 0)
        fprintf(stderr,
                "bine: of these, measured beside MPI's own: %lld call%s, %.6f seconds instead of "
                "%.6f\n",
                (long long)calls, calls == 1 ? "" : "s", took, otherwise);
    return calls;
}

/* Did it help? Where MPI's own was not measured, only another run can tell. */
static void print_sums(const struct bine_verbose_row sum[SUMS], double run) {
    static const char *const who[] = {"left to MPI", "by Bine"};
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
            measured = print_gain();
    }
    if (sum[BY_BINE].calls > measured)
        fprintf(stderr, "bine: to see whether it helps, compare the program's own time with that "
                        "of a run with BINE_OFF=1\n");
}

void bine_verbose_started(const char *name, int taken, const char *reason) {
    struct bine_other_call *row = started[taken];
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < STARTED && row[i].name != NULL &&
           (row[i].name != name || strcmp(reason_of[taken][i], reason) != 0))
        i++;
    if (i < STARTED) {
        row[i].name = name;
        reason_of[taken][i] = reason;
        atomic_fetch_add(&row[i].calls, 1);
    }
    pthread_mutex_unlock(&lock);
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

static void print_others(void) {
    static const char taken[] = "bine: nonblocking and persistent calls by Bine: ";
    static const char left[] = "bine: collectives that Bine does not have, left to MPI: ";
    if (print_each(started[1], taken) != taken)
        fprintf(stderr, "\n");
    for (int i = 0; i < STARTED && started[0][i].name != NULL; i++) {
        unsigned long calls = atomic_load(&started[0][i].calls);
        fprintf(stderr, "bine: left to MPI: %s (%lu call%s): %s\n", started[0][i].name, calls,
                calls == 1 ? "" : "s", reason_of[0][i]);
    }
    if (print_each(other, left) != left)
        fprintf(stderr, "\n");
    if (other != NULL && used == 0 && started[0][0].name == NULL && started[1][0].name == NULL)
        fprintf(stderr, "bine: loaded, but saw no call: %s\n",
                remarked > 0 ? "see below" : "the program has made none that Bine takes over");
}

static void print(int world, double run, int of_all, const struct bine_verbose_row sum[SUMS]) {
    int on;
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    if (!on)
        return;
    print_head(world);
    if (used > 0)
        print_rows(run, of_all);
    print_sums(sum, run);
    print_others();
    for (int i = 0; i < remarked; i++)
        fprintf(stderr, "bine: %s\n", remarks[i]);
}

static void write_file(int world, double run, int of_all) {
    const char *path = bine_setting_value(BINE_SETTING_VERBOSE_FILE, NULL);
    char mpi[BINE_MPI_LIBRARY_TEXT];
    bine_mpi_library_text(mpi, sizeof mpi);
    struct bine_verbose_facts facts = {.mpi = mpi,
                                       .drop_in = other != NULL,
                                       .world = world,
                                       .nodes = place.nodes,
                                       .groups = place.groups,
                                       .of_all = of_all,
                                       .run = run,
                                       .row = rows,
                                       .rows = used};
    bine_setting_flag(BINE_SETTING_OFF, &facts.off);
    if (*path != '\0' && bine_verbose_file_write(path, &facts) != 0)
        fprintf(stderr, "bine: BINE_VERBOSE_FILE=%s cannot be written: %s\n", path,
                strerror(errno));
}

void bine_verbose_end(void) {
    int rank, world, on = bine_verbose_is_on();
    atomic_store(&bine_verbose_state, 0); /* calls inside MPI_Finalize are not counted */
    struct bine_verbose_row sum[SUMS];
    double run = clock_now() - begun;
    if (before_end != NULL)
        before_end();
    pthread_mutex_lock(&lock);
    int of_all = on && share_times(sum);
    if (on && PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0 &&
        PMPI_Comm_size(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        write_file(world, run, of_all);
        print(world, run, of_all, sum);
    }
    bine_verbose_ranks_close();
    free(rows);
    rows = NULL;
    used = room = 0;
    remarked = 0;
    pthread_mutex_unlock(&lock);
}
