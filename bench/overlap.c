/* Nonblocking calls, measured as IMB-NBC does: how long a call takes that is waited for at once
 * (pure), how long with a computation of the same length between start and wait (with), and how
 * much of the shorter of the two is hidden (overlap). Beside it the blocking call.
 *
 *     bench-overlap [COLLECTIVE [BYTES...]]
 *
 * COLLECTIVE is allreduce, bcast or allgather. Prints CSV: library,collective,ranks,bytes,
 * blocking_us,pure_us,with_us,overlap_percent. The computation asks after its requests sixteen
 * times. Bine and MPI take turns in every repetition, and medians of the slowest rank are given. */
#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 201, WARM_UP = 20, TESTS = 16 };

enum library { BINE, MPI_OWN, LIBRARIES };
enum figure { BLOCKING, PURE, WITH, FIGURES };

struct work {
    const char *collective;
    int p, count; /* floats; of a block in an allgather */
    float *in, *out;
};

static volatile double sink;

static void compute(double seconds, void (*test)(void *), void *request) {
    double begin = MPI_Wtime(), next = begin + seconds / TESTS;
    double x = 1;
    while (MPI_Wtime() - begin < seconds) {
        for (int i = 0; i < 50; i++)
            x = x * 1.0000001 + 1e-9;
        if (test != NULL && MPI_Wtime() >= next) {
            test(request);
            next += seconds / TESTS;
        }
    }
    sink = x;
}

static void test_bine(void *request) {
    int flag;
    Bine_Request *r = request;
    if (*r != NULL)
        Bine_Test(r, &flag);
}

static void test_mpi(void *request) {
    int flag;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
}

#define CALL(PREFIX, ...)                                                                          \
    (w->collective[0] == 'b' ? PREFIX##bcast(w->out, w->count, MPI_FLOAT, 0, __VA_ARGS__)          \
     : w->collective[3] == 'r'                                                                     \
         ? PREFIX##allreduce(w->in, w->out, w->count, MPI_FLOAT, MPI_SUM, __VA_ARGS__)             \
         : PREFIX##allgather(w->in, w->count, MPI_FLOAT, w->out, w->count, MPI_FLOAT,              \
                             __VA_ARGS__))
#define Bine_bcast Bine_Bcast
#define Bine_allreduce Bine_Allreduce
#define Bine_allgather Bine_Allgather
#define MPI_bcast MPI_Bcast
#define MPI_allreduce MPI_Allreduce
#define MPI_allgather MPI_Allgather

/* Seconds on this rank. */
static double measure(const struct work *w, enum library library, enum figure figure, double cpu) {
    Bine_Request mine = NULL;
    MPI_Request mpis = MPI_REQUEST_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (figure == BLOCKING)
        library == BINE ? CALL(Bine_, MPI_COMM_WORLD) : CALL(MPI_, MPI_COMM_WORLD);
    else
        library == BINE ? CALL(Bine_I, MPI_COMM_WORLD, &mine) : CALL(MPI_I, MPI_COMM_WORLD, &mpis);
    if (figure == WITH && library == BINE)
        compute(cpu, test_bine, &mine);
    else if (figure == WITH)
        compute(cpu, test_mpi, &mpis);
    if (library == BINE)
        Bine_Wait(&mine);
    else
        MPI_Wait(&mpis, MPI_STATUS_IGNORE);
    return MPI_Wtime() - begin;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *x, int n) {
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    qsort(x, (size_t)n, sizeof *x, by_size);
    return x[n / 2];
}

/* The figures from the first to the last of both libraries, in turns of another order each, which is
 * the same on all ranks: what one leaves behind in caches meets all others alike. */
static void take_turns(const struct work *w, int first, int last,
                       double found[LIBRARIES][FIGURES]) {
    static double time[LIBRARIES][FIGURES][REPEATS];
    int n = (last - first + 1) * LIBRARIES;
    unsigned draw = 1;
    for (int i = -WARM_UP; i < REPEATS; i++) {
        draw = draw * 1103515245u + 12345u;
        for (int k = 0; k < n; k++) {
            int at = (int)((draw >> 16) % (unsigned)n + (unsigned)(draw >> 20 & 1 ? k : n - k)) % n;
            int l = at % LIBRARIES, f = first + at / LIBRARIES;
            double t = measure(w, (enum library)l, (enum figure)f, f == WITH ? found[l][PURE] : 0);
            if (i >= 0)
                time[l][f][i] = t;
        }
    }
    for (int f = first; f <= last; f++)
        for (int l = 0; l < LIBRARIES; l++)
            found[l][f] = median(time[l][f], REPEATS);
}

static void run(const struct work *w, long bytes) {
    static const char *const name[] = {"bine", "mpi"};
    double found[LIBRARIES][FIGURES];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    take_turns(w, BLOCKING, PURE, found);
    take_turns(w, WITH, WITH, found);
    for (int l = 0; l < LIBRARIES && rank == 0; l++) {
        const double *t = found[l];
        double hidden = 100 * (2 * t[PURE] - t[WITH]) / t[PURE];
        printf("%s,%s,%d,%ld,%.2f,%.2f,%.2f,%.0f\n", name[l], w->collective, w->p, bytes,
               1e6 * t[BLOCKING], 1e6 * t[PURE], 1e6 * t[WITH],
               hidden < 0     ? 0
               : hidden > 100 ? 100
                              : hidden);
    }
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const long sizes[] = {8, 1024, 4096, 16384, 65536, 262144, 1048576};
    struct work w = {.collective = argc > 1 ? argv[1] : "allreduce"};
    int n = argc > 2 ? argc - 2 : (int)(sizeof sizes / sizeof *sizes), rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.p);
    if (rank == 0)
        printf("library,collective,ranks,bytes,blocking_us,pure_us,with_us,overlap_percent\n");
    for (int i = 0; i < n; i++) {
        long bytes = argc > 2 ? atol(argv[i + 2]) : sizes[i];
        w.count = (int)(bytes / (long)sizeof(float) / (w.collective[3] == 'g' ? w.p : 1));
        w.in = calloc((size_t)bytes + 64, 1);
        w.out = calloc((size_t)bytes + 64, 1);
        if (w.in == NULL || w.out == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
        run(&w, bytes);
        free(w.in);
        free(w.out);
    }
    MPI_Finalize();
    return 0;
}
