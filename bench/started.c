/* Nonblocking calls that are waited for at once, against blocking ones.
 *
 *     bench-started [COLLECTIVE [BYTES...]]
 *
 * COLLECTIVE is allreduce, bcast or allgather. Prints CSV: library,collective,ranks,bytes,
 * blocking_us,started_us,ratio: medians of the slowest rank, and of both the second over the
 * first. Both ways of Bine and of MPI take turns. */
#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 401, WARM_UP = 40 };

enum library { BINE, MPI_OWN, LIBRARIES };
enum figure { BLOCKING, STARTED, FIGURES };

struct work {
    const char *collective;
    int p, count; /* floats; of a block in an allgather */
    float *in, *out;
};

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

/* Seconds on this rank. Twice: what the call before has left to do is not this one's. */
static double measure(const struct work *w, enum library library, enum figure figure) {
    Bine_Request mine = NULL;
    MPI_Request mpis = MPI_REQUEST_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (figure == BLOCKING) {
        library == BINE ? CALL(Bine_, MPI_COMM_WORLD) : CALL(MPI_, MPI_COMM_WORLD);
    } else if (library == BINE) {
        CALL(Bine_I, MPI_COMM_WORLD, &mine);
        Bine_Wait(&mine);
    } else {
        CALL(MPI_I, MPI_COMM_WORLD, &mpis);
        MPI_Wait(&mpis, MPI_STATUS_IGNORE);
    }
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

/* Turns of another order each, which is the same on all ranks: what one leaves behind in caches
 * meets all others alike. */
static void take_turns(const struct work *w, double found[LIBRARIES][FIGURES]) {
    static double time[LIBRARIES][FIGURES][REPEATS];
    enum { WAYS = LIBRARIES * FIGURES };
    unsigned draw = 1;
    for (int i = -WARM_UP; i < REPEATS; i++) {
        draw = draw * 1103515245u + 12345u;
        for (unsigned k = 0; k < WAYS; k++) {
            unsigned at = ((draw >> 16) + (draw >> 20 & 1 ? k : WAYS - k)) % WAYS;
            double t = measure(w, at % LIBRARIES, at / LIBRARIES);
            if (i >= 0)
                time[at % LIBRARIES][at / LIBRARIES][i] = t;
        }
    }
    for (int l = 0; l < LIBRARIES; l++)
        for (int f = 0; f < FIGURES; f++)
            found[l][f] = median(time[l][f], REPEATS);
}

static void run(const struct work *w, long bytes) {
    static const char *const name[] = {"bine", "mpi"};
    double found[LIBRARIES][FIGURES];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    take_turns(w, found);
    for (int l = 0; l < LIBRARIES && rank == 0; l++) {
        const double *t = found[l];
        printf("%s,%s,%d,%ld,%.2f,%.2f,%.3f\n", name[l], w->collective, w->p, bytes,
               1e6 * t[BLOCKING], 1e6 * t[STARTED], t[STARTED] / t[BLOCKING]);
    }
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const long sizes[] = {8, 1024, 4096, 16384, 65536, 262144, 1048576};
    struct work w = {.collective = argc > 1 ? argv[1] : "allreduce"};
    int n = argc > 2 ? argc - 2 : (int)(sizeof sizes / sizeof *sizes);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &w.p);
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
