#include "mpi/tally.h"

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
};

atomic_int bine_tally_state = -1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct row *rows;
static size_t used, room;

enum { REMARKS = 8 };
static char remarks[REMARKS][400];
static int remarked;

int bine_tally_ask(void) {
    int on;
    bine_setting_flag(BINE_SETTING_VERBOSE, &on);
    atomic_store(&bine_tally_state, on);
    return on;
}

static int class_of(int64_t bytes) {
    int k = -1;
    for (; bytes > 0; bytes >>= 1)
        k++;
    return k;
}

static int is_row(const struct row *r, const struct bine_question *q,
                  const struct bine_choice *choice, int class) {
    return r->p == q->p && r->class == class && r->collective == q->collective &&
           r->algorithm == choice->algorithm && r->layout == choice->layout &&
           strncmp(r->reason, choice->reason, sizeof r->reason - 1) == 0;
}

static struct row *find(const struct bine_question *q, const struct bine_choice *choice) {
    int class = class_of(q->bytes);
    for (size_t i = 0; i < used; i++)
        if (is_row(&rows[i], q, choice, class))
            return &rows[i];
    if (used == room) {
        size_t more = room == 0 ? 64 : 2 * room;
        struct row *grown = realloc(rows, more * sizeof *rows);
        if (grown == NULL)
            return NULL;
        rows = grown;
        room = more;
    }
    struct row *r = &rows[used++];
    *r = (struct row){q->p, class, q->collective, choice->algorithm, choice->layout, "", 0, 0};
    snprintf(r->reason, sizeof r->reason, "%s", choice->reason);
    return r;
}

void bine_tally_add(const struct bine_question *q, const struct bine_choice *choice) {
    pthread_mutex_lock(&lock);
    struct row *r = find(q, choice);
    if (r != NULL) {
        r->calls++;
        r->bytes += q->bytes;
    }
    pthread_mutex_unlock(&lock);
}

void bine_tally_remark(const char *format, ...) {
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
    fprintf(stderr, "bine: %7d  %-14s  %-11s  %-26s  %10lld  %15lld  %s\n", r->p,
            bine_collective_name(r->collective), class, algorithm, (long long)r->calls,
            (long long)r->bytes, r->reason);
}

void bine_tally_end(void) {
    int rank;
    pthread_mutex_lock(&lock);
    if (used > 0 && PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0) {
        qsort(rows, used, sizeof *rows, compare);
        fprintf(stderr, "bine: %7s  %-14s  %-11s  %-26s  %10s  %15s  %s\n", "ranks", "collective",
                "bytes", "algorithm", "calls", "bytes-in-all", "reason");
        for (size_t i = 0; i < used; i++)
            print_row(&rows[i]);
        for (int i = 0; i < remarked; i++)
            fprintf(stderr, "bine: %s\n", remarks[i]);
    }
    free(rows);
    rows = NULL;
    used = room = 0;
    remarked = 0;
    pthread_mutex_unlock(&lock);
}
