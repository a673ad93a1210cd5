/* Buffers on a device, by a runtime that is loaded after the first calls: the results are right,
 * nobody but the runtime touches them, and what is between elements is left as it was.
 *
 *     device LIBRARY     the fake runtime */
#include "../check.h"
#include "fake_device.h"

#include "bine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, p;
static struct {
    void *(*new)(size_t);
    void (*free_all)(void);
    void (*copy)(void *, const void *, size_t);
    long (*copies)(void);
} device;

/* Elements of two ints and a gap of one. */
enum { N = 1000, WIDTH = 3 };
static MPI_Datatype gappy;
static MPI_Op add_pairs;

static void add(void *in, void *inout, int *n, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *n; i++)
        for (int k = 0; k < 2; k++)
            ((int *)inout)[i * WIDTH + k] += ((int *)in)[i * WIDTH + k];
}

static void *need(void *p1) {
    if (p1 == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return p1;
}

/* A buffer: the bytes on the host, and where the call finds them. */
struct buffer {
    int *host, *there;
    size_t bytes;
};

static struct buffer make(size_t ints, int on_device, int seed) {
    struct buffer b = {need(malloc(ints * sizeof(int))), NULL, ints * sizeof(int)};
    for (size_t i = 0; i < ints; i++)
        b.host[i] = seed + (int)i;
    b.there = need(on_device ? device.new(b.bytes) : malloc(b.bytes));
    on_device ? device.copy(b.there, b.host, b.bytes) : (void)memcpy(b.there, b.host, b.bytes);
    return b;
}

static void fetch(struct buffer *b, int on_device) {
    on_device ? device.copy(b->host, b->there, b->bytes)
              : (void)memcpy(b->host, b->there, b->bytes);
}

static void drop(struct buffer *b, int on_device) {
    free(b->host);
    if (!on_device)
        free(b->there);
}

/* What element i of a vector of a rank holds at word k; gaps hold what they held. */
static int word(int owner, size_t i) {
    return owner * 100000 + (int)i;
}

static void test_allreduce(int in_there, int out_there, int in_place, int gaps) {
    size_t ints = (size_t)N * (gaps ? WIDTH : 1);
    struct buffer in = make(ints, in_there, word(rank, 0)),
                  out = make(ints, out_there, in_place ? word(rank, 0) : -5000000);
    long before = device.copies();
    int rc = Bine_Allreduce(in_place ? MPI_IN_PLACE : in.there, out.there, N,
                            gaps ? gappy : MPI_INT, gaps ? add_pairs : MPI_SUM, MPI_COMM_WORLD);
    int used = in_place ? out_there : in_there || out_there, bad = 0;
    check_that((device.copies() > before) == used, "copies by the runtime: %d", used);
    fetch(&out, out_there);
    for (size_t i = 0; i < ints; i++) {
        int expected = 0;
        for (int r = 0; r < p; r++)
            expected += word(r, i);
        if (gaps && i % WIDTH == 2)
            expected = (in_place ? word(rank, 0) : -5000000) + (int)i;
        bad += out.host[i] != expected;
    }
    check_that(rc == MPI_SUCCESS && bad == 0, "allreduce %d %d %d %d: %d, %d wrong", in_there,
               out_there, in_place, gaps, rc, bad);
    drop(&in, in_there);
    drop(&out, out_there);
}

static void test_allgather(int in_there, int out_there, int in_place, int gaps) {
    size_t ints = (size_t)N * (gaps ? WIDTH : 1), all = ints * (size_t)p;
    struct buffer in = make(ints, in_there, word(rank, 0)), out = make(all, out_there, -5000000);
    MPI_Datatype type = gaps ? gappy : MPI_INT;
    if (in_place) {
        int *own = out.there + (size_t)rank * ints;
        out_there ? device.copy(own, in.host, in.bytes) : (void)memcpy(own, in.host, in.bytes);
    }
    int rc = Bine_Allgather(in_place ? MPI_IN_PLACE : in.there, N, type, out.there, N, type,
                            MPI_COMM_WORLD);
    int bad = 0;
    fetch(&out, out_there);
    for (size_t i = 0; i < all; i++) {
        int gap = gaps && i % WIDTH == 2, own = in_place && i / ints == (size_t)rank;
        bad += out.host[i] != (gap && !own ? -5000000 + (int)i : word((int)(i / ints), i % ints));
    }
    check_that(rc == MPI_SUCCESS && bad == 0, "allgather %d %d %d %d: %d, %d wrong", in_there,
               out_there, in_place, gaps, rc, bad);
    drop(&in, in_there);
    drop(&out, out_there);
}

static void test_bcast(int there, int gaps) {
    size_t ints = (size_t)N * (gaps ? WIDTH : 1);
    int root = p - 1, bad = 0;
    struct buffer x = make(ints, there, rank == root ? word(root, 0) : -5000000);
    int rc = Bine_Bcast(x.there, N, gaps ? gappy : MPI_INT, root, MPI_COMM_WORLD);
    fetch(&x, there);
    for (size_t i = 0; i < ints; i++)
        bad += x.host[i] !=
               (gaps && i % WIDTH == 2 && rank != root ? -5000000 + (int)i : word(root, i));
    check_that(rc == MPI_SUCCESS && bad == 0, "bcast %d %d: %d, %d wrong", there, gaps, rc, bad);
    drop(&x, there);
}

static void test_rest(int in_there, int out_there) {
    size_t all = (size_t)N * (size_t)p;
    struct buffer in = make(all, in_there, word(rank, 0)), out = make(all, out_there, -1);
    int root = p / 2, bad = 0;
    int rc = Bine_Alltoall(in.there, N, MPI_INT, out.there, N, MPI_INT, MPI_COMM_WORLD);
    fetch(&out, out_there);
    for (size_t i = 0; i < all; i++)
        bad += out.host[i] != word((int)(i / N), i % N + (size_t)rank * N);
    check_that(rc == MPI_SUCCESS && bad == 0, "alltoall: %d, %d wrong", rc, bad);
    rc = Bine_Gather(in.there, N, MPI_INT, out.there, N, MPI_INT, root, MPI_COMM_WORLD);
    fetch(&out, out_there);
    for (size_t i = 0; i < all && rank == root; i++)
        bad += out.host[i] != word((int)(i / N), i % N);
    check_that(rc == MPI_SUCCESS && bad == 0, "gather: %d, %d wrong", rc, bad);
    rc = Bine_Scatter(in.there, N, MPI_INT, out.there, N, MPI_INT, root, MPI_COMM_WORLD);
    fetch(&out, out_there);
    for (size_t i = 0; i < N; i++)
        bad += out.host[i] != word(root, i + (size_t)rank * N);
    check_that(rc == MPI_SUCCESS && bad == 0, "scatter: %d, %d wrong", rc, bad);
    rc = Bine_Reduce_scatter_block(in.there, out.there, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    fetch(&out, out_there);
    for (size_t i = 0; i < N; i++)
        bad += out.host[i] != word(p - 1, i + (size_t)rank * N);
    check_that(rc == MPI_SUCCESS && bad == 0, "reduce_scatter: %d, %d wrong", rc, bad);
    rc = Bine_Reduce(in.there, out.there, (int)all, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
    fetch(&out, out_there);
    for (size_t i = 0; i < all && rank == root; i++)
        bad += out.host[i] != word(p - 1, i);
    check_that(rc == MPI_SUCCESS && bad == 0, "reduce: %d, %d wrong", rc, bad);
    drop(&in, in_there);
    drop(&out, out_there);
}

/* Some ranks have theirs on the device and some do not: all ranks choose alike. */
static void test_all(void) {
    int odd = rank % 2;
    for (int gaps = 0; gaps < 2; gaps++)
        for (int k = 0; k < 8; k++) {
            int in = k & 1, out = k >> 1 & 1, in_place = k >> 2;
            test_allreduce(in, out, in_place, gaps);
            test_allreduce(in ^ odd, out, in_place, gaps);
            test_allgather(in, out, in_place, gaps);
            test_allgather(in, out ^ odd, in_place, gaps);
            test_bcast(in ^ (out & odd), gaps);
            device.free_all();
        }
    for (int k = 0; k < 4; k++) {
        test_rest(k & 1, k >> 1);
        test_rest((k & 1) ^ odd, k >> 1);
        device.free_all();
    }
}

static void *find(void *library, const char *name) {
    return need(dlsym(library, name));
}

/* The runtime is in no scope but its own, as a program's plug-in has it. */
static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    *(void **)&device.new = find(library, "fake_device_new");
    *(void **)&device.free_all = find(library, "fake_device_free_all");
    *(void **)&device.copy = find(library, "fake_device_copy");
    *(void **)&device.copies = find(library, "fake_device_copies");
}

int main(int argc, char **argv) {
    int x = 1, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    MPI_Type_vector(1, 2, WIDTH, MPI_INT, &gappy);
    MPI_Type_create_resized(gappy, 0, WIDTH * (MPI_Aint)sizeof(int), &gappy);
    MPI_Type_commit(&gappy);
    MPI_Op_create(add, 1, &add_pairs);
    for (int i = 0; i < 3; i++)
        Bine_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_that(sum == p, "before there is a device");
    load(argv[1]);
    test_all();
    MPI_Op_free(&add_pairs);
    MPI_Type_free(&gappy);
    int status = check_end();
    MPI_Finalize();
    return status;
}
