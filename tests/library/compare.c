/* Forces an algorithm of the MPI library and Bine's algorithm of the same name, and finds the same
 * messages and bytes.
 *
 *     library [--show]        on 8 ranks; --show prints a line for each comparison
 *
 * Sizes are such that all blocks, halves and segments are equal, so that only the pattern counts.
 */
#include "bine.h"
#include "cases.h"
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a vector: 8 segments of at most 64 KiB, as Bine cuts it, and equal blocks for 2 to 8
 * ranks, in 8 equal segments too. */
#define VECTOR (3 * 4 * 5 * 7 * 1024)
#define COUNT ((int)(VECTOR / sizeof(int)))

struct one {
    const struct library_case *c;
    int p, root;
    MPI_Comm theirs, ours;
    int *in, *out;
};

static const char *const names[] = {"bcast",    "reduce",         "allreduce",
                                    "gather",   "scatter",        "allgather",
                                    "alltoall", "reduce_scatter", "reduce_scatter_block"};

static long passed, failed;
static int shown;

/* The call of a case: once of Bine's functions, once of MPI's. */
#define DEFINE_RUN(NAME, PREFIX)                                                                   \
    static void NAME(const struct one *o, MPI_Comm comm) {                                         \
        int n = COUNT / o->p, counts[LIBRARY_RANKS];                                               \
        for (int i = 0; i < o->p; i++)                                                             \
            counts[i] = n;                                                                         \
        switch (o->c->collective) {                                                                \
        case BCAST:                                                                                \
            PREFIX##_Bcast(o->out, COUNT, MPI_INT, o->root, comm);                                 \
            break;                                                                                 \
        case REDUCE:                                                                               \
            PREFIX##_Reduce(o->in, o->out, COUNT, MPI_INT, MPI_SUM, o->root, comm);                \
            break;                                                                                 \
        case ALLREDUCE:                                                                            \
            PREFIX##_Allreduce(o->in, o->out, COUNT, MPI_INT, MPI_SUM, comm);                      \
            break;                                                                                 \
        case GATHER:                                                                               \
            PREFIX##_Gather(o->in, n, MPI_INT, o->out, n, MPI_INT, o->root, comm);                 \
            break;                                                                                 \
        case SCATTER:                                                                              \
            PREFIX##_Scatter(o->in, n, MPI_INT, o->out, n, MPI_INT, o->root, comm);                \
            break;                                                                                 \
        case ALLGATHER:                                                                            \
            PREFIX##_Allgather(o->in, n, MPI_INT, o->out, n, MPI_INT, comm);                       \
            break;                                                                                 \
        case ALLTOALL:                                                                             \
            PREFIX##_Alltoall(o->in, n, MPI_INT, o->out, n, MPI_INT, comm);                        \
            break;                                                                                 \
        case REDUCE_SCATTER:                                                                       \
            PREFIX##_Reduce_scatter(o->in, o->out, counts, MPI_INT, MPI_SUM, comm);                \
            break;                                                                                 \
        case REDUCE_SCATTER_BLOCK:                                                                 \
            PREFIX##_Reduce_scatter_block(o->in, o->out, n, MPI_INT, MPI_SUM, comm);               \
            break;                                                                                 \
        }                                                                                          \
    }
DEFINE_RUN(run_bine, Bine)
DEFINE_RUN(run_mpi, MPI)

static void run_ours(const struct one *o) {
    Bine_Next(o->ours, o->c->ours);
    run_bine(o, o->ours);
}

static void run_theirs(const struct one *o) {
    run_mpi(o, o->theirs);
}

/* The messages of the second of two calls: the first may set things up. */
static void count_call(const struct one *o, void (*run)(const struct one *), struct counts *c) {
    struct counts before;
    run(o);
    MPI_Barrier(o->theirs);
    library_count(&before);
    run(o);
    library_count(c);
    for (int i = 0; i < LIBRARY_RANKS; i++) {
        c->messages[i] -= before.messages[i];
        c->bytes[i] -= before.bytes[i];
    }
}

static void total(const struct counts *rows, int p, long *messages, long *bytes) {
    *messages = *bytes = 0;
    for (int r = 0; r < p; r++)
        for (int i = 0; i < LIBRARY_RANKS; i++) {
            *messages += rows[r].messages[i];
            *bytes += rows[r].bytes[i];
        }
}

/* The first pair of ranks, as from * LIBRARY_RANKS + to, that differs; -1 if all are equal. */
static int first_difference(const struct counts *a, const struct counts *b, int p) {
    for (int r = 0; r < p; r++)
        for (int i = 0; i < LIBRARY_RANKS; i++)
            if (a[r].messages[i] != b[r].messages[i] || a[r].bytes[i] != b[r].bytes[i])
                return r * LIBRARY_RANKS + i;
    return -1;
}

static void judge(const struct one *o, const struct counts *theirs, const struct counts *ours) {
    long m[2], b[2];
    total(theirs, o->p, &m[0], &b[0]);
    total(ours, o->p, &m[1], &b[1]);
    int at = first_difference(theirs, ours, o->p);
    int ok = m[0] > 0 && m[0] == m[1] && b[0] == b[1] && at < 0;
    passed += ok;
    failed += !ok;
    if (ok && !shown)
        return;
    printf("%s %s %s %s p=%d root=%d messages %ld %ld bytes %ld %ld pairs %s (%s)\n",
           ok ? "ok  " : "FAIL", o->c->library, names[o->c->collective], o->c->ours, o->p, o->root,
           m[0], m[1], b[0], b[1], at < 0 ? "equal" : "differ", o->c->theirs);
    if (!ok && at >= 0) {
        int r = at / LIBRARY_RANKS, i = at % LIBRARY_RANKS;
        printf("     first at %d -> %d: theirs %ld messages, %ld bytes; ours %ld, %ld\n", r, i,
               theirs[r].messages[i], theirs[r].bytes[i], ours[r].messages[i], ours[r].bytes[i]);
    }
    fflush(stdout);
}

static void compare(const struct one *o) {
    struct counts mine[2], theirs[LIBRARY_RANKS], ours[LIBRARY_RANKS];
    int rank;
    count_call(o, run_theirs, &mine[0]);
    count_call(o, run_ours, &mine[1]);
    MPI_Gather(&mine[0], sizeof *mine, MPI_BYTE, theirs, sizeof *mine, MPI_BYTE, 0, o->ours);
    MPI_Gather(&mine[1], sizeof *mine, MPI_BYTE, ours, sizeof *mine, MPI_BYTE, 0, o->ours);
    MPI_Comm_rank(o->ours, &rank);
    if (rank == 0)
        judge(o, theirs, ours);
}

/* The settings of a case, with the size of a segment at the end. */
static void settings_of(const struct library_case *c, int p, char *text, size_t size) {
    int bytes = c->segments == 0 ? 0 : VECTOR / c->segments;
    if (c->collective == ALLREDUCE)
        bytes /= p;
    if (c->segments > 0)
        snprintf(text, size, "%s%d", c->theirs, bytes);
    else
        snprintf(text, size, "%s", c->theirs);
}

static int applies(const struct library_case *c, int p) {
    if (strcmp(c->library, library_name) != 0)
        return 0;
    return c->ranks == ANY || (c->ranks == EVEN && p % 2 == 0) || (p & (p - 1)) == 0;
}

static void compare_case(const struct library_case *c, MPI_Comm ours, int *in, int *out) {
    struct one o = {.c = c, .ours = ours, .in = in, .out = out};
    /* Of 7 ranks, 1 and 3 hand their vectors over before Rabenseifner's algorithm, 0 and 6 do not.
     */
    static const int roots[] = {0, 1, 3, 6};
    char settings[300];
    MPI_Comm_size(ours, &o.p);
    int rooted = c->collective == BCAST || c->collective == REDUCE || c->collective == GATHER ||
                 c->collective == SCATTER;
    settings_of(c, o.p, settings, sizeof settings);
    int rc = control_force(settings, 0);
    MPI_Comm_dup(ours, &o.theirs);
    if (rc != 0) {
        printf("FAIL %s: cannot be forced\n", settings);
        failed++;
    }
    for (size_t i = 0; rc == 0 && i < (rooted ? sizeof roots / sizeof *roots : 1); i++) {
        o.root = roots[i];
        if (o.root < o.p)
            compare(&o);
    }
    control_force(settings, 1);
    MPI_Comm_free(&o.theirs);
}

static void compare_all(int p, int *in, int *out) {
    MPI_Comm ours;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < p ? 0 : MPI_UNDEFINED, rank, &ours);
    if (ours == MPI_COMM_NULL)
        return;
    for (size_t i = 0; i < library_case_count; i++)
        if (applies(&library_cases[i], p))
            compare_case(&library_cases[i], ours, in, out);
    MPI_Comm_free(&ours);
}

int main(int argc, char **argv) {
    int rank, size;
    library_prepare();
    setenv("BINE_SEGMENT", "64M", 1); /* reductions not cut into further messages */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    shown = argc > 1 && strcmp(argv[1], "--show") == 0;
    const char *why = size == LIBRARY_RANKS ? library_start() : "there are not 8 ranks";
    int *in = calloc(2 * VECTOR, 1), *out = calloc(2 * VECTOR, 1);
    if (why != NULL && rank == 0)
        printf("skipped: %s\n", why);
    for (int p = 2; why == NULL && p <= LIBRARY_RANKS; p++)
        compare_all(p, in, out);
    if (why == NULL && rank == 0)
        printf("%ld passed, %ld failed\n", passed, failed);
    free(in);
    free(out);
    MPI_Bcast(&failed, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed > 0;
}
