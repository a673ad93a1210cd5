/* Calls on devices: what they must be besides right.
 *
 *     devices LIBRARY node       one node: who makes the call, memory that comes again or has no
 *                                handles, streams
 *     devices LIBRARY levels     two nodes by their names: the allreduce in three steps, and what
 *                                it sends between them; `uneven`: with a vector that no node
 * divides
 *     devices LIBRARY aware      an MPI library that takes such memory gets it as it is, also for
 *                                the messages of Bine's algorithms (fake runtime only)
 *
 * LIBRARY is the fake runtime, or that of cuda_device.c. The program defines some functions of MPI
 * itself, so that the library's calls come here first: it counts what is sent, and lets MPI alone
 * touch the device's memory, as one that takes it does. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "../check.h"
#include "fake_device.h"

#include "bine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, p, aware;
static long long sent;
static struct {
    void *(*new)(size_t);
    void (*free)(void *);
    void (*copy)(void *, const void *, size_t);
    long (*copies)(void);
    long (*pinned)(void);
    long (*launches)(void);
    void (*pooled)(int);
    int (*open)(int);
    void *(*later)(void *, const void *, size_t, int);
} device;

static const char *const names[] = {
    "fake_device_new",    "fake_device_free",   "fake_device_copy",
    "fake_device_copies", "fake_device_pinned", "fake_device_launches",
    "fake_device_pooled", "fake_device_open",   "fake_device_later"};

static void note(int count, MPI_Datatype type) {
    int size;
    PMPI_Type_size(type, &size);
    sent += (long long)count * size;
}

/* Inside these functions the memory is open to all. */
static void let_in(int in) {
    if (aware && device.open != NULL)
        device.open(in);
}

#define SHIM(NAME, FORMAL, ACTUAL)                                                                 \
    int PMPI_##NAME FORMAL {                                                                       \
        static int(*real) FORMAL;                                                                  \
        if (real == NULL)                                                                          \
            *(void **)&real = dlsym(RTLD_NEXT, "PMPI_" #NAME);                                     \
        let_in(1);                                                                                 \
        int rc = real ACTUAL;                                                                      \
        let_in(0);                                                                                 \
        return rc;                                                                                 \
    }
#define SENDS(NAME, FORMAL, ACTUAL)                                                                \
    int PMPI_##NAME FORMAL {                                                                       \
        static int(*real) FORMAL;                                                                  \
        if (real == NULL)                                                                          \
            *(void **)&real = dlsym(RTLD_NEXT, "PMPI_" #NAME);                                     \
        note(count, type);                                                                         \
        let_in(1);                                                                                 \
        int rc = real ACTUAL;                                                                      \
        let_in(0);                                                                                 \
        return rc;                                                                                 \
    }

SENDS(Isend,
      (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
       MPI_Request *request),
      (buffer, count, type, to, tag, comm, request))
SENDS(Send, (const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
      (buffer, count, type, to, tag, comm))
SHIM(Irecv,
     (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
      MPI_Request *request),
     (buffer, count, type, from, tag, comm, request))
SHIM(Recv,
     (void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
      MPI_Status *status),
     (buffer, count, type, from, tag, comm, status))
SHIM(Wait, (MPI_Request * request, MPI_Status *status), (request, status))
SHIM(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
SHIM(Waitall, (int n, MPI_Request request[], MPI_Status status[]), (n, request, status))
SHIM(Testall, (int n, MPI_Request request[], int *flag, MPI_Status status[]),
     (n, request, flag, status))
SHIM(Waitsome, (int n, MPI_Request request[], int *done, int index[], MPI_Status status[]),
     (n, request, done, index, status))
SHIM(Testsome, (int n, MPI_Request request[], int *done, int index[], MPI_Status status[]),
     (n, request, done, index, status))
SHIM(Allreduce, (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (in, out, n, type, op, comm))

SHIM(Allgather,
     (const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to, MPI_Comm comm),
     (in, n, type, out, m, to, comm))
SHIM(Iallgather,
     (const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to, MPI_Comm comm,
      MPI_Request *request),
     (in, n, type, out, m, to, comm, request))

/* What such a library has. */
int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void) {
    return aware;
}

/* --- Buffers */

static int *host;

static void fill(int n, int seed) {
    for (int i = 0; i < n; i++)
        host[i] = rank * 1000 + seed + i;
}

static int sum_at(int i, int seed) {
    return p * (p - 1) / 2 * 1000 + p * (seed + i);
}

static int *send_new(int n, int seed) {
    int *there = device.new((size_t)n * sizeof(int));
    fill(n, seed);
    device.copy(there, host, (size_t)n * sizeof(int));
    return there;
}

/* One allreduce, checked; `what` says who is to make it, by Bine_Last. */
static void check_sum(const char *text, const int *in, int *out, int n, int seed,
                      const char *what) {
    char last[200] = "";
    int rc = Bine_Allreduce(in, out, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD), bad = 0;
    Bine_Last(MPI_COMM_WORLD, last, (int)sizeof last);
    device.copy(host, out, (size_t)n * sizeof(int));
    for (int i = 0; i < n; i++)
        bad += host[i] != sum_at(i, seed);
    check_that(rc == MPI_SUCCESS && bad == 0, "%s: %d, %d of %d wrong", text, rc, bad, n);
    check_that((strncmp(last, "allreduce device ", 17) == 0) == (strcmp(what, "device") == 0),
               "%s: expected by %s: %s", text, what, last);
}

static void run_sum(const char *text, int n, int seed, const char *what) {
    int *in = send_new(n, seed), *out = device.new((size_t)n * sizeof(int));
    check_sum(text, in, out, n, seed, what);
    device.free(in);
    device.free(out);
}

/* --- One node */

static void test_streams(int own) {
    enum { N = 5000 };
    int *source = send_new(N, 77), *in = send_new(N, 0), *out = device.new(N * sizeof(int));
    void *stream = device.later(in, source, N * sizeof(int), own);
    check_that(Bine_Set_stream(MPI_COMM_WORLD, stream) == MPI_SUCCESS, "Bine_Set_stream");
    check_sum(own ? "after a stream" : "after the default stream", in, out, N, 77, "device");
    stream = device.later(in, out, N * sizeof(int), own);
    Bine_Set_stream(MPI_COMM_WORLD, stream);
    Bine_Next(MPI_COMM_WORLD, "ring");
    int rc = Bine_Allreduce(in, out, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD), bad = 0;
    device.copy(host, out, N * sizeof(int));
    for (int i = 0; i < N; i++)
        bad += host[i] != sum_at(i, 77);
    check_that(rc == MPI_SUCCESS && bad == 0, "staged after a stream: %d wrong", bad);
    Bine_Set_stream(MPI_COMM_WORLD, NULL);
    device.free(source);
    device.free(in);
    device.free(out);
}

/* Ranks give 1 + rank, which all types have: sums of up to 8 of them, too. */
static void test_halves(int there) {
    enum { N = 3001 };
    static const uint16_t number[2][9] = {
        {0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800},
        {0, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0, 0x40e0, 0x4100}};
    static const uint16_t sum_to[2] = {0x5080, 0x4210}; /* 36 */
    uint16_t *local = (uint16_t *)host, *in = device.new(N * 2), *out = device.new(N * 2);
    for (int kind = 0; kind < 2; kind++) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Op sum = MPI_OP_NULL, most = MPI_OP_NULL;
        int rc = kind == 0 ? Bine_Type_half(&type) : Bine_Type_bfloat16(&type), bad = 0;
        rc |= kind == 0 ? Bine_Op_half(MPI_SUM, &sum) : Bine_Op_bfloat16(MPI_SUM, &sum);
        rc |= kind == 0 ? Bine_Op_half(MPI_MAX, &most) : Bine_Op_bfloat16(MPI_MAX, &most);
        check_that(rc == MPI_SUCCESS, "types and operators of 2 bytes: %d", rc);
        for (int i = 0; i < N; i++)
            local[i] = number[kind][1 + rank];
        device.copy(in, local, N * 2);
        long before = device.launches();
        if (!there)
            Bine_Next(MPI_COMM_WORLD, "ring");
        rc = Bine_Allreduce(in, out, N, type, sum, MPI_COMM_WORLD);
        long kernels = device.launches() - before;
        check_that(before < 0 || kernels == (there && rank == 0), "kernels: %ld", kernels);
        device.copy(local, out, N * 2);
        for (int i = 0; i < N && p == 8; i++)
            bad += local[i] != sum_to[kind];
        rc |= Bine_Allreduce(in, out, N, type, most, MPI_COMM_WORLD);
        device.copy(local, out, N * 2);
        for (int i = 0; i < N; i++)
            bad += local[i] != number[kind][p];
        check_that(rc == MPI_SUCCESS && bad == 0, "numbers of 2 bytes, kind %d: %d wrong", kind,
                   bad);
    }
    device.free(in);
    device.free(out);
}

/* Vectors of several pieces, by algorithms that send messages: in place and not, all of it through
 * pinned memory. */
static void test_pieces(void) {
    enum { N = (1 << 20) + 5 };
    static const char *const algorithms[] = {"ring", "bine-large", "bine-small", "rabenseifner"};
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++) {
        long copies = device.copies(), pinned = device.pinned();
        Bine_Set(MPI_COMM_WORLD, "allreduce", algorithms[k]);
        run_sum(algorithms[k], N, (int)k, "the host");
        copies = device.copies() - copies;
        pinned = device.pinned() - pinned;
        check_that(device.copies() < 0 || (copies == pinned && copies > 2),
                   "%s: %ld copies, %ld of them pinned", algorithms[k], copies, pinned);
        int *x = send_new(N, 9), bad = 0;
        int rc = Bine_Allreduce(MPI_IN_PLACE, x, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        device.copy(host, x, N * sizeof(int));
        for (int i = 0; i < N; i++)
            bad += host[i] != sum_at(i, 9);
        check_that(rc == MPI_SUCCESS && bad == 0, "%s in place: %d wrong", algorithms[k], bad);
        device.free(x);
    }
    Bine_Set(MPI_COMM_WORLD, "allreduce", NULL);
}

static void test_node(void) {
    long before = device.launches(), copies = device.copies();
    for (int i = 0; i < 20; i++) /* memory goes and comes again */
        run_sum("again", 1000 + 100 * (i % 3), i, "device");
    long all = device.launches() - before, most = all;
    MPI_Allreduce(&all, &most, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    check_that(most == (before < 0 ? 0 : 20), "the first rank makes all calls: %ld", most);
    check_that(rank == 0 || all == 0, "others make none");
    check_that(device.copies() == copies, "nothing is copied to the host");
    device.pooled(1);
    run_sum("without handles", 1000, 3, "the host");
    device.pooled(0);
    run_sum("with handles again", 1000, 4, "device");
    device.pooled(rank == 1);
    run_sum("one without handles", 1000, 5, "the host");
    device.pooled(0);
    for (int own = 0; own < 2; own++)
        test_streams(own);
    test_pieces();
    for (int there = 0; there < 2; there++)
        test_halves(there);
}

/* --- Two nodes */

/* Ranks are dealt to the nodes in turn. */
static void write_groups(char *path) {
    FILE *f = fopen(path, "w");
    for (int r = 0; f != NULL && r < p; r++)
        fprintf(f, "g%d/n%d\n", r % 2, r % 2);
    if (f != NULL)
        fclose(f);
}

/* What was sent was sent between the nodes: as little as can be, 2 n (G - 1). The ranks ask each
 * other a number now and then. */
static void test_levels(int n) {
    int in_bytes = n * (int)sizeof(int);
    run_sum("first, which makes communicators", n, 1, "device");
    sent = 0;
    run_sum("levels", n, 2, "device");
    long long mine = sent, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld bytes sent for a vector of %d\n", all, in_bytes);
    check_that(all >= 2 * (long long)in_bytes && all <= 2 * (long long)in_bytes + 4096,
               "%lld bytes sent, for a vector of %d", all, in_bytes);
    run_sum("few bytes", 100, 3, "the host");
    Bine_Set(MPI_COMM_WORLD, "allreduce", "ring");
    run_sum("forced", n, 4, "the host");
    Bine_Set(MPI_COMM_WORLD, "allreduce", NULL);
}

/* --- An MPI library that takes them */

/* Each of Bine's algorithms on the device: nothing is copied to the host or from there, and nobody
 * but MPI and the device touches the vectors. */
static void aware_sums(void) {
    static const char *const algorithms[] = {"mpi",
                                             "ring",
                                             "bine-small",
                                             "bine-large",
                                             "bine-large:permute",
                                             "bine-large:pack",
                                             "rabenseifner",
                                             "recursive-doubling"};
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++)
        for (int n = 1000; n <= 150000; n += 149000) {
            Bine_Set(MPI_COMM_WORLD, "allreduce", algorithms[k]);
            long copies = device.copies(), launches = device.launches();
            int *in = send_new(n, 6), *out = device.new((size_t)n * sizeof(int));
            check_sum(algorithms[k], in, out, n, 6, "mpi");
            check_that(device.copies() == copies, "%s, %d ints: %ld copies to or from the host",
                       algorithms[k], n, device.copies() - copies);
            check_that(k == 0 || device.launches() > launches, "%s: the device adds up",
                       algorithms[k]);
            device.free(in);
            device.free(out);
        }
    Bine_Set(MPI_COMM_WORLD, "allreduce", NULL);
}

/* Blocks, started or not, of a rank that has its own buffers on the host among those that have not.
 */
static void aware_blocks(int started, int mixed) {
    enum { N = 5000 };
    static const char *const algorithms[] = {"bine-near", "ring", "bruck", "mpi"};
    for (size_t k = 0; k < sizeof algorithms / sizeof *algorithms; k++) {
        int here = mixed && rank % 3 == 1, n = N * p, bad = 0;
        int *in = send_new(N, (int)k), *out = device.new((size_t)n * sizeof(int));
        int *all = here ? malloc((size_t)n * sizeof(int)) : out, rc;
        long copies = device.copies();
        Bine_Request request;
        Bine_Set(MPI_COMM_WORLD, "allgather", algorithms[k]);
        if (started) {
            rc = Bine_Iallgather(in, N, MPI_INT, all, N, MPI_INT, MPI_COMM_WORLD, &request);
            rc = rc == MPI_SUCCESS ? Bine_Wait(&request) : rc;
        } else {
            rc = Bine_Allgather(in, N, MPI_INT, all, N, MPI_INT, MPI_COMM_WORLD);
        }
        check_that(here || device.copies() == copies, "allgather %s: %ld copies", algorithms[k],
                   device.copies() - copies);
        if (!here)
            device.copy(host, out, (size_t)n * sizeof(int));
        for (int i = 0; i < n; i++)
            bad += (here ? all : host)[i] != i / N * 1000 + (int)k + i % N;
        check_that(rc == MPI_SUCCESS && bad == 0, "allgather %s, %d %d: %d, %d of %d wrong",
                   algorithms[k], started, mixed, rc, bad, n);
        if (here)
            free(all);
        device.free(in);
        device.free(out);
    }
    Bine_Set(MPI_COMM_WORLD, "allgather", NULL);
}

static void test_aware(void) {
    if (device.open(0) != 0)
        return;
    aware = 1;
    aware_sums();
    for (int started = 0; started < 2; started++)
        for (int mixed = 0; mixed < 2; mixed++)
            aware_blocks(started, mixed);
    aware = 0;
}

static void load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), **function = (void **)(void *)&device;
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((function[i] = dlsym(library, names[i])) == NULL)
            MPI_Abort(MPI_COMM_WORLD, 1);
    device.free(device.new(64)); /* a real one begins with that */
}

int main(int argc, char **argv) {
    enum { MOST = 1 << 21 };
    char path[] = "/tmp/bine-devices-XXXXXX";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    const char *what = argc > 2 ? argv[2] : "node";
    host = malloc(MOST * sizeof *host);
    if (host == NULL || argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 1);
    load(argv[1]);
    int levels = strcmp(what, "levels") == 0 || strcmp(what, "uneven") == 0;
    if (levels) {
        close(mkstemp(path));
        write_groups(path);
        setenv("BINE_GROUPS", path, 1);
        test_levels(strcmp(what, "levels") == 0 ? 1 << 20 : (1 << 20) + 3);
        unlink(path);
    } else if (strcmp(what, "aware") == 0) {
        test_aware();
    } else {
        test_node();
    }
    free(host);
    int status = check_end();
    MPI_Finalize();
    return status;
}
