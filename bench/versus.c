/* Bine's collectives against the MPI library's own.
 *
 *     bench-versus [--csv] [--algorithms NAME,NAME,...] [--collective NAME] [--max BYTES]
 *                  [--patience SECONDS]
 *
 * All nine collectives on floats, from 8 bytes to --max (16 MiB) in all, root 0, sums. Timed in
 * turns in shuffled rounds: MPI, Bine's own choice ("default"), and every one of --algorithms that
 * the collective has. A result that differs from MPI's ends the program. The table shows medians in
 * microseconds with quartiles, and MPI's time over Bine's: above 1, Bine is faster. --csv prints
 * every round: collective,algorithm,mpi,ranks,nodes,bytes,iteration,seconds. */
#include "bine.h"
#include "timing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 40 };

struct options {
    int csv;
    const char *collective;
    char *algorithm[MOST_NAMES];
    int algorithms;
    size_t most;
    double patience;
};

struct problem {
    MPI_Comm comm;
    int p, rank, nodes;
    char library[40];
    int which;        /* in the table of collectives */
    int whole, block; /* floats */
    int *counts;
    float *in, *out;
};

enum { BCAST, REDUCE, ALLREDUCE, GATHER, SCATTER, ALLGATHER, ALLTOALL, REDUCE_SCATTER, BLOCK, ALL };

/* `blocks`: the vector consists of a block for each rank. `settings`: its name for Bine_Set. */
static const struct {
    const char *name, *settings;
    int blocks;
} table[ALL] = {
    {"bcast", "bcast", 0},
    {"reduce", "reduce", 0},
    {"allreduce", "allreduce", 0},
    {"gather", "gather", 1},
    {"scatter", "scatter", 1},
    {"allgather", "allgather", 1},
    {"alltoall", "alltoall", 1},
    {"reduce_scatter", "reduce_scatter", 1},
    {"reduce_scatter_block", "reduce_scatter", 1},
};

#define DEFINE_CALL(NAME, X)                                                                       \
    static int NAME(const struct problem *x) {                                                     \
        switch (x->which) {                                                                        \
        case BCAST:                                                                                \
            return X##_Bcast(x->out, x->whole, MPI_FLOAT, 0, x->comm);                             \
        case REDUCE:                                                                               \
            return X##_Reduce(x->in, x->out, x->whole, MPI_FLOAT, MPI_SUM, 0, x->comm);            \
        case ALLREDUCE:                                                                            \
            return X##_Allreduce(x->in, x->out, x->whole, MPI_FLOAT, MPI_SUM, x->comm);            \
        case GATHER:                                                                               \
            return X##_Gather(x->in, x->block, MPI_FLOAT, x->out, x->block, MPI_FLOAT, 0,          \
                              x->comm);                                                            \
        case SCATTER:                                                                              \
            return X##_Scatter(x->in, x->block, MPI_FLOAT, x->out, x->block, MPI_FLOAT, 0,         \
                               x->comm);                                                           \
        case ALLGATHER:                                                                            \
            return X##_Allgather(x->in, x->block, MPI_FLOAT, x->out, x->block, MPI_FLOAT,          \
                                 x->comm);                                                         \
        case ALLTOALL:                                                                             \
            return X##_Alltoall(x->in, x->block, MPI_FLOAT, x->out, x->block, MPI_FLOAT, x->comm); \
        case REDUCE_SCATTER:                                                                       \
            return X##_Reduce_scatter(x->in, x->out, x->counts, MPI_FLOAT, MPI_SUM, x->comm);      \
        default:                                                                                   \
            return X##_Reduce_scatter_block(x->in, x->out, x->block, MPI_FLOAT, MPI_SUM, x->comm); \
        }                                                                                          \
    }
DEFINE_CALL(call_mpi, MPI)
DEFINE_CALL(call_bine, Bine)

static void run_mpi(const struct bench_way *way) {
    call_mpi(way->data);
}

static void run_bine(const struct bench_way *way) {
    call_bine(way->data);
}

static void set(const struct bench_way *way) {
    const struct problem *x = way->data;
    int by_default = strcmp(way->name, "default") == 0;
    Bine_Set(x->comm, table[x->which].settings, by_default ? NULL : way->name);
}

static void fill(const struct problem *x) {
    for (int i = 0; i < x->whole; i++) {
        x->in[i] = (float)((i + 5 * x->rank) % 64);
        x->out[i] = x->which == BCAST && x->rank == 0 ? (float)(i % 64) : -1;
    }
}

static void check(const struct problem *x, const struct bench_way *way, float *kept) {
    size_t bytes = (size_t)x->whole * sizeof(float);
    fill(x);
    call_mpi(x);
    memcpy(kept, x->out, bytes);
    fill(x);
    if (way->prepare != NULL)
        way->prepare(way);
    way->run(way);
    if (memcmp(kept, x->out, bytes) == 0)
        return;
    fprintf(stderr, "%s %s: another result than MPI's\n", table[x->which].name, way->name);
    MPI_Abort(x->comm, 1);
}

/* MPI, Bine's choice, and those of the names that Bine knows for this collective and p. */
static int list_ways(const struct problem *x, const struct options *o, struct bench_way *way) {
    int n = 0;
    way[n++] = (struct bench_way){"mpi", NULL, run_mpi, x};
    way[n++] = (struct bench_way){"default", set, run_bine, x};
    for (int i = 0; i < o->algorithms; i++)
        if (Bine_Set(x->comm, table[x->which].settings, o->algorithm[i]) == MPI_SUCCESS)
            way[n++] = (struct bench_way){o->algorithm[i], set, run_bine, x};
    return n;
}

static void print_csv(const struct problem *x, const struct bench_way *way, int ways,
                      const struct bench_times *t) {
    for (int k = 0; k < ways; k++)
        for (int i = 0; i < t->rounds; i++)
            printf("%s,%s,%s,%d,%d,%zu,%d,%.9f\n", table[x->which].name, way[k].name, x->library,
                   x->p, x->nodes, (size_t)x->whole * sizeof(float), i, t->seconds[k][i]);
}

/* What Bine chose: the second word of what it says. */
static void chosen(const struct problem *x, const struct bench_way *way, char name[60]) {
    char text[200];
    set(way);
    call_bine(x);
    if (Bine_Last(x->comm, text, (int)sizeof text) != MPI_SUCCESS ||
        sscanf(text, "%*s %59s", name) != 1)
        strcpy(name, "?");
}

static void print_table(const struct problem *x, const struct bench_way *way, int ways,
                        const struct bench_times *t, const char *choice) {
    struct bench_spread mpi = bench_spread(t->seconds[0], t->rounds);
    char size[16], name[100], spread[32];
    for (int k = 0; k < ways; k++) {
        struct bench_spread s = bench_spread(t->seconds[k], t->rounds);
        snprintf(name, sizeof name, "%s%s%s", way[k].name, k == 1 ? ": " : "",
                 k == 1 ? choice : "");
        printf("%-20s %8s  %-32s %10.2f %-24s", table[x->which].name,
               bench_size((size_t)x->whole * sizeof(float), size), name, 1e6 * s.median,
               bench_quartiles(s, 1e6, 2, spread));
        if (k > 0)
            printf("%6.2f", mpi.median / s.median);
        printf("\n");
    }
}

static void compare(struct problem *x, const struct options *o) {
    static struct bench_times times;
    struct bench_way way[MOST_NAMES + 2];
    char choice[60];
    int ways = list_ways(x, o, way);
    float *kept = malloc((size_t)x->whole * sizeof *kept);
    if (kept == NULL)
        MPI_Abort(x->comm, 1);
    for (int k = 1; k < ways; k++)
        check(x, &way[k], kept);
    free(kept);
    bench_compare(way, ways, o->patience, x->comm, &times);
    chosen(x, &way[1], choice);
    if (x->rank == 0 && o->csv)
        print_csv(x, way, ways, &times);
    else if (x->rank == 0)
        print_table(x, way, ways, &times, choice);
    fflush(stdout);
}

static void run_all(struct problem *x, const struct options *o) {
    if (x->rank == 0)
        printf(o->csv ? "collective,algorithm,mpi,ranks,nodes,bytes,iteration,seconds\n"
                      : "%s, %d ranks on %d nodes; times in microseconds, medians (quartiles), "
                        "and MPI's over Bine's\n",
               x->library, x->p, x->nodes);
    for (x->which = 0; x->which < ALL; x->which++) {
        size_t last = 0;
        if (o->collective != NULL && strcmp(o->collective, table[x->which].name) != 0)
            continue;
        for (size_t bytes = 8; bytes <= o->most; bytes *= 8) {
            int floats = (int)(bytes / sizeof(float));
            x->block = floats < x->p ? 1 : floats / x->p;
            x->whole = table[x->which].blocks ? x->block * x->p : floats;
            for (int i = 0; i < x->p; i++)
                x->counts[i] = x->block;
            if ((size_t)x->whole != last)
                compare(x, o);
            last = (size_t)x->whole;
        }
    }
}

/* "openmpi-4.1.6", "mpich-4.0.2" */
static void name_library(char *name, size_t size) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING], version[20] = "";
    int n;
    MPI_Get_library_version(text, &n);
    int open = strncmp(text, "Open MPI", 8) == 0;
    if (sscanf(text, open ? "Open MPI v%19[0-9.]" : "MPICH Version: %19[0-9.]", version) != 1)
        strcpy(version, "unknown");
    snprintf(name, size, "%s-%s", open ? "openmpi" : "mpich", version);
}

static int count_nodes(MPI_Comm comm) {
    MPI_Comm node;
    int rank, nodes;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_free(&node);
    int first = rank == 0;
    MPI_Allreduce(&first, &nodes, 1, MPI_INT, MPI_SUM, comm);
    return nodes;
}

static int parse(int argc, char **argv, struct options *o) {
    for (int i = 1; i < argc; i++) {
        char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--csv") == 0) {
            o->csv = 1;
            continue;
        }
        if (value == NULL)
            return -1;
        if (strcmp(argv[i], "--collective") == 0)
            o->collective = value;
        else if (strcmp(argv[i], "--max") == 0)
            o->most = (size_t)atoll(value);
        else if (strcmp(argv[i], "--patience") == 0)
            o->patience = atof(value);
        else if (strcmp(argv[i], "--algorithms") == 0)
            for (char *s = strtok(value, ","); s && o->algorithms < MOST_NAMES;
                 s = strtok(NULL, ","))
                o->algorithm[o->algorithms++] = s;
        else
            return -1;
        i++;
    }
    return 0;
}

int main(int argc, char **argv) {
    struct options o = {.most = 16 << 20, .patience = 0.3};
    struct problem x = {.comm = MPI_COMM_WORLD};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(x.comm, &x.rank);
    MPI_Comm_size(x.comm, &x.p);
    if (parse(argc, argv, &o) != 0) {
        if (x.rank == 0)
            fprintf(stderr,
                    "usage: %s [--csv] [--algorithms NAME,...] [--collective NAME] [--max BYTES] "
                    "[--patience SECONDS]\n",
                    argv[0]);
        MPI_Finalize();
        return 2;
    }
    /* A name that a collective does not have is refused, and then left out. */
    MPI_Comm_set_errhandler(x.comm, MPI_ERRORS_RETURN);
    x.nodes = count_nodes(x.comm);
    name_library(x.library, sizeof x.library);
    size_t room = o.most + (size_t)x.p * sizeof(float);
    x.in = malloc(room);
    x.out = malloc(room);
    x.counts = malloc((size_t)x.p * sizeof *x.counts);
    if (x.in == NULL || x.out == NULL || x.counts == NULL)
        MPI_Abort(x.comm, 1);
    run_all(&x, &o);
    free(x.in);
    free(x.out);
    free(x.counts);
    MPI_Finalize();
    return 0;
}
