/* bench-chosen COLLECTIVES SIZES [FIRST [LAST]]: a program of repeated calls with the drop-in
 * library preloaded, against the MPI library's own choice in the same process.
 *
 * All ranks are connected before. For each collective (names with commas between them) and size (of
 * the whole vector): FIRST calls on a fresh communicator, from the start; then three times LAST
 * calls of MPI's own and LAST calls there. Calls follow each other without a pause; the ranks come
 * together before and after each part. A line for each: collective, bytes, FIRST, seconds of these,
 * calls then, seconds of each, of MPI's own, "what ran last". */
#include "bine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    int kind, p, rank;
    long long bytes;
    float *in, *out;
    int *counts, *displs;
};

enum {
    BCAST,
    REDUCE,
    ALLREDUCE,
    GATHER,
    SCATTER,
    ALLGATHER,
    ALLTOALL,
    REDUCE_SCATTER,
    EVEN,
    RAMP,
    ONE,
    SCAN,
    EXSCAN
};

/* An allgatherv has blocks of one size; or the later ones are larger, as in a triangle; or that of
 * the last rank is half of all. */
static const struct {
    const char *name, *collective;
} kinds[] = {[BCAST] = {"bcast", "bcast"},
             [REDUCE] = {"reduce", "reduce"},
             [ALLREDUCE] = {"allreduce", "allreduce"},
             [GATHER] = {"gather", "gather"},
             [SCATTER] = {"scatter", "scatter"},
             [ALLGATHER] = {"allgather", "allgather"},
             [ALLTOALL] = {"alltoall", "alltoall"},
             [REDUCE_SCATTER] = {"reduce_scatter", "reduce_scatter"},
             [EVEN] = {"allgatherv", "allgatherv"},
             [RAMP] = {"allgatherv-ramp", "allgatherv"},
             [ONE] = {"allgatherv-one", "allgatherv"},
             [SCAN] = {"scan", "scan"},
             [EXSCAN] = {"exscan", "exscan"}};
enum { KINDS = sizeof kinds / sizeof *kinds, PARTS = 3 };

static void cut(struct cell *x) {
    int all = (int)(x->bytes / (long long)sizeof(float)), p = x->p, at = 0;
    for (int k = 0; k < p; k++) {
        int last = k == p - 1;
        x->counts[k] = x->kind == RAMP  ? (int)(2LL * all * (k + 1) / (p * (p + 1LL)))
                       : x->kind == ONE ? (last ? all / 2 : all / 2 / (p - 1))
                                        : all / p;
        x->displs[k] = at;
        at += x->counts[k];
    }
}

static void call(const struct cell *x, MPI_Comm comm) {
    int all = (int)(x->bytes / (long long)sizeof(float)), each = all / x->p;
    switch (x->kind) {
    case BCAST:
        MPI_Bcast(x->out, all, MPI_FLOAT, 0, comm);
        break;
    case REDUCE:
        MPI_Reduce(x->in, x->out, all, MPI_FLOAT, MPI_SUM, 0, comm);
        break;
    case ALLREDUCE:
        MPI_Allreduce(x->in, x->out, all, MPI_FLOAT, MPI_SUM, comm);
        break;
    case GATHER:
        MPI_Gather(x->in, each, MPI_FLOAT, x->out, each, MPI_FLOAT, 0, comm);
        break;
    case SCATTER:
        MPI_Scatter(x->in, each, MPI_FLOAT, x->out, each, MPI_FLOAT, 0, comm);
        break;
    case ALLGATHER:
        MPI_Allgather(x->in, each, MPI_FLOAT, x->out, each, MPI_FLOAT, comm);
        break;
    case ALLTOALL:
        MPI_Alltoall(x->in, each, MPI_FLOAT, x->out, each, MPI_FLOAT, comm);
        break;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter_block(x->in, x->out, each, MPI_FLOAT, MPI_SUM, comm);
        break;
    case SCAN:
        MPI_Scan(x->in, x->out, all, MPI_FLOAT, MPI_SUM, comm);
        break;
    case EXSCAN:
        MPI_Exscan(x->in, x->out, all, MPI_FLOAT, MPI_SUM, comm);
        break;
    default:
        MPI_Allgatherv(x->in, x->counts[x->rank], MPI_FLOAT, x->out, x->counts, x->displs,
                       MPI_FLOAT, comm);
    }
}

/* Seconds until all ranks have made so many calls. */
static double calls(const struct cell *x, MPI_Comm comm, int n) {
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < n; i++)
        call(x, comm);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - begin;
}

static void measure(struct cell *x, int first, int last) {
    MPI_Comm ours, own;
    char ran[200];
    size_t room = (size_t)x->bytes + sizeof(float);
    MPI_Comm_dup(MPI_COMM_WORLD, &ours);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    Bine_Set(own, kinds[x->kind].collective, "mpi");
    x->in = calloc(1, room);
    x->out = calloc(1, room);
    cut(x);
    calls(x, own, 1);
    double begin = calls(x, ours, first), then = 0, alone = 0;
    last *= x->bytes < 65536 ? 6 : x->bytes < 1 << 20 ? 2 : 1; /* short calls scatter more */
    for (int i = 0; i < PARTS; i++) {
        alone += calls(x, own, last);
        then += calls(x, ours, last);
    }
    Bine_Last(ours, ran, sizeof ran);
    if (x->rank == 0) {
        printf("%s,%lld,%d,%.6g,%d,%.6g,%.6g,\"%s\"\n", kinds[x->kind].name, x->bytes, first, begin,
               PARTS * last, then / PARTS / last, alone / PARTS / last, ran);
        fflush(stdout);
    }
    free(x->in);
    free(x->out);
    MPI_Comm_free(&ours);
    MPI_Comm_free(&own);
}

/* Libraries connect two ranks when the first message goes between them. That is nobody's time. */
static void connect_all(int p) {
    int *words = calloc(2 * (size_t)p, sizeof *words);
    if (words != NULL)
        PMPI_Alltoall(words, 1, MPI_INT, words + p, 1, MPI_INT, MPI_COMM_WORLD);
    free(words);
}

static long long size_of(const char *word) {
    char *end;
    long long n = strtoll(word, &end, 10);
    return *end == 'K' ? n << 10 : *end == 'M' ? n << 20 : n;
}

/* Whether a list with commas between its words has this one. */
static int is_in(const char *list, const char *word) {
    size_t n = strlen(word);
    for (const char *at = list; *at != '\0'; at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (length == n && strncmp(at, word, n) == 0)
            return 1;
        at += length;
    }
    return 0;
}

int main(int argc, char **argv) {
    int first = argc > 3 ? atoi(argv[3]) : 30, last = argc > 4 ? atoi(argv[4]) : 10;
    struct cell x;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &x.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &x.p);
    x.counts = malloc(2 * (size_t)x.p * sizeof *x.counts);
    x.displs = x.counts + x.p;
    if (argc < 3 || x.counts == NULL) {
        if (x.rank == 0)
            fprintf(stderr, "usage: bench-chosen COLLECTIVES SIZES [FIRST [LAST]]\n");
        MPI_Finalize();
        return 2;
    }
    connect_all(x.p);
    for (const char *size = argv[2]; *size != '\0'; size += *size == ',') {
        x.bytes = size_of(size);
        for (x.kind = 0; x.kind < KINDS; x.kind++)
            if (is_in(argv[1], kinds[x.kind].name))
                measure(&x, first, last);
        size += strcspn(size, ",");
    }
    free(x.counts);
    MPI_Finalize();
    return 0;
}
