/* What it costs to be asked: the time of a call that ends in the MPI library's own algorithm.
 *
 *     asked [--calls N] [--bytes N]
 *
 * Prints nanoseconds per call, the least and the median of many batches, on rank 0.
 * bench/asked-cost runs it with and without the drop-in library, and with an MPI whose collectives
 * do nothing at all (asked_nothing.c), so that nothing but the asking is left. PMPI names are
 * called because that library has only those: with MPI names it would be taken for a tool. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCHES = 101 };

static long option(int argc, char **argv, const char *name, long otherwise) {
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return atol(argv[i + 1]);
    return otherwise;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum call { ALLREDUCE, BCAST, GATHER };

struct run {
    const char *name;
    MPI_Datatype type;
    int count;
    enum call call;
    MPI_Comm comm;
};

static void measure(const struct run *r, long calls, char *in, char *out, int rank) {
    double time[BATCHES];
    for (int k = 0; k < BATCHES; k++) {
        double begin = MPI_Wtime();
        for (long i = 0; i < calls; i++) {
            if (r->call == BCAST)
                PMPI_Bcast(out, r->count, r->type, 0, r->comm);
            else if (r->call == GATHER)
                PMPI_Gather(in, r->count, r->type, out, r->count, r->type, 0, r->comm);
            else
                PMPI_Allreduce(in, out, r->count, r->type, MPI_SUM, r->comm);
        }
        time[k] = (MPI_Wtime() - begin) / (double)calls * 1e9;
    }
    qsort(time, BATCHES, sizeof *time, compare);
    if (rank == 0)
        printf("%-16s %8.1f %8.1f\n", r->name, time[0], time[BATCHES / 2]);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Datatype pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    long calls = option(argc, argv, "--calls", 2000), bytes = option(argc, argv, "--bytes", 8);
    char *in = calloc(1, (size_t)bytes + 8), *out = calloc(2, (size_t)bytes + 8);
    if (in == NULL || out == NULL)
        return 1;
    const struct run runs[] = {
        {"allreduce", MPI_INT, (int)bytes / 4, ALLREDUCE, MPI_COMM_WORLD},
        {"bcast", MPI_INT, (int)bytes / 4, BCAST, MPI_COMM_WORLD},
        {"gather", MPI_INT, (int)bytes / 4, GATHER, MPI_COMM_WORLD},
        {"bcast, own type", pair, (int)bytes / 8, BCAST, MPI_COMM_WORLD},
        {"bcast, alone", MPI_INT, (int)bytes / 4, BCAST, MPI_COMM_SELF},
    };
    if (rank == 0)
        printf("%-16s %8s %8s   ns per call of %ld bytes\n", "", "least", "median", bytes);
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        measure(&runs[i], calls, in, out, rank);
    MPI_Type_free(&pair);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
