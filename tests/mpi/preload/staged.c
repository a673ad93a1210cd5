/* Every collective that the drop-in library takes over, blocking and started, with vectors in the
 * memory of a device that the MPI library does not take: the same call with vectors of the host
 * says what must come out, also between the blocks. Ranks have one of their buffers there, both or
 * none.
 *
 *     staged LIBRARY     the fake runtime, or that of cuda_device.c */
#include "../check.h"
#include "../devices/fake_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, N = 700, WORDS = 4 * N * MOST };

static int rank, p;
static struct {
    void *(*new)(size_t);
    void (*copy)(void *, const void *, size_t);
} device;

/* Blocks of sizes of their own, with gaps, in no order; and elements with gaps. */
static int counts[MOST], displs[MOST], byte_displs[MOST], even_counts[MOST];
static MPI_Datatype types[MOST], gappy;

struct call {
    int *in, *out;
    MPI_Comm comm;
    MPI_Request *request; /* NULL: blocking */
};

#define START(NAME, OWN, ...)                                                                      \
    (c->request == NULL ? MPI_##NAME(__VA_ARGS__, c->comm)                                         \
                        : MPI_I##OWN(__VA_ARGS__, c->comm, c->request))
#define CASE(NAME, ...)                                                                            \
    static int NAME(const struct call *c) {                                                        \
        return START(__VA_ARGS__);                                                                 \
    }
CASE(bcast, Bcast, bcast, c->out, N, MPI_INT, p - 1)
CASE(bcast_gaps, Bcast, bcast, c->out, N, gappy, 0)
CASE(reduce, Reduce, reduce, c->in, c->out, N, MPI_INT, MPI_SUM, p / 2)
CASE(allreduce, Allreduce, allreduce, c->in, c->out, N, MPI_INT, MPI_MAX)
CASE(allreduce_in_place, Allreduce, allreduce, MPI_IN_PLACE, c->out, N, MPI_INT, MPI_SUM)
CASE(gather, Gather, gather, c->in, N, MPI_INT, c->out, N, MPI_INT, p - 1)
CASE(scatter, Scatter, scatter, c->in, N, MPI_INT, c->out, N, MPI_INT, 0)
CASE(allgather, Allgather, allgather, c->in, N, MPI_INT, c->out, N, MPI_INT)
CASE(allgather_gaps, Allgather, allgather, c->in, N / 4, gappy, c->out, N / 4, gappy)
CASE(allgather_in_place, Allgather, allgather, MPI_IN_PLACE, 0, MPI_INT, c->out, N, MPI_INT)
CASE(alltoall, Alltoall, alltoall, c->in, N, MPI_INT, c->out, N, MPI_INT)
CASE(reduce_scatter, Reduce_scatter, reduce_scatter, c->in, c->out, even_counts, MPI_INT, MPI_SUM)
CASE(reduce_scatter_block, Reduce_scatter_block, reduce_scatter_block, c->in, c->out, N, MPI_INT,
     MPI_SUM)
CASE(allgatherv, Allgatherv, allgatherv, c->in, counts[rank], MPI_INT, c->out, counts, displs,
     MPI_INT)
CASE(allgatherv_in_place, Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_INT, c->out, counts, displs,
     MPI_INT)
CASE(alltoallv, Alltoallv, alltoallv, c->in, even_counts, displs, MPI_INT, c->out, even_counts,
     displs, MPI_INT)
CASE(alltoallw, Alltoallw, alltoallw, c->in, even_counts, byte_displs, types, c->out, even_counts,
     byte_displs, types)
CASE(gatherv, Gatherv, gatherv, c->in, counts[rank], MPI_INT, c->out, counts, displs, MPI_INT, 0)
CASE(scatterv, Scatterv, scatterv, c->in, counts, displs, MPI_INT, c->out, counts[rank], MPI_INT,
     p - 1)
CASE(scan, Scan, scan, c->in, c->out, N, MPI_INT, MPI_SUM)
CASE(scan_in_place, Scan, scan, MPI_IN_PLACE, c->out, N, MPI_INT, MPI_SUM)
CASE(exscan, Exscan, exscan, c->in, c->out, N, MPI_INT, MPI_SUM)

#define NAMED(NAME)                                                                                \
    { #NAME, NAME }
static const struct {
    const char *name;
    int (*make)(const struct call *c);
} cases[] = {NAMED(bcast),
             NAMED(bcast_gaps),
             NAMED(reduce),
             NAMED(allreduce),
             NAMED(allreduce_in_place),
             NAMED(gather),
             NAMED(scatter),
             NAMED(allgather),
             NAMED(allgather_gaps),
             NAMED(allgather_in_place),
             NAMED(alltoall),
             NAMED(reduce_scatter),
             NAMED(reduce_scatter_block),
             NAMED(allgatherv),
             NAMED(allgatherv_in_place),
             NAMED(alltoallv),
             NAMED(alltoallw),
             NAMED(gatherv),
             NAMED(scatterv),
             NAMED(scan),
             NAMED(scan_in_place),
             NAMED(exscan)};
enum { CASES = sizeof cases / sizeof *cases };

static int host_in[WORDS], host_out[WORDS], expected[WORDS], found[WORDS];

static void fill(int seed) {
    for (int i = 0; i < WORDS; i++) {
        host_in[i] = rank * 100000 + seed + i;
        host_out[i] = expected[i] = -rank * 1000 - i;
    }
}

/* Buffers that stay where they are from call to call, as a program's do. */
static int *there_in, *there_out;

/* Which of the two buffers is on the device: bits. */
static void run(int k, int started, int where, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    fill(k * 10 + where);
    struct call plain = {host_in, expected, comm, NULL};
    int rc = cases[k].make(&plain), bad = 0;
    memcpy(found, host_out, sizeof found);
    struct call c = {where & 1 ? there_in : host_in, where & 2 ? there_out : found, comm,
                     started ? &request : NULL};
    device.copy(there_in, host_in, sizeof host_in);
    device.copy(there_out, host_out, sizeof host_out);
    rc |= cases[k].make(&c);
    if (started)
        rc |= MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (where & 2)
        device.copy(found, there_out, sizeof found);
    for (int i = 0; i < WORDS; i++)
        bad += found[i] != expected[i];
    check_that(rc == MPI_SUCCESS && bad == 0, "%s, %s, on the device %d: %d, %d words wrong",
               cases[k].name, started ? "started" : "blocking", where, rc, bad);
}

/* Two at a time, whose results lie between each other: neither writes the other's. */
static void run_two(void) {
    MPI_Request request[2];
    int bad = 0, rc;
    for (int i = 0; i < N * 8; i++)
        host_out[i] = rank == 0 ? i : -1;
    device.copy(there_out, host_out, sizeof host_out);
    rc = MPI_Ibcast(there_out, N, gappy, 0, MPI_COMM_WORLD, &request[0]);
    rc |= MPI_Ibcast(there_out + 2, N, gappy, 0, MPI_COMM_WORLD, &request[1]);
    rc |= MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    device.copy(found, there_out, sizeof found);
    for (int i = 0; i < N * 4; i++)
        bad += found[i] != i;
    check_that(rc == MPI_SUCCESS && bad == 0, "two between each other: %d, %d wrong", rc, bad);
}

static void prepare(void) {
    int at = 0;
    for (int k = p - 1; k >= 0; k--) {
        counts[k] = N - 31 * k;
        even_counts[k] = N;
        displs[k] = at;
        byte_displs[k] = at * (int)sizeof(int);
        types[k] = MPI_INT;
        at += N + 5;
    }
    /* Elements of two ints, and two left out. */
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_create_resized(two, 0, 4 * (MPI_Aint)sizeof(int), &gappy);
    MPI_Type_free(&two);
    MPI_Type_commit(&gappy);
    there_in = device.new(sizeof host_in);
    there_out = device.new(sizeof host_out);
}

static void *find(void *library, const char *name) {
    void *function = library != NULL ? dlsym(library, name) : NULL;
    if (function == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return function;
}

int main(int argc, char **argv) {
    /* A program of one rank asks for no more once MPI has begun, unless the computer has devices.
     */
    void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *(void **)&device.new = find(library, "fake_device_new");
    *(void **)&device.copy = find(library, "fake_device_copy");
    prepare();
    for (int k = 0; k < CASES; k++)
        for (int started = 0; started < 2; started++)
            for (int where = 1; where < 4; where++) {
                run(k, started, where, MPI_COMM_WORLD);
                run(k, started, (where + rank) % 4, MPI_COMM_WORLD);
            }
    int all = p, me = rank;
    p = 1;
    rank = 0;
    run(3, 0, 3, MPI_COMM_SELF);
    run(3, 1, 3, MPI_COMM_SELF);
    run(19, 0, 3, MPI_COMM_SELF);
    p = all;
    rank = me;
    run_two();
    MPI_Type_free(&gappy);
    int status = check_end();
    MPI_Finalize();
    return status;
}
