/* A program that knows nothing of Bine and gives MPI vectors in the memory of a device, which its
 * MPI library does not take.
 *
 *     device LIBRARY KERNELS     the fake runtime; whether devices are to make calls by
 * themselves */
#include "../check.h"
#include "../devices/fake_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 6000 };

static int rank, p, host[N * 8];
static struct {
    void *(*new)(size_t);
    void (*copy)(void *, const void *, size_t);
    long (*launches)(void);
} device;

static int *vector_new(int n, int first) {
    int *there = device.new((size_t)n * sizeof(int));
    for (int i = 0; i < n; i++)
        host[i] = first + i;
    device.copy(there, host, (size_t)n * sizeof(int));
    return there;
}

/* The vector there is `first`, `first` + `step`, ... */
static void expect(const char *what, int rc, const int *there, int n, int first, int step) {
    int bad = 0;
    device.copy(host, there, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++)
        bad += host[i] != first + i * step;
    check_that(rc == MPI_SUCCESS && bad == 0, "%s: %d, %d of %d wrong", what, rc, bad, n);
}

static void test(int n) {
    int *in = vector_new(n * p, 1000 * rank), *out = vector_new(n * p, -7);
    int ranks = p * (p - 1) / 2 * 1000, rc;
    rc = MPI_Allreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("allreduce", rc, out, n, ranks, p);
    rc = MPI_Allreduce(MPI_IN_PLACE, out, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    expect("allreduce in place", rc, out, n, ranks, p);
    rc = MPI_Reduce_scatter_block(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect("reduce_scatter_block", rc, out, n, ranks + p * n * rank, p);
    rc = MPI_Alltoall(in, n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD);
    expect("alltoall", rc, out + n * (p - 1), n, 1000 * (p - 1) + n * rank, 1);
    rc = MPI_Scatter(in, n, MPI_INT, out, n, MPI_INT, 1, MPI_COMM_WORLD);
    expect("scatter", rc, out, n, 1000 + n * rank, 1);
    rc = MPI_Bcast(out, n, MPI_INT, 0, MPI_COMM_WORLD);
    expect("bcast", rc, out, n, 1000, 1);
    rc = MPI_Allgather(in, n, MPI_INT, out, n, MPI_INT, MPI_COMM_WORLD);
    expect("allgather", rc, out + n, n, 1000, 1);
}

static void *find(void *library, const char *name) {
    void *found = library != NULL ? dlsym(library, name) : NULL;
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return found;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
    *(void **)&device.new = find(library, "fake_device_new");
    *(void **)&device.copy = find(library, "fake_device_copy");
    *(void **)&device.launches = find(library, "fake_device_launches");
    test(10);
    test(N);
    long kernels = device.launches();
    int expected = argc > 2 && atoi(argv[2]) != 0 && rank == 0;
    check_that((kernels > 0) == expected, "%ld kernels", kernels);
    int status = check_end();
    MPI_Finalize();
    return status;
}
