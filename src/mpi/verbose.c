#include "mpi/verbose.h"

#include "bine.h"

#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    int p, class; /* bytes from 2^class on; -1: none */
    enum bine_collective collective;
    const struct bine_algorithm *algorithm;
    enum bine_layout layout;
    char reason[160]; /* a copy: rules may be gone by the time that it is printed */
    int64_t calls, bytes;
    double seconds;
};

atomic_int bine_verbose_state = -1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row *rows;
static size_t used, room;
static struct { int p, nodes, groups; } place; /* of the largest communicator */
static const struct bine_other_call *other;

enum { STARTED = 32 };
/* Nonblocking and persistent ones that were left to MPI, and taken. */
static struct bine_other_call started[2][STARTED + 1];

enum { REMARKS = 8 };
static char remarks[REMARKS][400];
static int remarked;

int bine_verbose_ask(void) {
    int on;
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    atomic_store(&bine_verbose_state, on);
    return on;
}

static int class_of(int64_t bytes) {
    int k = -1;
    for (; bytes > 0; bytes >>= 1)
        k++;
    return k;
}

static int is_row(const struct row *r, const struct row *x) {
    return r->p == x->p && r->class == x->class && r->collective == x->collective &&
           r->algorithm == x->algorithm && r->layout == x->layout &&
           strcmp(r->reason, x->reason) == 0;
}

/* The row like this one, which may be new; or NULL. */
static struct row *find(const struct row *x) {
    for (size_t i = 0; i < used; i++)
        if (is_row(&rows[i], x))
            return &rows[i];
    if (used == room) {
        size_t more = room == 0 ? 64 : 2 * room;
        struct row *grown = realloc(rows, more * sizeof *rows);
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
                      const struct bine_choice *choice, double seconds) {
    struct row x = {.p = p,
                    .class = class_of(bytes),
                    .collective = c,
                    .algorithm = choice->algorithm,
                    .layout = choice->layout};
    snprintf(x.reason, sizeof x.reason, "%s%s", choice->reason, bine_choice_more(choice));
    pthread_mutex_lock(&lock);
    struct row *r = find(&x);
    if (r != NULL) {
        r->calls++;
        r->bytes += bytes;
        r->seconds += seconds;
    }
    pthread_mutex_unlock(&lock);
}

void bine_verbose_place(int p, int nodes, int groups) {
    pthread_mutex_lock(&lock);
    if (p > place.p) {
        place.p = p;
        place.nodes = nodes;
        place.groups = groups;
    }
    pthread_mutex_unlock(&lock);
}

void bine_verbose_attach(const struct bine_other_call *calls) {
    other = calls;
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
    const struct row *x = a, *y = b;
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

static void print_row(const struct row *r) {
    char class[24], algorithm[64] = "mpi";
    write_class(r->class, class);
    if (r->algorithm != NULL)
        snprintf(algorithm, sizeof algorithm, "%s:%s", r->algorithm->name,
                 bine_layout_name(r->layout));
    fprintf(stderr, "bine: %7d  %-14s  %-11s  %-26s  %10lld  %15lld  %11.6f  %s\n", r->p,
            bine_collective_name(r->collective), class, algorithm, (long long)r->calls,
            (long long)r->bytes, r->seconds, r->reason);
}

/* "Open MPI v4.1.4" or "MPICH Version: 4.0.2": what comes before the first comma or line's end. */
static void write_mpi(char text[80]) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int n, k = 0, blank = 0;
    if (PMPI_Get_library_version(version, &n) != MPI_SUCCESS)
        version[0] = '\0';
    for (const char *c = version; *c != '\0' && *c != ',' && *c != '\n' && k < 78; c++) {
        int is_blank = *c == ' ' || *c == '\t';
        if (is_blank && !blank)
            text[k++] = ' ';
        else if (!is_blank)
            text[k++] = *c;
        blank = is_blank;
    }
    text[k] = '\0';
}

/* Who tells the groups: as mpi/where.h has it. */
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

static void print_head(int world) {
    char mpi[80], origin[BINE_ORIGIN_TEXT + 200], groups[80] = "not known";
    int off;
    write_mpi(mpi);
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

static void print_rows(void) {
    qsort(rows, used, sizeof *rows, compare);
    fprintf(stderr, "bine: %7s  %-14s  %-11s  %-26s  %10s  %15s  %11s  %s\n", "ranks", "collective",
            "bytes", "algorithm", "calls", "bytes-in-all", "seconds", "reason");
    for (size_t i = 0; i < used; i++)
        print_row(&rows[i]);
}

/* Did it help? Only another run can tell. */
static void print_sums(void) {
    struct row sum[2] = {{.calls = 0}, {.calls = 0}}; /* MPI's, Bine's */
    for (size_t i = 0; i < used; i++) {
        struct row *s = &sum[rows[i].algorithm != NULL];
        s->calls += rows[i].calls;
        s->bytes += rows[i].bytes;
        s->seconds += rows[i].seconds;
    }
    static const char *const who[2] = {"left to MPI", "by Bine"};
    for (int k = 1; k >= 0; k--)
        fprintf(stderr, "bine: %s: %lld call%s, %lld bytes, %.6f seconds on rank 0\n", who[k],
                (long long)sum[k].calls, sum[k].calls == 1 ? "" : "s", (long long)sum[k].bytes,
                sum[k].seconds);
    if (sum[1].calls > 0)
        fprintf(stderr,
                "bine: to see whether it helps, compare the seconds of a run with BINE_OFF=1\n");
}

void bine_verbose_started(const char *name, int taken) {
    struct bine_other_call *row = started[taken];
    int i = 0;
    pthread_mutex_lock(&lock);
    while (i < STARTED && row[i].name != NULL && row[i].name != name)
        i++;
    if (i < STARTED) {
        row[i].name = name;
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
    static const char left[] =
        "bine: collectives that Bine does not have, or has not taken, left to MPI: ";
    if (print_each(started[1], taken) != taken)
        fprintf(stderr, "\n");
    if (print_each(other, print_each(started[0], left)) != left)
        fprintf(stderr, "\n");
}

void bine_verbose_end(void) {
    int rank, world, on = bine_verbose_is_on();
    atomic_store(&bine_verbose_state, 0); /* what MPI_Finalize calls is not counted */
    pthread_mutex_lock(&lock);
    if (on && PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0 &&
        PMPI_Comm_size(MPI_COMM_WORLD, &world) == MPI_SUCCESS) {
        print_head(world);
        if (used > 0)
            print_rows();
        print_sums();
        print_others();
        for (int i = 0; i < remarked; i++)
            fprintf(stderr, "bine: %s\n", remarks[i]);
    }
    free(rows);
    rows = NULL;
    used = room = 0;
    remarked = 0;
    pthread_mutex_unlock(&lock);
}
