/* The memory that communicators and calls take: an MPI program that knows nothing of Bine.
 *
 *     bench-footprint COMMUNICATORS
 *
 * Duplicates MPI_COMM_WORLD so many times, makes calls on each duplicate, and frees all. After each
 * stage, rank 0 prints the mean over the ranks, per communicator, of what a rank has more than
 * before: bytes of its heap, and bytes of memory files called "bine" (each page counted once,
 * however many ranks have mapped it). See bench/footprint. */
#define _GNU_SOURCE
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 8, MEDIUM = 4096, LARGE = 256 << 10, PENDING = 4 };

static int p, n;
static char *from, *to;
static MPI_Comm *comm;

static double heap(void) {
    struct mallinfo2 m = mallinfo2();
    return (double)m.uordblks + (double)m.hblkhd;
}

/* Touched bytes of files without a name that this process has mapped; those of several processes
 * count in parts (Pss). */
static double shared(void) {
    FILE *f = fopen("/proc/self/smaps", "r");
    char line[512];
    int inside = 0;
    double kilobytes = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        unsigned long k;
        if (strchr(line, '-') != NULL && strchr(line, '-') < strchr(line, ' '))
            inside = strstr(line, "memfd:bine") != NULL;
        else if (inside && sscanf(line, "Pss: %lu kB", &k) == 1)
            kilobytes += (double)k;
    }
    if (f != NULL)
        fclose(f);
    return 1024 * kilobytes;
}

static void report(const char *stage) {
    static double before[2];
    double now[2] = {heap(), shared()}, grown[2], sum[2];
    for (int i = 0; i < 2; i++)
        grown[i] = now[i] - before[i];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(grown, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && stage != NULL)
        printf("%s,%.0f,%.0f\n", stage, sum[0] / p / n, sum[1] / p / n);
    before[0] = heap();
    before[1] = shared();
}

static void blocking(int bytes) {
    for (int k = 0; k < n; k++) {
        MPI_Bcast(to, bytes, MPI_CHAR, 0, comm[k]);
        MPI_Reduce(from, to, bytes / 8, MPI_LONG, MPI_SUM, 0, comm[k]);
        MPI_Allreduce(from, to, bytes / 8, MPI_LONG, MPI_SUM, comm[k]);
        MPI_Gather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, 0, comm[k]);
        MPI_Scatter(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, 0, comm[k]);
        MPI_Allgather(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, comm[k]);
        MPI_Alltoall(from, bytes, MPI_CHAR, to, bytes, MPI_CHAR, comm[k]);
        MPI_Reduce_scatter_block(from, to, bytes / 8, MPI_LONG, MPI_SUM, comm[k]);
    }
}

/* Pending calls keep what they need until they are waited for. */
static void nonblocking(void) {
    MPI_Request *pending = malloc((size_t)n * PENDING * sizeof *pending);
    char *result = malloc((size_t)n * PENDING * MEDIUM);
    if (pending == NULL || result == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    report(NULL);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < PENDING; i++)
            MPI_Iallreduce(from, result + (size_t)(k * PENDING + i) * MEDIUM, MEDIUM / 8, MPI_LONG,
                           MPI_SUM, comm[k], &pending[k * PENDING + i]);
    report("4 pending iallreduce of 4 KiB");
    for (int i = 0; i < n * PENDING; i++)
        MPI_Wait(&pending[i], MPI_STATUS_IGNORE);
    free(pending);
    free(result);
    report(NULL);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    n = argc > 1 ? atoi(argv[1]) : 0;
    if (n < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    from = calloc((size_t)p, LARGE);
    to = calloc((size_t)p, LARGE);
    comm = malloc((size_t)n * sizeof(MPI_Comm));
    if (from == NULL || to == NULL || comm == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Allreduce(from, to, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    report(NULL);
    for (int k = 0; k < n; k++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[k]);
    report("communicator");
    blocking(SMALL);
    report("8 collectives of 8 B");
    blocking(MEDIUM);
    report("and of 4 KiB");
    blocking(LARGE);
    report("and of 256 KiB");
    nonblocking();
    for (int k = 0; k < n; k++)
        MPI_Comm_free(&comm[k]);
    MPI_Barrier(MPI_COMM_WORLD);
    report("freed");
    free(from);
    free(to);
    free(comm);
    MPI_Finalize();
    return 0;
}
